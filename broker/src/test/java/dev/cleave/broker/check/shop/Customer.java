package dev.cleave.broker.check.shop;

/** The client. */
public final class Customer {

    private Customer() {}

    /** Would buy. */
    public static void main(String[] args) {}
}
