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

/** Runs a {@link CorpusCheck}; {@code bin/cleave corpus} calls it by name. */
public final class CorpusTool {

    private CorpusTool() {}

    /**
     * Rewrites every class of jars as if their interfaces were remote, and links them.
     *
     * @param paths folders with jars, or jars
     * @param style how calls are taken: a name of {@link CorpusCheck.Style}, of any case
     * @param prefixes how the names of the remote interfaces begin; none are all but the platform's
     * @param json where records go, or null
     * @param jdks the homes of JDKs that link; none are this one and a JDK 25
     * @param jobs how many jars are done side by side
     * @return whether all links as written
     */
    public static boolean run(
            PrintWriter out,
            List<Path> paths,
            String style,
            List<String> prefixes,
            @Nullable Path json,
            List<Path> jdks,
            int jobs)
            throws IOException {
        for (Path path : paths) {
            if (!Files.exists(path)) {
                throw new IllegalArgumentException(path + ": no such file (expected: a jar or a folder with jars)");
            }
        }
        for (Path jdk : jdks) {
            if (!Files.isExecutable(jdk.resolve("bin/java"))) {
                throw new IllegalArgumentException(jdk + ": no bin/java in it (expected: the folder of a JDK)");
            }
        }
        try {
            CorpusCheck.Style chosen = CorpusCheck.Style.valueOf(style.toUpperCase(Locale.ROOT));
            return new CorpusCheck(paths, chosen, prefixes, json, jdks.isEmpty() ? installed() : jdks, jobs)
                    .run(classPath(), out);
        } finally {
            out.flush();
        }
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
