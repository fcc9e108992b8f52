package dev.cleave.broker.machines;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.broker.cli.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server, a client and a broker, each on a machine of its own. */
@Tag("one-jdk")
class TwoMachinesTest {

    @TempDir
    Path directory;

    /**
     * The last one to start is the broker, the first one the client. The client names the broker by a name that has two addresses; at
     * one of them no broker listens.
     */
    @Test
    @Tag("full") // the test with keys starts them in this order, too
    void aServerOfItsOwnMainIsReachedFromAnotherMachineInAnyOrderOfStart() throws IOException, InterruptedException {
        Machines machines = new Machines(directory, 3);
        String broker = "-Dcleave.broker=cleave://" + Machines.address(1) + ":7420";
        machines.start(2, "server", broker, "-Dcleave.insecure=true", Serves.class.getName());
        machines.pause(1);
        machines.start(1, "broker", Main.class.getName(), "broker --listen 0.0.0.0:7420 --insecure");

        Path hosts = Files.writeString(
                directory.resolve("hosts"), Machines.address(2) + " brokers\n" + Machines.address(1) + " brokers\n");
        String named = "-Djdk.net.hosts.file=" + hosts + " -Dcleave.broker=cleave://brokers:7420";

        String said = machines.run(3, named, Calls.class.getName());

        assertThat(said).contains("hello machine", "at tcp://" + Machines.address(2) + ":");
        assertThat(machines.output("server")).contains("no broker yet, waiting for it for 30 s");
    }

    @Test
    @Tag("full") // with keys it tells them in the test below
    void aNodeTellsTheHostAndListensAtThePortThatItIsGiven() throws IOException, InterruptedException {
        Machines machines = new Machines(directory, 3);
        String broker = "-Dcleave.broker=cleave://" + Machines.address(1) + ":7420";
        machines.start(1, "broker", Main.class.getName(), "broker --listen 0.0.0.0:7420 --insecure");
        machines.start(
                2,
                "server",
                broker,
                "-Dcleave.insecure=true -Dcleave.port=7500 -Dcleave.host=" + Machines.address(2),
                Serves.class.getName());

        String said = machines.run(3, broker, Calls.class.getName());

        assertThat(said).contains("hello machine", "at tcp://" + Machines.address(2) + ":7500");
    }

    /** All there is to do is what docs/deploy.md says: keys, a file, three processes. */
    @Test
    void withKeysAndRightsNobodyIsInsecure() throws IOException, InterruptedException {
        Machines machines = new Machines(directory, 3);
        StringWriter out = new StringWriter();
        Path keys = directory.resolve("keys");
        assertThat(Main.run(new PrintWriter(out), new PrintWriter(out), "keys", keys.toString()))
                .as(out::toString)
                .isZero();
        Path file = Files.writeString(directory.resolve("cleave.yaml"), """
                broker: cleave://%s:7420
                security:
                  keys: keys
                  rights:
                    - {identity: server, register: [greeter]}
                    - {identity: client, call: [greeter.greet]}
                """.formatted(Machines.address(1)));
        String config = "-Dcleave.config=" + file;
        String place = " -Dcleave.port=7500 -Dcleave.host=" + Machines.address(2);
        machines.start(2, "server", config, "-Dcleave.identity=server" + place, Serves.class.getName());
        machines.start(1, "broker", Main.class.getName(), "broker --listen 0.0.0.0:7420 --config " + file);

        String said = machines.run(3, config, Calls.class.getName());

        assertThat(said).contains("hello machine", "at tcp://server@" + Machines.address(2) + ":7500");
        assertThat(machines.output("broker").lines().filter(line -> line.startsWith("WARNING")))
                .as("warnings; a busy machine may have stopped")
                .allMatch(line -> line.startsWith("WARNING: stopped for"));
    }
}
