package dev.cleave.broker.cli;

import static java.util.Objects.requireNonNull;

import dev.cleave.broker.check.SiteVerdicts;
import dev.cleave.broker.process.ScratchFolder;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** Reads what the agent would do with the calls of an application. */
final class ExplainedSites {

    private static final int LARGEST = 64 << 20; // characters of a report

    private ExplainedSites() {}

    /** Asks the agent about all calls in jars and folders, under an application file. */
    static SiteVerdicts of(List<String> paths, Path file) throws IOException {
        try (ScratchFolder files = ScratchFolder.open("check")) {
            Path report = files.path().resolve("explained.json");
            Object unused = AgentTool.call(
                    "explain",
                    new PrintWriter(Writer.nullWriter()),
                    paths,
                    report.toString(),
                    file.toString(),
                    null,
                    false,
                    List.of());
            return read(Files.readString(report));
        }
    }

    static SiteVerdicts read(String json) {
        LoadSettings settings =
                LoadSettings.builder().setCodePointLimit(LARGEST).build();
        Map<?, ?> report = (Map<?, ?>) new Load(settings).loadFromString(json); // JSON is YAML
        List<SiteVerdicts.Site> sites = new ArrayList<>();
        for (Object each : (List<?>) requireNonNull(report.get("sites"), "sites")) {
            Map<?, ?> site = (Map<?, ?>) each;
            String type = String.valueOf(site.get("class"));
            Object advice = site.get("reason");
            sites.add(new SiteVerdicts.Site(
                    String.valueOf(site.get("call")),
                    type.substring(type.lastIndexOf('.') + 1) + ":" + site.get("line"),
                    "sequential".equals(site.get("verdict")),
                    advice == null ? "" : String.valueOf(advice)));
        }
        return new SiteVerdicts(sites);
    }
}
