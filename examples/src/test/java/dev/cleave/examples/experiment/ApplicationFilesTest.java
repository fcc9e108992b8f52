package dev.cleave.examples.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.cleave.config.Bindings;
import dev.cleave.config.EmulatedLink;
import dev.cleave.config.ReplicaBinding;
import dev.cleave.config.ServiceBinding;
import dev.cleave.examples.mandelbrot.Machine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("one-jdk")
class ApplicationFilesTest {

    private static final Path FILES = Path.of("..", "examples");

    @Test
    void syncAndAsyncDifferInTheStyleAlone() throws IOException {
        List<String> sync = Files.readAllLines(FILES.resolve("mandelbrot-sync.yaml"));
        List<String> async = Files.readAllLines(FILES.resolve("mandelbrot-async.yaml"));

        assertThat(sync).contains("    style: sync").doesNotContain("    style: async");
        assertThat(sync.stream()
                        .map(line -> line.equals("    style: sync") ? "    style: async" : line)
                        .toList())
                .isEqualTo(async);
    }

    @Test
    void machinesAreThoseOfThePapersTable() {
        Bindings bindings = Bindings.load(FILES.resolve("mandelbrot-async.yaml"));

        for (Machine machine : Machine.values()) {
            for (String name :
                    List.of(machine.id(), "four", "four-chain", "four-circle", "four-demand-2", "four-pull")) {
                ServiceBinding service = bindings.service(name).orElseThrow();
                ReplicaBinding replica = service.replica(machine.id()).orElseThrow();
                EmulatedLink link = service.link(machine.id()).orElseThrow();

                assertThat(Double.parseDouble(replica.options().get("row")) / 1e6)
                        .isEqualTo(machine.compute(), within(1e-9));
                assertThat(link.perReply().toNanos() / 1e9).isEqualTo(machine.transfer(), within(1e-9));
            }
        }
    }

    @Test
    void farSearchHasARoundTripOfOneMillisecond() {
        ServiceBinding compare =
                Bindings.load(FILES.resolve("dna-1ms.yaml")).service("compare").orElseThrow();
        ServiceBinding near =
                Bindings.load(FILES.resolve("dna.yaml")).service("compare").orElseThrow();

        assertThat(compare.replicas()).hasSize(2);
        assertThat(compare.link("harvey-1ms").orElseThrow().delay()).isEqualTo(Duration.ofNanos(500_000));
        assertThat(near.link("harvey")).isEmpty();
    }

    @Test
    void classesOfTheFilesExist() throws Exception {
        for (String name : List.of(
                "dna.yaml",
                "dna-1ms.yaml",
                "mandelbrot-sync.yaml",
                "nbody.yaml",
                "clearance.yaml",
                "dgemm.yaml",
                "cg.yaml")) {
            Bindings bindings = Bindings.load(FILES.resolve(name));
            Class.forName(bindings.client().main());
            for (ServiceBinding service : bindings.services().values()) {
                Class<?> implementation = Class.forName(service.contract().implementation());
                assertThat(Class.forName(service.contract().interfaceName())).isAssignableFrom(implementation);
                assertThat(Stream.of(implementation.getMethods()).map(m -> m.getName()))
                        .containsAll(service.methods().keySet());
            }
        }
    }
}
