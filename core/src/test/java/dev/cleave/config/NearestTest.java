package dev.cleave.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class NearestTest {

    @Test
    void countsEdits() {
        assertThat(Nearest.distance("score", "score")).isZero();
        assertThat(Nearest.distance("Score", "score")).isZero();
        assertThat(Nearest.distance("", "abc")).isEqualTo(3);
        assertThat(Nearest.distance("scor", "score")).isEqualTo(1);
        assertThat(Nearest.distance("socre", "score")).isEqualTo(1);
        assertThat(Nearest.distance("kitten", "sitting")).isEqualTo(3);
    }

    @Test
    void offersTheNearestWord() {
        assertThat(Nearest.hint("harvy", List.of("bugs", "harvey"))).isEqualTo("(did you mean harvey?)");
    }

    @Test
    void listsTheWordsWhenNoneIsNear() {
        assertThat(Nearest.hint("x".repeat(5_000), List.of("bugs", "harvey", "thumper")))
                .isEqualTo("(expected: bugs, harvey or thumper)");
        assertThat(Nearest.hint("xyz", List.of("harvey"))).isEqualTo("(expected: harvey)");
        assertThat(Nearest.hint("xyz", List.of())).isEqualTo("(expected: none)");
    }
}
