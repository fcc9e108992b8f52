package dev.cleave.agent.pretend;

import dev.cleave.agent.fuzz.Terminal;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Runs {@link PretendRemote} over libraries; {@code bin/cleave pretend} calls it by name. */
public final class PretendTool {

    private static final String USAGE =
            " (expected: [LIBRARY...], or --tests PATTERN --interfaces NAME,... LIB.jar TESTS.jar FURTHER.jar...)";

    private final PrintWriter out;
    private final Terminal terminal;

    private PretendTool(PrintWriter out, Terminal terminal) {
        this.out = out;
        this.terminal = terminal;
    }

    /**
     * Runs tests as written and as if interfaces were remote. The system property {@code cleave.home} names the clone, below
     * whose {@code agent/target/pretend} all is written; {@code cleave.agent} the jar that is attached.
     *
     * @param err where progress is shown if it is a terminal
     * @param libraries {@linkplain Library known by name}, which Maven downloads; none are all of them. Or jars, if they
     *     end so: the library, its tests, what they need
     * @param tests the pattern of the names of the test classes in the jars
     * @param interfaces those of the jars that are taken as remote
     * @return whether nothing differs and calls were sent
     */
    public static boolean run(
            PrintWriter out, PrintWriter err, List<String> libraries, String tests, List<String> interfaces)
            throws IOException {
        List<Path> jars = new ArrayList<>();
        List<String> names = new ArrayList<>();
        for (String library : libraries) {
            if (library.endsWith(".jar")) {
                jars.add(jar(library));
            } else {
                names.add(library);
            }
        }
        boolean isOwn = !jars.isEmpty();
        if (isOwn == interfaces.isEmpty() || isOwn && (jars.size() < 2 || !names.isEmpty())) {
            throw new IllegalArgumentException(
                    "interfaces: " + interfaces.size() + ", jars: " + jars.size() + ", libraries: " + names + USAGE);
        }
        Terminal terminal = new Terminal(err);
        try {
            return new PretendTool(out, terminal).run(jars, names, tests, interfaces);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            terminal.clear();
            out.flush();
            err.flush();
        }
    }

    private static Path jar(String word) {
        if (!Files.isRegularFile(Path.of(word))) {
            throw new IllegalArgumentException(word + ": no such file (expected: a jar)");
        }
        return Path.of(word).toAbsolutePath();
    }

    private boolean run(List<Path> jars, List<String> names, String tests, List<String> interfaces)
            throws IOException, InterruptedException {
        Path folder = Path.of(System.getProperty("cleave.home"), "agent", "target", "pretend")
                .toAbsolutePath();
        terminal.show("pretend: looking for jars");
        Path console = Download.of(List.of(Library.console()), folder.resolve("console"))
                .get(0);
        if (!jars.isEmpty()) {
            return run("the jars", jars, console, folder.resolve("own"), new Library("", tests, interfaces, List.of()));
        }
        List<Library> known = Library.known();
        for (String name : names) {
            if (known.stream().noneMatch(library -> library.name().equals(name))) {
                throw new IllegalArgumentException("library: " + name + " (expected: one of "
                        + known.stream().map(Library::name).collect(Collectors.joining(", ")) + ")");
            }
        }
        boolean holds = true;
        for (Library library : known) {
            if (names.isEmpty() || names.contains(library.name())) {
                Path own = folder.resolve(library.name());
                terminal.show("pretend: looking for the jars of " + library.name());
                List<Path> found = Download.of(library.artifacts(), own.resolve("jars"));
                holds &= run(library.name(), found, console, own, library);
            }
        }
        return holds;
    }

    private boolean run(String name, List<Path> found, Path console, Path folder, Library library)
            throws IOException, InterruptedException {
        Path agent = Path.of(System.getProperty("cleave.agent"));
        PretendRemote.Found result = new PretendRemote(found, console, agent, folder)
                .run(library.tests(), library.interfaces(), text -> terminal.show("pretend: " + name + ": " + text));
        terminal.clear();
        out.printf(
                Locale.ROOT,
                "%s (%s): %d classes made stubs%n  as written    %s%n  as if remote  %s%n",
                name,
                found.get(0).getFileName(),
                result.stubs(),
                result.written().count(),
                result.rewritten().count());
        List<Long> calls = result.calls();
        out.println(
                calls.isEmpty()
                        ? "  the run as if remote did not come to its end"
                        : String.format(
                                Locale.ROOT, "  calls sent    %,d, of those ahead %,d", calls.get(0), calls.get(2)));
        List<String> differences = result.differences();
        out.println("  differences   " + differences.size());
        differences.forEach(difference -> out.println("    " + difference));
        out.flush();
        return result.holds();
    }
}
