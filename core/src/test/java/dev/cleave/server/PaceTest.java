package dev.cleave.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PaceTest {

    private static final int FEW_NANOS = 500;

    private final Pace pace = new Pace();

    private void run(int calls, long nanos) {
        for (int i = 0; i < calls; i++) {
            pace.ran(nanos);
        }
    }

    @Test
    void nothingIsShortBeforeManyCallsHaveBeen() {
        assertThat(pace.isShort()).isFalse();
        run(Pace.ENOUGH - 1, FEW_NANOS);
        assertThat(pace.isShort()).isFalse();
        run(1, FEW_NANOS);
        assertThat(pace.isShort()).isTrue();
    }

    @Test
    void aLongCallEndsIt() {
        run(1000, FEW_NANOS);
        run(1, Pace.LONG_NANOS);

        assertThat(pace.isShort()).isFalse();
        run(Pace.ENOUGH - 1, FEW_NANOS);
        assertThat(pace.isShort()).isFalse();
    }

    @Test
    void oneLongCallAmongMostlyShortOnesIsForgivenAndTwoAreNot() {
        run(Pace.ENOUGH, FEW_NANOS);
        run(1, Pace.LONG_NANOS);
        assertThat(pace.isMostlyShort()).isTrue();
        run(1, Pace.LONG_NANOS);
        assertThat(pace.isMostlyShort()).isFalse();
        run(Pace.ENOUGH, FEW_NANOS);
        assertThat(pace.isMostlyShort()).isTrue();
    }

    @Test
    void callsWhoseThreadsWereSuspendedDoNotCountAsLong() {
        run(Pace.ENOUGH, FEW_NANOS);
        for (int i = 0; i < 1000; i++) {
            run(11, FEW_NANOS);
            run(1, Pace.LONG_NANOS - 1);
            assertThat(pace.isMostlyShort()).as("after %d such calls", i).isTrue();
            assertThat(pace.isShort()).as("after %d such calls", i).isTrue();
        }
    }

    @Test
    void callsThatTurnSlowerAreNotShortSoon() {
        run(1000, FEW_NANOS);
        run(5, Pace.SHORT_NANOS);

        assertThat(pace.isMostlyShort()).isFalse();
        assertThat(pace.isShort()).isFalse();
    }

    @Test
    void aThreadIsWokenForEveryShareOfWork() {
        run(1000, 10_000);

        assertThat(IntStream.rangeClosed(1, 30).filter(pace::needsAnother)).containsExactly(10, 20, 30);
    }
}
