package dev.cleave.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.config.Rights;
import java.util.List;
import org.junit.jupiter.api.Test;

class RightsGuardTest {

    private final RightsGuard guard = new RightsGuard(Rights.of(List.of(
            new Rights.Grant(Rights.pattern("client"), List.of(), List.of(Rights.pattern("bank.*")), List.of()))));

    @Test
    void rememberedAnswersAreThoseOfTheRights() {
        for (int i = 0; i < 2; i++) {
            assertThat(guard.mayCall("client", "bank\nbalance()I")).isTrue();
            assertThat(guard.mayCall("client", "till\nbalance()I")).isFalse();
            assertThat(guard.mayCall("guest", "bank\nbalance()I")).isFalse();
            assertThat(guard.mayCall(null, "bank\nbalance()I")).isFalse();
        }
        assertThat(guard.kept()).isEqualTo(1);
    }

    @Test
    void otherRightsHoldAtOnce() {
        assertThat(guard.mayCall("client", "bank\nbalance()I")).isTrue();

        guard.change(Rights.of(List.of()));

        assertThat(guard.mayCall("client", "bank\nbalance()I")).isFalse();
    }

    /** The names are the peer's choice, and a METHODS frame has room for 60 KB of them. */
    @Test
    void aPeerTakesNoMemoryByWhatItAsks() {
        for (int i = 0; i < 1_000; i++) {
            assertThat(guard.mayCall("guest", "bank\nm" + i + "()V")).isFalse();
            assertThat(guard.mayCall("client", "bank\n" + "m".repeat(1_000 + i) + "()V"))
                    .isTrue();
        }

        assertThat(guard.kept()).isZero();
    }
}
