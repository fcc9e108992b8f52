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
    private final Stock stock = new Stock(2_000, freed::add);
    private final StoredRoom.Share peer = stock.room().new Share();

    @Test
    void valuesOfPeersTakeAtMostTheBound() {
        Ref<Object> first = stock.created("[D", 100, peer);

        assertThat(stock.room().taken()).isEqualTo(816);
        assertThatThrownBy(() -> stock.put(new byte[200], peer))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("no room for 216 bytes: values that this node has put here take 816 bytes, those of all"
                        + " nodes 816 of 2000 (expected: at most half of what other nodes leave; free some, or put them"
                        + " elsewhere)");
        assertThat(stock.room().taken()).isEqualTo(816);

        first.free();
        first.free();

        assertThat(stock.room().taken()).isZero();
        assertThat(stock.put(new byte[200], peer).length()).isEqualTo(200);
    }

    @Test
    void whatPeersHaveTakenInOtherWaysLeavesLessRoom() {
        long others = MemoryBounds.process() - MemoryBounds.PROCESS.used() - 1_000;
        MemoryBounds.UNREAD.add(others);
        try {
            long shown = MemoryBounds.STORED.used();
            Ref<Object> first = stock.put(new byte[284], peer);
            assertThat(MemoryBounds.STORED.used() - shown).isEqualTo(300);

            assertThatThrownBy(() -> stock.put(new byte[284], peer)).hasMessageContaining("no room for 300 bytes");

            first.free();
            assertThat(MemoryBounds.STORED.used()).isEqualTo(shown);
            assertThat(stock.put(new byte[284], peer).length()).isEqualTo(284);
        } finally {
            MemoryBounds.UNREAD.add(-others);
        }
    }

    @Test
    void aPeerTakesAtMostHalfOfWhatTheOthersLeave() {
        StoredRoom.Share other = stock.room().new Share();
        Ref<Object> first = stock.put(new byte[984], peer);

        assertThatThrownBy(() -> stock.put(new byte[0], peer)).hasMessageContaining("no room for 16 bytes");
        assertThatThrownBy(() -> stock.put(new byte[485], other)).hasMessageContaining("no room for 501 bytes");
        assertThat(stock.put(new byte[484], other).length()).isEqualTo(484);
        assertThatThrownBy(() -> first.set(new byte[985])).hasMessageContaining("no room for 1001 bytes");

        first.set(new byte[484]);

        assertThat(stock.put(new byte[100], peer).length()).isEqualTo(100);
        assertThat(stock.room().taken()).isEqualTo(500 + 500 + 116);
    }

    @Test
    void aLargerValueNeedsMoreRoom() {
        Ref<Object> text = stock.put("x", peer);

        assertThatThrownBy(() -> text.set("x".repeat(1_000))).hasMessageContaining("no room for 2016 bytes");
        text.set("y".repeat(100));

        assertThat(text.get()).isEqualTo("y".repeat(100));
        assertThat(stock.room().taken()).isEqualTo(216);
    }

    @Test
    void valuesWhoseSizeIsUnknownAreRefused() {
        assertThatThrownBy(() -> stock.put(List.of(1), peer))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("cannot be put into another node");
        assertThat(stock.put(new String[][] {{"a", null}, {}}, peer).length()).isEqualTo(2);
    }

    @Test
    void valuesOfTheProgramAreNotCounted() {
        assertThat(stock.own(new byte[10_000]).length()).isEqualTo(10_000);
        assertThat(stock.room().taken()).isZero();
    }

    @Test
    void whatOnlyPeersHaveUsedIsFreedWhenTheyHaveLeft() {
        LocalRef<Object> unused = (LocalRef<Object>) stock.put("a", peer);
        LocalRef<Object> used = (LocalRef<Object>) stock.put("b", peer);
        StoredValue own = stock.own("c");
        Ref<Object> here = LocalRef.of(used.stored());

        unused.stored().left();
        used.stored().left();
        own.left();

        assertThat(freed).containsExactly(unused.stored());
        assertThat(here.get()).isEqualTo("b");
    }
}
