package dev.cleave.examples.later;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ResultWorkloadTest {

    @Test
    void isAskedForByItsCommand() {
        ResultWorkload workload = new ResultWorkload(ResultWorkload.Use.PIPELINE, 300, Network.LAN);

        assertThat(workload.label()).isEqualTo("pipeline/300x300/lan");
        assertThat(ResultWorkload.of(workload.command().split(" "))).isEqualTo(workload);
    }

    @Test
    void makesTheLinkFasterWhereATransferWouldTakeTooLong() {
        assertThat(new ResultWorkload(ResultWorkload.Use.RESULT, 100, Network.WAN).scale())
                .isEqualTo(Workload.FASTER);
        ResultWorkload large = new ResultWorkload(ResultWorkload.Use.RESULT, 1_000, Network.WAN);

        assertThat(Network.WAN.seconds(8_000_000) / large.scale()).isBetween(0.09, 0.1);
    }
}
