package dev.cleave.agent.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.call.Handle;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A million iterations, or 200,000 in a short build: what is in flight, and so what is held, stays within the window. */
@Tag("one-jdk")
class LongLoopTest {

    private static final int WIDEST = 1_024; // of a window that is automatic

    private static final int N = Boolean.getBoolean("cleave.full") ? 1_000_000 : 50_000;

    private final Conformance conformance = new Conformance();

    /** A server that answers at once and remembers only how many calls were open. */
    private static final class Counting extends ScriptedService {

        private int most;
        private int open;

        Counting() {
            super(Schedule.ok(1));
        }

        @Override
        Handle handle(String method, Object... arguments) {
            most = Math.max(most, ++open);
            Object outcome = execute(method, arguments);
            log.clear();
            return new Open(outcome);
        }

        private final class Open extends Handle {

            private final Object outcome;
            private final byte[] weight = new byte[1024];
            private boolean ended;

            Open(Object outcome) {
                this.outcome = outcome;
            }

            private Object end() {
                open -= ended ? 0 : 1;
                ended = true;
                return outcome;
            }

            @Override
            public void origin() {}

            @Override
            public boolean isDone() {
                return ended || weight.length == 0;
            }

            @Override
            public boolean hasAnswer() {
                return isDone();
            }

            @Override
            public Object await() {
                return end();
            }

            @Override
            public void awaitVoid() {
                end();
            }

            @Override
            public int awaitInt() {
                return (int) end();
            }

            @Override
            public long awaitLong() {
                return (long) end();
            }

            @Override
            public float awaitFloat() {
                return (float) end();
            }

            @Override
            public double awaitDouble() {
                return (double) end();
            }

            @Override
            public void discard() {
                end();
            }
        }
    }

    private int mostOpen(String name) throws ReflectiveOperationException {
        Counting service = new Counting();
        conformance
                .programs()
                .rewritten("p." + Conformance.className(name))
                .getMethod("run", Svc.class, Svc.class, int.class)
                .invoke(null, new ScriptedStub(service), new ScriptedStub(service), N);
        assertThat(service.open).as("left open").isZero();
        return service.most;
    }

    @Test
    void memoryDoesNotGrowWithTheNumberOfIterations() throws ReflectiveOperationException {
        conformance.addBody("long-sum", "long t = 0; for (int i = 0; i < n; i++) t = t * 3 + s.f(i); return t;");
        conformance.addBody(
                "long-stages", "long t = 0; for (int i = 0; i < n; i++) t = t * 3 + s.g(s.f(i)); return t;");
        conformance.addBody(
                "long-nest",
                "long t = 0; for (int y = 0; y < n / 4; y++) for (int x = 0; x < 4; x++) t = t * 3 + s.f(x); return t;");
        conformance.addBody(
                "rare-calls",
                "long t = 0; for (int i = 0; i < n; i++) if ((i & 1023) == 0) t = t * 3 + s.f(i); return t;");

        assertThat(mostOpen("long-sum")).isBetween(2, WIDEST);
        assertThat(mostOpen("long-stages")).isBetween(2, WIDEST);
        assertThat(mostOpen("long-nest")).isBetween(2, WIDEST);
        assertThat(mostOpen("rare-calls")).isBetween(1, WIDEST);
    }
}
