package dev.cleave.replica;

import static dev.cleave.replica.SampleReplicas.up;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cleave.testing.Seed;
import dev.cleave.wire.Load;
import dev.cleave.wire.Replicas;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("one-jdk")
class BalancePolicyTest {

    @Test
    void roundRobinTakesOneAfterTheOther() {
        assertThat(picks(BalancePolicies.roundRobin(), up("a", "b", "c"), 5)).containsExactly("a", "b", "c", "a", "b");
        assertThat(picks(BalancePolicies.roundRobin(2), up("a", "b", "c"), 3)).containsExactly("c", "a", "b");
        assertThat(picks(BalancePolicies.roundRobin(-1), up("a", "b"), 3)).containsExactly("b", "a", "b");
    }

    @Test
    void theRoomOfAReplicaIsTheNumberOfCallsThatThePolicyGivesIt() {
        for (BalancePolicy policy :
                List.of(BalancePolicies.demand(3), BalancePolicies.pull(2), BalancePolicies.learned())) {
            Balancer balancer = new Balancer(policy, () -> 0);

            int room = balancer.room("a");
            int given = 0;
            while (balancer.place(up("a"), null) != null) {
                given++;
            }

            assertThat(room).isEqualTo(given).isPositive();
            assertThat(balancer.room("a")).isZero();
            assertThat(balancer.known("a").placed()).isEqualTo(given);
        }
        assertThat(new Balancer(BalancePolicies.roundRobin(), () -> 0).room("a"))
                .isEqualTo(Integer.MAX_VALUE);
    }

    @Test
    void theRoomOfLeastLoadedIsTheFreeSlotsThatTheReplicaHasReported() {
        Balancer balancer = new Balancer(BalancePolicies.leastLoaded(new Random(1)), () -> 0);
        assertThat(balancer.room("a")).isZero();

        balancer.report("a", new Load(0, 0, 1, 4));
        assertThat(balancer.room("a")).isEqualTo(3);
        assertThat(balancer.known("a").load()).isEqualTo(new Load(0, 0, 1, 4));

        Placement placed = balancer.place(up("a"), null);
        placed.begun();
        assertThat(balancer.room("a")).isEqualTo(2);
        assertThat(balancer.known("a").load()).isEqualTo(new Load(0, 0, 2, 4));
    }

    @Test
    void leastLoadedLetsOneCallWaitAtAReplicaWhoseCallsAreLong() {
        Balancer balancer = new Balancer(BalancePolicies.leastLoaded(new Random(1)), () -> 0);
        List<Placement> placed = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            Placement next = balancer.place(up("a", "b"), null);
            next.begun();
            placed.add(next);
        }
        placed.add(balancer.place(up("a", "b"), null));
        placed.add(balancer.place(up("a", "b"), null));

        assertThat(placed).extracting(each -> each.replica().name()).containsExactlyInAnyOrder("a", "a", "b", "b");
        assertThat(balancer.place(up("a", "b"), null)).isNull();
        placed.get(2).begun();
        assertThat(balancer.place(up("a", "b"), null).replica())
                .isEqualTo(placed.get(2).replica());
    }

    @Test
    void leastLoadedWaitsForAReplicaRatherThanAddToTheCallsOfOthers() {
        Balancer balancer = new Balancer(BalancePolicies.leastLoaded(new Random(1)), () -> 0);
        balancer.report("a", new Load(30, 0, 1, 1));
        Placement first = balancer.place(up("a", "b"), null);

        assertThat(first.replica().name()).isEqualTo("b");
        assertThat(balancer.place(up("a", "b"), null)).isNull();
        first.begun();
        assertThat(balancer.place(up("a", "b"), null).replica().name()).isEqualTo("b");
    }

    @Test
    void staticRatioInterleaves() {
        BalancePolicy policy = BalancePolicies.staticRatio(Map.of("a", 2, "b", 1, "c", 1));

        assertThat(picks(policy, up("a", "b", "c"), 8)).containsExactly("a", "b", "a", "c", "a", "b", "a", "c");
    }

    @Test
    void staticRatioIsNeverOneAwayFromItsShare() {
        long seed = Seed.of(BalancePolicyTest.class);
        Random random = new Random(seed);
        for (int round = 0; round < 300; round++) {
            Map<String, Integer> weights = new LinkedHashMap<>();
            int replicas = 1 + random.nextInt(12);
            for (int i = 0; i < replicas; i++) {
                weights.put("r" + (char) ('a' + i), 1 + random.nextInt(random.nextBoolean() ? 4 : 100));
            }
            assertNeverOneAway(weights, "seed " + seed + " round " + round + " " + weights);
        }
    }

    private static void assertNeverOneAway(Map<String, Integer> weights, String what) {
        BalancePolicy policy = BalancePolicies.staticRatio(weights);
        List<Replicas.Replica> candidates = up(weights.keySet().toArray(String[]::new));
        double sum = weights.values().stream().mapToInt(Integer::intValue).sum();
        Map<String, Integer> counts = new HashMap<>();
        for (int n = 1; n <= 2 * sum + 3; n++) {
            counts.merge(place(policy, candidates), 1, Integer::sum);
            for (Map.Entry<String, Integer> weight : weights.entrySet()) {
                double away = counts.getOrDefault(weight.getKey(), 0) - n * weight.getValue() / sum;
                assertThat(Math.abs(away)).as("%s after %d", what, n).isLessThan(1);
            }
        }
    }

    @Test
    void staticRatioServesThoseThatAreLeft() {
        BalancePolicy policy = BalancePolicies.staticRatio(Map.of("a", 2, "b", 1));

        assertThat(picks(policy, up("a", "b", "c"), 4)).containsExactlyInAnyOrder("a", "a", "b", "c");
        assertThat(picks(policy, up("b", "c"), 4)).containsExactly("b", "c", "b", "c");
    }

    @Test
    void whoHasNoWeightGetsCallsOnlyWhileHeIsAlone() {
        BalancePolicy policy = BalancePolicies.staticRatio(Map.of("a", 2, "b", 0, "c", 1));

        assertThat(picks(policy, up("a", "b", "c"), 6)).containsOnly("a", "c").hasSize(6);
        assertThat(picks(policy, up("a", "b"), 3)).containsOnly("a");
        assertThat(picks(policy, up("b"), 2)).containsExactly("b", "b");
    }

    @Test
    void refusesANegativeWeight() {
        assertThatThrownBy(() -> BalancePolicies.staticRatio(Map.of("a", -1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("weight of a: -1 (expected: at least 0)");
    }

    @Test
    void sharesHoldAmongManyThreads() throws InterruptedException {
        List<BalancePolicy> policies = List.of(
                BalancePolicies.roundRobin(), BalancePolicies.staticRatio(Map.of("a", 1, "b", 1, "c", 1, "d", 1)));
        for (BalancePolicy policy : policies) {
            Map<String, AtomicInteger> counts = new ConcurrentHashMap<>();
            List<Thread> threads = new ArrayList<>();
            for (int t = 0; t < 4; t++) {
                Thread thread = new Thread(() -> picks(policy, up("a", "b", "c", "d"), 1_000)
                        .forEach(name -> counts.computeIfAbsent(name, n -> new AtomicInteger())
                                .incrementAndGet()));
                thread.start();
                threads.add(thread);
            }
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(counts).hasSize(4).allSatisfy((name, count) -> assertThat(count)
                    .hasValue(1_000));
        }
    }

    private static List<String> picks(BalancePolicy policy, List<Replicas.Replica> candidates, int count) {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            names.add(place(policy, candidates));
        }
        return names;
    }

    private static String place(BalancePolicy policy, List<Replicas.Replica> candidates) {
        return policy.pick(candidates, new Ledger(() -> 0), null).name();
    }
}
