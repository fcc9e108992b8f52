package dev.cleave.jmh.bench;

import dev.cleave.jmh.bench.programs.Program;
import java.math.BigDecimal;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The times of a call.
 *
 * @param linkMicros the round trip of the emulated link, in microseconds; 0 is none
 * @param serviceMicros the wait of the server in each call, in microseconds
 */
record ProgramCell(int linkMicros, int serviceMicros) {

    private static final int MILLI = 1000;

    /** From what takes nothing to what takes 2 ms. */
    static final List<ProgramCell> ALL = Stream.of(0, MILLI)
            .flatMap(link -> IntStream.of(0, 200, MILLI).mapToObj(service -> new ProgramCell(link, service)))
            .toList();

    /** Whether calls take a time that can be hidden. */
    boolean takesTime() {
        return linkMicros + serviceMicros > 0;
    }

    String workload(Program program) {
        return program.id() + "/link-" + link() + "/service-" + service();
    }

    /** The link in milliseconds. */
    String link() {
        return millis(linkMicros);
    }

    /** The service time in milliseconds. */
    String service() {
        return millis(serviceMicros);
    }

    private static String millis(int micros) {
        return BigDecimal.valueOf(micros, 3).stripTrailingZeros().toPlainString();
    }
}
