package dev.cleave.call;

import static java.util.Objects.requireNonNull;

import dev.cleave.concurrent.Timer;
import dev.cleave.config.Rights;
import dev.cleave.serial.Codec;
import dev.cleave.serial.Numbers;
import dev.cleave.serial.Passing;
import dev.cleave.stream.ReceiveBudget;
import dev.cleave.transport.Handshake;
import dev.cleave.wire.Hello;

/**
 * The parts that all links of one node share.
 *
 * @param hello how the node introduces itself
 * @param types the numbers of the types it writes
 * @param methods the numbers of the methods it calls, named {@code service + '\n' + key}
 * @param passing knows which objects travel as references
 * @param timer its clock and timer
 * @param budget bounds the bytes of large values on their way to the node
 * @param memories what it remembers of the calls that have come to it
 * @param guard what peers may do
 * @param versions compares classes of servers with those here
 */
public record LinkContext(
        Hello hello,
        Numbers types,
        Numbers methods,
        Passing passing,
        Timer timer,
        ReceiveBudget budget,
        Memories memories,
        RightsGuard guard,
        TypeVersions versions) {

    /** Checks its components. */
    public LinkContext {
        requireNonNull(hello, "hello");
        requireNonNull(types, "types");
        requireNonNull(methods, "methods");
        requireNonNull(passing, "passing");
        requireNonNull(timer, "timer");
        requireNonNull(budget, "budget");
        requireNonNull(memories, "memories");
        requireNonNull(guard, "guard");
        requireNonNull(versions, "versions");
    }

    /** Creates the context of a node that starts, whose peers have all rights. */
    public static LinkContext of(Hello hello, Passing passing, Timer timer, ReceiveBudget budget) {
        return of(hello, passing, timer, budget, new RightsGuard(Rights.ALL));
    }

    /** Creates the context of a node that starts. */
    public static LinkContext of(Hello hello, Passing passing, Timer timer, ReceiveBudget budget, RightsGuard guard) {
        return new LinkContext(
                hello,
                new Numbers(),
                new Numbers(),
                passing,
                timer,
                budget,
                new Memories(timer),
                guard,
                new TypeVersions());
    }

    /** Reads and writes the values of an interface. */
    public Codec codec(RemoteInterface contract) {
        return new Codec(contract.policy(), types, passing);
    }

    /** Greets the peers of this node. */
    public Handshake handshake() {
        return new Handshake(hello, timer);
    }

    /** Returns the number under which this node calls a method of a service. */
    public int methodNumber(String service, String key) {
        return methods.numberOf(service + '\n' + key);
    }
}
