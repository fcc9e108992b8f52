package dev.cleave.examples.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the demo says of the machine. */
class DemoTest {

    @Test
    void aBusyMachineIsNamedInOneLine() {
        assertThat(Demo.busy(0.874, 2))
                .startsWith("this machine is busy with other work (87 % of its 2 processors")
                .hasLineCount(1);
    }

    private static List<Demo.Round> rounds(double... shares) {
        return Arrays.stream(shares)
                .mapToObj(share -> new Demo.Round(10, 10, 5, 5 / share))
                .toList();
    }

    @Test
    void theSearchIsComparedWithLocalProcesses() {
        assertThat(Demo.share(1.76, rounds(0.93), false))
                .isEqualTo("cleaved: speed-up 1.76, which is 0.93 of that (expected: at least 0.85)");
        assertThat(Demo.share(1.76, rounds(0.91, 0.95, 0.60, 1.01), false))
                .isEqualTo(
                        "cleaved: speed-up 1.76, which is 0.93 of that (median of 4 rounds from 0.60 to 1.01; expected: at"
                                + " least 0.85)");
    }

    @Test
    void aMissIsOneOfTheMachineIfRoundsContradictEachOtherOrItWasBusyBefore() {
        assertThat(Demo.share(1.52, rounds(0.80, 0.81, 0.82), false))
                .endsWith("which is 0.81 of that (median of 3 rounds from 0.80 to 0.82; expected: at least 0.85)");
        assertThat(Demo.share(1.52, rounds(0.70, 0.80, 0.90), false))
                .endsWith("from 0.70 to 0.90; expected: at least 0.85 on a machine that does nothing else)");
        assertThat(Demo.share(1.52, rounds(0.80), true))
                .isEqualTo(
                        "cleaved: speed-up 1.52, which is 0.80 of that (expected: at least 0.85 on a machine that does"
                                + " nothing else)");
    }

    @Test
    void anIdleOneIsNotNorOneOfWhichNothingIsKnown() {
        assertThat(Demo.busy(0.1, 2)).isNull();
        assertThat(Demo.busy(-1, 2)).isNull();
        assertThat(Demo.busy(Double.NaN, 2)).isNull();
    }
}
