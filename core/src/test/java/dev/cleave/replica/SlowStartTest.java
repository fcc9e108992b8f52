package dev.cleave.replica;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.wire.Replicas;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("one-jdk")
class SlowStartTest {

    private static final long SECOND = 1_000_000_000L;

    private final AtomicLong now = new AtomicLong();
    private final Balancer balancer = new Balancer(BalancePolicies.roundRobin(), now::get);

    private long callsOf(String name, List<Replicas.Replica> replicas, int calls) {
        long count = 0;
        for (int i = 0; i < calls; i++) {
            Placement placed = balancer.placeAnyway(replicas, null);
            count += placed.replica().name().equals(name) ? 1 : 0;
            placed.end();
        }
        return count;
    }

    @Test
    void aNewcomerComesToItsShareByAndBy() {
        balancer.keep(List.of("a"));
        now.addAndGet(60 * SECOND);
        balancer.keep(List.of("a", "b"));
        List<Replicas.Replica> both = SampleReplicas.up("a", "b");

        long first = callsOf("b", both, 1000);
        now.addAndGet(3 * SECOND);
        long then = callsOf("b", both, 1000);
        now.addAndGet(2 * SECOND);

        assertThat(first).as("a tenth of its share").isBetween(45L, 55L);
        assertThat(then).as("six tenths").isBetween(290L, 310L);
        assertThat(callsOf("b", both, 1000)).isEqualTo(500);
    }

    /** Whatever the number of replicas, which a policy that goes round in step with the credits might never reach. */
    @Test
    void aNewcomerIsNeverPassedOver() {
        for (int others = 1; others <= 12; others++) {
            Balancer each = new Balancer(BalancePolicies.roundRobin(), now::get);
            List<String> names = new ArrayList<>();
            for (int i = 0; i < others; i++) {
                names.add(String.format(Locale.ROOT, "a%02d", i));
            }
            each.keep(names);
            now.addAndGet(60 * SECOND);
            names.add("b");
            each.keep(names);
            List<Replicas.Replica> all = SampleReplicas.up(names.toArray(String[]::new));
            int calls = 0;
            for (int i = 0; i < 2000; i++) {
                calls += each.placeAnyway(all, null).replica().name().equals("b") ? 1 : 0;
            }
            assertThat(calls).as("beside %s", others).isBetween(190 / (others + 1), 210 / (others + 1) + 1);
        }
    }

    @Test
    void thoseThatStartTogetherShareAtOnce() {
        balancer.keep(List.of("a"));
        now.addAndGet(SECOND);
        balancer.keep(List.of("a", "b"));

        assertThat(callsOf("b", SampleReplicas.up("a", "b"), 100)).isEqualTo(50);
    }

    @Test
    void aNewcomerThatIsAloneGetsAllCalls() {
        balancer.keep(List.of("a"));
        now.addAndGet(60 * SECOND);
        balancer.keep(List.of("a", "b", "c"));

        assertThat(callsOf("b", SampleReplicas.up("b"), 10)).isEqualTo(10);
        assertThat(callsOf("b", SampleReplicas.up("b", "c"), 100)).isBetween(30L, 70L);
    }
}
