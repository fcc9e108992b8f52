package dev.cleave.agent.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.config.Bindings;
import dev.cleave.node.Node;
import dev.cleave.node.NodeOptions;
import dev.cleave.rt.Strands;
import dev.cleave.testing.FakeBroker;
import dev.cleave.testing.Seed;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.Transport;
import dev.cleave.transport.local.LocalTransport;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Nests of many threads against real servers whose queues hold few calls: where the program as written fits, the rewritten one does, with
 * the same results and the same calls.
 */
@Tag("one-jdk")
@Timeout(300)
class StrandLoadTest {

    private static final int ROUNDS = 8;
    private static final int RUNS = 4; // of each thread

    private static final Map<String, String> PROGRAMS = Map.of(
            "report",
            "long t = 0; for (int y = 0; y < n; y++) { for (int id : s.row(y)) t = t * 3 + s.g(id); t += s.g(1000 + y); } return t;",
            "retry",
            "StringBuilder l = new StringBuilder(); for (int a = 0; a < n; a++) for (int i = 0; i < 3; i++) try { s.checked(a * 10 + i); l.append(a); break; } catch (Svc.Failure e) { l.append(e.getMessage()); } return l.toString();",
            "fallback",
            "StringBuilder l = new StringBuilder(); for (int a = 0; a < n; a++) for (int i = 0; i < 2; i++) { int p; try { p = s.f(a * 10 + i); } catch (IllegalStateException e) { p = s.g(a); } l.append(p).append(' '); } return l.toString();",
            "exit",
            "long t = 0; for (int y = 0; y < n; y++) { for (int id : s.row(y)) t += s.g(id); if (t > 900) break; } return t;");

    private static final String GIVES_UP =
            "long t = 0; for (int a = 0; a < n; a++) for (int i = 0; i < 3; i++) try { s.checked(a * 10 + i); t += s.sumOf(new int[5000]); if (a == 7) throw new IllegalStateException(\"seven\"); break; } catch (Svc.Failure e) { t++; } return t;";

    private final Transport transport = LocalTransport.create();
    private final FakeBroker broker = FakeBroker.start(transport, Endpoint.local("broker-" + UUID.randomUUID()));
    private final Conformance programs = new Conformance();

    /** Counts what it executes. */
    private static final class Counting extends LocalSvc {

        private final Map<String, Integer> executed = new ConcurrentHashMap<>();
        private final int micros;

        Counting(int micros) {
            this.micros = micros;
        }

        private void count(String call, int x) {
            executed.merge(call + x, 1, Integer::sum);
            if (micros > 0) {
                LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(micros));
            }
        }

        @Override
        public int f(int x) {
            count("f", x);
            if (x % 10 < x / 10 % 3) {
                throw new IllegalStateException("f" + x);
            }
            return 3 * x;
        }

        @Override
        public int g(int x) {
            count("g", x);
            return 5 * x;
        }

        @Override
        public int[] row(int x) {
            count("row", x);
            return new int[] {x, x + 1, x + 2};
        }

        @Override
        public void checked(int x) throws Svc.Failure {
            count("checked", x);
            if (x % 10 < x / 10 % 3) {
                throw new Svc.Failure("<" + x + ">");
            }
        }
    }

    private Node node(NodeOptions options) {
        return Node.connect(options.withBroker(broker.endpoint()).withTransport(transport));
    }

    @AfterEach
    void close() {
        broker.close();
        transport.close();
    }

    private static List<String> run(Class<?> program, Svc stub, int threads, int n) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            List<Future<String>> ends = new ArrayList<>();
            for (int thread = 0; thread < threads; thread++) {
                for (int run = 0; run < RUNS; run++) {
                    ends.add(pool.submit(() -> result(program, stub, n)));
                }
            }
            List<String> results = new ArrayList<>();
            for (Future<String> end : ends) {
                results.add(end.get(120, TimeUnit.SECONDS));
            }
            return results;
        } finally {
            pool.shutdownNow();
        }
    }

    private static String result(Class<?> program, Svc stub, int n) throws ReflectiveOperationException {
        try {
            return "value "
                    + program.getMethod("run", Svc.class, Svc.class, int.class).invoke(null, stub, stub, n);
        } catch (InvocationTargetException e) {
            return "threw " + e.getCause();
        }
    }

    @Test
    void nestsThatFitAsWrittenFitAsRewritten() throws Exception {
        PROGRAMS.forEach(programs::addBody);
        long seed = Seed.of(StrandLoadTest.class);
        Random random = new Random(seed);
        List<String> names = new ArrayList<>(new TreeMap<>(PROGRAMS).keySet());
        long before = Strands.sent();
        for (int round = 0; round < ROUNDS; round++) {
            String name = names.get(round % names.size());
            int threads = round < names.size() ? 1 : 1 + random.nextInt(8);
            int queue = round < names.size() ? 1 : Math.max(threads, (int) Math.pow(10, 3 * random.nextDouble()));
            int workers = 1 + random.nextInt(3);
            Counting served = new Counting(random.nextBoolean() ? 0 : 50);
            String what = "seed " + seed + ", round " + round + ": " + name + ", " + threads + " threads, queue "
                    + queue + ", " + workers + " workers";
            try (Node server = node(NodeOptions.DEFAULT.withName("one-" + round).withCapacity(workers, queue));
                    Node caller = node(NodeOptions.DEFAULT
                            .withName("client-" + round)
                            .withBindings(Bindings.parse("application: test", "cleave.yaml")))) {
                server.bind("svc-" + round, served);
                Svc stub = caller.lookup("svc-" + round, Svc.class);
                String className = "p." + Conformance.className(name);
                List<String> expected = run(programs.programs().written(className), stub, threads, 25);
                Map<String, Integer> executed = new TreeMap<>(served.executed);
                served.executed.clear();
                List<String> actual = run(programs.programs().rewritten(className), stub, threads, 25);

                assertThat(actual).as(what).isEqualTo(expected).allMatch(result -> result.startsWith("value"));
                assertThat(new TreeMap<>(served.executed)).as(what).isEqualTo(executed);
                assertThat(caller.pendingCalls()).as(what).isZero();
            }
        }
        assertThat(Strands.sent() - before).as("calls sent by strands").isPositive();
    }

    @Test
    void nestThatIsGivenUpLeavesItsRoomToTheNext() throws Exception {
        programs.addBody("gives-up", GIVES_UP);
        String className = "p." + Conformance.className("gives-up");
        try (Node server = node(NodeOptions.DEFAULT.withName("one").withCapacity(2, 64));
                Node caller = node(NodeOptions.DEFAULT
                        .withName("client")
                        .withBindings(Bindings.parse("application: test", "cleave.yaml")))) {
            server.bind("svc", new Counting(0));
            Svc stub = caller.lookup("svc", Svc.class);
            List<String> expected = run(programs.programs().written(className), stub, 3, 30);
            for (int i = 0; i < 5; i++) {
                assertThat(run(programs.programs().rewritten(className), stub, 3, 30))
                        .isEqualTo(expected);
                assertThat(caller.pendingCalls()).isZero();
            }
        }
    }
}
