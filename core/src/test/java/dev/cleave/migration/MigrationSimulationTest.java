package dev.cleave.migration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.migration.MigrationModel.Call;
import dev.cleave.migration.MigrationModel.Faults;
import dev.cleave.migration.MigrationModel.Outcome;
import dev.cleave.migration.MigrationModel.Replica;
import dev.cleave.testing.Seed;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Moving calls in simulated time: bounds that hold whatever the seed, and whatever is lost. */
@Tag("one-jdk")
class MigrationSimulationTest {

    private static final long MILLI = MigrationModel.MILLI;
    private static final List<String> EXPRESSIONS = List.of(
            "*(uc: load == 0) : [1/2]",
            "*(oc: load >= 4, uc: load <= 1) : [3]",
            "r0(oc: load >= 3) # r1 : [1/2]",
            "r0(oc: load >= 10, uc: load == 0) # r1(oc: load >= 2, uc: load == 0) : [3/4]");

    /** Of a system with faults. */
    private static final int LIVES = Boolean.getBoolean("cleave.full") ? 2_000 : 300;

    private final long firstSeed = Seed.of(MigrationSimulationTest.class);

    private static double[] speeds(Random random) {
        double[] slowness = new double[2 + random.nextInt(4)];
        Arrays.setAll(slowness, i -> 1 + random.nextInt(10));
        return slowness;
    }

    private static String circle(int replicas) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < replicas; i++) {
            text.append("r").append(i).append("(uc: load == 0) # ");
        }
        return replicas < 3 ? "r0(uc: load == 0) # r1(uc: load == 0)" : text + "r0 : [1/2]";
    }

    @Test
    void noCallIsLostOrRunsTwiceWhateverHappensToMessagesReplicasAndBroker() {
        int inDoubt = 0;
        int moved = 0;
        for (long seed = firstSeed; seed < firstSeed + LIVES; seed++) {
            Random random = new Random(seed);
            double[] speeds = speeds(random);
            int which = random.nextInt(EXPRESSIONS.size() + 1);
            String expression = which < EXPRESSIONS.size() ? EXPRESSIONS.get(which) : circle(speeds.length);
            Faults faults = new Faults(random.nextInt(30), random.nextInt(30), random.nextInt(30));
            MigrationModel model = new MigrationModel(random, expression, faults, speeds);
            String what = "seed " + seed + ": " + expression + ", " + faults;
            Set<List<Object>> granted = new HashSet<>();
            model.granted = (call, epoch) -> {
                assertThat(call.begun)
                        .as(what + ": given away after it had begun")
                        .isZero();
                assertThat(granted.add(List.of(call, epoch, call.moves)))
                        .as(what)
                        .isTrue();
            };
            for (int i = random.nextInt(80); i >= 0; i--) {
                long work = (1 + random.nextInt(4)) * MILLI;
                Replica to = model.replicas.get(random.nextInt(3) == 0 ? random.nextInt(speeds.length) : 0);
                model.at(random.nextInt(100) * MILLI, () -> model.submit(work, to));
            }
            for (int i = random.nextInt(4); i > 0; i--) {
                Replica victim = model.replicas.get(random.nextInt(speeds.length));
                long time = random.nextInt(150) * MILLI;
                model.at(time, () -> {
                    if (victim.life != null) {
                        victim.die();
                        model.at(model.now + random.nextInt(30) * MILLI, victim::comeBack);
                    }
                });
            }
            if (random.nextInt(3) == 0) {
                model.at(random.nextInt(100) * MILLI, model::restartBroker);
            }

            assertThat(model.runs()).as(what + ": comes to an end").isTrue();

            for (Call call : model.calls) {
                String which1 = what + ", call " + call.number;
                assertThat(call.outcomes).as(which1).hasSize(1);
                assertThat(call.begun).as(which1).isLessThanOrEqualTo(1);
                Outcome outcome = call.outcomes.get(0);
                if (outcome == Outcome.OK) {
                    assertThat(call.begun).as(which1).isEqualTo(1);
                } else if (outcome == Outcome.NOT_EXECUTED) {
                    assertThat(call.begun).as(which1).isZero();
                }
                inDoubt += outcome == Outcome.IN_DOUBT ? 1 : 0;
            }
            moved += model.moves;
        }
        assertThat(moved).as("something moves at all").isGreaterThan(5 * LIVES);
        assertThat(inDoubt).as("something dies at all").isPositive();
    }

    @Test
    void withoutDeathsEveryCallEndsWellThoughMessagesAreLost() {
        for (long seed = firstSeed; seed < firstSeed + 300; seed++) {
            Random random = new Random(seed);
            double[] speeds = speeds(random);
            MigrationModel model = new MigrationModel(random, circle(speeds.length), new Faults(20, 20, 20), speeds);
            for (int i = 0; i < 60; i++) {
                model.submit(MILLI, model.replicas.get(0));
            }

            assertThat(model.runs()).as("seed %d", seed).isTrue();

            for (Call call : model.calls) {
                assertThat(call.outcomes).as("seed %d", seed).containsExactly(Outcome.OK);
                assertThat(call.begun).as("seed %d", seed).isEqualTo(1);
            }
        }
    }

    @Test
    void nobodyIsIdleForLongWhileOthersHaveCallsThatWait() {
        for (long seed = firstSeed; seed < firstSeed + 300; seed++) {
            Random random = new Random(seed);
            double[] speeds = speeds(random);
            MigrationModel model = new MigrationModel(random, "*(uc: load == 0) : [1/2]", Faults.NONE, speeds);
            long total = 0;
            for (int i = 0; i < 300; i++) {
                long work = (1 + random.nextInt(4)) * MILLI;
                total += work;
                model.submit(work, model.replicas.get(0));
            }

            assertThat(model.runs()).as("seed %d", seed).isTrue();

            double together = Arrays.stream(speeds).map(s -> 1 / s).sum();
            double slowest = Arrays.stream(speeds).max().orElseThrow();
            // the last call of the slowest, and for each claim of a replica the way of two messages and of a call there
            // and back
            double most = total / together + 4 * MILLI * slowest + 2.5 * MILLI * model.claims;
            assertThat((double) model.finished).as("seed %d", seed).isLessThanOrEqualTo(most);
            assertThat(model.claims).as("seed %d: claims of 300 calls", seed).isLessThanOrEqualTo(60);
        }
    }

    /** The machines of the CORD paper's Table 1, at 25 of its seconds in one, and the best schedule of 200 whole rows. */
    private static double worstOfPaper(long firstSeed, String expression, boolean allAtTheFirst) {
        double[] milliseconds = {25, 11.8, 10.4, 6};
        double best = 520 * MILLI;
        double worst = 0;
        for (long seed = firstSeed; seed < firstSeed + 100; seed++) {
            MigrationModel model = new MigrationModel(new Random(seed), expression, Faults.NONE, milliseconds);
            for (int row = 0; row < 200; row++) {
                model.submit(MILLI, model.replicas.get(allAtTheFirst ? 0 : row % 4));
            }
            assertThat(model.runs()).as("seed %d", seed).isTrue();
            worst = Math.max(worst, model.finished / best);
        }
        return worst;
    }

    @Test
    void theMachinesOfThePaperComeNearTheBestScheduleInACircleAndInAChain() {
        String circle = "r0(uc: load <= 1) # r1(uc: load <= 1) # r2(uc: load <= 1) # r3(uc: load <= 1) # r0 : [1/2]";
        String chain = "r0 # r1(uc: load <= 1) : [1/2]\", \"r1 # r2(uc: load <= 1) : [1/2]\","
                + " \"r2 # r3(uc: load <= 1) : [1/2]";

        assertThat(worstOfPaper(firstSeed, circle, false))
                .as("seed %d", firstSeed)
                .isBetween(1.0, 1.03);
        assertThat(worstOfPaper(firstSeed, chain, true))
                .as("seed %d", firstSeed)
                .isBetween(1.0, 1.10);
    }

    @Test
    void callsDoNotGoToAndFro() {
        for (long seed = firstSeed; seed < firstSeed + 500; seed++) {
            Random random = new Random(seed);
            double[] speeds = speeds(random);
            String expression = "*(oc: load >= 3, uc: load <= 1) : [1/2]"; // both ends want every move
            MigrationModel model = new MigrationModel(random, expression, Faults.NONE, speeds);
            String what = "seed " + seed;
            model.onGrant = (owner, before, claim, count) -> assertThat(claim.receiverLoad() + count)
                    .as(what + ": the receiver comes to at most one more than the owner keeps")
                    .isLessThanOrEqualTo(before - count + 1);
            for (int i = 0; i < 200; i++) {
                model.submit(MILLI, model.replicas.get(random.nextInt(speeds.length)));
            }

            assertThat(model.runs()).as(what).isTrue();

            assertThat(model.calls).as(what).allSatisfy(call -> assertThat(call.moves)
                    .isLessThanOrEqualTo(16));
            assertThat(model.moves).as(what + ": moves of 200 calls").isLessThanOrEqualTo(400);
        }
    }
}
