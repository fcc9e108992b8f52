package dev.cleave.agent.corpus;

import dev.cleave.agent.effect.RemoteCalls;
import dev.cleave.agent.scan.CallSetting;
import dev.cleave.agent.scan.Reading;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * {@code corpus}: rewrites every class of some jars as if calls of their interfaces were remote, links all of them on
 * several JDKs as they were and as they are then, and tells what became of the calls.
 *
 * @param paths jars, and folders with jars at any depth
 * @param style how the calls are taken
 * @param prefixes binary names of interfaces begin with one of these; none for all that are not the platform's
 * @param json where the records go, or null
 * @param jdks the folders of the JDKs that link the classes
 */
public record CorpusCheck(
        List<Path> paths,
        Style style,
        List<String> prefixes,
        @Nullable Path json,
        List<Path> jdks) {

    /** How the calls are taken. */
    public enum Style {
        /** As {@code @Async}. */
        ASYNC(CallSetting.async(CallSetting.DEFAULT_WINDOW)),
        /** As {@code @Pure}. */
        PURE(CallSetting.async(CallSetting.DEFAULT_WINDOW).with(Reading.PURE));

        private final CallSetting setting;

        Style(CallSetting setting) {
            this.setting = setting;
        }
    }

    /** Copies the lists. */
    public CorpusCheck {
        paths = List.copyOf(paths);
        prefixes = List.copyOf(prefixes);
        jdks = List.copyOf(jdks);
    }

    /**
     * Does it all and prints one line for each jar, then a table.
     *
     * @param classPath where this class and the core are, for the JVMs that link
     * @return whether nothing failed: no class links worse than before, none made the rewriting fail
     */
    public boolean run(String classPath, PrintWriter out) throws IOException {
        List<CorpusJar> jars = new ArrayList<>();
        for (Path path : files()) {
            jars.add(CorpusJar.read(path));
        }
        Path folder = Files.createTempDirectory("cleave-corpus");
        try {
            Tally total = rewrite(jars, folder, out);
            List<JdkRun> runs = new ArrayList<>();
            for (Path jdk : jdks) {
                runs.add(JdkRun.of(jdk, classPath, folder));
            }
            CorpusReport report = new CorpusReport(jars.size(), style.name().toLowerCase(Locale.ROOT), total, runs);
            out.print(report.text());
            if (json != null) {
                Files.writeString(json, report.json(), StandardCharsets.UTF_8);
            }
            return report.isClean();
        } finally {
            delete(folder);
        }
    }

    private Tally rewrite(List<CorpusJar> jars, Path folder, PrintWriter out) throws IOException {
        Corpus corpus = new Corpus(jars, remote());
        Tally total = new Tally();
        List<String> names = new ArrayList<>();
        for (int i = 0; i < jars.size(); i++) {
            CorpusJar jar = jars.get(i);
            Tally tally = corpus.rewrite(jar, folder.resolve(i + ".jar"));
            names.add(jar.path().toAbsolutePath().toString());
            out.printf(
                    Locale.ROOT,
                    "%3d/%d  %-44s %6d classes %6d changed %7d calls %6d in loops, %d overlap  %d ms%n",
                    i + 1,
                    jars.size(),
                    jar.name(),
                    tally.classes(),
                    tally.changed(),
                    tally.sites(),
                    tally.inLoop(),
                    tally.inLoopOverlapping(),
                    tally.millis());
            total.add(tally);
        }
        Files.write(folder.resolve(LinkCheck.JARS), names);
        return total;
    }

    private List<Path> files() throws IOException {
        List<Path> files = new ArrayList<>();
        for (Path path : paths) {
            try (Stream<Path> found = Files.walk(path)) {
                found.filter(file -> file.toString().endsWith(".jar") && Files.isRegularFile(file))
                        .sorted()
                        .forEach(files::add);
            }
        }
        if (files.isEmpty()) {
            throw new IllegalArgumentException("jars: none in " + paths + " (expected: jars or folders with jars)");
        }
        return files;
    }

    private RemoteCalls remote() {
        return (owner, name, descriptor) -> isRemote(owner) ? style.setting : null;
    }

    private boolean isRemote(String owner) {
        boolean isPlatform = owner.startsWith("java/") || owner.startsWith("javax/") || owner.startsWith("[");
        return !isPlatform && (prefixes.isEmpty() || prefixes.stream().anyMatch(owner.replace('/', '.')::startsWith));
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
