package dev.cleave.replica;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HedgeBudgetTest {

    private final HedgeBudget budget = new HedgeBudget();

    private int takeAll() {
        int taken = 0;
        while (budget.tryTake()) {
            taken++;
        }
        return taken;
    }

    @Test
    void oneCallInTwentyMayBeSentOnceMore() {
        assertThat(takeAll()).isEqualTo(HedgeBudget.BURST);

        for (int i = 0; i < 199; i++) {
            budget.called();
        }

        assertThat(takeAll()).isEqualTo(9);
        budget.called();
        assertThat(takeAll()).isEqualTo(1);
    }

    @Test
    void itIsNotSavedForEver() {
        for (int i = 0; i < 10_000; i++) {
            budget.called();
        }

        assertThat(takeAll()).isEqualTo(HedgeBudget.BURST);
    }
}
