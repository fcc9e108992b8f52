package dev.cleave.agent.corpus;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The link check in a JVM of one JDK.
 *
 * @param jdk the JDK's folder
 * @param linked how many classes were linked
 * @param failures the classes that link as written but not as rewritten, with the error
 */
record JdkRun(Path jdk, int linked, List<String> failures) {

    JdkRun {
        failures = List.copyOf(failures);
    }

    /** This run and another one of the same JDK. */
    JdkRun and(JdkRun other) {
        List<String> all = new ArrayList<>(failures);
        all.addAll(other.failures);
        return new JdkRun(jdk, linked + other.linked, all);
    }

    /**
     * Runs the check.
     *
     * @param classPath where the check itself and the core are
     * @param number which of the jars that the folder names
     * @throws IOException if the JVM cannot be started or ends with a failure
     */
    static JdkRun of(Path jdk, String classPath, Path folder, int number) throws IOException {
        Process process = new ProcessBuilder(
                        jdk.resolve("bin/java").toString(),
                        "-Xmx2g",
                        "-Xshare:auto",
                        "-cp",
                        classPath,
                        LinkCheck.class.getName(),
                        folder.toString(),
                        String.valueOf(number))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        List<String> failures = new ArrayList<>();
        int linked = -1;
        try (BufferedReader out =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                if (line.startsWith(LinkCheck.FAILED)) {
                    failures.add(line.substring(LinkCheck.FAILED.length()));
                } else if (line.startsWith(LinkCheck.LINKED)) {
                    linked = Integer.parseInt(line.substring(LinkCheck.LINKED.length()));
                }
            }
            int exitCode = process.waitFor();
            if (exitCode != 0 || linked < 0) {
                throw new IOException(jdk + ": the link check ended with " + exitCode + " (expected: 0)");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(jdk + ": interrupted", e);
        } finally {
            process.destroyForcibly();
        }
        return new JdkRun(jdk, linked, failures);
    }
}
