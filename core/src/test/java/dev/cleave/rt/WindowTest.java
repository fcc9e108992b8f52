package dev.cleave.rt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class WindowTest {

    @Test
    void growsAtOnceToAsManyCallsAsTheProgramCouldHaveMadeMeanwhile() {
        Window window = new Window(2, 64);

        window.waited(40_000, 1_000, 0);

        assertThat(window.size()).isEqualTo(42);
    }

    @Test
    void doublesAtLeast() {
        Window window = new Window(8, 64);

        window.waited(10, 1_000_000, 0);

        assertThat(window.size()).isEqualTo(16);
    }

    @Test
    void neverGrowsBeyondItsBound() {
        Window window = new Window(2, 10);

        window.waited(Long.MAX_VALUE, 0, 0);

        assertThat(window.size()).isEqualTo(10);
    }

    @Test
    void beginsWithinItsBound() {
        assertThat(new Window(64, 8).size()).isEqualTo(8);
        assertThat(new Window(1, 1).size()).isEqualTo(1);
    }

    @Test
    void refusesToBeginWithNothing() {
        assertThatThrownBy(() -> new Window(0, 8))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("first: 0 (expected: 1 or more)");
    }

    @Test
    void halvesWhenAServerHasNoRoomOnceForAllThatWasSentBefore() {
        Window window = new Window(32, 64);

        window.refused(10, 100);
        window.refused(20, 110);
        window.refused(99, 190);

        assertThat(window.size()).isEqualTo(16);

        window.refused(100, 200);
        assertThat(window.size()).as("sent since").isEqualTo(8);
    }

    @Test
    void eachRefusalLetsItWaitTwiceAsLongBeforeItGrows() {
        Window window = new Window(1, 64);
        for (int refusals = 1; refusals <= 12; refusals++) {
            window.refused(10 * refusals, 10 * refusals + 1);
            int patience = Math.min(Window.MOST_PATIENCE, 1 << refusals - 1);
            assertThat(window.patience()).isEqualTo(patience);
            assertThat(window.size()).isEqualTo(1);
        }
        for (int i = 1; i < Window.MOST_PATIENCE; i++) {
            window.waited(1, 1, 0);
        }
        assertThat(window.size()).isEqualTo(1);
        Window next = new Window(window.learned(), 64);
        next.waited(1, 1, 0);
        assertThat(next.size())
                .as("what one activation has waited counts for the next")
                .isEqualTo(2);
        assertThat(next.patience()).isEqualTo(Window.MOST_PATIENCE / 2);
        assertThat(next.learned().waits()).isZero();
    }

    @Test
    void growsSlowlyAfterARefusalUpToItsBound() {
        Window window = new Window(8, 6);
        window.refused(1, 2);
        assertThat(window.size()).isEqualTo(3);

        for (int i = 0; i < 3; i++) {
            window.waited(Long.MAX_VALUE, 1, 0);
        }
        assertThat(window.size()).isEqualTo(4);
        for (int i = 0; i < 100; i++) {
            window.waited(Long.MAX_VALUE, 1, 0);
        }
        assertThat(window.size()).isEqualTo(6);
    }

    @Test
    void oneCallMayAlwaysBeInFlight() {
        Window window = new Window(2, 64);
        for (int i = 0; i < 10; i++) {
            window.refused(10L * i, 10L * i + 5);
        }

        assertThat(window.size()).isEqualTo(1);
    }
}
