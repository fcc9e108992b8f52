package dev.cleave.migration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.testing.Seed;
import dev.cleave.wire.CallClaim;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class GrantsTest {

    private final Grants grants = new Grants();
    private long epoch;

    private int most(int receiverLoad, int numerator, int denominator, int waiting, int running) {
        return grants.most(new CallClaim(++epoch, "s", "r", receiverLoad, numerator, denominator), waiting, running);
    }

    @Test
    void aPartIsRoundedUp() {
        assertThat(most(0, 1, 2, 10, 1)).isEqualTo(5);
        assertThat(most(0, 1, 2, 9, 1)).isEqualTo(5);
        assertThat(most(0, 1, 2, 1, 1)).isEqualTo(1);
        assertThat(most(0, 3, 4, 10, 1)).isEqualTo(8);
        assertThat(most(0, 1, 1, 10, 1)).as("but the owner keeps what runs").isEqualTo(10);
    }

    @Test
    void aPartIsOneOfTheDifference() {
        assertThat(most(9, 1, 2, 23, 1)).isEqualTo(8);
        assertThat(most(23, 1, 2, 23, 1)).isZero();
    }

    @Test
    void aNumberIsMostOfWhatMayGo() {
        assertThat(most(0, 3, 0, 10, 1)).isEqualTo(3);
        assertThat(most(0, 30, 0, 10, 1)).isEqualTo(10);
        assertThat(most(1, 3, 0, 3, 1))
                .as("the receiver does not come to what the owner had")
                .isEqualTo(2);
    }

    @Test
    void aClaimThatCameTwiceOrLateGetsNothing() {
        CallClaim first = new CallClaim(7, "s", "r", 0, 1, 2);

        assertThat(grants.most(first, 10, 1)).isEqualTo(5);
        assertThat(grants.most(first, 10, 1)).isZero();
        assertThat(grants.most(new CallClaim(6, "s", "r", 0, 1, 2), 10, 1)).isZero();
        assertThat(grants.most(new CallClaim(8, "s", "r", 0, 1, 2), 10, 1)).isEqualTo(5);
    }

    @Test
    void loadsComeNearerWithEveryMove() {
        long seed = Seed.of(GrantsTest.class);
        Random random = new Random(seed);
        for (int round = 0; round < 10_000; round++) {
            long waiting = random.nextInt(100);
            long running = random.nextInt(5);
            long receiver = random.nextInt(120);
            int denominator = random.nextInt(5);
            int numerator = 1 + random.nextInt(denominator == 0 ? 50 : denominator);
            long given = most((int) receiver, numerator, denominator, (int) waiting, (int) running);
            long owner = waiting + running;

            assertThat(given).as("seed %d", seed).isBetween(0L, waiting);
            if (given > 0) {
                long after = (owner - given) * (owner - given) + (receiver + given) * (receiver + given);
                assertThat(after).as("seed %d", seed).isLessThan(owner * owner + receiver * receiver);
            }
        }
    }

    @Test
    void aServerHasSomethingNewToSayAtEdgesAndFactorsOfTwo() {
        LoadBand band = new LoadBand(Set.of(1, 10));

        assertThat(band.leaves(0)).as("nothing has been said").isTrue();
        band.told(0);
        assertThat(band.leaves(0)).isFalse();
        assertThat(band.leaves(1)).isTrue();
        band.told(6);
        assertThat(band.leaves(3)).isFalse();
        assertThat(band.leaves(2)).isTrue();
        assertThat(band.leaves(9)).isFalse();
        assertThat(band.leaves(10)).as("a condition may hold").isTrue();
        band.told(10);
        assertThat(band.leaves(9)).isTrue();
        assertThat(band.leaves(19)).isFalse();
        assertThat(band.leaves(20)).isTrue();
    }
}
