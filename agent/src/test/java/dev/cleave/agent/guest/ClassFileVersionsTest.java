package dev.cleave.agent.guest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.agent.scan.CallSettings;
import dev.cleave.agent.scan.ClassFileSource;
import dev.cleave.agent.scan.RemoteInterfaceIndex;
import dev.cleave.agent.transform.Rewritten;
import dev.cleave.agent.transform.Weaver;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.util.CheckClassAdapter;

/** Class files of all versions that there are, and of those to come. */
class ClassFileVersionsTest {

    private static final boolean FULL = Boolean.getBoolean("cleave.full");
    private static final ClassLoader LOADER = ClassFileVersionsTest.class.getClassLoader();

    @TempDir
    Path folder;

    private final Weaver weaver = new Weaver(
            new RemoteInterfaceIndex(ClassFileSource.OF_LOADERS, CallSettings.NONE), ClassFileSource.OF_LOADERS);

    /** The program as a compiler for Java 8 leaves it: without what later versions brought. */
    private byte[] program() throws Exception {
        Path classes = GuestProgram.compile(
                folder, List.of("--release", "8", "-nowarn"), GuestProgram.CLASS, GuestProgram.SOURCE);
        return Files.readAllBytes(classes.resolve("p").resolve("Guest.class"));
    }

    private static byte[] ofVersion(byte[] classFile, int major) {
        byte[] copy = classFile.clone();
        copy[6] = (byte) (major >> 8);
        copy[7] = (byte) major;
        return copy;
    }

    @Test
    void thoseThatMayHaveFramesAreRewrittenAndKeepTheirVersion() throws Exception {
        byte[] program = program();
        for (int major = 50; major <= 71; major++) {
            Rewritten rewritten = weaver.weave(LOADER, ofVersion(program, major));

            assertThat(rewritten.changed()).as("version %s", major).isTrue();
            assertThat(new ClassReader(rewritten.classFile()).readUnsignedShort(6))
                    .as("the first one that has invokedynamic is 51")
                    .isEqualTo(Math.max(51, major));
            StringWriter problems = new StringWriter();
            CheckClassAdapter.verify(new ClassReader(rewritten.classFile()), LOADER, false, new PrintWriter(problems));
            assertThat(problems.toString()).as("version %s", major).isEmpty();
        }
    }

    @Test
    void olderOnesStayAsTheyAreAndTheReportSaysWhy() throws Exception {
        Rewritten rewritten = weaver.weave(LOADER, ofVersion(program(), 49));

        assertThat(rewritten.changed()).isFalse();
        assertThat(rewritten.verdicts().values()).isNotEmpty().allSatisfy(verdicts -> assertThat(verdicts)
                .allSatisfy(verdict -> assertThat(verdict.refusal().reason()).contains("class file version")));
    }

    /** In a build of the newest, in a JVM of its own; with {@code -Dcleave.full=true} of the oldest and those between, too. */
    @Test
    void theJvmAcceptsWhatIsMadeOfTheVersionsThatItKnows() throws Exception {
        Path classes = GuestProgram.compile(
                folder, List.of("--release", "8", "-nowarn"), GuestProgram.CLASS, GuestProgram.SOURCE);
        Path file = classes.resolve("p").resolve("Guest.class");
        byte[] program = Files.readAllBytes(file);
        List<String> outcomes = new ArrayList<>();
        int newest = Runtime.version().feature() + 44;
        for (int major : FULL ? new int[] {50, 51, 52, newest} : new int[] {newest}) {
            Files.write(file, ofVersion(program, major));
            Child child = Child.run(List.of(
                    "-javaagent:" + AgentJar.path(),
                    "-cp",
                    classes + ":" + GuestProgram.classPath(),
                    GuestProgram.MAIN,
                    GuestProgram.CLASS,
                    "20",
                    "7"));
            assertThat(child.inFlight()).as("version %s: %s", major, child).isGreaterThan(8);
            outcomes.add(child.outcome().toString());
        }
        assertThat(outcomes.stream().distinct()).hasSize(1);
    }
}
