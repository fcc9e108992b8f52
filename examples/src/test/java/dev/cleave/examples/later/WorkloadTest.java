package dev.cleave.examples.later;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WorkloadTest {

    @Test
    void computesAllRowsWhereTimeAllows() {
        Workload small = new Workload(100, 4, Network.LAN);

        assertThat(small.scale()).isEqualTo(Workload.FASTER);
        assertThat(small.rows()).isEqualTo(400);
        assertThat(small.label()).isEqualTo("100x100/p=4/lan");
    }

    @Test
    void makesLinkAndMachineFasterAlikeWhereItWouldTakeTooLong() {
        Workload large = new Workload(2_000, 300, Network.WAN);

        assertThat(large.scale()).isGreaterThan(20_000);
        double square = 300 * 8e9 / 50e6; // of the paper's seconds
        double computed = (double) large.rows() / 2_000 / 300 * square / Workload.FASTER;
        assertThat(computed).isBetween(0.9 * square / large.scale(), 1.1 * square / large.scale());
        assertThat(large.network().scaled(large.scale()).bytesPerSecond()).isEqualTo(125_000L * large.scale());
    }

    @Test
    void leavesLoopbackAsItIs() {
        assertThat(Network.LOOPBACK.scaled(40)).isNull();
    }
}
