package dev.cleave.agent.guest;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;

/** Archives of classes: those that the agent does not see being loaded are found and rewritten in place. */
@Tag("one-jdk")
class EarlierClassesTest {

    @TempDir
    Path folder;

    private String classPath;
    private String agent;
    private Child written;

    @BeforeEach
    void pack() throws Exception {
        List<String> parts = new ArrayList<>(); // archives want jars
        for (String part :
                List.of(GuestProgram.compile(folder).toString(), GuestProgram.harness(), GuestProgram.core())) {
            Path path = Path.of(part);
            parts.add(
                    Files.isDirectory(path)
                            ? GuestProgram.pack(folder.resolve(parts.size() + ".jar"), path)
                                    .toString()
                            : part);
        }
        classPath = String.join(":", parts);
        agent = "-javaagent:" + AgentJar.path();
        written = run(List.of());
    }

    private Child run(List<String> options) throws Exception {
        List<String> words = new ArrayList<>(options);
        words.addAll(List.of("-cp", classPath));
        words.addAll(GuestProgram.run());
        return Child.run(words);
    }

    private void isRewritten(Child child) {
        assertThat(child.outcome()).isEqualTo(written.outcome());
        assertThat(child.inFlight()).as("%s", child).isGreaterThan(8);
    }

    @Test
    void aSharedArchiveMadeWithoutTheAgent() throws Exception {
        Path archive = folder.resolve("app.jsa");
        assertThat(run(List.of("-XX:ArchiveClassesAtExit=" + archive)).outcome())
                .isEqualTo(written.outcome());
        assertThat(archive).exists();

        Child child = run(List.of("-XX:SharedArchiveFile=" + archive, "-Xshare:on", agent));

        isRewritten(child);
        assertThat(child.agentLines()).isEmpty();
    }

    @Test
    @EnabledForJreRange(min = JRE.JAVA_25)
    void aCacheTrainedWithTheAgentHasTheClassesLinkedBeforeIt() throws Exception {
        Path cache = folder.resolve("app.aot");
        isRewritten(run(List.of("-XX:AOTCacheOutput=" + cache, agent)));
        assertThat(cache).exists();

        Child child = run(List.of("-XX:AOTCache=" + cache, "-XX:AOTMode=on", agent));

        isRewritten(child);
    }

    @Test
    @EnabledForJreRange(min = JRE.JAVA_25)
    void aCacheTrainedWithoutTheAgentIsPutAsideByTheJvm() throws Exception {
        Path cache = folder.resolve("app.aot");
        assertThat(run(List.of("-XX:AOTCacheOutput=" + cache)).outcome()).isEqualTo(written.outcome());

        isRewritten(run(List.of("-XX:AOTCache=" + cache, agent)));
    }

    @Test
    @EnabledForJreRange(min = JRE.JAVA_25)
    void classesLinkedBeforeTheAgentAreRewrittenInPlaceAndItIsSaid() throws Exception {
        Path cache = folder.resolve("app.aot");
        Path idle = GuestProgram.pack(
                folder.resolve("idle.jar"),
                Files.createDirectory(folder.resolve("idle")),
                "Premain-Class",
                IdleAgent.class.getName(),
                "Can-Retransform-Classes",
                "true");
        run(List.of("-XX:AOTCacheOutput=" + cache, "-javaagent:" + idle));

        Child child = run(List.of("-XX:AOTCache=" + cache, agent));

        isRewritten(child);
        assertThat(child.agentLines())
                .containsExactly("cleave agent: 1 class with remote calls, such as p.Guest, loaded before the agent and"
                        + " rewritten in place");
    }
}
