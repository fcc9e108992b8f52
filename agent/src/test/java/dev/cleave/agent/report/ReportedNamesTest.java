package dev.cleave.agent.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.agent.plan.verdict.Refusal;
import dev.cleave.agent.plan.verdict.Verdict;
import dev.cleave.agent.rule.Rule;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Names of class files in reports: a class file may name a method by any characters. */
@Tag("one-jdk")
class ReportedNamesTest {

    private static final String HOSTILE = "a\u001b[2Jb\u202e\u009b31m\u007f\r";

    /** A class file may name a method by a text of two lines, too. */
    @Test
    void forgeNoLineOfAText() {
        String forged = "a\n0 remote calls";
        Verdict verdict =
                new Verdict(1, forged, Verdict.Outcome.SEQUENTIAL, 1, new Refusal(Rule.R16, 7, forged, forged));

        String text = ReportForm.TEXT.write(new Report(
                List.of(new MethodVerdicts(forged, forged, List.of(verdict))), List.of(), null, List.of(forged)));

        assertThat(text).contains("a\\u000a0 remote calls");
        assertThat(text.lines()).noneMatch(line -> line.startsWith("0 remote calls"));
    }

    @ParameterizedTest
    @EnumSource
    void neitherSteerATerminalNorTurnATextAround(ReportForm form) {
        Verdict verdict =
                new Verdict(1, HOSTILE, Verdict.Outcome.SEQUENTIAL, 1, new Refusal(Rule.R16, 7, HOSTILE, HOSTILE));
        Report report = new Report(
                List.of(new MethodVerdicts(HOSTILE, HOSTILE, List.of(verdict))),
                SiteFigures.parse(HOSTILE.replace("\r", "")
                        + "\t41\tCompare.score\t200\t199\t1\t0\t68900000\t1037100000\t16\t0\t0\t0\t"
                        + HOSTILE.replace("\r", "")
                        + "\n"),
                Overhead.parse("1106000000\t68900000"),
                List.of(HOSTILE));

        String text = form.write(report);

        assertThat(text).contains("\\u001b[2J");
        assertThat(text.codePoints().filter(c -> c != '\n' && c != '\t'))
                .noneMatch(c -> Character.getType(c) == Character.CONTROL || Character.getType(c) == Character.FORMAT);
    }
}
