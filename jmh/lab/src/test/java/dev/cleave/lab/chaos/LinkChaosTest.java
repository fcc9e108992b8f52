package dev.cleave.lab.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.lab.history.Planted;
import dev.cleave.testing.Seed;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Calls of all kinds while one kind of link after the other is cut; {@code bin/cleave chaos} does the same for longer. */
@Tag("one-jdk")
@Timeout(300)
class LinkChaosTest {

    private static final boolean FULL = Boolean.getBoolean("cleave.full");
    private static final int CALLS = FULL ? 40 : 15;
    private static final int RUNS = 5;

    @Test
    void everyPromiseIsKeptWhicheverLinkIsCut() throws InterruptedException {
        long seed = Seed.of(LinkChaosTest.class);

        LinkChaos.Result result = new LinkChaos(seed, null, CALLS).run();

        assertThat(result.broken()).as("seed %s: %s", seed, result.rows()).isEmpty();
    }

    static Stream<Planted> planted() {
        Stream<Planted> few = Stream.of(Planted.NEVER_RECALLS, Planted.CALLBACK_TWICE);
        Stream<Planted> more = Stream.of(
                Planted.ONE_WAY_TWICE,
                Planted.CHUNK_TWICE,
                Planted.GROUP_ORDER,
                Planted.RELEASED_EARLY,
                Planted.DISPLACED_SERVES,
                Planted.CANCELLED_IS_NOT);
        return FULL ? Stream.concat(few, more) : few;
    }

    /** Some of them, more with {@code -Dcleave.full=true}; all of them: {@code bin/cleave chaos --planted}. */
    @ParameterizedTest
    @MethodSource("planted")
    void defectsOfRealNodesAreSeen(Planted planted) throws InterruptedException {
        assertThat(new PlantedChaos(0, RUNS).look(planted)).as(planted.what()).isNotNull();
    }
}
