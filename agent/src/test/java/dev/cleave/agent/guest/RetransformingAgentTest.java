package dev.cleave.agent.guest;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Another agent that has our classes retransformed and redefined gets the same bytes from us each time. */
@Tag("one-jdk")
class RetransformingAgentTest {

    @TempDir
    Path folder;

    private Child run(Path classes, String... agents) throws Exception {
        List<String> words = new ArrayList<>();
        for (String agent : agents) {
            words.add("-javaagent:" + agent);
        }
        words.addAll(List.of("-cp", classes + ":" + GuestProgram.classPath(), RetransformingMain.class.getName()));
        words.addAll(GuestProgram.run().subList(1, 4));
        return Child.run(words);
    }

    private static List<String> lines(Child child, String prefix) {
        return child.out().stream().filter(line -> line.startsWith(prefix)).toList();
    }

    @Test
    void getsTheSameBytesEachTime() throws Exception {
        Path classes = GuestProgram.compile(folder);
        Path empty = Files.createDirectory(folder.resolve("empty"));
        String other = GuestProgram.pack(
                        folder.resolve("other.jar"),
                        empty,
                        "Premain-Class",
                        RetransformingMain.class.getName(),
                        "Can-Retransform-Classes",
                        "true",
                        "Can-Redefine-Classes",
                        "true")
                .toString();
        Child written = run(classes, other);
        Child rewritten = run(classes, AgentJar.path().toString(), other);

        assertThat(written.exitCode()).as("%s", written).isZero();
        assertThat(rewritten.exitCode()).as("%s", rewritten).isZero();
        assertThat(lines(rewritten, "result ")).hasSize(5).isEqualTo(lines(written, "result "));
        assertThat(lines(rewritten, "saw ")).hasSize(5);
        assertThat(lines(rewritten, "saw ").stream().distinct()).hasSize(1);
        assertThat(lines(rewritten, "saw ").get(0))
                .isNotEqualTo(lines(written, "saw ").get(0));
        assertThat(lines(rewritten, "in flight "))
                .hasSize(5)
                .allMatch(line -> Integer.parseInt(line.substring("in flight ".length())) > 8);
        assertThat(rewritten.agentLines()).isEmpty();
    }
}
