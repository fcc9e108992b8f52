package dev.cleave.agent.cli;

import dev.cleave.agent.report.Report;
import dev.cleave.agent.report.ReportForm;
import dev.cleave.agent.scan.CallSettings;
import dev.cleave.agent.transform.FileSettings;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
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
     * Says what would become of each remote call in jars and folders.
     *
     * @param report the file to write, whose ending chooses the form; null prints the report on {@code out}
     * @param config the application file, or null
     */
    public static void explain(PrintWriter out, List<String> paths, @Nullable String report, @Nullable String config)
            throws IOException {
        ProposedFile proposed = new ProposedFile();
        Report made = report(paths, settings(config), proposed);
        if (report == null) {
            out.print(ReportForm.TEXT.write(made));
        } else {
            Files.writeString(Path.of(report), ReportForm.ofFile(report).write(made), StandardCharsets.UTF_8);
            out.println(made.summary() + "; the report is in " + report);
        }
        String file = proposed.text(made.methods());
        if (!file.isEmpty()) {
            out.println("\nAn application file that frees calls, if calls of these methods may overlap:\n");
            out.print(file);
        }
        out.flush();
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
