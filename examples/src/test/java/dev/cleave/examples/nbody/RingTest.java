package dev.cleave.examples.nbody;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rings whose places are threads of one JVM, joined by sockets as their processes are. */
@Tag("one-jdk")
class RingTest {

    private static final int PARTICLES = 101;

    /** A place of the ring: what it is told goes into its input, and what it says is read line by line. */
    private record Place(PrintStream input, BufferedReader output, FutureTask<Void> run) {

        static Place start(int place) throws IOException {
            PipedOutputStream said = new PipedOutputStream();
            PipedInputStream told = new PipedInputStream();
            PrintStream input = new PrintStream(new PipedOutputStream(told), true, StandardCharsets.US_ASCII);
            BufferedReader output = reader(new PipedInputStream(said));
            FutureTask<Void> run = new FutureTask<>(() -> {
                Ring.obey(PARTICLES, place, reader(told), new PrintStream(said, true, StandardCharsets.US_ASCII));
                return null;
            });
            new Thread(run, "place-" + place).start();
            return new Place(input, output, run);
        }

        private static BufferedReader reader(PipedInputStream in) {
            return new BufferedReader(new InputStreamReader(in, StandardCharsets.US_ASCII));
        }
    }

    /** Of an even and of an odd number: in a ring of even size the last two pieces meet twice. */
    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void piecesThatGoRoundHaveTheForcesOfTheWhole(int size) throws Exception {
        List<Place> ring = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            ring.add(Place.start(i));
        }
        StringBuilder peers = new StringBuilder("peers");
        for (Place each : ring) {
            peers.append(each.output().readLine().replace("listening", ""));
        }

        ring.forEach(each -> each.input().println(peers));
        ring.forEach(each -> each.input().println("run " + size));

        for (Place each : ring.subList(1, size)) {
            assertThat(each.output().readLine()).isEqualTo("done");
        }
        String[] words = ring.get(0).output().readLine().split(" ");
        assertThat(words[0]).isEqualTo("done");
        assertThat(Double.parseDouble(words[2])).isLessThan(1e-9);
        for (Place each : ring) {
            each.input().close();
            each.run().get(1, TimeUnit.MINUTES);
        }
    }
}
