package dev.cleave.replica;

import static dev.cleave.replica.SampleReplicas.up;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.Selection;
import dev.cleave.testing.Seed;
import dev.cleave.wire.Load;
import dev.cleave.wire.Replicas;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Each policy with simulated servers and a simulated clock: bounds that hold whatever the seed. */
@Tag("one-jdk")
class BalanceSimulationTest {

    private static final long MILLI = 1_000_000;

    /** A replica that serves one call after the other, at its own pace. */
    private final class Server {

        private final String name;
        private final double slowness;
        private final Deque<Job> queue = new ArrayDeque<>();
        private int served;
        private int most; // calls that were there at a time
        private int mostWaiting; // of those that had not begun
        private long idle;
        private long idleSince;

        private Server(String name, double slowness) {
            this.name = name;
            this.slowness = slowness;
        }

        private void take(Job job) {
            idle += queue.isEmpty() ? now - idleSince : 0;
            queue.add(job);
            most = Math.max(most, queue.size());
            if (queue.size() == 1) {
                begin();
            }
        }

        private void begin() {
            Job job = queue.element();
            if (tells) {
                at(now + delay, job.placement::begun);
            }
            mostWaiting = Math.max(mostWaiting, queue.size() - 1);
            at(now + (long) (job.work * slowness), () -> {
                queue.remove();
                served++;
                finished = now;
                if (!queue.isEmpty()) {
                    begin();
                } else {
                    idleSince = now;
                }
                job.placement.end();
            });
        }
    }

    private static class Job {

        private final long work;
        private final Object key;
        private Placement placement;

        private Job(long work, Object key) {
            this.work = work;
            this.key = key;
        }

        void placedAt(String replica) {}
    }

    private record Event(long at, long number, Runnable what) {}

    private final long seed = Seed.of(BalanceSimulationTest.class);
    private final Random random = new Random(seed);
    private final PriorityQueue<Event> events =
            new PriorityQueue<>(Comparator.comparingLong(Event::at).thenComparingLong(Event::number));
    private final Map<String, Server> servers = new HashMap<>();
    private final Deque<Job> waiting = new ArrayDeque<>();
    private List<Replicas.Replica> candidates = List.of();
    private Balancer balancer;
    private long now;
    private long finished;
    private long scheduled;
    private boolean choosing; // whether the policy chooses among all that wait
    private boolean tells; // whether servers say what they have begun
    private long delay; // until that is known

    private void at(long time, Runnable what) {
        events.add(new Event(time, scheduled++, what));
    }

    private void run() {
        for (Event event = events.poll(); event != null; event = events.poll()) {
            now = event.at();
            event.what().run();
        }
    }

    private void start(BalancePolicy policy, double... slowness) {
        String[] names = new String[slowness.length];
        for (int i = 0; i < slowness.length; i++) {
            names[i] = "r" + (char) ('a' + i);
            servers.put(names[i], new Server(names[i], slowness[i]));
        }
        candidates = up(names);
        balancer = new Balancer(policy, () -> now);
        balancer.onRoom(this::placeWaiting);
    }

    private void submit(Job job) {
        waiting.add(job);
        placeWaiting();
    }

    private void placeWaiting() {
        while (!waiting.isEmpty()) {
            Job job = waiting.element();
            if (choosing) {
                List<Job> all = List.copyOf(waiting);
                int chosen = balancer.choose(
                        candidates, all.stream().map(each -> each.key).iterator());
                if (chosen < 0) {
                    return;
                }
                job = all.get(chosen);
            }
            Placement placement = balancer.place(candidates, job.key);
            if (placement == null) {
                return;
            }
            waiting.remove(job);
            job.placement = placement;
            job.placedAt(placement.replica().name());
            servers.get(placement.replica().name()).take(job);
        }
    }

    private double[] randomSpeeds() {
        double[] slowness = new double[1 + random.nextInt(8)];
        for (int i = 0; i < slowness.length; i++) {
            slowness[i] = 1 + random.nextInt(20);
        }
        return slowness;
    }

    @Test
    void demandIsNeverMoreThanItsWindowAndKeepsAllBusyToTheEnd() {
        for (int round = 0; round < 100; round++) {
            double[] slowness = randomSpeeds();
            int window = 1 + random.nextInt(5);
            start(BalancePolicies.demand(window), slowness);
            long total = 0;
            long longest = 0;
            int jobs = 1 + random.nextInt(400);
            for (int i = 0; i < jobs; i++) {
                long work = (1 + random.nextInt(10)) * MILLI;
                total += work;
                longest = Math.max(longest, work);
                submit(new Job(work, null));
            }
            run();
            String what = "seed " + seed + " round " + round;

            assertThat(servers.values()).as(what).allSatisfy(server -> assertThat(server.most)
                    .isLessThanOrEqualTo(window));
            assertThat(servers.values().stream().mapToInt(s -> s.served).sum()).isEqualTo(jobs);
            // nobody is idle while a call waits, so what remains at the end is a window at the slowest
            double together = Arrays.stream(slowness).map(s -> 1 / s).sum();
            double slowest = Arrays.stream(slowness).max().orElseThrow();
            assertThat((double) finished).as(what).isLessThanOrEqualTo(total / together + window * longest * slowest);
            reset();
        }
    }

    @Test
    void whoPullsNeverHasMoreThanAGroupWaitingAndIsNeverIdleWhileJobsAreLeft() {
        for (int round = 0; round < 100; round++) {
            double[] slowness = randomSpeeds();
            int group = 1 + random.nextInt(4);
            tells = true;
            delay = random.nextInt((int) MILLI); // less than any job takes
            start(BalancePolicies.pull(group), slowness);
            long total = 0;
            long longest = 0;
            int jobs = 1 + random.nextInt(400);
            for (int i = 0; i < jobs; i++) {
                long work = (1 + random.nextInt(10)) * MILLI;
                total += work;
                longest = Math.max(longest, work);
                submit(new Job(work, null));
            }
            run();
            String what = "seed " + seed + " round " + round;

            assertThat(servers.values()).as(what).allSatisfy(server -> {
                assertThat(server.mostWaiting).isLessThanOrEqualTo(group);
                assertThat(server.idle)
                        .as("the next job is there before one ends")
                        .isZero();
            });
            assertThat(servers.values().stream().mapToInt(s -> s.served).sum()).isEqualTo(jobs);
            double together = Arrays.stream(slowness).map(s -> 1 / s).sum();
            double slowest = Arrays.stream(slowness).max().orElseThrow();
            assertThat((double) finished)
                    .as(what)
                    .isLessThanOrEqualTo(total / together + (group + 1) * longest * slowest);
            reset();
        }
    }

    @Test
    void keysStayWhereTheyAreWhileNobodyWouldBeIdle() {
        tells = true;
        choosing = true;
        start(BalancePolicies.pull(1), 1, 1, 1);
        Map<Object, java.util.Set<String>> servedBy = new HashMap<>();
        for (int i = 0; i < 900; i++) {
            Object key = random.nextInt(30);
            submit(new Job(MILLI, key) {
                @Override
                void placedAt(String replica) {
                    servedBy.computeIfAbsent(key, k -> new java.util.TreeSet<>())
                            .add(replica);
                }
            });
        }
        run();

        String what = "seed " + seed + " " + servedBy;
        assertThat(servers.values()).as(what).allSatisfy(s -> assertThat(s.idle).isZero());
        assertThat((double) finished).as(what).isLessThanOrEqualTo(302 * MILLI);
        long moved = servedBy.values().stream().mapToInt(java.util.Set::size).sum() - 30;
        assertThat(moved).as(what).isLessThanOrEqualTo(15); // at random nearly all of 30 keys would be everywhere
    }

    @Test
    void aReplicaThatDoesNotSayWhatItHasBegunPullsByItsResults() {
        start(BalancePolicies.pull(2), 1, 3);
        for (int i = 0; i < 400; i++) {
            submit(new Job(MILLI, null));
        }
        run();

        assertThat(servers.values())
                .allSatisfy(server -> assertThat(server.most).isLessThanOrEqualTo(2));
        assertThat(servers.get("ra").served).isBetween(297, 303);
    }

    @Test
    void aSelectionIsAskedAndItsMistakesCostNoCall() {
        List<List<Selection.Candidate>> asked = new ArrayList<>();
        Deque<Object> answers = new ArrayDeque<>(List.of("rb", "nobody", "throws", "ra", "waits", "waits", "rb"));
        start(
                BalancePolicies.selection((offered, key) -> {
                    asked.add(offered);
                    Object answer = answers.isEmpty() ? "ra" : answers.remove();
                    if (answer.equals("throws")) {
                        throw new IllegalStateException("a mistake in a selection, which this test makes");
                    }
                    return answer.equals("waits") ? null : (String) answer;
                }),
                1,
                1);
        for (int i = 0; i < 6; i++) {
            submit(new Job(MILLI, "key"));
        }

        assertThat(asked.get(1))
                .containsExactly(new Selection.Candidate("ra", 0, 0), new Selection.Candidate("rb", 1, 1));
        assertThat(servers.get("ra").queue.size() + servers.get("rb").queue.size())
                .isEqualTo(4);
        assertThat(waiting).as("one waits, and one behind it").hasSize(2);
        run();
        assertThat(servers.values().stream().mapToInt(s -> s.served).sum()).isEqualTo(6);
    }

    @Test
    void aSelectionThatLetsAllWaitWhileNothingIsUnderWayIsNotObeyed() {
        start(BalancePolicies.selection((offered, key) -> null), 1, 1);
        for (int i = 0; i < 10; i++) {
            submit(new Job(MILLI, null));
        }
        run();

        assertThat(servers.get("ra").served).isEqualTo(10);
        assertThat(servers.get("ra").most).isEqualTo(1);
    }

    @Test
    void fasterReplicasGetMoreByDemandInProportion() {
        start(BalancePolicies.demand(1), 1, 2, 4);
        for (int i = 0; i < 700; i++) {
            submit(new Job(MILLI, null));
        }
        run();

        assertThat(servers.get("ra").served).isBetween(398, 402);
        assertThat(servers.get("rb").served).isBetween(198, 202);
        assertThat(servers.get("rc").served).isBetween(98, 102);
    }

    @Test
    void twoChoicesKeepQueuesShortThoughReportsAreOld() {
        start(BalancePolicies.leastLoaded(random), 1, 1, 1, 1, 1, 1, 1, 1, 1, 1);
        long time = 0;
        for (int i = 0; i < 20_000; i++) {
            time += (long) (-Math.log(1 - random.nextDouble()) * MILLI / 8); // 80 % of what they can do
            at(time, () -> submit(new Job(MILLI, null)));
        }
        for (long report = 0; report < time; report += 500 * MILLI) {
            at(report, () -> servers.values().forEach(s -> balancer.report(s.name, new Load(s.queue.size(), 0, 0, 1))));
        }
        run();

        // at random the longest of ten queues at 80 % comes to 30 and more; of two choices it is doubly logarithmic
        assertThat(servers.values()).as("seed %d", seed).allSatisfy(server -> assertThat(server.most)
                .isLessThanOrEqualTo(12));
        assertThat(servers.values()).as("seed %d", seed).allSatisfy(server -> assertThat(server.served)
                .isBetween(1_600, 2_400));
    }

    @Test
    void aWildReportKeepsCallsAwayForThreeSecondsAtMost() {
        start(BalancePolicies.leastLoaded(random), 1, 1);
        balancer.report("ra", new Load(Integer.MAX_VALUE, 0, 0, 1));
        for (int i = 0; i < 3_000; i++) {
            at(i * 2 * MILLI, () -> submit(new Job(MILLI, null)));
        }
        at(Ledger.FORGOTTEN_SECONDS * 1_000 * MILLI, () -> assertThat(servers.get("ra").served)
                .as("while the report is young")
                .isZero());
        run();

        assertThat(servers.get("ra").served)
                .as("seed %d: of the last 1500", seed)
                .isGreaterThan(500);
    }

    @Test
    void whoIsBusyWithOthersGetsLess() {
        start(BalancePolicies.leastLoaded(random), 1, 1, 1, 1);
        for (int i = 0; i < 4_000; i++) {
            long time = i * MILLI;
            at(time, () -> balancer.report("rd", new Load(20, 0, 1, 1)));
            at(time, () -> submit(new Job(MILLI, null)));
        }
        run();

        assertThat(servers.get("rd").served).as("seed %d", seed).isLessThan(100);
    }

    @Test
    void affinityKeepsKeysTogetherWithinItsBound() {
        for (int round = 0; round < 50; round++) {
            double[] slowness = new double[2 + random.nextInt(10)];
            Arrays.fill(slowness, 1);
            start(BalancePolicies.affinity(), slowness);
            List<Placement> placed = new ArrayList<>();
            for (int i = 0; i < 500; i++) {
                Placement placement =
                        balancer.place(candidates, "key " + random.nextInt(5)); // few keys: the bound matters
                placed.add(placement);
                if (random.nextInt(3) == 0) {
                    placed.remove(random.nextInt(placed.size())).end();
                }
                Map<String, Integer> counts = new HashMap<>();
                placed.forEach(p -> counts.merge(p.replica().name(), 1, Integer::sum));
                int most = counts.values().stream().max(Integer::compare).orElse(0);
                String name = placement.replica().name();
                if (counts.getOrDefault(name, 0) == most && placed.contains(placement)) {
                    assertThat((double) most)
                            .as("seed %d round %d", seed, round)
                            .isLessThanOrEqualTo(Math.ceil(1.25 * (placed.size() + 1) / slowness.length) + 1);
                }
            }
            reset();
        }
    }

    @Test
    void whenAReplicaGoesOnlyItsKeysMove() {
        BalancePolicy policy = BalancePolicies.affinity();
        InFlightCounts idle = new InFlightCounts() {
            @Override
            public int outstanding(String replica) {
                return 0;
            }

            @Override
            public int waiting(String replica) {
                return 0;
            }

            @Override
            public double load(String replica) {
                return 0;
            }
        };
        List<Replicas.Replica> all = up("a", "b", "c", "d", "e");
        List<Replicas.Replica> left = up("a", "b", "d", "e");
        Map<String, Integer> counts = new HashMap<>();
        for (int i = 0; i < 5_000; i++) {
            long key = random.nextLong();
            String before = policy.pick(all, idle, key).name();
            String after = policy.pick(left, idle, key).name();
            counts.merge(before, 1, Integer::sum);
            if (!before.equals("c")) {
                assertThat(after).as("seed %d key %d", seed, key).isEqualTo(before);
            }
        }
        assertThat(counts).hasSize(5).allSatisfy((name, count) -> assertThat(count)
                .as("seed %d", seed)
                .isBetween(800, 1_200));
    }

    @Test
    void equalKeysHashAlikeInEveryProcess() {
        assertThat(Keys.hash("part 7"))
                .isEqualTo(Keys.hash(new StringBuilder("part 7")))
                .isEqualTo(-8390024570476279523L);
        assertThat(Keys.hash(7)).isEqualTo(Keys.hash(7L)).isNotEqualTo(Keys.hash(8));
        assertThat(Keys.hash(List.of(1, "a"))).isEqualTo(Keys.hash(new Object[] {1, "a"}));
    }

    @Test
    void policiesCanBeChangedWhileCallsAreUnderWay() {
        start(BalancePolicies.demand(1), 1, 1);
        for (int i = 0; i < 10; i++) {
            submit(new Job(MILLI, null));
        }
        assertThat(waiting).hasSize(8);

        balancer.change(BalancePolicies.demand(3));
        assertThat(waiting).as("room is used at once").hasSize(4);
        balancer.change(BalancePolicies.roundRobin());
        assertThat(waiting).isEmpty();
        run();

        assertThat(servers.values().stream().mapToInt(s -> s.served).sum()).isEqualTo(10);
        balancer.change(BalancePolicies.demand(1));
        assertThat(balancer.place(candidates, null))
                .as("nothing is counted twice")
                .isNotNull();
    }

    @Test
    void aPlacementEndsOnce() {
        start(BalancePolicies.demand(1), 1);
        Placement placement = balancer.place(candidates, null);
        assertThat(balancer.place(candidates, null)).isNull();
        Placement forced = balancer.placeAnyway(candidates, null);

        placement.end();
        placement.end();
        assertThat(balancer.place(candidates, null))
                .as("the other one is still there")
                .isNull();
        forced.end();

        assertThat(balancer.place(candidates, null)).isNotNull();
    }

    private void reset() {
        tells = false;
        choosing = false;
        servers.clear();
        waiting.clear();
        now = 0;
        finished = 0;
    }
}
