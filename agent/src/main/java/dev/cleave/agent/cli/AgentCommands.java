package dev.cleave.agent.cli;

import dev.cleave.agent.report.Plain;
import dev.cleave.agent.report.Report;
import dev.cleave.agent.report.ReportForm;
import dev.cleave.agent.scan.CallSettings;
import dev.cleave.agent.transform.FileSettings;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Runs the agent's decisions without running the program. {@code bin/cleave} reads command lines and calls these
 * methods by name. They throw an {@link IllegalArgumentException}, whose message is one line for the user, if a path, a
 * file or an application file is not what it should be.
 */
public final class AgentCommands {

    private AgentCommands() {}

    /**
     * Says what would become of each remote call in jars and folders, and which calls are not what they should be.
     *
     * @param report the file to write, whose ending chooses the form; null prints the report on {@code out}
     * @param config the application file, or null
     * @param baseline the file with the verdicts that calls must not fall behind, or null
     * @param write whether to write the baseline instead of comparing with it
     * @param failOn verdicts and rules that no call may have: {@code sequential}, or rules such as {@code R37}
     * @return a sentence for each call that is worse than in the baseline, or has such a verdict or rule
     */
    public static List<String> explain(
            PrintWriter out,
            List<String> paths,
            @Nullable String report,
            @Nullable String config,
            @Nullable String baseline,
            boolean write,
            List<String> failOn)
            throws IOException {
        FailOn rules = FailOn.of(failOn);
        ProposedFile proposed = new ProposedFile();
        Report made = report(paths, settings(config), proposed);
        if (report == null) {
            out.print(ReportForm.TEXT.write(made));
        } else {
            Files.writeString(Path.of(report), ReportForm.ofFile(report).write(made), StandardCharsets.UTF_8);
            out.println(Plain.line(made.summary() + "; the report is in " + report));
        }
        String file = proposed.text(made.methods());
        if (!file.isEmpty()) {
            out.println("\nAn application file that frees calls, if calls of these methods may overlap:\n");
            out.print(file);
        }
        List<String> broken = new ArrayList<>(rules.brokenBy(made.methods()));
        if (baseline != null) {
            Baseline now = Baseline.of(made.methods());
            if (write) {
                now.write(Path.of(baseline));
                out.println(Plain.line("wrote the verdicts on " + now.size() + " calls to " + baseline));
            } else {
                broken.addAll(Baseline.read(Path.of(baseline)).lostIn(now));
            }
        }
        out.flush();
        return broken;
    }

    private static Report report(List<String> paths, CallSettings settings, ProposedFile proposed) throws IOException {
        try (ProgramPath path = ProgramPath.open(paths)) {
            Weaving weaving = new Weaving(path.weaver(settings));
            for (ProgramFiles part : path.parts()) {
                for (String name : part.classes()) {
                    byte[] file = part.find(name);
                    if (file != null) {
                        weaving.explain(name, file);
                        proposed.add(file);
                    }
                }
            }
            return weaving.report(path.missing());
        }
    }

    /**
     * Writes a jar or folder anew with its classes rewritten as the agent would rewrite them.
     *
     * @param to the jar to write, if its name ends so, or the folder
     * @param config the application file, or null
     */
    public static void weave(PrintWriter out, String from, String to, @Nullable String config) throws IOException {
        Weave.run(from, Path.of(to), settings(config), out);
        out.flush();
    }

    /**
     * Rewrites the classes of a folder where they are.
     *
     * @param originals the folder that keeps them as the compiler wrote them
     * @param config the application file, or null
     */
    public static void weaveInPlace(PrintWriter out, String classes, String originals, @Nullable String config)
            throws IOException {
        new FolderInPlace(Path.of(classes), Path.of(originals)).weave(settings(config), out);
        out.flush();
    }

    /** Returns the folder with classes as the compiler wrote them: the folder given unless they were woven in place. */
    public static String asWritten(String classes, String originals) throws IOException {
        return new FolderInPlace(Path.of(classes), Path.of(originals))
                .asWritten()
                .toString();
    }

    /**
     * Rewrites the classes of jars and folders, and lets the verifier of this JVM look at the result.
     *
     * @param config the application file, or null
     * @return whether all classes link as before
     */
    public static boolean verify(PrintWriter out, List<String> paths, @Nullable String config) throws IOException {
        boolean links = Verify.run(paths, settings(config), out);
        out.flush();
        return links;
    }

    private static CallSettings settings(@Nullable String config) {
        return config == null ? CallSettings.NONE : FileSettings.read(config, ProgramPath.loader());
    }
}
