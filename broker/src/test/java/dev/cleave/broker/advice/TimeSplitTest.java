package dev.cleave.broker.advice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class TimeSplitTest {

    private static final long MS = 1_000_000;

    @Test
    void partsOfACallInTurnAddUpToItsTime() {
        Trace trace = new Trace(
                List.of(
                        new Served("a", "s.m", 2 * MS, 3 * MS, 7 * MS, 0),
                        new Served("a", "s.m", 14 * MS, 14 * MS, 16 * MS, 0)),
                List.of(new Waited("S.m", 0, 8 * MS), new Waited("S.m", 12 * MS, 20 * MS)));

        TimeSplit split = TimeSplit.of(trace);

        assertThat(split.network()).isCloseTo(0.009, within(1e-9)); // 0 to 2, 7 to 8, 12 to 14, 16 to 20
        assertThat(split.queue()).isCloseTo(0.001, within(1e-9));
        assertThat(split.compute()).isCloseTo(0.006, within(1e-9));
        assertThat(split.client()).isCloseTo(0.004, within(1e-9));
        assertThat(split.seconds()).isCloseTo(trace.seconds(), within(1e-9));
    }

    @Test
    void computingBesideABusyClientIsTheClients() {
        Trace trace = new Trace(
                List.of(new Served("a", "s.m", 0, 0, 10 * MS, 0)), List.of(new Waited("S.m", 6 * MS, 10 * MS)));

        assertThat(TimeSplit.of(trace).client()).isCloseTo(0.006, within(1e-9));
        assertThat(TimeSplit.of(trace).compute()).isCloseTo(0.004, within(1e-9));
    }
}
