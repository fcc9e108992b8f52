package dev.cleave.agent.cli;

import dev.cleave.agent.report.Report;
import dev.cleave.agent.report.ReportForm;
import dev.cleave.agent.scan.CallSettings;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** {@code explain}: what would become of each remote call in jars and folders. */
final class Explain {

    private Explain() {}

    static void run(Arguments arguments, CallSettings settings, PrintWriter out) throws IOException {
        Report report = report(arguments, settings);
        String file = arguments.report();
        if (file == null) {
            out.print(ReportForm.TEXT.write(report));
            return;
        }
        Files.writeString(Path.of(file), ReportForm.ofFile(file).write(report), StandardCharsets.UTF_8);
        out.println(report.summary() + "; the report is in " + file);
    }

    private static Report report(Arguments arguments, CallSettings settings) throws IOException {
        try (ProgramPath path = ProgramPath.open(arguments.paths())) {
            Weaving weaving = new Weaving(path.weaver(settings));
            for (ProgramFiles part : path.parts()) {
                for (String name : part.classes()) {
                    byte[] file = part.find(name);
                    if (file != null) {
                        weaving.explain(name, file);
                    }
                }
            }
            return weaving.report(path.missing());
        }
    }
}
