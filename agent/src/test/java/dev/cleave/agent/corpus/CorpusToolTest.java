package dev.cleave.agent.corpus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("one-jdk")
class CorpusToolTest {

    private final StringWriter out = new StringWriter();

    @TempDir
    Path folder;

    interface Prices {
        int of(int item);
    }

    /** Its methods are those of a class: no remote calls. */
    static final class Codes {
        static int of(int item) {
            return item * 31 + 7;
        }
    }

    /** A class whose loop can be sent ahead, and one whose loop cannot. */
    static final class Shop {
        static int independent(Prices prices, int[] items) {
            int sum = 0;
            for (int item : items) {
                sum += prices.of(item);
            }
            return sum;
        }

        static int behindAClass(Prices prices, int[] items) {
            int sum = 0;
            for (int item : items) {
                sum += prices.of(Codes.of(item));
            }
            return sum;
        }

        static int dependent(Prices prices, int item) {
            while (item > 0) {
                item = prices.of(item);
            }
            return item;
        }
    }

    @Test
    void countsCallsLinksAllClassesAndWritesRecords() throws IOException {
        Path jar = jar();
        Path json = folder.resolve("out.json");

        assertThat(run(jar, List.of(), json)).isTrue();

        assertThat(out.toString())
                .contains("in loops: 3, 2 overlap (67 %)")
                .contains("depend on no result by locals: 2, 2 overlap (100 %)")
                .contains("3 classes linked, 0 fail only when rewritten")
                .contains("failures of the rewriting: 0");
        assertThat(Files.readString(json)).contains("\"independent-overlapping\"");
    }

    @Test
    void takesOnlyTheInterfacesThatAreAskedFor() throws IOException {
        run(jar(), List.of("no.such."), null);

        assertThat(out.toString()).contains("calls taken as @async: 0");
    }

    @Test
    void saysWhatIsWrongWithAPath() {
        assertThatThrownBy(() -> run(folder.resolve("none"), List.of(), null)).hasMessageContaining("no such file");
        assertThatThrownBy(() -> run(folder, List.of(), null)).hasMessageContaining("jars: none in");
    }

    private boolean run(Path path, List<String> prefixes, @Nullable Path json) throws IOException {
        List<Path> jdks = List.of(Path.of(System.getProperty("java.home")));
        return CorpusTool.run(new PrintWriter(out, true), List.of(path), "async", prefixes, json, jdks, 1);
    }

    private Path jar() throws IOException {
        Path jar = folder.resolve("shop.jar");
        try (OutputStream file = Files.newOutputStream(jar);
                JarOutputStream entries = new JarOutputStream(file)) {
            for (Class<?> type : new Class<?>[] {Prices.class, Shop.class, Codes.class}) {
                String name = type.getName().replace('.', '/') + ".class";
                entries.putNextEntry(new JarEntry(name));
                entries.write(Files.readAllBytes(Path.of(root(), name.split("/"))));
                entries.closeEntry();
            }
        }
        return jar;
    }

    private static String root() {
        for (String part : System.getProperty("java.class.path").split(File.pathSeparator)) {
            if (Files.exists(Path.of(part, CorpusToolTest.class.getName().replace('.', '/') + ".class"))) {
                return part;
            }
        }
        throw new AssertionError("the test's own classes are in no folder of the class path");
    }
}
