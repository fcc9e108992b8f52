package dev.cleave.jmh.bench.calls;

import dev.cleave.Cleave;
import dev.cleave.Inline;
import dev.cleave.Pending;
import dev.cleave.node.Node;
import java.util.ArrayDeque;
import java.util.Queue;

/** Cleave, through its public API; a window is one of pending calls, the oldest awaited before the next is sent. */
final class CleaveContender implements Contender {

    static final String DIRECT = "echo-direct";
    static final String INLINE = "echo-inline";
    static final String RELAY = "echo-relay";

    private final String service;
    private final Echo served;

    private CleaveContender(String service, Echo served) {
        this.service = service;
        this.served = served;
    }

    /** Methods run on workers. */
    static CleaveContender workers(String service) {
        return new CleaveContender(service, new Served());
    }

    /** Methods run on the event thread. */
    static CleaveContender inline() {
        return new CleaveContender(INLINE, new InlineServed());
    }

    private static class Served implements Echo {

        @Override
        public void nothing() {}

        @Override
        public long echo(long value) {
            return value;
        }

        @Override
        public double ends(double[] values) {
            return values[0] + values[values.length - 1];
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
    }

    @Override
    @SuppressWarnings("resource") // open until the JVM ends
    public String serve(String broker) {
        Node.connect(broker).bind(service, served);
        return broker;
    }

    @Override
    @SuppressWarnings("resource") // open until the JVM ends
    public Connected connect(String where) {
        Echo echo = Node.connect(where).lookup(service, Echo.class);
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
        public long echoes(int count, int window) {
            Queue<Pending<Long>> pending = new ArrayDeque<>(window);
            long sum = 0;
            for (int i = 0; i < count; i++) {
                if (pending.size() == window) {
                    sum += pending.remove().await();
                }
                long value = i;
                pending.add(Cleave.async(() -> echo.echo(value)));
            }
            while (!pending.isEmpty()) {
                sum += pending.remove().await();
            }
            return sum;
        }

        @Override
        public double ends(double[] values) {
            return echo.ends(values);
        }
    }
}
