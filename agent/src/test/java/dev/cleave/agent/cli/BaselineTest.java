package dev.cleave.agent.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cleave.agent.plan.verdict.Verdict;
import dev.cleave.agent.plan.verdict.Verdict.Outcome;
import dev.cleave.agent.report.MethodVerdicts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("one-jdk")
class BaselineTest {

    @TempDir
    Path directory;

    private static MethodVerdicts method(String name, Outcome... outcomes) {
        List<Verdict> verdicts = Stream.of(outcomes)
                .map(outcome -> new Verdict(7, "Stock.level", outcome, 8, null))
                .toList();
        return new MethodVerdicts("com.shop.Shop", name, verdicts);
    }

    private static List<String> lost(List<MethodVerdicts> before, List<MethodVerdicts> now) {
        return Baseline.of(before).lostIn(Baseline.of(now));
    }

    @Test
    void aCallThatIsSequentialAgainIsLost() {
        assertThat(lost(List.of(method("sum", Outcome.PIPELINED)), List.of(method("sum", Outcome.SEQUENTIAL))))
                .containsExactly("Stock.level in com.shop.Shop.sum, line 7, was pipelined and is sequential");
    }

    @Test
    void aLoopWhoseCallsNoLongerRunAheadIsLost() {
        assertThat(lost(List.of(method("sum", Outcome.PIPELINED)), List.of(method("sum", Outcome.SPLIT))))
                .containsExactly("Stock.level in com.shop.Shop.sum, line 7, was pipelined and is split");
    }

    @Test
    void anotherWayOfRunningAheadIsNotLost() {
        assertThat(lost(List.of(method("sum", Outcome.PIPELINED)), List.of(method("sum", Outcome.PREFETCHED))))
                .isEmpty();
    }

    @Test
    void aFurtherSequentialCallIsNotLost() {
        assertThat(lost(
                        List.of(method("sum", Outcome.PIPELINED)),
                        List.of(
                                method("sum", Outcome.SEQUENTIAL, Outcome.PIPELINED),
                                method("more", Outcome.SEQUENTIAL))))
                .isEmpty();
    }

    @Test
    void ofTwoCallsTheOneThatWentMayHaveBeenTheBetter() {
        assertThat(lost(
                        List.of(method("sum", Outcome.PIPELINED, Outcome.SEQUENTIAL)),
                        List.of(method("sum", Outcome.SEQUENTIAL))))
                .isEmpty();
        assertThat(lost(
                        List.of(method("sum", Outcome.PIPELINED, Outcome.PIPELINED)),
                        List.of(method("sum", Outcome.SEQUENTIAL))))
                .hasSize(1);
    }

    @Test
    void aCallThatMovedToAnotherMethodOfItsClassAndIsSequentialThereIsLost() {
        assertThat(lost(List.of(method("sum", Outcome.PIPELINED)), List.of(method("total", Outcome.SEQUENTIAL))))
                .containsExactly("Stock.level in com.shop.Shop.total, line 7, was pipelined and is sequential");
    }

    @Test
    void aCallThatHasGoneIsNotLost() {
        assertThat(lost(List.of(method("sum", Outcome.PIPELINED)), List.of())).isEmpty();
    }

    @Test
    void whatIsWrittenIsRead() throws IOException {
        Path file = directory.resolve("new/cleave.baseline");
        Baseline.of(List.of(method("sum", Outcome.PIPELINED), method("both", Outcome.SPLIT)))
                .write(file);

        assertThat(Files.readAllLines(file).stream().skip(1))
                .containsExactly("com.shop.Shop both Stock.level split", "com.shop.Shop sum Stock.level pipelined");
        assertThat(Baseline.read(file).lostIn(Baseline.of(List.of(method("both", Outcome.SEQUENTIAL)))))
                .hasSize(1);
    }

    @Test
    void aLineThatIsNotUnderstoodIsNamed() throws IOException {
        Path file = Files.writeString(directory.resolve("cleave.baseline"), "# verdicts\n\ncom.shop.Shop sum fast\n");

        assertThatThrownBy(() -> Baseline.read(file))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(file + ":3: 'com.shop.Shop sum fast' (expected: CLASS METHOD");
    }
}
