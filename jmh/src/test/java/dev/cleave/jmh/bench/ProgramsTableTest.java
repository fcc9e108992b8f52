package dev.cleave.jmh.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.jmh.bench.programs.Program;
import dev.cleave.jmh.bench.programs.ProgramStyle;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("one-jdk")
class ProgramsTableTest {

    private static final ProgramCell FREE = new ProgramCell(0, 0);
    private static final ProgramCell SLOW = new ProgramCell(1000, 200);

    private final List<Measurement> measurements = new ArrayList<>();

    @Test
    void workloadsNameTheProgramTheLinkAndTheServiceTimeInMilliseconds() {
        assertThat(ProgramCell.ALL)
                .extracting(cell -> cell.workload(Program.N_PLUS_ONE))
                .containsExactly(
                        "n-plus-one/link-0/service-0",
                        "n-plus-one/link-0/service-0.2",
                        "n-plus-one/link-0/service-1",
                        "n-plus-one/link-1/service-0",
                        "n-plus-one/link-1/service-0.2",
                        "n-plus-one/link-1/service-1");
    }

    @Test
    void eachProgramHasALineAndWhatIsMissingIsSaid() {
        figures(SLOW, Program.ETL, 300.0, 30.0, 20.0, null);

        assertThat(ProgramsTable.of(SLOW, List.of(Program.values()), measurements))
                .containsExactly(
                        "program  as written  agent  by hand  virtual threads  agent/hand  agent/plain",
                        "etl             300  30.00    20.00              n/a        1.50         0.10");
    }

    @Test
    void slowCallsAreComparedWithByHandAndFreeOnesWithAsWritten() {
        figures(FREE, Program.ETL, 10.0, 10.3, 1.0, 2.0);
        figures(SLOW, Program.ETL, 300.0, 30.0, 20.0, 25.0);
        figures(SLOW, Program.JOIN, 300.0, 16.0, 20.0, 25.0);

        assertThat(ProgramsTable.summary(measurements).subList(0, 4))
                .containsExactly(
                        "link ms  service ms  agent/hand median  worst  of   agent/plain median  worst  of   goals",
                        "      0           0              10.30  10.30  etl                1.03   1.03  etl  missed",
                        "      1         0.2               1.15   1.50  etl                0.08   0.10  etl  reached",
                        "      -           -               1.15   1.50  etl                0.08   0.10  etl  reached");
    }

    private void figures(ProgramCell cell, Program program, @Nullable Double... times) {
        for (ProgramStyle style : ProgramStyle.values()) {
            Double time = times[style.ordinal()];
            measurements.add(
                    new Measurement(cell.workload(program), style.id(), ProgramsBenchmark.TIME, time, null, null));
        }
    }
}
