package dev.cleave.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.serial.WrittenValue;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Fetches of results of lanes that are not known here yet. */
@Tag("one-jdk")
class LanesTest {

    private final Lanes lanes = new Lanes();

    private List<CompletableFuture<WrittenValue>> fetches(String peer, int count) {
        List<CompletableFuture<WrittenValue>> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(lanes.fetch(new Lanes.Key(peer.hashCode(), i), 0, peer));
        }
        return all;
    }

    private static long waiting(List<CompletableFuture<WrittenValue>> fetches) {
        return fetches.stream().filter(each -> !each.isDone()).count();
    }

    @Test
    void aPeerWithInventedKeysTakesNoRoomFromOthers() {
        List<CompletableFuture<WrittenValue>> invented = fetches("guest", 2 * Lanes.MOST_FETCHES);
        List<CompletableFuture<WrittenValue>> others = fetches("server", 1);

        assertThat(waiting(invented)).isEqualTo(Lanes.MOST_UNKNOWN_OF_ONE);
        assertThat(waiting(others)).isEqualTo(1);
        assertThat(invented.get(2 * Lanes.MOST_FETCHES - 1)).isCompletedExceptionally();
    }

    @Test
    void whatWaitsIsBoundedForAllPeersTogether() {
        List<CompletableFuture<WrittenValue>> all = new ArrayList<>();
        for (int peer = 0; peer < 100; peer++) {
            all.addAll(fetches("guest " + peer, Lanes.MOST_UNKNOWN_OF_ONE));
        }

        assertThat(waiting(all)).isEqualTo(Lanes.MOST_FETCHES);
        assertThat(lanes.results()).isEqualTo(2 * Lanes.MOST_FETCHES); // each fetch and its key
    }

    /** Sixteen identities fill all room; each gives up what it has more than the seventeenth. */
    @Test
    void manyPeersWithInventedKeysTakeNoRoomFromOthers() {
        List<CompletableFuture<WrittenValue>> invented = new ArrayList<>();
        for (int peer = 0; peer < 16; peer++) {
            invented.addAll(fetches("guest " + peer, Lanes.MOST_UNKNOWN_OF_ONE));
        }
        List<CompletableFuture<WrittenValue>> others = fetches("server", 100);
        invented.addAll(fetches("guest 3", 100));

        assertThat(waiting(others)).isEqualTo(100);
        assertThat(waiting(invented)).isEqualTo(Lanes.MOST_FETCHES - 100);
        assertThat(lanes.results()).isEqualTo(2 * Lanes.MOST_FETCHES);
    }

    @Test
    void fetchesThatAreGivenUpLeaveNothing() {
        List<CompletableFuture<WrittenValue>> all = fetches("guest", Lanes.MOST_UNKNOWN_OF_ONE);

        for (int i = 0; i < all.size(); i++) {
            lanes.giveUpFetches(new Lanes.Key("guest".hashCode(), i));
        }

        assertThat(waiting(all)).isZero();
        assertThat(lanes.results()).isZero();
        assertThat(waiting(fetches("guest", 1))).isEqualTo(1);
    }
}
