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
    void anIdleOneIsNotNorOneOfWhichNothingIsKnown() {
        assertThat(Demo.busy(0.1, 2)).isNull();
        assertThat(Demo.busy(-1, 2)).isNull();
        assertThat(Demo.busy(Double.NaN, 2)).isNull();
    }
}
