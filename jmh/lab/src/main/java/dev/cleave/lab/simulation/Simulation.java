package dev.cleave.lab.simulation;

import dev.cleave.lab.history.Checker;
import dev.cleave.lab.history.Checker.Broken;
import dev.cleave.lab.history.Checker.Invariant;
import dev.cleave.lab.history.Outcome;
import dev.cleave.lab.history.Outcome.End;
import dev.cleave.lab.history.Planted;
import dev.cleave.lab.history.WriteChecker;
import dev.cleave.replica.ReplicaSet;
import dev.cleave.wire.ReplicaState;
import dev.cleave.wire.Replicas;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One life of a cluster: three to five replicas, two to six clients, 400 calls (some one by one, some in bursts, some
 * in chains), ten to thirty faults of one {@link Schedule}, all determined by a seed. Then all faults but those of one
 * replica are repaired, and every idempotent call has to succeed.
 *
 * @param seed determines all events
 * @param planted a defect that the processes have; null for none
 */
public record Simulation(long seed, @Nullable Planted planted) {

    /** The most times that a call is sent where it may begin: a promise, not what production happens to do. */
    private static final int MOST_SENT = 3;

    private static final int CALLS = 150;
    private static final int BURSTS = 10;
    private static final int CALLS_OF_BURST = 15;
    private static final int CHAINS = 20;
    private static final int CALLS_OF_CHAIN = 5;
    private static final Duration TROUBLE = Duration.ofSeconds(60);
    private static final Duration SETTLING = Duration.ofSeconds(20);
    private static final Duration STEP = Duration.ofSeconds(1);
    private static final Duration LIVENESS = Duration.ofNanos(3 * SimulatedClient.DEADLINE_NANOS);

    /**
     * The result.
     *
     * @param schedule the kind of faults
     * @param broken the promises that were not kept
     * @param inDoubt how many calls ended in doubt
     * @param fingerprint equal for equal events
     * @param story the events, if they were asked for
     */
    public record Result(String schedule, List<Broken> broken, int inDoubt, long fingerprint, List<String> story) {

        /** Copies its components. */
        public Result {
            broken = List.copyOf(broken);
            story = List.copyOf(story);
        }
    }

    /** Creates a simulation without a planted defect. */
    public Simulation(long seed) {
        this(seed, null);
    }

    /** The result of a call, without its position. */
    static long resultOf(long call) {
        return Store.callPart(call * 0x9e3779b97f4a7c15L ^ call);
    }

    /** Runs it. */
    public Result run() {
        return run(false);
    }

    /** Runs it, and tells the story. */
    public Result replay() {
        return run(true);
    }

    private Result run(boolean remembers) {
        World world = new World(seed, remembers);
        Schedule schedule = Schedule.of(seed);
        Cluster cluster = new Cluster(
                world,
                new Rules(planted),
                3 + world.random().nextInt(3),
                2 + world.random().nextInt(5));
        cluster.start();
        world.run(Duration.ofSeconds(2));
        cluster.calls(CALLS, TROUBLE);
        for (int i = 0; i < BURSTS; i++) {
            cluster.burst(CALLS_OF_BURST, TROUBLE);
        }
        for (int i = 0; i < CHAINS; i++) {
            cluster.chain(CALLS_OF_CHAIN, TROUBLE);
        }
        int faults = 10 + world.random().nextInt(21);
        for (int i = 0; i < faults; i++) {
            world.after(world.upTo(TROUBLE.toMillis()), () -> schedule.inject(cluster));
        }
        world.run(TROUBLE);
        cluster.mend();
        world.run(SETTLING);
        List<Long> last = cluster.idempotentCalls(5);
        for (long steps = LIVENESS.dividedBy(STEP); steps > 0 && !cluster.hasEnded(); steps--) {
            world.run(STEP);
        }
        List<Outcome> outcomes = cluster.outcomes();
        List<Broken> broken = new ArrayList<>();
        checkCalls(schedule, cluster, outcomes, broken);
        checkDoubt(schedule, schedule.mostInDoubt(faults), cluster, outcomes, broken);
        checkLiveness(cluster, last, outcomes, broken);
        int inDoubt =
                (int) outcomes.stream().filter(o -> o.end() == End.IN_DOUBT).count();
        return new Result(schedule.name(), broken, inDoubt, world.fingerprint(), world.story());
    }

    private static void checkCalls(Schedule schedule, Cluster cluster, List<Outcome> outcomes, List<Broken> broken) {
        List<Outcome> byCall = outcomes.stream()
                .map(o -> new Outcome(
                        o.call(), o.idempotent(), o.end(), Store.callPart(o.result()), o.beganNanos(), o.endedNanos()))
                .toList();
        List<Long> made = cluster.calls().stream().map(SimulatedCall::number).toList();
        broken.addAll(new Checker(Simulation::resultOf, MOST_SENT, Duration.ofNanos(SimulatedClient.DEADLINE_NANOS))
                .check(made, byCall, cluster.executions()));
        broken.addAll(new WriteChecker(Store::keyOf, Store::placePart)
                .check(outcomes, cluster.store().written()));
        for (SimulatedCall call : cluster.calls()) {
            if (call.timesSent() > MOST_SENT) {
                broken.add(new Broken(Invariant.FEW_ATTEMPTS, call.number(), "sent " + call.timesSent() + " times"));
            }
        }
        if (schedule.sparesReplicas()) {
            for (Long call : cluster.homeless()) {
                broken.add(new Broken(Invariant.LIVENESS, call, "found no replica though all were well"));
            }
        }
        for (Long call : cluster.late()) {
            broken.add(new Broken(Invariant.EXPIRED_IS_NOT_RUN, call, "began when its time was over"));
        }
    }

    /** Reports calls in doubt that have run: the memory of servers is large enough here to keep all results. */
    private static void checkDoubt(
            Schedule schedule, int most, Cluster cluster, List<Outcome> outcomes, List<Broken> broken) {
        Set<Long> refused = cluster.calls().stream() // lost, sent again, and refused wherever it may go
                .filter(call -> call.isDoubtful() && schedule == Schedule.CROWDED)
                .map(SimulatedCall::number)
                .collect(Collectors.toSet());
        List<Outcome> inDoubt = outcomes.stream()
                .filter(o -> o.end() == End.IN_DOUBT && !refused.contains(o.call()))
                .toList();
        if (inDoubt.size() > most) {
            broken.add(new Broken(
                    Invariant.LITTLE_DOUBT,
                    inDoubt.get(0).call(),
                    "in doubt, as are " + (inDoubt.size() - 1) + " others; at most " + most + " may be"));
        }
        outcomes.stream()
                .filter(o -> o.end() == End.EXECUTED)
                .forEach(o -> broken.add(new Broken(Invariant.LITTLE_DOUBT, o.call(), "its result is lost")));
    }

    private static void checkLiveness(Cluster cluster, List<Long> last, List<Outcome> outcomes, List<Broken> broken) {
        Set<Long> succeeded = new HashSet<>();
        outcomes.stream().filter(o -> o.end() == End.OK).forEach(o -> succeeded.add(o.call()));
        for (Long call : last) {
            if (!succeeded.contains(call)) {
                broken.add(
                        new Broken(Invariant.LIVENESS, call, "did not succeed though all but one replica were well"));
            }
        }
        ReplicaSet known = cluster.broker().replicas(SimulatedServer.SERVICE);
        known.replicas().stream()
                .filter(replica -> replica.state() != ReplicaState.UP)
                .forEach(replica ->
                        broken.add(new Broken(Invariant.LIVENESS, 0, replica.name() + " is still " + replica.state())));
        Set<String> names =
                known.replicas().stream().map(Replicas.Replica::name).collect(Collectors.toSet());
        for (String server : cluster.alive()) {
            if (!names.contains(server)) {
                broken.add(new Broken(Invariant.LIVENESS, 0, server + " lives and is not registered"));
            }
        }
    }
}
