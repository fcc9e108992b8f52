package dev.cleave.agent.pretend;

import dev.cleave.call.Stub;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.tree.ClassNode;

/**
 * Runs the unit tests of a library twice, each time in a JVM of its own: as written, and under the agent with interfaces of
 * the library taken as remote and pure, their objects as stubs in front of threads of the same JVM; then compares what
 * became of each test.
 *
 * @param jars of the library, of its tests, and of what they need
 * @param console that of JUnit's console launcher
 * @param agent the jar that is attached
 * @param folder for what is written
 */
record PretendRemote(List<Path> jars, Path console, Path agent, Path folder) {

    /** Begins the line with the numbers of calls sent, awaits, and calls of those sent that were made ahead. */
    static final String CALLS = "pretended calls: ";

    /**
     * What it has shown.
     *
     * @param stubs how many classes became stubs
     * @param written what became of the tests as written
     * @param rewritten and as if remote
     * @param calls the numbers behind {@link #CALLS}; of a run that ended before its time none
     */
    record Found(int stubs, Fates written, Fates rewritten, List<Long> calls) {

        List<String> differences() {
            return written.differences(rewritten);
        }

        boolean holds() {
            return differences().isEmpty() && !calls.isEmpty() && calls.get(0) > 0;
        }
    }

    /**
     * Runs it.
     *
     * @param tests the pattern of the names of the test classes
     * @param interfaces binary names of those that are taken as remote
     * @param progress hears what is being done
     */
    Found run(String tests, List<String> interfaces, Consumer<String> progress)
            throws IOException, InterruptedException {
        deleteOld();
        Path changed = folder.resolve("changed");
        int stubs =
                pretend(interfaces.stream().map(name -> name.replace('.', '/')).collect(Collectors.toSet()), changed);
        String path = Stream.of(jars.stream().map(Path::toString), own().stream(), Stream.of(console.toString()))
                .flatMap(part -> part)
                .collect(Collectors.joining(File.pathSeparator));
        progress.accept("the tests as written");
        Fates written = run(folder.resolve("written"), tests, List.of(), path);
        progress.accept("the tests as if remote");
        Path report = folder.resolve("report.txt");
        Fates rewritten = run(
                folder.resolve("rewritten"),
                tests,
                List.of("-javaagent:" + agent + "=quiet,report=" + report),
                changed + File.pathSeparator + path);
        List<Long> calls = Files.readAllLines(folder.resolve("rewritten.log")).stream()
                .filter(line -> line.contains(CALLS))
                .flatMap(line -> Stream.of(
                        line.substring(line.indexOf(CALLS) + CALLS.length()).split(" ")))
                .map(Long::valueOf)
                .toList();
        return new Found(stubs, written, rewritten, calls);
    }

    private void deleteOld() throws IOException {
        Files.createDirectories(folder);
        for (String name : List.of("changed", "written", "rewritten")) {
            Path old = folder.resolve(name);
            if (Files.exists(old)) {
                try (Stream<Path> files = Files.walk(old)) {
                    for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                        Files.delete(file);
                    }
                }
            }
        }
    }

    /** Where the stubs' own code is, and what it extends. */
    private static List<String> own() {
        return Stream.of(Pretended.class, Stub.class)
                .map(PretendRemote::placeOf)
                .distinct()
                .toList();
    }

    private static String placeOf(Class<?> type) {
        try {
            return Path.of(type.getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .toString();
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    private int pretend(Set<String> interfaces, Path changed) throws IOException {
        Map<String, byte[]> files = new TreeMap<>();
        for (Path jar : jars.subList(0, 2)) {
            try (ZipFile open = new ZipFile(jar.toFile())) {
                for (Enumeration<? extends ZipEntry> entries = open.entries(); entries.hasMoreElements(); ) {
                    ZipEntry entry = entries.nextElement();
                    String name = entry.getName();
                    if (name.endsWith(".class") && !name.startsWith("META-INF") && !name.equals("module-info.class")) {
                        files.put(name, open.getInputStream(entry).readAllBytes());
                    }
                }
            }
        }
        Map<String, ClassNode> nodes = new TreeMap<>();
        for (byte[] file : files.values()) {
            ClassNode node = new ClassNode();
            new ClassReader(file).accept(node, ClassReader.SKIP_FRAMES | ClassReader.SKIP_DEBUG);
            nodes.put(node.name, node);
        }
        StubMaker maker = new StubMaker(nodes, interfaces);
        URL[] urls = jars.stream().map(PretendRemote::url).toArray(URL[]::new);
        try (URLClassLoader loader = new URLClassLoader(urls, PretendRemote.class.getClassLoader())) {
            for (Map.Entry<String, byte[]> file : files.entrySet()) {
                Path path = changed.resolve(file.getKey());
                Files.createDirectories(path.getParent());
                Files.write(path, maker.make(file.getValue(), loader));
            }
        }
        return (int) nodes.values().stream().filter(maker::makesStub).count();
    }

    private static URL url(Path jar) {
        try {
            return jar.toUri().toURL();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Fates run(Path reports, String tests, List<String> options, String classPath)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(System.getProperty("java.home") + "/bin/java", "-Xmx1g"));
        command.addAll(options);
        command.addAll(List.of("-cp", classPath, "org.junit.platform.console.ConsoleLauncher"));
        command.addAll(List.of("execute", "--disable-banner", "--details", "summary"));
        command.addAll(List.of("--reports-dir", reports.toString(), "--include-classname", tests));
        command.addAll(List.of("--scan-classpath", jars.get(1).toString()));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(new File(reports + ".log"))
                .start();
        try {
            process.waitFor(); // it fails where a test does, which is compared below
        } finally {
            process.destroyForcibly();
        }
        if (!Files.isDirectory(reports)) {
            throw new IllegalStateException("the tests did not run: what JUnit said is in " + reports + ".log");
        }
        return Fates.read(reports);
    }
}
