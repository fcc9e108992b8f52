package dev.cleave.agent.guest;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The agent in a JVM of its own: programs keep their outcome, and calls overlap. */
@Tag("one-jdk")
class StartTest {

    @TempDir
    Path folder;

    private Child run(List<String> options, String... failing) throws Exception {
        List<String> words = new ArrayList<>(options);
        words.addAll(List.of("-cp", GuestProgram.compile(folder) + ":" + GuestProgram.classPath()));
        words.addAll(GuestProgram.run(failing));
        return Child.run(words);
    }

    @Test
    void callsOverlapAndTheOutcomeIsEqual() throws Exception {
        Child written = run(List.of());
        Child rewritten = run(List.of("-javaagent:" + AgentJar.path()));

        assertThat(rewritten.outcome()).isEqualTo(written.outcome());
        assertThat(written.inFlight()).isEqualTo(1);
        assertThat(rewritten.inFlight()).isGreaterThan(8);
        assertThat(rewritten.agentLines()).isEmpty();
        assertThat(rewritten.err()).anyMatch(line -> line.contains("pipelined"));
    }

    /** Programs without remote calls do not pay for what rewrites them. */
    @Test
    void aProgramWithoutRemoteCallsNeedsTheFirstOfTheNestedJarsOnly() throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-javaagent:" + AgentJar.path(),
                        "-Xlog:class+load",
                        "-version")
                .redirectErrorStream(true)
                .start();
        String log = new String(process.getInputStream().readAllBytes(), System.getProperty("native.encoding"));
        assertThat(process.waitFor()).isZero();
        Set<String> loaded = new TreeSet<>();
        for (String word : log.split("\\s+")) {
            if (word.startsWith("dev.cleave.agent.")) {
                loaded.add(word.replace('.', '/') + ".class");
            }
        }
        assertThat(loaded).hasSizeGreaterThan(5).allMatch(AgentJar.listed("start.txt"));
    }
}
