package dev.cleave.broker.machines;

import dev.cleave.node.Node;

/** Serves {@link Greeter} until it is killed. The system properties say how. */
final class Serves {

    private Serves() {}

    public static void main(String[] args) throws InterruptedException {
        try (Node node = Node.connect()) {
            node.bind("greeter", (Greeter) name -> "hello " + name);
            System.out.println("serves " + node.list());
            node.await();
        }
    }
}
