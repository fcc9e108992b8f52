package dev.cleave.jmh.bench.cleave;

import static java.util.Objects.requireNonNull;

import dev.cleave.Cleave;
import dev.cleave.Inline;
import dev.cleave.Pending;
import dev.cleave.config.Bindings;
import dev.cleave.jmh.bench.contender.Contender;
import dev.cleave.jmh.bench.contender.Values;
import dev.cleave.node.Node;
import dev.cleave.node.NodeOptions;
import dev.cleave.transport.Endpoint;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.IntFunction;
import java.util.function.ToLongFunction;

/** Cleave, through its public API; a window is one of pending calls, the oldest awaited before the next is sent. */
public final class CleaveContender implements Contender {

    /** The service whose calls go through the broker. */
    public static final String RELAY = "echo-relay";

    /** The application file of the broker. */
    public static final String APPLICATION = """
            application: bench
            services:
              echo-relay:
                interface: dev.cleave.jmh.bench.cleave.Echo
                route: relay
            """;

    private final String service;
    private final Echo served;
    private final Bindings file; // of the client

    private CleaveContender(String service, Echo served, Bindings file) {
        this.service = requireNonNull(service, "service");
        this.served = served;
        this.file = file;
    }

    /** Methods run on workers. */
    public static CleaveContender workers(String service) {
        return new CleaveContender(service, new Served(), Bindings.NONE);
    }

    /** Small methods run on the event thread. */
    public static CleaveContender inline(String service) {
        return new CleaveContender(service, new InlineServed(), Bindings.NONE);
    }

    /** The same, calls that fit into one go by datagrams. */
    public static CleaveContender datagrams(String service) {
        String file = "services:\n  " + service + ": {transport: udp}\n";
        return new CleaveContender(service, new InlineServed(), Bindings.parse(file, "bench.yaml"));
    }

    private static class Served implements Echo {

        @Override
        public void nothing() {}

        @Override
        public long echo(long value) {
            return value;
        }

        @Override
        public byte[] bytes(byte[] value) {
            return value;
        }

        @Override
        public double ends(double[] values) {
            return Values.ends(values);
        }

        @Override
        public double[] doubles(int count) {
            return Values.served(count);
        }
    }

    private static final class InlineServed extends Served {

        @Override
        @Inline
        public void nothing() {}

        @Override
        @Inline
        public long echo(long value) {
            return value;
        }

        @Override
        @Inline
        public byte[] bytes(byte[] value) {
            return value;
        }
    }

    @Override
    @SuppressWarnings("resource") // open until the JVM ends
    public String serve(String broker) {
        Node.connect(broker).bind(service, served);
        return broker;
    }

    /** Binds {@link Echo} on a node that is there already, small methods on the event thread. */
    public static void bind(Node node, String service) {
        node.bind(service, new InlineServed());
    }

    @Override
    @SuppressWarnings("resource") // open until the JVM ends
    public Connected connect(String where) {
        Node node = Node.connect(
                NodeOptions.DEFAULT.withBroker(Endpoint.parse(where)).withBindings(file));
        return on(node, service);
    }

    /** A client on a node that is there already. */
    public static Connected on(Node node, String service) {
        Echo echo = node.lookup(service, Echo.class);
        return () -> new CleaveCaller(echo);
    }

    private record CleaveCaller(Echo echo) implements Caller {

        @Override
        public void nothing() {
            echo.nothing();
        }

        @Override
        public long echo(long value) {
            return echo.echo(value);
        }

        @Override
        public byte[] echo(byte[] value) {
            return echo.bytes(value);
        }

        @Override
        public long echoes(int count, int window) {
            return slide(count, window, i -> Cleave.async(() -> echo.echo(i)), value -> value);
        }

        @Override
        public long echoes(byte[] value, int count, int window) {
            return slide(count, window, i -> Cleave.async(() -> echo.bytes(value)), bytes -> bytes.length);
        }

        private static <T> long slide(int count, int window, IntFunction<Pending<T>> send, ToLongFunction<T> number) {
            Queue<Pending<T>> pending = new ArrayDeque<>(window);
            long sum = 0;
            for (int i = 0; i < count; i++) {
                if (pending.size() == window) {
                    sum += number.applyAsLong(pending.remove().await());
                }
                pending.add(send.apply(i));
            }
            while (!pending.isEmpty()) {
                sum += number.applyAsLong(pending.remove().await());
            }
            return sum;
        }

        @Override
        public double ends(double[] values) {
            return echo.ends(values);
        }

        @Override
        public double[] doubles(int count) {
            return echo.doubles(count);
        }
    }
}
