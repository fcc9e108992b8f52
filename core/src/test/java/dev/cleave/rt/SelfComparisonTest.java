package dev.cleave.rt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.rt.SelfComparison.Way;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;

/** Activations of one place, whose times the test gives. */
class SelfComparisonTest {

    private static final long CALLS = 10;
    private static final long LATENCY = 100_000;
    private static final int COMPARED = SelfComparison.WARM_UP + SelfComparison.COMPARED;

    private final SelfComparison comparison = new SelfComparison();
    private final Site site = new Site("SelfComparisonTest", 1, "Shop.any");
    private int written;
    private int timed;

    SelfComparisonTest() {
        comparison.sends(site);
    }

    /** Runs activations, of which a call takes some nanoseconds either way. */
    private void run(int activations, long ahead, long asWritten) {
        run(activations, i -> ahead, asWritten, CALLS, LATENCY);
    }

    private void run(int activations, LongUnaryOperator ahead, long asWritten, long calls, long latency) {
        for (int i = 0; i < activations; i++) {
            Way way = comparison.next();
            written += way == Way.WRITTEN ? 1 : 0;
            timed += way == Way.TIMED ? 1 : 0;
            long each = way == Way.AHEAD ? ahead.applyAsLong(i) : asWritten;
            comparison.ended(way, calls, calls * each, latency);
        }
    }

    private String note() {
        return site.counters().note();
    }

    @Test
    void aPlaceThatIsSlowerRunsAsWrittenWithinItsFirstHundredActivations() {
        run(100, 120_000, 100_000);
        assertThat(COMPARED).isLessThan(100);
        assertThat(written).isEqualTo(100 - COMPARED);
        assertThat(note()).isEqualTo("as written it is faster: 100 instead of 120 us a call");
    }

    @Test
    void aPlaceThatGainsNothingRunsAsWritten() {
        run(100, 100_000, 100_000);
        assertThat(written).isEqualTo(100 - COMPARED);
    }

    @Test
    void aPlaceThatGainsSendsAhead() {
        run(100, 90_000, 100_000);
        assertThat(written).isZero();
        assertThat(timed).isEqualTo(SelfComparison.COMPARED / SelfComparison.EVERY);
        assertThat(note()).isEmpty();
    }

    @Test
    void fewActivationsThatTakeVeryLongDecideNothing() {
        run(100, i -> i % 5 == 0 ? 5_000_000 : 20_000, 100_000, CALLS, LATENCY);
        assertThat(written).isZero();
    }

    @Test
    void aLongActivationDoesNotRunAsWrittenIfTheGainIsEvident() {
        run(100, i -> 49_000, 100_000, 1_000, LATENCY);
        assertThat(timed).isZero();
        assertThat(written).isZero();
    }

    @Test
    void aLongActivationRunsAsWrittenIfTheGainIsInDoubt() {
        run(100, i -> 51_000, 50_000, 1_000, LATENCY);
        assertThat(timed).isEqualTo(SelfComparison.COMPARED / SelfComparison.EVERY);
        assertThat(written).isEqualTo(100 - COMPARED);
    }

    @Test
    void callsThatLeaveNoProcessAreNotCompared() {
        run(100, i -> 2_000, 1_000, CALLS, SelfComparison.LOCAL_NANOS - 1);
        assertThat(timed).isZero();
        assertThat(written).isZero();
    }

    @Test
    void activationsWithoutCallsDecideNothing() {
        run(200, i -> 0, 0, 0, LATENCY);
        assertThat(written).isZero();
        run(100, 120_000, 100_000);
        assertThat(written).isPositive();
    }

    @Test
    void aPlaceIsComparedAgainAndMayChangeItsWay() {
        run(COMPARED, 120_000, 100_000);
        run(SelfComparison.REST, 120_000, 100_000);
        assertThat(written).isEqualTo(SelfComparison.REST);
        run(COMPARED, 50_000, 100_000);
        assertThat(note()).isEmpty();
        run(2 * SelfComparison.REST, 50_000, 100_000);
        assertThat(written).as("no more of them").isEqualTo(SelfComparison.REST);
        run(COMPARED + 1, 120_000, 100_000);
        assertThat(comparison.next()).isEqualTo(Way.WRITTEN);
    }
}
