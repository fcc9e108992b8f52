package dev.cleave.agent.guest;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Class files of the compilers of Kotlin and Scala; how they came about stands beside their sources in the resources. */
@Tag("one-jdk")
class LanguagesTest {

    private static final String KOTLIN = "guest.kotlin.KotlinGuest";
    private static final String SCALA = "guest.scala.ScalaGuest";

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

    @Test
    void outcomesOfKotlinAreEqualAndCallsOverlap() throws Exception {
        outcomesAreEqualAndCallsOverlap("kotlin", KOTLIN);
    }

    @Test
    @Tag("full")
    void outcomesOfScalaAreEqualAndCallsOverlap() throws Exception {
        outcomesAreEqualAndCallsOverlap("scala", SCALA);
    }

    private void outcomesAreEqualAndCallsOverlap(String language, String program) throws Exception {
        List<String> agent = List.of("-javaagent:" + AgentJar.path());
        Child written = run(language, program, List.of());
        Child rewritten = run(language, program, agent);

        assertThat(rewritten.outcome()).isEqualTo(written.outcome());
        assertThat(written.inFlight()).isEqualTo(1);
        assertThat(rewritten.inFlight()).isGreaterThan(4);
        assertThat(rewritten.agentLines()).isEmpty();
    }

    /** Of javac's programs calls fail in each build: what a failure leaves is written by the same code for all languages. */
    @ParameterizedTest
    @Tag("full")
    @CsvSource({"kotlin," + KOTLIN, "scala," + SCALA})
    void failuresAreEqual(String language, String program) throws Exception {
        Child failed = run(language, program, List.of(), "g[4]");
        Child rewritten = run(language, program, List.of("-javaagent:" + AgentJar.path()), "g[4]");

        assertThat(failed.out().get(0)).startsWith("result threw");
        assertThat(rewritten.out().get(0)).isEqualTo(failed.out().get(0));
    }
}
