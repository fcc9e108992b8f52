package dev.cleave.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("one-jdk")
class LeadTermsTest {

    private final LeadTerms terms = new LeadTerms();
    private long now = System.nanoTime();

    /** Counts how many wishes are refused before one is granted. */
    private int refused() {
        int count = 0;
        while (!terms.isGranted(now)) {
            count++;
        }
        return count;
    }

    private void lead(int calls) {
        terms.given(true);
        for (int i = 1; i < calls; i++) {
            terms.goesOn();
        }
    }

    @Test
    void theFirstWishesAreRefused() {
        assertThat(refused()).isEqualTo(LeadTerms.LEAST_PAUSE);
    }

    @Test
    void aLeaderThatSoonLosesTheWheelMakesTheNextOneWaitTwiceAsLong() {
        lead(LeadTerms.LEAST - 1);
        assertThat(refused()).isEqualTo(2 * LeadTerms.LEAST_PAUSE);
        lead(1);
        assertThat(refused()).isEqualTo(4 * LeadTerms.LEAST_PAUSE);
        lead(LeadTerms.LEAST);
        assertThat(refused()).isEqualTo(LeadTerms.LEAST_PAUSE);
    }

    @Test
    void atMostSoManyWishesAreRefused() {
        for (int i = 0; i < 20; i++) {
            lead(1);
            assertThat(refused()).isLessThanOrEqualTo(LeadTerms.MOST_PAUSE);
        }
        assertThat(refused()).isZero();
    }

    @Test
    void manyCallsAreAProofUntilTheWheelIsLost() {
        lead(LeadTerms.PROVEN);
        assertThat(terms.isProven()).isTrue();
        assertThat(terms.isGranted(now)).isFalse();
        assertThat(terms.isProven()).isFalse();
    }

    @Test
    void whatWasLearnedIsForgottenWhenNoWorkerWishesForLong() {
        for (int i = 0; i < 20; i++) {
            lead(1);
            refused();
        }
        lead(1);
        now += LeadTerms.FORGET_NANOS;
        assertThat(refused()).isEqualTo(LeadTerms.MOST_PAUSE);
        lead(1);
        now += LeadTerms.FORGET_NANOS + 1;
        assertThat(refused()).isEqualTo(LeadTerms.LEAST_PAUSE);
    }
}
