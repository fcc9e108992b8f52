package dev.cleave.jexl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cleave.call.Expression;
import dev.cleave.call.ExpressionLanguage.Parameter;
import dev.cleave.call.ExpressionLanguage.Purpose;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("one-jdk")
class JexlLanguageTest {

    /** A part of an assembly. */
    public record Part(String name, int weight) {

        /** A getter. */
        public int getSize() {
            return weight * 2;
        }

        /** Not one that expressions can do anything with. */
        public void touch() {}
    }

    private static final List<Parameter> PARAMETERS = List.of(
            new Parameter("sequence", String.class, "parameter 1 (sequence)"),
            new Parameter("count", int.class, "parameter 2 (count)"),
            new Parameter("part", Part.class, "parameter 3 (part)"),
            new Parameter("genome", byte[].class, "parameter 4 (genome)"),
            new Parameter("names", List.class, "parameter 5 (names)"),
            new Parameter("any", Object.class, "parameter 6 (any)"));

    private final JexlLanguage language = new JexlLanguage();

    private Object value(String text, Purpose purpose) {
        Expression expression = language.compile(text, purpose, PARAMETERS);
        return expression.value(new Object[] {"GATTACA", 3, new Part("bolt", 5), new byte[4], List.of("a", "b"), 2.5});
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "sequence.length()|7",
                "count * 10 + sequence.length()|37",
                "-count|-3",
                "part.weight() + part.size|15",
                "size(genome)|4",
                "genome[0]|0",
                "names.size()|2",
                "any * 2|5",
                "sequence.startsWith('G') ? 1 : 0|1",
                "(count)|3",
                "count > 2 && count < 5 ? 100 : sequence.length()|100",
            })
    void computesPriorities(String text, double expected) {
        assertThat(((Number) value(text, Purpose.PRIORITY)).doubleValue()).isEqualTo(expected);
    }

    @Test
    void keysMayBeAnything() {
        assertThat(value("part.name()", Purpose.AFFINITY)).isEqualTo("bolt");
        assertThat(value("sequence", Purpose.AFFINITY)).isEqualTo("GATTACA");
        assertThat(value("part", Purpose.AFFINITY)).isEqualTo(new Part("bolt", 5));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "sequence.lenght()|parameter 1 (sequence): String has no method lenght (did you mean length?)",
                "sequence.length|parameter 1 (sequence): String has no property length (did you mean length()?)",
                "sequence.charAt()|parameter 1 (sequence): String.charAt takes 1 arguments (found: 0)",
                "sequence|parameter 1 (sequence): a String comes out of it (expected: a number)",
                "sequence.trim()|parameter 1 (sequence): a String comes out of it (expected: a number)",
                "sequence * 2|parameter 1 (sequence): a String is no number",
                "part - 1|parameter 3 (part): a Part is no number",
                "part.touch()|parameter 3 (part): Part.touch returns nothing",
                "genome + 1|parameter 4 (genome): a byte[] is no number",
                "count == 1|a Boolean comes out of it (expected: a number)",
                "sequnce.length()|unknown parameter sequnce (did you mean sequence?)",
                "length(sequence)|a function (expected: parameters and their methods)",
            })
    void explainsMistakes(String text, String message) {
        assertThatThrownBy(() -> language.compile(text, Purpose.PRIORITY, PARAMETERS))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "sequence.",
                "count = 5",
                "count += 5",
                "while (true) {}",
                "new('java.io.File', 'x')",
                "var x = 1",
                "() -> 1",
                "count; count",
            })
    void hasNeitherStatementsNorSideEffects(String text) {
        assertThatThrownBy(() -> language.compile(text, Purpose.PRIORITY, PARAMETERS))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("not an expression");
    }

    @Test
    void doesNotReachTheJvm() {
        List<String> attempts = List.of(
                "sequence.getClass().forName('java.lang.Runtime')",
                "sequence.getClass().getClassLoader().hashCode()",
                "any.getClass().getClassLoader().hashCode()",
                "any.class.name.length()");
        for (String attempt : attempts) {
            assertThatThrownBy(() -> value(attempt, Purpose.PRIORITY))
                    .as(attempt)
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void whatCannotBeComputedSaysWhy() {
        Expression expression = language.compile("sequence.length()", Purpose.PRIORITY, PARAMETERS);

        assertThatThrownBy(() -> expression.value(new Object[] {null, 1, null, null, null, Map.of()}))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
