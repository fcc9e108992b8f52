package dev.cleave.agent.guest;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Class files of the compilers of Kotlin and Scala; how they came about stands beside their sources in the resources. */
@Tag("one-jdk")
class LanguagesTest {

    private static Child run(String language, String program, List<String> options, String... failing)
            throws Exception {
        Path library = language.equals("kotlin") ? GuestJars.kotlin() : GuestJars.scala();
        Path classes = Path.of(GuestProgram.harness(), "guests", language);
        List<String> words = new ArrayList<>(options);
        words.addAll(List.of("-cp", classes + ":" + library + ":" + GuestProgram.classPath()));
        words.addAll(List.of(GuestProgram.MAIN, program, "20", "7"));
        words.addAll(List.of(failing));
        return Child.run(words);
    }

    @ParameterizedTest
    @CsvSource({"kotlin,guest.kotlin.KotlinGuest", "scala,guest.scala.ScalaGuest"})
    void outcomesAreEqualAndCallsOverlap(String language, String program) throws Exception {
        List<String> agent = List.of("-javaagent:" + AgentJar.path());
        Child written = run(language, program, List.of());
        Child rewritten = run(language, program, agent);
        Child failed = run(language, program, List.of(), "g[4]");
        Child failedRewritten = run(language, program, agent, "g[4]");

        assertThat(rewritten.outcome()).isEqualTo(written.outcome());
        assertThat(written.inFlight()).isEqualTo(1);
        assertThat(rewritten.inFlight()).isGreaterThan(4);
        assertThat(rewritten.agentLines()).isEmpty();
        assertThat(failed.out().get(0)).startsWith("result threw");
        assertThat(failedRewritten.out().get(0)).isEqualTo(failed.out().get(0));
    }
}
