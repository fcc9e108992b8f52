package dev.cleave.agent.pretend;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/**
 * What became of each test of a run.
 *
 * @param ofTest for the name of a test {@code passed}, {@code failed} or {@code skipped}; of tests of one name, which nothing
 *     tells apart, all, sorted
 */
record Fates(Map<String, List<String>> ofTest) {

    /**
     * Reads the reports that JUnit's console writes.
     *
     * @throws IOException if there are none
     */
    static Fates read(Path folder) throws IOException {
        List<Path> reports;
        try (Stream<Path> files = Files.list(folder)) {
            reports = files.filter(file -> file.getFileName().toString().matches("TEST-.*[.]xml"))
                    .toList();
        }
        Map<String, List<String>> fates = new TreeMap<>();
        for (Path report : reports) {
            NodeList tests = testsOf(report);
            for (int i = 0; i < tests.getLength(); i++) {
                Element test = (Element) tests.item(i);
                String name = test.getAttribute("classname") + "." + test.getAttribute("name");
                fates.computeIfAbsent(name, key -> new ArrayList<>()).add(fate(test));
            }
        }
        if (fates.isEmpty()) {
            throw new IOException(folder + ": no test in it (expected: what JUnit's console has reported)");
        }
        fates.values().forEach(all -> all.sort(null));
        return new Fates(fates);
    }

    private static NodeList testsOf(Path report) throws IOException {
        try {
            return DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(report.toFile())
                    .getElementsByTagName("testcase");
        } catch (SAXException | ParserConfigurationException e) {
            throw new IOException(report + ": " + e.getMessage(), e);
        }
    }

    private static String fate(Element test) {
        if (test.getElementsByTagName("skipped").getLength() > 0) {
            return "skipped";
        }
        boolean hasFailed = test.getElementsByTagName("failure").getLength() > 0
                || test.getElementsByTagName("error").getLength() > 0;
        return hasFailed ? "failed" : "passed";
    }

    /** How many tests met each fate. */
    Map<String, Long> count() {
        return ofTest.values().stream()
                .flatMap(Collection::stream)
                .collect(Collectors.groupingBy(fate -> fate, TreeMap::new, Collectors.counting()));
    }

    /** Tests that met another fate in another run, with both. */
    List<String> differences(Fates other) {
        Set<String> names = new TreeSet<>(ofTest.keySet());
        names.addAll(other.ofTest.keySet());
        return names.stream()
                .filter(name -> !of(name).equals(other.of(name)))
                .map(name -> name + ": " + of(name) + ", " + other.of(name))
                .toList();
    }

    private List<String> of(String name) {
        return ofTest.getOrDefault(name, List.of());
    }
}
