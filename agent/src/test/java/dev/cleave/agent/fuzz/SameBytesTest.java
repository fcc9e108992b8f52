package dev.cleave.agent.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** A class is rewritten to the same bytes each time, in this JVM and in another one. */
@DisabledForJreRange(min = JRE.JAVA_25, disabledReason = "the same classes as on JDK 17")
class SameBytesTest {

    private static final int PROGRAMS = Boolean.getBoolean("cleave.full") ? 25 : 5;
    private static final long SEED = 4711;

    /** Prints a line for each program: its name and a digest of what the agent makes of it. */
    public static void main(String[] args) {
        rewritten().forEach((name, digest) -> System.out.println(name + ' ' + digest));
    }

    private static Map<String, String> rewritten() {
        Map<String, String> sources = new LinkedHashMap<>();
        for (int i = 0; i < PROGRAMS; i++) {
            sources.put(TwoForms.PACKAGE + ".P" + i, ProgramGenerator.program("P" + i, SEED + i));
        }
        TwoForms.Factory factory = new TwoForms.Factory();
        Map<String, byte[]> classes = factory.compile(sources, true);
        Map<String, String> digests = new TreeMap<>();
        classes.keySet()
                .forEach(name -> digests.put(
                        name, digest(factory.rewritten(name, classes).classFile())));
        return digests;
    }

    private static String digest(byte[] file) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(file));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void ofTwoTurnsInThisJvmAndOfOneInAnother() throws Exception {
        Map<String, String> here = rewritten();
        assertThat(rewritten()).isEqualTo(here);

        Process other = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Dcleave.full=" + Boolean.getBoolean("cleave.full"),
                        "-cp",
                        System.getProperty("java.class.path"),
                        SameBytesTest.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String printed = new String(other.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(other.waitFor()).isZero();
        Map<String, String> there = new TreeMap<>();
        printed.lines().map(line -> line.split(" ")).forEach(parts -> there.put(parts[0], parts[1]));
        assertThat(there).isEqualTo(here).hasSizeGreaterThanOrEqualTo(PROGRAMS);
    }
}
