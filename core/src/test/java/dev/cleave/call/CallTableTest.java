package dev.cleave.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.testing.Seed;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("one-jdk")
class CallTableTest {

    private final CallTable table = new CallTable();

    @Test
    void findsEachCallOnceAlsoAfterGrowing() throws Exception {
        List<LinkCall> calls = new ArrayList<>();
        List<Long> ids = new ArrayList<>();
        for (int i = 0; i < 3000; i++) {
            LinkCall call = new SilentCall();
            calls.add(call);
            ids.add(table.add(call));
        }

        assertThat(table.size()).isEqualTo(3000);
        for (int i = 2999; i >= 0; i--) {
            assertThat(table.remove(ids.get(i))).isSameAs(calls.get(i));
            assertThat(table.remove(ids.get(i))).isNull();
        }
        assertThat(table.size()).isZero();
    }

    @Test
    void oldCallsDoNotStandInTheWayOfManyNewOnesAndCostASlotEach() throws Exception {
        List<LinkCall> old = new ArrayList<>();
        List<Long> ids = new ArrayList<>();
        long last = 0;
        for (int i = 0; i < 100_000; i++) {
            LinkCall call = new SilentCall();
            long id = table.add(call);
            assertThat(id).as("no number is left out").isEqualTo(last + 1);
            last = id;
            if (i % 10_000 == 0) {
                old.add(call);
                ids.add(id);
                assertThat(table.lowest()).isEqualTo(1);
            } else {
                assertThat(table.get(id)).isSameAs(call);
                assertThat(table.remove(id)).isSameAs(call);
            }
        }

        assertThat(table.capacity()).isEqualTo(16);
        assertThat(table.all()).isEqualTo(old);
        for (int i = 0; i < old.size(); i++) {
            assertThat(table.remove(ids.get(i))).isSameAs(old.get(i));
        }
        assertThat(table.lowest()).isGreaterThan(last);
    }

    @Test
    void whateverComesAndGoesIsFoundByItsNumberAndNoOther() throws Exception {
        long seed = Seed.of(CallTableTest.class);
        Random random = new Random(seed);
        TreeMap<Long, LinkCall> waiting = new TreeMap<>();
        for (int i = 0; i < 20_000; i++) {
            if (random.nextInt(100) < 52 && waiting.size() < 500) {
                LinkCall call = new SilentCall();
                long id = table.add(call);
                assertThat(waiting).as("seed %s", seed).doesNotContainKey(id);
                waiting.put(id, call);
            } else if (!waiting.isEmpty()) {
                Long id = random.nextInt(4) == 0 ? waiting.firstKey() : waiting.ceilingKey(waiting.lastKey() - 20);
                assertThat(table.remove(id)).as("seed %s", seed).isSameAs(waiting.remove(id));
                assertThat(table.remove(id)).isNull();
            }
        }

        assertThat(table.size()).isEqualTo(waiting.size());
        assertThat(table.all()).as("seed %s", seed).isEqualTo(List.copyOf(waiting.values()));
        if (!waiting.isEmpty()) {
            assertThat(table.lowest()).as("seed %s", seed).isEqualTo(waiting.firstKey());
        }
        assertThat(table.close()).isEqualTo(List.copyOf(waiting.values()));
    }

    @Test
    void letsNoneInAfterTheEnd() throws Exception {
        LinkCall call = new SilentCall();
        table.add(call);

        assertThat(table.close()).containsExactly(call);
        assertThat(table.add(new SilentCall())).isEqualTo(-1);
        assertThat(table.size()).isZero();
    }
}
