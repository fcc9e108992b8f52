package dev.cleave.ref;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cleave.Ref;
import dev.cleave.config.MemoryBounds;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class StockTest {

    private final List<StoredValue> freed = new ArrayList<>();
    private final Stock stock = new Stock(1_000, freed::add);

    @Test
    void valuesOfPeersTakeAtMostTheBound() {
        Ref<Object> first = stock.created("[D", 100);

        assertThat(stock.taken()).isEqualTo(816);
        assertThatThrownBy(() -> stock.put(new byte[200]))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("no room for 216 bytes: values that other nodes have put here take 816 of 1000 bytes (free"
                        + " some, or put them elsewhere)");
        assertThat(stock.taken()).isEqualTo(816);

        first.free();
        first.free();

        assertThat(stock.taken()).isZero();
        assertThat(stock.put(new byte[200]).length()).isEqualTo(200);
    }

    @Test
    void whatPeersHaveTakenInOtherWaysLeavesLessRoom() {
        long others = MemoryBounds.process() - MemoryBounds.PROCESS.used() - 500;
        MemoryBounds.UNREAD.add(others);
        try {
            long shown = MemoryBounds.STORED.used();
            Ref<Object> first = stock.put(new byte[284]);
            assertThat(MemoryBounds.STORED.used() - shown).isEqualTo(300);

            assertThatThrownBy(() -> stock.put(new byte[284])).hasMessageContaining("no room for 300 bytes");

            first.free();
            assertThat(MemoryBounds.STORED.used()).isEqualTo(shown);
            assertThat(stock.put(new byte[284]).length()).isEqualTo(284);
        } finally {
            MemoryBounds.UNREAD.add(-others);
        }
    }

    @Test
    void aLargerValueNeedsMoreRoom() {
        Ref<Object> text = stock.put("x");

        assertThatThrownBy(() -> text.set("x".repeat(1_000))).hasMessageContaining("no room for 2016 bytes");
        text.set("y".repeat(100));

        assertThat(text.get()).isEqualTo("y".repeat(100));
        assertThat(stock.taken()).isEqualTo(216);
    }

    @Test
    void valuesWhoseSizeIsUnknownAreRefused() {
        assertThatThrownBy(() -> stock.put(List.of(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("cannot be put into another node");
        assertThat(stock.put(new String[][] {{"a", null}, {}}).length()).isEqualTo(2);
    }

    @Test
    void valuesOfTheProgramAreNotCounted() {
        assertThat(stock.own(new byte[10_000]).length()).isEqualTo(10_000);
        assertThat(stock.taken()).isZero();
    }

    @Test
    void whatOnlyPeersHaveUsedIsFreedWhenTheyHaveLeft() {
        LocalRef<Object> unused = (LocalRef<Object>) stock.put("a");
        LocalRef<Object> used = (LocalRef<Object>) stock.put("b");
        StoredValue own = stock.own("c");
        Ref<Object> here = LocalRef.of(used.stored());

        unused.stored().left();
        used.stored().left();
        own.left();

        assertThat(freed).containsExactly(unused.stored());
        assertThat(here.get()).isEqualTo("b");
    }
}
