package dev.cleave.broker.machines;

import dev.cleave.node.Node;

/** Calls {@link Greeter} once. The system properties say how. */
final class Calls {

    private Calls() {}

    public static void main(String[] args) {
        try (Node node = Node.connect()) {
            System.out.println(node.lookup("greeter", Greeter.class).greet("machine"));
            node.list().forEach(service -> service.replicas()
                    .forEach(replica -> System.out.println("at " + replica.endpoint())));
        }
    }
}
