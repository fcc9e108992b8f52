package dev.cleave.replica;

import static dev.cleave.replica.SampleReplicas.up;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.concurrent.AgeingQueue;
import dev.cleave.wire.Replicas;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The time of 60 calls on four replicas of one worker, of which the five long ones are made last, by a simulated clock: a
 * call is 0.2 ms on its way, as is the report that it has begun, and its result.
 */
@Tag("one-jdk")
class MakespanTest {

    private static final long MILLI = 1_000_000;
    private static final long WAY = MILLI / 5;

    private final class Server {

        private final String name;
        private final double slowness;
        private final AgeingQueue<Job> queue = new AgeingQueue<>();
        private boolean isBusy;
        private int served;

        private Server(String name, double slowness) {
            this.name = name;
            this.slowness = slowness;
        }

        private void arrives(Job job) {
            queue.add(job);
            if (!isBusy) {
                begin();
            }
        }

        private void begin() {
            Job job = queue.poll();
            isBusy = job != null;
            if (job == null) {
                return;
            }
            at(now + WAY, job.placement::begun);
            at(now + (long) (job.work * slowness), () -> {
                served++;
                at(now + WAY, () -> {
                    finished = now;
                    job.placement.end();
                });
                begin();
            });
        }
    }

    private static final class Job extends AgeingQueue.Entry {

        private final long work;
        private final Object key;
        private Placement placement;

        private Job(long work, double priority, Object key) {
            this.work = work;
            this.key = key;
            priority(priority);
            prefersBlocked(false);
        }

        private static Job rated(long work) {
            return new Job(work, work, new Work(null, "job", work / (double) MILLI));
        }

        private static Job sized(long work) {
            return new Job(work, 0, new Work(null, "job", work / 1000.0));
        }
    }

    private record Event(long at, long number, Runnable what) {}

    private final PriorityQueue<Event> events =
            new PriorityQueue<>(Comparator.comparingLong(Event::at).thenComparingLong(Event::number));
    private final Map<String, Server> servers = new HashMap<>();
    private final AgeingQueue<Job> line = new AgeingQueue<>();
    private final List<Replicas.Replica> candidates = new ArrayList<>();
    private Balancer balancer = new Balancer(BalancePolicies.roundRobin(), () -> 0);
    private long now;
    private long finished;
    private long scheduled;

    private void at(long time, Runnable what) {
        events.add(new Event(time, scheduled++, what));
    }

    private void start(BalancePolicy policy, double... slowness) {
        String[] names = new String[slowness.length];
        for (int i = 0; i < slowness.length; i++) {
            names[i] = "r" + i;
            servers.put(names[i], new Server(names[i], slowness[i]));
        }
        candidates.addAll(up(names));
        balancer = new Balancer(policy, () -> now);
        balancer.onRoom(this::place);
    }

    private void place() {
        while (!line.isEmpty()) {
            List<Job> first = line.next(balancer.chooses() ? 256 : 1);
            int chosen = balancer.chooses()
                    ? balancer.choose(
                            candidates, first.stream().map(job -> job.key).iterator())
                    : 0;
            Placement placed = chosen < 0 ? null : balancer.place(candidates, first.get(chosen).key);
            if (placed == null) {
                return;
            }
            Job job = first.get(chosen);
            assertThat(line.takeChosen(job)).isTrue();
            job.placement = placed;
            at(now + WAY, () -> servers.get(placed.replica().name()).arrives(job));
        }
    }

    private void run(List<Job> jobs) {
        for (Job job : jobs) {
            line.add(job);
            place();
        }
        for (Event event = events.poll(); event != null; event = events.poll()) {
            now = event.at();
            event.what().run();
        }
    }

    private static long[] work() {
        long[] work = new long[60];
        for (int i = 0; i < 55; i++) {
            work[i] = (2 + i * 7 % 18) * MILLI;
        }
        Arrays.fill(work, 55, 60, 150 * MILLI);
        return work;
    }

    private double ofTheBest(long[] work) {
        return finished / Math.max(Arrays.stream(work).sum() / 4.0, 300.0 * MILLI);
    }

    private double rated(BalancePolicy policy) {
        start(policy, 1, 1, 1, 1);
        run(Arrays.stream(work()).mapToObj(Job::rated).toList());
        return ofTheBest(work());
    }

    @Test
    void byPriorityDemandOfTwoIsNearTheBestSchedule() {
        assertThat(rated(BalancePolicies.demand(2))).isLessThan(1.05);
    }

    @Test
    void byPriorityDemandOfFiveIsNearTheBestSchedule() {
        assertThat(rated(BalancePolicies.demand(5))).isLessThan(1.05);
    }

    @Test
    void byPriorityPullIsNearTheBestSchedule() {
        assertThat(rated(BalancePolicies.pull(1))).isLessThan(1.05);
    }

    @Test
    void withoutPriorityTheLearnedOrderIsNearTheBestSchedule() {
        start(BalancePolicies.learned(), 1, 1, 1, 1);
        run(Arrays.stream(work()).mapToObj(Job::sized).toList());

        assertThat(ofTheBest(work())).isLessThan(1.10);
    }

    @Test
    void whatIsLearnedOfTypesOrdersCallsOfEqualSize() {
        List<Job> jobs = new ArrayList<>();
        for (int i = 0; i < 400; i++) {
            boolean isLong = i % 100 == 99;
            long work = (isLong ? 40 : 2) * MILLI;
            jobs.add(new Job(work, 0, new Work(null, isLong ? "long" : "short", 100)));
        }
        List<Job> last = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            last.add(new Job((i < 37 ? 2 : 40) * MILLI, 0, new Work(null, i < 37 ? "short" : "long", 100)));
        }
        start(BalancePolicies.learned(), 1, 1, 1, 1);
        run(jobs);
        long before = now;
        run(last);

        double best = (37 * 2 + 3 * 40) / 4.0;
        assertThat((finished - before) / (double) MILLI / best).isLessThan(1.10);
    }

    @Test
    void slowReplicasGetWhatTheyCanDo() {
        Random random = new Random(7);
        long[] work = new long[200];
        Arrays.setAll(work, i -> (1 + random.nextInt(10)) * MILLI);
        start(BalancePolicies.learned(), 1, 2, 4);
        run(Arrays.stream(work).mapToObj(Job::sized).toList());

        double best = Arrays.stream(work).sum() / (1 + 1 / 2.0 + 1 / 4.0);
        assertThat(finished / best).isLessThan(1.10);
    }

    @Test
    void aBurstOfOneCallerGoesWhereCallsEnd() {
        start(BalancePolicies.leastLoaded(new Random(1)), 1, 2, 4);
        long[] work = new long[210];
        Arrays.fill(work, 2 * MILLI);
        run(Arrays.stream(work).mapToObj(each -> new Job(each, 0, null)).toList());

        assertThat(finished / (420.0 * MILLI / 1.75)).isLessThan(1.10);
        assertThat(servers.get("r0").served).isGreaterThan(3 * servers.get("r2").served);
    }

    @Test
    void prioritiesThatAreNoTimesKeepNoReplicaIdle() {
        start(BalancePolicies.demand(5), 1, 1, 1, 1);
        List<Job> jobs = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            double urgency = i % 4 == 0 ? 1e9 : 1;
            jobs.add(new Job(2 * MILLI, urgency, new Work(null, "job", urgency)));
        }
        run(jobs);

        assertThat(finished / (400.0 * MILLI / 4)).isLessThan(1.15);
    }

    private List<String> placedInGroups(int group, int calls, double... slowness) {
        start(BalancePolicies.pull(group), slowness);
        List<Job> jobs = new ArrayList<>();
        for (int i = 0; i < calls; i++) {
            jobs.add(new Job(10 * MILLI, 0, null));
        }
        run(jobs);
        return jobs.stream().map(job -> job.placement.replica().name()).toList();
    }

    @Test
    void aGroupGoesToOneReplicaAsAUnit() {
        List<String> placed = placedInGroups(8, 400, 1, 1, 1, 1);

        int units = 1;
        for (int i = 1; i < 200; i++) { // towards the end they become smaller
            units += placed.get(i).equals(placed.get(i - 1)) ? 0 : 1;
        }
        assertThat(units).isBetween(200 / 8, 2 * 200 / 8);
        assertThat(finished / (4_000.0 * MILLI / 4)).isLessThan(1.05);
    }

    @Test
    void noGroupKeepsTheOthersWaitingForAStraggler() {
        List<String> placed = placedInGroups(8, 400, 1, 1, 1, 16);

        // 400 calls of 10 ms at a rate of 3 + 1/16, and two calls of the straggler, 160 ms each: one that runs, one
        // that waits
        assertThat(finished).isLessThan((long) (4_000 * MILLI / 3.0625 + 320 * MILLI));
        assertThat(placed).filteredOn("r3"::equals).hasSizeBetween(4, 12);
    }
}
