package dev.cleave.broker.simulation;

import dev.cleave.broker.history.Checker;
import dev.cleave.broker.history.Outcome;
import dev.cleave.broker.history.Outcome.End;
import dev.cleave.replica.Attempts;
import dev.cleave.wire.ReplicaState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * One life of a cluster: three to five replicas, two to six clients, 400 calls, ten to thirty faults of one {@link Schedule}, all of it as
 * a seed says. Then all is mended but one replica, and every idempotent call has to succeed.
 *
 * @param seed what happens
 */
public record Simulation(long seed) {

    private static final int CALLS = 400;
    private static final Duration TROUBLE = Duration.ofSeconds(60);
    private static final Duration SETTLING = Duration.ofSeconds(20);
    private static final Duration STEP = Duration.ofSeconds(1);
    private static final Duration LIVENESS = Duration.ofNanos(3 * SimulatedClient.DEADLINE_NANOS);

    /**
     * What came of it.
     *
     * @param schedule the kind of faults
     * @param broken the promises that were not kept
     * @param inDoubt how many calls ended in doubt
     * @param fingerprint the same whenever the same happened
     * @param story what happened, if it was asked for
     */
    public record Result(String schedule, List<String> broken, int inDoubt, long fingerprint, List<String> story) {

        /** Copies its components. */
        public Result {
            broken = List.copyOf(broken);
            story = List.copyOf(story);
        }
    }

    /** What a call returns. */
    static long resultOf(long call) {
        return call * 0x9e3779b97f4a7c15L ^ call;
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
        Schedule schedule = Schedule.values()[Math.floorMod(seed, Schedule.values().length)];
        Cluster cluster = new Cluster(
                world, 3 + world.random().nextInt(3), 2 + world.random().nextInt(5));
        cluster.start();
        world.run(Duration.ofSeconds(2));
        cluster.calls(CALLS, TROUBLE);
        int faults = 10 + world.random().nextInt(21);
        for (int i = 0; i < faults; i++) {
            world.after(world.upTo(TROUBLE.toMillis()), () -> schedule.inject(cluster));
        }
        world.run(TROUBLE);
        cluster.mend();
        world.run(SETTLING);
        List<String> broken = new ArrayList<>();
        List<Long> last = cluster.idempotentCalls(5);
        for (long steps = LIVENESS.dividedBy(STEP); steps > 0 && !cluster.hasEnded(); steps--) {
            world.run(STEP);
        }
        Checker checker =
                new Checker(Simulation::resultOf, Attempts.MOST, Duration.ofNanos(SimulatedClient.DEADLINE_NANOS));
        List<Outcome> outcomes = cluster.outcomes();
        checker.check(cluster.made(), outcomes, cluster.executions()).forEach(each -> broken.add(each.toString()));
        checkLiveness(cluster, last, outcomes, broken);
        int inDoubt =
                (int) outcomes.stream().filter(o -> o.end() == End.IN_DOUBT).count();
        return new Result(schedule.name(), broken, inDoubt, world.fingerprint(), world.story());
    }

    private static void checkLiveness(Cluster cluster, List<Long> last, List<Outcome> outcomes, List<String> broken) {
        Set<Long> succeeded = new HashSet<>();
        outcomes.stream().filter(o -> o.end() == End.OK).forEach(o -> succeeded.add(o.call()));
        for (Long call : last) {
            if (!succeeded.contains(call)) {
                broken.add("LIVENESS: call " + call + " did not succeed though all but one replica were well");
            }
        }
        cluster.broker().replicas(SimulatedServer.SERVICE).replicas().stream()
                .filter(replica -> replica.state() != ReplicaState.UP)
                .forEach(replica -> broken.add("LIVENESS: " + replica.name() + " is still " + replica.state()));
    }
}
