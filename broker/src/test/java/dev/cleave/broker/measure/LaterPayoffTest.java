package dev.cleave.broker.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("one-jdk")
class LaterPayoffTest {

    private static final long MILLI = 1_000_000;

    @Test
    void whatIsComputedMeanwhileIsGained() {
        LaterPayoff verdict = LaterPayoff.of(List.of(later(30, 20, 10, 35))).get(0);

        assertThat(verdict.before()).isEqualTo(20.0);
        assertThat(verdict.behind()).isEqualTo(5.0);
        assertThat(verdict.with()).isEqualTo(35.0);
        assertThat(verdict.without()).isEqualTo(55.0); // 30 of transfer, then 25 without a wait
        assertThat(verdict.gain()).isEqualTo(20.0 / 30, within(1e-9));
        assertThat(verdict.sentence()).startsWith("@Later pays here: it saves 20.0 of 55.0 ms a call (36 %)");
    }

    @Test
    void anArgumentThatIsThereBeforeItIsNeededIsGainedWhole() {
        LaterPayoff verdict = LaterPayoff.of(List.of(later(30, -1, 0, 80))).get(0);

        assertThat(verdict.gain()).isEqualTo(1.0);
        assertThat(verdict.without()).isEqualTo(110.0);
    }

    @Test
    void aMethodThatNeedsItAtOnceGainsNothing() {
        LaterPayoff verdict = LaterPayoff.of(List.of(later(30, 0, 30, 50))).get(0);

        assertThat(verdict.pays()).isFalse();
        assertThat(verdict.sentence()).startsWith("@Later does not pay here").contains("later: []");
    }

    @Test
    void ofAPlainArgumentItSaysWhatCouldBeGainedAtTheMost() {
        Sample plain = new Sample("rang", "rang", "second", false, 1 << 20, 30 * MILLI, -1, 0, 80 * MILLI);

        LaterPayoff verdict = LaterPayoff.of(List.of(plain)).get(0);

        assertThat(verdict.without()).isEqualTo(110.0);
        assertThat(verdict.with()).isEqualTo(80.0);
        assertThat(verdict.sentence())
                .startsWith("@Later may pay here: if the method needs it late, it saves up to 30.0 of 110 ms");
    }

    @Test
    void takesMediansAndBringsWhatIsWorthMostFirst() {
        Sample other = new Sample("rang", "rang", "first", false, 8, MILLI, -1, 0, 80 * MILLI);

        List<LaterPayoff> verdicts =
                LaterPayoff.of(List.of(other, later(30, 20, 10, 35), later(32, 22, 10, 37), later(31, 300, 10, 900)));

        assertThat(verdicts).extracting(LaterPayoff::place).containsExactly("rang.rang, second", "rang.rang, first");
        assertThat(verdicts.get(0).calls()).isEqualTo(3);
        assertThat(verdicts.get(0).transfer()).isEqualTo(31.0);
        assertThat(verdicts.get(1).sentence()).startsWith("@Later would not pay here");
    }

    @Test
    void thePageShowsBoth() {
        String page = VerdictPage.of(LaterPayoff.of(List.of(later(30, 20, 10, 35))));

        assertThat(page)
                .contains("<h2>rang.rang, second</h2>", ">without</text>", ">55.0 ms</text>", ">35.0 ms</text>");
    }

    private static Sample later(long transfer, long firstWait, long waited, long duration) {
        return new Sample(
                "rang",
                "rang",
                "second",
                true,
                1 << 20,
                transfer * MILLI,
                firstWait < 0 ? -1 : firstWait * MILLI,
                waited * MILLI,
                duration * MILLI);
    }
}
