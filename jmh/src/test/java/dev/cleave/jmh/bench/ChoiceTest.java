package dev.cleave.jmh.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("one-jdk")
class ChoiceTest {

    @Test
    void starStandsForAnyPart() {
        assertThat(Choice.matches("cleave", "cleave-inline")).isFalse();
        assertThat(Choice.matches("cleave*", "cleave")).isTrue();
        assertThat(Choice.matches("*-64*", "window-64-1-kib")).isTrue();
        assertThat(Choice.matches("*64", "window-64-1-kib")).isFalse();
        assertThat(Choice.matches("ab*b", "ab")).isFalse();
    }

    @Test
    void floorIsAlwaysAmongTheContendersButNothingByItself() {
        Choice choice = new Choice(List.of("rmi"), List.of());
        Benchmark start = new StartBenchmark();

        assertThat(choice.hasContender(start, start.floor())).isTrue();
        assertThat(choice.hasContender(start, "no-agent")).isFalse();
        assertThat(choice.has(start)).isFalse();
    }
}
