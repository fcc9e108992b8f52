package dev.cleave.broker.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("one-jdk")
class TextTableTest {

    @Test
    void alignsWordsLeftAndNumbersRight() {
        TextTable table = new TextTable("name", "time", "state");
        table.add("harvey", "9.5", "up");
        table.add("bugs", "10.25", "");

        assertThat(table.lines())
                .containsExactly(
                        "name     time  state", //
                        "harvey    9.5  up",
                        "bugs    10.25");
    }

    @Test
    void rowsHaveACellForEachColumn() {
        assertThatThrownBy(() -> new TextTable("a", "b").add("1")).hasMessage("cells: 1 (expected: 2)");
    }
}
