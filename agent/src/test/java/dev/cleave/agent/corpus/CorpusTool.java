package dev.cleave.agent.corpus;

import dev.cleave.agent.scan.CallSetting;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;

/** Reads the command line of a {@link CorpusCheck} and runs it; {@code bin/cleave corpus} calls it by name. */
public final class CorpusTool {

    /** Exit code of a command that could not do its work. */
    static final int FAILED = 1;

    /** Exit code of a command line that is not understood. */
    static final int USAGE_ERROR = 2;

    private static final String USAGE =
            " (expected: DIR... [--style async|pure] [--interfaces PREFIX,...] [--json FILE] [--jdk HOME]..."
                    + " [--jobs N])";

    private final List<Path> paths = new ArrayList<>();
    private final List<String> prefixes = new ArrayList<>();
    private final List<Path> jdks = new ArrayList<>();
    private CorpusCheck.Style style = CorpusCheck.Style.ASYNC;
    private @Nullable Path json;
    private int jobs = 1;

    private CorpusTool() {}

    /**
     * Runs the command.
     *
     * @return the exit code: 0 done, 1 failed, 2 not understood; a failure is one line on {@code err}
     */
    public static int run(PrintWriter out, PrintWriter err, String... words) {
        try {
            CorpusTool tool = new CorpusTool();
            tool.read(words);
            CorpusCheck check = new CorpusCheck(
                    tool.paths,
                    tool.style,
                    tool.prefixes,
                    tool.json,
                    tool.jdks.isEmpty() ? installed() : tool.jdks,
                    tool.jobs);
            return check.run(classPath(), out) ? 0 : FAILED;
        } catch (Misunderstood e) {
            err.println("cleave: " + e.getMessage());
            return USAGE_ERROR;
        } catch (IllegalArgumentException | IOException e) {
            err.println("cleave: " + e.getMessage());
            return FAILED;
        } finally {
            out.flush();
            err.flush();
        }
    }

    /** The command line is not understood; the message says why. */
    private static final class Misunderstood extends RuntimeException {

        private static final long serialVersionUID = 1;

        Misunderstood(String message) {
            super(message);
        }
    }

    private void read(String[] words) {
        for (int i = 0; i < words.length; i++) {
            switch (words[i]) {
                case "--style" -> style = style(value(words, ++i));
                case "--interfaces" -> prefixes.addAll(List.of(value(words, ++i).split(",")));
                case "--json" -> json = Path.of(value(words, ++i));
                case "--jobs" -> jobs = jobs(value(words, ++i));
                case "--jdk" -> jdks.add(jdk(value(words, ++i)));
                default -> paths.add(path(words[i]));
            }
        }
        if (paths.isEmpty()) {
            throw new Misunderstood("paths: 0" + USAGE);
        }
    }

    private static String value(String[] words, int at) {
        if (at == words.length) {
            throw new Misunderstood(words[at - 1] + ": nothing behind it" + USAGE);
        }
        return words[at];
    }

    private static CorpusCheck.Style style(String word) {
        for (CorpusCheck.Style style : CorpusCheck.Style.values()) {
            if (style.name().toLowerCase(Locale.ROOT).equals(word)) {
                return style;
            }
        }
        throw new Misunderstood("style: " + word + USAGE);
    }

    private static int jobs(String word) {
        if (!word.matches("[1-9][0-9]{0,2}")) {
            throw new Misunderstood("--jobs: " + word + " (expected: a number from 1 to 999)" + USAGE);
        }
        return Integer.parseInt(word);
    }

    private static Path path(String word) {
        if (word.startsWith("-")) {
            throw new Misunderstood("option: " + word + USAGE);
        }
        if (!Files.exists(Path.of(word))) {
            throw new IllegalArgumentException(word + ": no such file (expected: a jar or a folder with jars)");
        }
        return Path.of(word);
    }

    private static Path jdk(String word) {
        if (!Files.isExecutable(Path.of(word, "bin", "java"))) {
            throw new IllegalArgumentException("jdk: " + word + ": no bin/java in it (expected: the folder of a JDK)");
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

    /** Where this class, the agent's and ASM's are, and what this JVM has, the core among it. */
    private static String classPath() throws IOException {
        Set<String> parts = new LinkedHashSet<>();
        for (Class<?> type : List.of(CorpusTool.class, CallSetting.class, ClassReader.class)) {
            parts.add(place(type));
        }
        parts.add(System.getProperty("java.class.path"));
        return String.join(File.pathSeparator, parts);
    }

    private static String place(Class<?> type) throws IOException {
        try {
            return Path.of(type.getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .toString();
        } catch (URISyntaxException e) {
            throw new IOException("the place of " + type.getName() + ": " + e.getMessage(), e);
        }
    }
}
