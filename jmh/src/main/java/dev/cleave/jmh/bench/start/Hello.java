package dev.cleave.jmh.bench.start;

/** The smallest program. */
public final class Hello {

    private Hello() {}

    /** Says one word. */
    public static void main(String[] args) {
        System.out.println("hello");
    }
}
