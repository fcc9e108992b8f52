package dev.cleave.agent.cli;

import dev.cleave.agent.corpus.CorpusCheck;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** {@code corpus}: reads the command line of a {@link CorpusCheck} and runs it. */
final class CorpusTool {

    /** The word that begins the command line. */
    static final String WORD = "corpus";

    private static final String USAGE =
            " (expected: corpus DIR... [--style async|pure] [--interfaces PREFIX,...] [--json FILE] [--jdk HOME]..."
                    + " [--jobs N])";

    private final List<Path> paths = new ArrayList<>();
    private final List<String> prefixes = new ArrayList<>();
    private final List<Path> jdks = new ArrayList<>();
    private CorpusCheck.Style style = CorpusCheck.Style.ASYNC;
    private @Nullable Path json;
    private int jobs = 1;

    private CorpusTool() {}

    /** Runs the command and returns its exit code. */
    static int run(String[] words, PrintWriter out) throws IOException {
        CorpusTool tool = new CorpusTool();
        tool.read(words);
        CorpusCheck check = new CorpusCheck(
                tool.paths,
                tool.style,
                tool.prefixes,
                tool.json,
                tool.jdks.isEmpty() ? installed() : tool.jdks,
                tool.jobs);
        return check.run(classPath(), out) ? 0 : Main.FAILED;
    }

    private void read(String[] words) {
        for (int i = 1; i < words.length; i++) {
            switch (words[i]) {
                case "--verbose" -> {}
                case "--style" -> style = style(value(words, ++i));
                case "--interfaces" -> prefixes.addAll(List.of(value(words, ++i).split(",")));
                case "--json" -> json = Path.of(value(words, ++i));
                case "--jobs" -> jobs = jobs(value(words, ++i));
                case "--jdk" -> jdks.add(jdk(value(words, ++i)));
                default -> paths.add(path(words[i]));
            }
        }
        if (paths.isEmpty()) {
            throw ToolException.misunderstood("paths: 0" + USAGE);
        }
    }

    private static String value(String[] words, int at) {
        if (at == words.length) {
            throw ToolException.misunderstood(words[at - 1] + ": nothing behind it" + USAGE);
        }
        return words[at];
    }

    private static CorpusCheck.Style style(String word) {
        for (CorpusCheck.Style style : CorpusCheck.Style.values()) {
            if (style.name().toLowerCase(Locale.ROOT).equals(word)) {
                return style;
            }
        }
        throw ToolException.misunderstood("style: " + word + USAGE);
    }

    private static int jobs(String word) {
        if (!word.matches("[1-9][0-9]{0,2}")) {
            throw ToolException.misunderstood("--jobs: " + word + " (expected: a number from 1 to 999)" + USAGE);
        }
        return Integer.parseInt(word);
    }

    private static Path path(String word) {
        if (word.startsWith("-")) {
            throw ToolException.misunderstood("option: " + word + USAGE);
        }
        if (!Files.exists(Path.of(word))) {
            throw ToolException.failed(word + ": no such file (expected: a jar or a folder with jars)");
        }
        return Path.of(word);
    }

    private static Path jdk(String word) {
        if (!Files.isExecutable(Path.of(word, "bin", "java"))) {
            throw ToolException.failed("jdk: " + word + ": no bin/java in it (expected: the folder of a JDK)");
        }
        return Path.of(word);
    }

    /** This JVM's own JDK, and a JDK 25 that {@code JAVA_HOME_25} names or that lies beside it. */
    private static List<Path> installed() throws IOException {
        Path own = Path.of(System.getProperty("java.home")).toRealPath();
        List<Path> found = new ArrayList<>(List.of(own));
        String named = System.getenv("JAVA_HOME_25");
        Path folder = own.getParent();
        if (named != null && Files.isExecutable(Path.of(named, "bin", "java"))) {
            found.add(Path.of(named));
        } else if (Runtime.version().feature() != 25 && folder != null) {
            try (Stream<Path> beside = Files.list(folder)) {
                beside.filter(CorpusTool::is25).sorted().findFirst().ifPresent(found::add);
            }
        }
        return found;
    }

    private static boolean is25(Path home) {
        try {
            Path release = home.resolve("release");
            return Files.isRegularFile(release) && Files.readString(release).contains("JAVA_VERSION=\"25");
        } catch (IOException e) {
            return false;
        }
    }

    /** Where this class is, and what this JVM has, the core among it. */
    private static String classPath() throws IOException {
        try {
            Path agent = Path.of(CorpusTool.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            return agent + File.pathSeparator + System.getProperty("java.class.path");
        } catch (URISyntaxException e) {
            throw new IOException("the agent's own jar: " + e.getMessage(), e);
        }
    }
}
