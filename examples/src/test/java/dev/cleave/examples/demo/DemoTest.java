package dev.cleave.examples.demo;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What the demo says of the machine. */
class DemoTest {

    @Test
    void aBusyMachineIsNamedInOneLine() {
        assertThat(Demo.busy(0.874, 2))
                .startsWith("this machine is busy with other work (87 % of its 2 processors")
                .hasLineCount(1);
    }

    @Test
    void theSearchIsComparedWithLocalProcesses() {
        assertThat(Demo.share(1.76, 1.90, false))
                .isEqualTo("cleaved: speed-up 1.76, which is 0.93 of that (expected: at least 0.85)");
        assertThat(Demo.share(1.52, 1.90, false))
                .isEqualTo("cleaved: speed-up 1.52, which is 0.80 of that (expected: at least 0.85)");
        assertThat(Demo.share(1.52, 1.90, true))
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
