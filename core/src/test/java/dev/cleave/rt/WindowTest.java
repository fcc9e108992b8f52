package dev.cleave.rt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class WindowTest {

    @Test
    void growsAtOnceToAsManyCallsAsTheProgramCouldHaveMadeMeanwhile() {
        Window window = new Window(2, 64);

        window.waited(40_000, 1_000);

        assertThat(window.size()).isEqualTo(42);
    }

    @Test
    void doublesAtLeast() {
        Window window = new Window(8, 64);

        window.waited(10, 1_000_000);

        assertThat(window.size()).isEqualTo(16);
    }

    @Test
    void neverGrowsBeyondItsBound() {
        Window window = new Window(2, 10);

        window.waited(Long.MAX_VALUE, 0);

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
}
