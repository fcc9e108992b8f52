package dev.cleave.broker.cli;

import dev.cleave.broker.check.ApplicationCheck;
import dev.cleave.broker.check.ClassLookup;
import dev.cleave.broker.check.Finding;
import dev.cleave.broker.check.SiteVerdicts;
import dev.cleave.config.ApplicationFile;
import dev.cleave.config.ClientBinding;
import dev.cleave.config.Place;
import dev.cleave.config.ServiceBinding;
import dev.cleave.config.Style;
import dev.cleave.wire.Names;
import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code cleave check}: finds the mistakes of an application file before anything runs. */
@Command(
        name = "check",
        description = "Find all mistakes in an application file, and settings that cannot help; start nothing.",
        footer = {
            "Each finding is a line: FILE:LINE:COLUMN: KEY: what is wrong and what is expected.",
            "Classes are looked for on the classpath: of the file, then on CLEAVE_CLASSPATH.",
            "Exit code 1 if there is a mistake, 0 if there are warnings at most."
        },
        mixinStandardHelpOptions = true)
final class CheckCommand implements Subcommand {

    private static final int MOST_SHOWN = 90; // characters of a line, before and behind a column

    @Parameters(paramLabel = "FILE", description = "The application file.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private Path file;

    @Option(names = "--strict", description = "Exit code 1 for warnings, too.")
    private boolean strict;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        ApplicationFile read = ApplicationFile.check(file);
        List<Finding> missing = new ArrayList<>();
        List<Path> path = path(read, missing);
        List<Finding> findings = new ArrayList<>(missing);
        try (URLClassLoader loader = loader(path)) {
            ClassLookup classes = new ClassLookup(loader, application(path));
            findings.addAll(ApplicationCheck.of(read, classes, sites(read, path, classes)));
        }
        Map<String, List<String>> texts = new HashMap<>();
        for (Finding finding : findings) {
            spec.commandLine().getOut().println(finding.line());
            excerpt(read, finding.place(), texts);
        }
        long mistakes = findings.stream().filter(Finding::isMistake).count();
        long warnings = findings.size() - mistakes;
        String summary = file + ": " + count(mistakes, "mistake") + ", " + count(warnings, "warning");
        if (mistakes > 0 || strict && warnings > 0) {
            spec.commandLine().getOut().flush();
            throw new CommandException(summary);
        }
        Sentences.say(spec.commandLine().getOut(), summary);
        spec.commandLine().getOut().flush();
        return 0;
    }

    private static String count(long number, String what) {
        return (number == 0 ? "no" : Long.toString(number)) + " " + what + (number == 1 ? "" : "s");
    }

    /**
     * Prints the line of a place, and a mark below its column; of a long line, what is near. Prints nothing of a file that does
     * not seem to be an application file: it may hold secrets.
     */
    private void excerpt(ApplicationFile read, Place place, Map<String, List<String>> texts) {
        if (!read.isPart(place.file())) {
            return;
        }
        List<String> lines = texts.computeIfAbsent(place.file(), CheckCommand::lines);
        if (place.column() > 0 && place.line() <= lines.size()) {
            String line = lines.get(place.line() - 1).replace('\t', ' ');
            int column = Math.min(line.length(), place.column() - 1);
            int from = Math.max(0, column - MOST_SHOWN);
            String before = Names.escaped(line.substring(from, column));
            String behind = Names.escaped(line.substring(column, Math.min(line.length(), column + MOST_SHOWN)));
            spec.commandLine().getOut().println("    " + before + behind);
            spec.commandLine().getOut().println("    " + " ".repeat(before.length()) + "^");
        }
    }

    private static List<String> lines(String name) {
        try {
            return Files.readAllLines(Path.of(name));
        } catch (IOException | InvalidPathException e) { // a setting of the process, or no text
            return List.of();
        }
    }

    /** Returns what is there of the class path of a file. */
    private List<Path> path(ApplicationFile read, List<Finding> missing) {
        List<Path> path = new ArrayList<>();
        List<String> entries = read.bindings().classPath();
        for (int i = 0; i < entries.size(); i++) {
            try {
                ApplicationClasses.path(file, List.of(entries.get(i))).forEach(each -> path.add(Path.of(each)));
            } catch (CommandException e) {
                String fact = String.valueOf(e.getMessage()).replace(file + ": classpath: ", "");
                missing.add(new Finding(true, read.place("classpath[" + i + "]"), fact));
            }
        }
        return path;
    }

    private static URLClassLoader loader(List<Path> path) throws IOException {
        URL[] urls = new URL[path.size()];
        for (int i = 0; i < urls.length; i++) {
            urls[i] = path.get(i).toUri().toURL();
        }
        return new URLClassLoader("application", urls, Thread.currentThread().getContextClassLoader());
    }

    /** The class path of the file, then what the launcher adds to it. */
    private static List<Path> application(List<Path> ofFile) {
        String further = System.getenv("CLEAVE_CLASSPATH");
        return Stream.concat(
                        ofFile.stream(),
                        further == null || further.isEmpty()
                                ? Stream.of()
                                : Stream.of(further.split(File.pathSeparator)).map(Path::of))
                .filter(Files::exists)
                .toList();
    }

    /** Asks the agent about the calls of the application, if the file says that some of them may overlap. */
    private SiteVerdicts sites(ApplicationFile read, List<Path> path, ClassLookup classes) throws IOException {
        boolean asks = read.bindings().services().values().stream().anyMatch(CheckCommand::hasAsync);
        ClientBinding client = read.bindings().client();
        List<Path> known = application(path);
        List<String> paths = (known.isEmpty() && client != null ? classes.source(client.main()) : known)
                .stream().map(Path::toString).toList();
        if (!asks
                || paths.isEmpty()
                || !read.mistakes().isEmpty()
                || Agent.find().isEmpty()) {
            return SiteVerdicts.NONE;
        }
        return ExplainedSites.of(paths, file);
    }

    private static boolean hasAsync(ServiceBinding service) {
        return service.calls().style() == Style.ASYNC
                || service.methods().values().stream()
                        .anyMatch(each -> each.call().style() == Style.ASYNC);
    }
}
