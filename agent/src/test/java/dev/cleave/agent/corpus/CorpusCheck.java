package dev.cleave.agent.corpus;

import dev.cleave.agent.effect.RemoteCalls;
import dev.cleave.agent.scan.CallSetting;
import dev.cleave.agent.scan.Reading;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Opcodes;

/**
 * {@code corpus}: rewrites every class of some jars as if calls of their interfaces were remote, links all of them on
 * several JDKs as they were and as they are then, and tells what became of the calls. It does the same a second time with the
 * interfaces that no class of the jars implements as the remote ones ({@link Way}).
 *
 * @param paths jars, and folders with jars at any depth
 * @param style how the calls are taken
 * @param prefixes binary names of interfaces begin with one of these; none for all that are not the platform's
 * @param json where the records go, or null
 * @param jdks the folders of the JDKs that link the classes
 * @param jobs how many jars are done side by side, at least 1
 */
public record CorpusCheck(
        List<Path> paths,
        Style style,
        List<String> prefixes,
        @Nullable Path json,
        List<Path> jdks,
        int jobs) {

    /** How the calls are taken. */
    public enum Style {
        /** As {@code @Async}. */
        ASYNC(CallSetting.async(CallSetting.AUTOMATIC_WINDOW)),
        /** As {@code @Pure}. */
        PURE(CallSetting.async(CallSetting.AUTOMATIC_WINDOW).with(Reading.PURE));

        private final CallSetting setting;

        Style(CallSetting setting) {
            this.setting = setting;
        }
    }

    /** Copies the lists. */
    public CorpusCheck {
        if (jobs < 1) {
            throw new IllegalArgumentException("jobs: " + jobs + " (expected: at least 1)");
        }
        paths = List.copyOf(paths);
        prefixes = List.copyOf(prefixes);
        jdks = List.copyOf(jdks);
    }

    /**
     * Does it all and prints one line for each jar when it is done, then a table.
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
            CorpusReport report = check(jars, folder, classPath, out);
            out.print(report.text());
            if (json != null) {
                Files.writeString(json, report.json(), StandardCharsets.UTF_8);
            }
            return report.isClean();
        } finally {
            delete(folder);
        }
    }

    /** What became of one jar. */
    private record Done(int number, Tally tally, Tally followed, List<JdkRun> runs) {}

    /** Does some jars side by side, each with what it knows of other classes; tells of each as soon as it is done. */
    private CorpusReport check(List<CorpusJar> jars, Path folder, String classPath, PrintWriter out)
            throws IOException {
        Files.write(
                folder.resolve(LinkCheck.JARS),
                jars.stream().map(jar -> jar.path().toAbsolutePath().toString()).toList());
        Set<String> local = classesOf(jars);
        Corpus all = new Corpus(jars, Way.ALL, remote(local));
        local.addAll(implementedIn(jars));
        Corpus followed = new Corpus(jars, Way.FOLLOWED, remote(local));
        ExecutorService threads = Executors.newFixedThreadPool(jobs);
        try {
            CompletionService<Done> results = new ExecutorCompletionService<>(threads);
            for (int i = 0; i < jars.size(); i++) {
                int number = i;
                Future<Done> unused = results.submit(() -> check(all, followed, number, folder, classPath));
            }
            Done[] done = new Done[jars.size()];
            for (int i = 0; i < done.length; i++) {
                Done one = results.take().get();
                done[one.number()] = one;
                out.println(CorpusReport.line(
                        i + 1, done.length, jars.get(one.number()).name(), one.tally(), one.followed(), one.runs()));
                out.flush();
            }
            return sum(List.of(done));
        } catch (ExecutionException e) {
            throw new IOException(String.valueOf(e.getCause()), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } finally {
            threads.shutdownNow();
        }
    }

    private Done check(Corpus all, Corpus followed, int number, Path folder, String classPath) throws IOException {
        Tally tally = all.rewrite(all.jars().get(number), Way.ALL.woven(folder, number));
        Tally other = followed.rewrite(followed.jars().get(number), Way.FOLLOWED.woven(folder, number));
        List<JdkRun> runs = new ArrayList<>();
        for (Path jdk : jdks) {
            runs.add(JdkRun.of(jdk, classPath, folder, number));
        }
        return new Done(number, tally, other, runs);
    }

    private CorpusReport sum(List<Done> done) {
        Tally total = new Tally();
        Tally followed = new Tally();
        List<JdkRun> runs = new ArrayList<>();
        for (Done one : done) {
            total.add(one.tally());
            followed.add(one.followed());
            for (int i = 0; i < jdks.size(); i++) {
                JdkRun run = one.runs().get(i);
                if (i == runs.size()) {
                    runs.add(run);
                } else {
                    runs.set(i, runs.get(i).and(run));
                }
            }
        }
        return new CorpusReport(done.size(), style.name().toLowerCase(Locale.ROOT), total, followed, runs);
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

    /** The classes of some jars that are no interfaces: calls of them are no remote calls. */
    private static Set<String> classesOf(List<CorpusJar> jars) {
        Set<String> classes = new HashSet<>();
        for (CorpusJar jar : jars) {
            jar.classes().forEach((name, file) -> {
                if ((new ClassReader(file).getAccess() & Opcodes.ACC_INTERFACE) == 0) {
                    classes.add(name);
                }
            });
        }
        return classes;
    }

    /** The interfaces that classes of some jars implement, by their own declaration or that of an interface. */
    private static Set<String> implementedIn(List<CorpusJar> jars) {
        Map<String, List<String>> extended = new HashMap<>();
        Deque<String> next = new ArrayDeque<>();
        for (CorpusJar jar : jars) {
            jar.classes().forEach((name, file) -> {
                ClassReader reader = new ClassReader(file);
                List<String> interfaces = List.of(reader.getInterfaces());
                if ((reader.getAccess() & Opcodes.ACC_INTERFACE) == 0) {
                    next.addAll(interfaces);
                } else {
                    extended.put(name, interfaces);
                }
            });
        }
        Set<String> implemented = new HashSet<>();
        for (String name = next.poll(); name != null; name = next.poll()) {
            if (implemented.add(name)) {
                next.addAll(extended.getOrDefault(name, List.of()));
            }
        }
        return implemented;
    }

    private RemoteCalls remote(Set<String> classes) {
        Set<String> local = Set.copyOf(classes);
        return (owner, name, descriptor) -> isRemote(owner) && !local.contains(owner) ? style.setting : null;
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
