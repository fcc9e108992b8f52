package dev.cleave.agent.cli;

import dev.cleave.agent.report.Plain;
import dev.cleave.agent.report.Report;
import dev.cleave.agent.scan.CallSettings;
import dev.cleave.agent.transform.RmiRewriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/** {@code weave}: a jar or folder with its classes rewritten, as the agent would rewrite them. */
final class Weave {

    private static final Pattern SIGNATURE = Pattern.compile("META-INF/[^/]+\\.SF", Pattern.CASE_INSENSITIVE);

    private Weave() {}

    static void run(String in, Path target, CallSettings settings, PrintWriter out) throws IOException {
        try (ProgramPath path = ProgramPath.open(List.of(in))) {
            ProgramFiles files = path.parts().get(0);
            Weaving weaving = new Weaving(
                    path.weaver(settings),
                    "off".equals(System.getProperty("cleave.rmi"))
                            ? file -> null
                            : new RmiRewriter(name -> path.read(null, name))::rewritten);
            try (Output output = output(target, files)) {
                boolean isSigned = files.entries().stream()
                        .anyMatch(name -> SIGNATURE.matcher(name).matches());
                for (String entry : files.entries()) {
                    byte[] before = files.read(entry);
                    byte[] after = entry.endsWith(".class") ? weaving.weave(entry, before) : before;
                    if (isSigned && after != before) {
                        throw new IllegalArgumentException(in + ": is signed, and " + entry
                                + " would no longer match (expected: an unsigned jar; weave it, then sign it)");
                    }
                    output.write(entry, after);
                }
                output.finish();
            }
            Report report = weaving.report(path.missing());
            out.println(Plain.line(report.summary() + "; written to " + target));
            report.notes().forEach(note -> out.println(Plain.line(note)));
        }
    }

    /**
     * Opens a jar if the name ends in {@code .jar} and names no folder, or names a file; else a folder, which may
     * exist.
     */
    private static Output output(Path target, ProgramFiles source) throws IOException {
        boolean isJar = target.toString().endsWith(".jar") ? !Files.isDirectory(target) : Files.isRegularFile(target);
        return isJar ? JarOutput.open(target, source) : new FolderOutput(target);
    }
}
