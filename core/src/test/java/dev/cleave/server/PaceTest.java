package dev.cleave.server;

import static org.assertj.core.api.Assertions.assertThat;

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
    void nothingIsFastBeforeManyCallsHaveBeen() {
        assertThat(pace.isFastEnoughFor(1)).isFalse();
        run(Pace.ENOUGH - 1, FEW_NANOS);
        assertThat(pace.isFastEnoughFor(1)).isFalse();
        run(1, FEW_NANOS);
        assertThat(pace.isFastEnoughFor(1)).isTrue();
    }

    @Test
    void aLongCallEndsIt() {
        run(1000, FEW_NANOS);
        run(1, Pace.SHORT_NANOS);

        assertThat(pace.isFastEnoughFor(1)).isFalse();
        run(Pace.ENOUGH - 1, FEW_NANOS);
        assertThat(pace.isFastEnoughFor(1)).isFalse();
    }

    @Test
    void moreThanItsShareOfWorkIsForAnotherThread() {
        run(1000, 10_000);

        assertThat(pace.isFastEnoughFor(5)).isTrue();
        assertThat(pace.isFastEnoughFor(20)).isFalse();
    }
}
