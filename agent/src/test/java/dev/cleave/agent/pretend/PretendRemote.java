package dev.cleave.agent.pretend;

import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import javax.xml.parsers.DocumentBuilderFactory;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.tree.ClassNode;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/**
 * Runs the unit tests of a library twice, each time in a JVM of its own: as written, and under the agent with interfaces of
 * the library taken as remote and pure, their objects as stubs in front of threads of the same JVM; then compares which
 * tests passed. Exit code 1 if one differs, or no call was sent.
 *
 * <p>{@code PretendRemote AGENT.jar CONSOLE.jar FOLDER PATTERN INTERFACE,... LIB.jar TESTS.jar FURTHER.jar...}; the pattern
 * is that of the test classes, the folder for what is written.
 */
public final class PretendRemote {

    /** Begins the line with the numbers of calls sent, awaits, and calls of those sent that were made ahead. */
    static final String CALLS = "pretended calls: ";

    private static final int FIRST_JAR = 5;

    private PretendRemote() {}

    /** Runs it. */
    public static void main(String[] words) throws Exception {
        Path folder = Files.createDirectories(Path.of(words[2]));
        List<String> jars = Arrays.asList(words).subList(FIRST_JAR, words.length);
        List<String> both = jars.subList(0, 2);
        List<String> others = jars.subList(2, jars.size());
        Set<String> interfaces = Arrays.stream(words[4].split(","))
                .map(name -> name.replace('.', '/'))
                .collect(Collectors.toSet());
        Path changed = folder.resolve("changed");
        System.out.println(pretend(both, jars, interfaces, changed) + " classes made stubs");

        String own = System.getProperty("java.class.path");
        String tail = String.join(File.pathSeparator, others) + File.pathSeparator + own;
        String written = String.join(File.pathSeparator, both) + File.pathSeparator + tail;
        Map<String, String> before = run(folder.resolve("written"), words, List.of(), written, both);
        List<String> agent = List.of("-javaagent:" + words[0] + "=quiet,report=" + folder.resolve("report.txt"));
        Map<String, String> after =
                run(folder.resolve("rewritten"), words, agent, changed + File.pathSeparator + written, both);
        System.out.println("as written: " + count(before) + "; as if remote: " + count(after));
        Set<String> names = new TreeSet<>(before.keySet());
        names.addAll(after.keySet());
        names.removeIf(name -> String.valueOf(before.get(name)).equals(after.get(name)));
        names.forEach(
                name -> System.out.println("differs: " + name + ": " + before.get(name) + ", " + after.get(name)));
        List<String> calls = Files.readAllLines(folder.resolve("rewritten.log")).stream()
                .filter(line -> line.contains(CALLS))
                .toList();
        System.out.println(
                calls + " (sent, awaited, of those sent ahead of their place); differences: " + names.size());
        boolean isNone = calls.isEmpty() || calls.get(0).contains(CALLS + "0 ");
        System.exit(names.isEmpty() && !isNone ? 0 : 1);
    }

    private static int pretend(List<String> both, List<String> jars, Set<String> interfaces, Path changed)
            throws IOException {
        Map<String, byte[]> files = new TreeMap<>();
        for (String jar : both) {
            try (JarFile open = new JarFile(jar)) {
                for (Enumeration<JarEntry> entries = open.entries(); entries.hasMoreElements(); ) {
                    JarEntry entry = entries.nextElement();
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
        URL[] urls = new URL[jars.size()];
        for (int i = 0; i < urls.length; i++) {
            urls[i] = Path.of(jars.get(i)).toUri().toURL();
        }
        StubMaker maker = new StubMaker(nodes, interfaces);
        try (URLClassLoader loader = new URLClassLoader(urls, PretendRemote.class.getClassLoader())) {
            for (Map.Entry<String, byte[]> file : files.entrySet()) {
                Path path = changed.resolve(file.getKey());
                Files.createDirectories(path.getParent());
                Files.write(path, maker.make(file.getValue(), loader));
            }
        }
        return (int) nodes.values().stream().filter(maker::makesStub).count();
    }

    /** What became of each test; tests of the same name are told apart by nothing, so their fates are sorted. */
    private static Map<String, String> run(
            Path folder, String[] words, List<String> options, String classPath, List<String> both) throws Exception {
        List<String> command = new ArrayList<>(List.of(System.getProperty("java.home") + "/bin/java", "-Xmx1g"));
        command.addAll(options);
        command.addAll(List.of("-cp", classPath + File.pathSeparator + words[1]));
        command.addAll(List.of("org.junit.platform.console.ConsoleLauncher", "execute", "--disable-banner"));
        command.addAll(List.of("--details", "summary", "--reports-dir", folder.toString()));
        command.addAll(List.of("--include-classname", words[3], "--scan-classpath", both.get(1)));
        new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(new File(folder + ".log"))
                .start()
                .waitFor();
        Document report = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(folder.resolve("TEST-junit-vintage.xml").toFile());
        NodeList tests = report.getElementsByTagName("testcase");
        Map<String, List<String>> fates = new TreeMap<>();
        for (int i = 0; i < tests.getLength(); i++) {
            Element test = (Element) tests.item(i);
            fates.computeIfAbsent(
                            test.getAttribute("classname") + "." + test.getAttribute("name"), name -> new ArrayList<>())
                    .add(fate(test));
        }
        Map<String, String> sorted = new TreeMap<>();
        fates.forEach((name, all) -> sorted.put(name, all.stream().sorted().collect(Collectors.joining(","))));
        return sorted;
    }

    private static String fate(Element test) {
        for (String word : List.of("failure", "error", "skipped")) {
            if (test.getElementsByTagName(word).getLength() > 0) {
                return word.equals("skipped") ? "skipped" : "failed";
            }
        }
        return "passed";
    }

    private static Map<String, Long> count(Map<String, String> fates) {
        return fates.values().stream()
                .flatMap(all -> Arrays.stream(all.split(",")))
                .collect(Collectors.groupingBy(fate -> fate, TreeMap::new, Collectors.counting()));
    }
}
