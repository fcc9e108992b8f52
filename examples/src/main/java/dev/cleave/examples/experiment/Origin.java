package dev.cleave.examples.experiment;

import static java.util.Objects.requireNonNull;

import dev.cleave.broker.report.HtmlPage;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Where figures come from: machine, date, commit and command of the run that measured them.
 *
 * @param facts each with its name, in the order of the page
 */
record Origin(Map<String, String> facts) {

    private static final Path CPUS = Path.of("/proc/cpuinfo");

    Origin {
        facts = new LinkedHashMap<>(requireNonNull(facts, "facts"));
    }

    /** Describes a run that ends now on this machine. */
    static Origin now(String command, int rounds, Instant begin) throws IOException {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("command", command);
        facts.put("date", begin.truncatedTo(ChronoUnit.SECONDS).toString());
        facts.put("took", Duration.between(begin, Instant.now()).toSeconds() + " s, each case in each of " + rounds + " rounds");
        facts.put("commit", commit());
        facts.put("machine", machine());
        facts.put("JVM", System.getProperty("java.vm.name") + " " + System.getProperty("java.runtime.version"));
        return new Origin(facts);
    }

    private static String machine() throws IOException {
        var system = ManagementFactory.getOperatingSystemMXBean();
        String model = "";
        if (Files.isReadable(CPUS)) {
            model = Files.readAllLines(CPUS).stream()
                    .filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .map(name -> name + ", ")
                    .orElse("");
        }
        double load = system.getSystemLoadAverage();
        return model + system.getAvailableProcessors() + " processors, " + system.getName() + " " + system.getArch()
                + (load < 0 ? "" : String.format(Locale.ROOT, ", load of the last minute %.1f", load));
    }

    private static String commit() {
        String home = System.getProperty("cleave.home", ".");
        String head = git(home, "rev-parse", "--short=12", "HEAD");
        if (head.isEmpty()) {
            return "unknown (not run in a clone)";
        }
        return head + (git(home, "status", "--porcelain", "--untracked-files=no").isEmpty() ? "" : ", with changes");
    }

    private static String git(String home, String... words) {
        try {
            List<String> command = new java.util.ArrayList<>(List.of("git", "-C", home));
            command.addAll(List.of(words));
            Process git = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            try (InputStream out = git.getInputStream()) {
                String text = new String(out.readAllBytes(), StandardCharsets.UTF_8).strip();
                return git.waitFor() == 0 ? text : "";
            }
        } catch (IOException e) {
            return ""; // no git on this machine
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "";
        }
    }

    /** The facts as HTML. */
    String html() {
        StringBuilder html = new StringBuilder("<dl>");
        facts.forEach((name, value) -> html.append("<dt>")
                .append(HtmlPage.escape(name))
                .append("</dt><dd>")
                .append(
                        name.equals("command")
                                ? "<code>" + HtmlPage.escape(value) + "</code>"
                                : HtmlPage.escape(value))
                .append("</dd>\n"));
        return html.append("</dl>\n").toString();
    }
}
