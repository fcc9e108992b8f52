package dev.cleave.agent.guest;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jacoco.core.data.ExecutionData;
import org.jacoco.core.tools.ExecFileLoader;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** R55 with JaCoCo's own agent: wherever it is listed, coverage and outcome are those of the program as written. */
@Tag("one-jdk")
class JacocoAgentTest {

    @TempDir
    Path folder;

    private Path classes;
    private int runs;

    @BeforeEach
    void compile() throws Exception {
        classes = GuestProgram.compile(folder);
    }

    private record Covered(Child child, List<String> probes) {}

    private Covered run(List<String> before, List<String> after, String... failing) throws Exception {
        Path data = folder.resolve("jacoco" + runs++ + ".exec");
        List<String> words = new ArrayList<>(before);
        words.add("-javaagent:" + GuestJars.jacocoAgent() + "=destfile=" + data);
        words.addAll(after);
        words.addAll(List.of("-cp", classes + ":" + GuestProgram.classPath()));
        words.addAll(GuestProgram.run(failing));
        Child child = Child.run(words);
        ExecFileLoader loader = new ExecFileLoader();
        loader.load(data.toFile());
        List<String> probes = new ArrayList<>();
        for (ExecutionData of : loader.getExecutionDataStore().getContents()) {
            if (of.getName().startsWith("p/")) {
                probes.add(of.getName() + " " + Long.toHexString(of.getId()) + " " + Arrays.toString(of.getProbes()));
            }
        }
        assertThat(probes).as("covered classes; %s", child).hasSize(1);
        return new Covered(child, probes);
    }

    @Test
    void coverageAndOutcomeAreEqualBehindUs() throws Exception {
        areEqual(run(List.of(), List.of("-javaagent:" + AgentJar.path())));
    }

    @Test
    @Tag("full")
    void coverageAndOutcomeAreEqualBeforeUs() throws Exception {
        areEqual(run(List.of("-javaagent:" + AgentJar.path()), List.of()));
    }

    private void areEqual(Covered rewritten) throws Exception {
        Covered written = run(List.of(), List.of());
        assertThat(rewritten.child().outcome()).isEqualTo(written.child().outcome());
        assertThat(rewritten.probes()).isEqualTo(written.probes());
        assertThat(rewritten.child().inFlight()).isGreaterThan(8);
        assertThat(rewritten.child().agentLines()).isEmpty();
        assertThat(written.child().inFlight()).isEqualTo(1);
    }

    @Test
    @Tag("full")
    void coverageOfARunThatFailsIsEqual() throws Exception {
        Covered written = run(List.of(), List.of(), "f[3]");
        Covered rewritten = run(List.of(), List.of("-javaagent:" + AgentJar.path()), "f[3]");

        assertThat(written.child().out()).anyMatch(line -> line.startsWith("result threw"));
        assertThat(rewritten.child().out().get(0))
                .isEqualTo(written.child().out().get(0));
        assertThat(rewritten.probes()).isEqualTo(written.probes());
    }
}
