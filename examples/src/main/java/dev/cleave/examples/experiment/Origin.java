package dev.cleave.examples.experiment;

import static java.util.Objects.requireNonNull;

import dev.cleave.broker.report.HtmlPage;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.lang.management.OperatingSystemMXBean;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
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

    private static final String BUSY =
            "more work ran on this machine than it has processors: figures of cases that compute (DNA, n-body, later,"
                    + " products, gradients, round trips) scatter by what the spread says; those that wait (Mandelbrot, clearance) and those"
                    + " that are counted (pipelining) hardly do";

    private static final String PAGES = ":(exclude)docs/results"; // which the run writes itself

    private static final Path CPUS = Path.of("/proc/cpuinfo");

    Origin {
        facts = new LinkedHashMap<>(requireNonNull(facts, "facts"));
    }

    /** The load of the last minute on this machine; negative if it is not known. */
    static double load() {
        return ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    }

    /**
     * Describes a run that ends now on this machine.
     *
     * @param load that of the minute before it: during a run the processes of the run are most of it
     */
    static Origin now(String command, int rounds, Instant begin, double load) throws IOException {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("command", command);
        facts.put("date", begin.truncatedTo(ChronoUnit.SECONDS).toString());
        facts.put(
                "took",
                Duration.between(begin, Instant.now()).toSeconds() + " s; " + rounds
                        + " rounds, each case in each of them unless its page says otherwise");
        facts.put("commit", commit());
        OperatingSystemMXBean system = ManagementFactory.getOperatingSystemMXBean();
        facts.put("machine", machine(system, load));
        if (load > system.getAvailableProcessors()) {
            facts.put("beware", BUSY);
        }
        facts.put("JVM", System.getProperty("java.vm.name") + " " + System.getProperty("java.runtime.version"));
        return new Origin(facts);
    }

    private static String machine(OperatingSystemMXBean system, double load) throws IOException {
        String model = "";
        if (Files.isReadable(CPUS)) {
            model = Files.readAllLines(CPUS).stream()
                    .filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .map(name -> name + ", ")
                    .orElse("");
        }
        return model + system.getAvailableProcessors() + " processors, " + system.getName() + " " + system.getArch()
                + (load < 0 ? "" : String.format(Locale.ROOT, ", load of the minute before %.1f", load));
    }

    private static String commit() {
        String home = System.getProperty("cleave.home", ".");
        String head = git(home, "rev-parse", "--short=12", "HEAD");
        if (head.isEmpty()) {
            return "unknown (not run in a clone)";
        }
        return head
                + (git(home, "status", "--porcelain", "--untracked-files=no", "--", ".", PAGES)
                                .isEmpty()
                        ? ""
                        : ", with changes");
    }

    private static String git(String home, String... words) {
        try {
            List<String> command = new ArrayList<>(List.of("git", "-C", home));
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

    private static String value(String name, String escaped) {
        return switch (name) {
            case "command" -> "<code>" + escaped + "</code>";
            case "beware" -> "<b>" + escaped + "</b>";
            default -> escaped;
        };
    }

    /** The facts as HTML. */
    String html() {
        StringBuilder html = new StringBuilder("<dl>");
        facts.forEach((name, value) -> html.append("<dt>")
                .append(HtmlPage.escape(name))
                .append("</dt><dd>")
                .append(value(name, HtmlPage.escape(value)))
                .append("</dd>\n"));
        return html.append("</dl>\n").toString();
    }
}
