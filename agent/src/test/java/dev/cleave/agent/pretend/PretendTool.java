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

/**
 * The command line of {@link PretendRemote}; {@code bin/cleave pretend} calls it by name: {@code [LIBRARY...]} for libraries
 * {@linkplain Library known by name}, which Maven downloads, or {@code --tests PATTERN --interfaces NAME,... LIB.jar TESTS.jar
 * FURTHER.jar...}.
 */
public final class PretendTool {

    private static final String USAGE =
            " (expected: [LIBRARY...], or --tests PATTERN --interfaces NAME,... LIB.jar TESTS.jar FURTHER.jar...)";

    private final PrintWriter out;
    private final Terminal terminal;
    private final List<String> names = new ArrayList<>();
    private final List<Path> jars = new ArrayList<>();
    private String tests = ".*Test";
    private List<String> interfaces = List.of();

    private PretendTool(PrintWriter out, Terminal terminal) {
        this.out = out;
        this.terminal = terminal;
    }

    /**
     * Runs the command. The system property {@code cleave.home} names the clone, below whose {@code agent/target/pretend} all is
     * written; {@code cleave.agent} the jar that is attached.
     *
     * @return the exit code: 0 nothing differs, 1 something does or no call was sent, 2 the command line is not understood
     */
    public static int run(PrintWriter out, PrintWriter err, String... words) throws IOException {
        Terminal terminal = new Terminal(err);
        try {
            PretendTool tool = new PretendTool(out, terminal);
            tool.read(words);
            return tool.run() ? 0 : 1;
        } catch (IllegalArgumentException e) {
            err.println("cleave: " + e.getMessage());
            return 2;
        } catch (IllegalStateException e) {
            terminal.clear();
            err.println("cleave: " + e.getMessage());
            return 1;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return 1;
        } finally {
            out.flush();
            err.flush();
        }
    }

    private void read(String[] words) {
        for (int i = 0; i < words.length; i++) {
            switch (words[i]) {
                case "--tests" -> tests = value(words, ++i);
                case "--interfaces" -> interfaces = List.of(value(words, ++i).split(","));
                default -> {
                    if (words[i].startsWith("-")) {
                        throw new IllegalArgumentException("option: " + words[i] + USAGE);
                    } else if (words[i].endsWith(".jar")) {
                        jars.add(jar(words[i]));
                    } else {
                        names.add(words[i]);
                    }
                }
            }
        }
        boolean isOwn = !jars.isEmpty();
        if (isOwn == interfaces.isEmpty() || isOwn && (jars.size() < 2 || !names.isEmpty())) {
            throw new IllegalArgumentException(
                    "interfaces: " + interfaces.size() + ", jars: " + jars.size() + ", libraries: " + names + USAGE);
        }
    }

    private static String value(String[] words, int at) {
        if (at == words.length) {
            throw new IllegalArgumentException(words[at - 1] + ": nothing behind it" + USAGE);
        }
        return words[at];
    }

    private static Path jar(String word) {
        if (!Files.isRegularFile(Path.of(word))) {
            throw new IllegalArgumentException(word + ": no such file (expected: a jar)");
        }
        return Path.of(word).toAbsolutePath();
    }

    private boolean run() throws IOException, InterruptedException {
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
