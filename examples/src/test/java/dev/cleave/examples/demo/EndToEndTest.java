package dev.cleave.examples.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.broker.cli.Application;
import dev.cleave.broker.cli.Main;
import dev.cleave.broker.process.Member;
import dev.cleave.examples.dna.Database;
import dev.cleave.examples.dna.DatabaseCatalogue;
import dev.cleave.examples.dna.LookUp;
import dev.cleave.examples.dna.Search;
import dev.cleave.examples.dna.Sequence;
import dev.cleave.examples.dna.SmithWaterman;
import dev.cleave.examples.experiment.Calls;
import dev.cleave.examples.experiment.Client;
import dev.cleave.examples.experiment.Home;
import dev.cleave.examples.experiment.Run;
import dev.cleave.examples.experiment.Stage;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A small search and its look-ups over real processes, with and without the agent. */
@Tag("one-jdk") // on JDK 25 BothWaysTest runs programs rewritten, and tests of the module agent start JVMs with the
// agent
class EndToEndTest {

    private static final Queue<String> DEATHS = new ConcurrentLinkedQueue<>();
    private static final Path FILE = Home.file("dna.yaml");

    private static Stage stage;
    private static Application servers;

    @BeforeAll
    static void start() throws IOException {
        stage = Stage.open(DEATHS::add);
        servers = stage.serve(FILE);
    }

    @AfterAll
    static void stop() {
        stage.close();

        assertThat(servers.members()).noneMatch(Member::isAlive);
        assertThat(DEATHS).isEmpty();
    }

    /** The look-ups are the short form: fewer calls, whose report says the same of the agent. */
    @Test
    @Tag("full")
    void searchFindsTheSameWithAndWithoutTheAgent() throws IOException {
        Run sequential = run("sequential", Calls.SEQUENTIAL, Search.class, "1");
        Run cleaved = run("cleaved", Calls.CLEAVED, Search.class, "1");

        assertThat(cleaved.sameOutput(sequential)).isTrue();
        assertThat(Files.readAllLines(sequential.output())).hasSize(20).first().isEqualTo(bestOfTheFirstQuery());
        assertThat(Files.readString(cleaved.report()))
                .contains("pipelined")
                .containsPattern("\noverhead: at most [0-9.]+ %: blocked for calls for [0-9.]+ ms of [0-9.]+ ms");
    }

    @Test
    void lookUpsAnswerTheSameWithAndWithoutTheAgent() throws IOException {
        Path matches = Files.writeString(stage.directory().resolve("matches"), "q\t1\t9\t0\nq\t2\t8\t62\n");

        Run sequential = run("ask", Calls.SEQUENTIAL, LookUp.class, matches.toString());
        Run cleaved = run("ask-cleaved", Calls.CLEAVED, LookUp.class, matches.toString());

        DatabaseCatalogue catalogue = new DatabaseCatalogue();
        assertThat(Files.readAllLines(sequential.output()))
                .containsExactly(
                        "Z78532.1\tC.californicum\t" + catalogue.name(0),
                        "NC_001416.1\tEnterobacteria phage lambda\t" + catalogue.name(62));
        assertThat(cleaved.sameOutput(sequential)).isTrue();
        assertThat(Files.readString(cleaved.report()))
                .contains("pipelined")
                .containsPattern("\noverhead: at most [0-9.]+ %: blocked for calls for [0-9.]+ ms of [0-9.]+ ms");
    }

    @Test
    void servicesAreListed() {
        StringWriter out = new StringWriter();
        PrintWriter writer = new PrintWriter(out, true);

        int exitCode = Main.run(writer, writer, "services", "--broker", servers.broker());

        assertThat(exitCode).as(out.toString()).isZero();
        assertThat(out.toString().lines().skip(1).map(line -> line.split(" +")[0] + " " + line.split(" +")[3]))
                .containsExactlyInAnyOrder("compare harvey", "compare bugs", "catalogue harvey", "catalogue bugs");
    }

    private static Run run(String name, Calls calls, Class<?> main, String argument) throws IOException {
        return stage.run(new Client(name, calls, FILE, servers, main, List.of(argument)));
    }

    private static String bestOfTheFirstQuery() throws IOException {
        Database database = Database.load();
        Sequence query = database.queries().get(0);
        SmithWaterman compare = new SmithWaterman();
        int best = 0;
        int highest = -1;
        for (int i = 0; i < database.known().size(); i++) {
            int score = compare.score(query.letters(), database.known().get(i).letters());
            if (score > highest) {
                highest = score;
                best = i;
            }
        }
        return query.accession() + "\t1\t" + highest + "\t" + best;
    }
}
