package dev.cleave.agent.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.assertj.core.api.ThrowableAssert;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("one-jdk")
class AgentCommandsTest {

    private static final String SHOP = "com/shop/Shop.class";

    @TempDir
    Path directory;

    private final StringWriter out = new StringWriter();
    private Path classes;

    @BeforeEach
    void compile() throws IOException {
        classes = ShopProgram.compile(directory);
    }

    private void explain(Path... paths) throws IOException {
        explainWith(null, null, paths);
    }

    private void explainWith(@Nullable Path report, @Nullable Path config, Path... paths) throws IOException {
        AgentCommands.explain(
                new PrintWriter(out),
                Stream.of(paths).map(Path::toString).toList(),
                word(report),
                word(config),
                null,
                false,
                List.of());
    }

    private void weave(Path from, Path to) throws IOException {
        AgentCommands.weave(new PrintWriter(out), from.toString(), to.toString(), null);
    }

    private static @Nullable String word(@Nullable Path path) {
        return path == null ? null : path.toString();
    }

    /** A jar of the program with further files. */
    private Path jar(Map<String, byte[]> further) throws IOException {
        Path jar = directory.resolve("shop.jar");
        Map<String, byte[]> files = new TreeMap<>(further);
        files.putIfAbsent(SHOP, Files.readAllBytes(classes.resolve(SHOP)));
        files.put("com/shop/Stock.class", Files.readAllBytes(classes.resolve("com/shop/Stock.class")));
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(jar))) {
            for (Map.Entry<String, byte[]> file : files.entrySet()) {
                ZipEntry entry = new ZipEntry(file.getKey());
                if (file.getKey().startsWith("stored")) {
                    CRC32 crc = new CRC32();
                    crc.update(file.getValue());
                    entry.setMethod(ZipEntry.STORED);
                    entry.setSize(file.getValue().length);
                    entry.setCrc(crc.getValue());
                }
                zip.putNextEntry(entry);
                zip.write(file.getValue());
                zip.closeEntry();
            }
        }
        return jar;
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private void assertMistake(ThrowableAssert.ThrowingCallable command, String message) {
        assertThatThrownBy(command).isInstanceOf(IllegalArgumentException.class).hasMessageStartingWith(message);
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void explainsAFolder() throws IOException {
        explain(classes);

        assertThat(out.toString()).isEqualTo("""
                        cleave: 4 remote calls in 1 class: 2 split, 1 pipelined, 1 sequential

                        com.shop.Shop
                          sum()
                             9  Stock.level  pipelined(8)
                          both()
                            14  Stock.level  split
                            14  Stock.level  split
                          order()
                            17  Stock.order  sequential    R10: the method has no call style that allows it to move
                                                           to free it: put it beside another call, or into a loop, and mark it @Async
                        """);
    }

    @Test
    void explainsAJarAndFindsItsInterfacesInAnother() throws IOException {
        Path jar = jar(Map.of());
        Path callers = Files.createDirectories(directory.resolve("callers/com/shop"));
        Files.copy(classes.resolve(SHOP), callers.resolve("Shop.class"));

        explain(directory.resolve("callers"));
        assertThat(out.toString()).isEqualTo("""
                        cleave: no remote calls
                        1 interface is not on the path: com.shop.Stock; if it is remote, calls of it are not seen \
                        (expected: the jar as a further path, or in CLEAVE_CLASSPATH)
                        """);

        explain(jar);
        assertThat(out.toString()).contains("cleave: 4 remote calls in 1 class");
    }

    @Test
    void explainsAProgramWithItsLibrariesInside() throws IOException {
        byte[] shop = Files.readAllBytes(classes.resolve(SHOP));
        byte[] stock = Files.readAllBytes(classes.resolve("com/shop/Stock.class"));
        byte[] library = Files.readAllBytes(jar(Map.of()));
        Path program = directory.resolve("boot.jar");
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(program))) {
            for (Map.Entry<String, byte[]> file : Map.of(
                            "BOOT-INF/classes/" + SHOP,
                            shop,
                            "BOOT-INF/lib/stock.jar",
                            library,
                            "BOOT-INF/classes/com/shop/Stock.class",
                            stock)
                    .entrySet()) {
                zip.putNextEntry(new ZipEntry(file.getKey()));
                zip.write(file.getValue());
                zip.closeEntry();
            }
        }

        explain(program);

        assertThat(out.toString()).startsWith("cleave: 8 remote calls in 1 class");
    }

    @Test
    void takesOfSeveralVersionsTheOneThatThisJvmWouldLoad() throws IOException {
        byte[] shop = Files.readAllBytes(classes.resolve(SHOP));
        Path jar = jar(Map.of(
                JarFile.MANIFEST_NAME,
                text("Manifest-Version: 1.0\nMulti-Release: true\n\n"),
                SHOP,
                Files.readAllBytes(classes.resolve("com/shop/Stock.class")),
                "META-INF/versions/9/" + SHOP,
                shop));

        explain(jar);

        assertThat(out.toString()).startsWith("cleave: 4 remote calls in 1 class");
    }

    @Test
    void endingOfTheReportChoosesItsForm() throws IOException {
        Path json = directory.resolve("report.json");
        Path html = directory.resolve("report.html");

        explainWith(json, null, classes);
        explainWith(html, null, classes);

        assertThat(Files.readString(json)).startsWith("{").contains("\"call\": \"Stock.level\"");
        assertThat(Files.readString(html)).startsWith("<!DOCTYPE html>");
        assertThat(out.toString())
                .startsWith("cleave: 4 remote calls in 1 class: 2 split, 1 pipelined, 1 sequential; the report is in "
                        + json + "\n");
    }

    @Test
    void applicationFileOutweighsAnnotations() throws IOException {
        Path config = Files.writeString(directory.resolve("cleave.yaml"), """
                services:
                  stock: { interface: com.shop.Stock, methods: { level: { style: sync } } }
                """);

        explainWith(null, config, classes);

        assertThat(out.toString()).startsWith("cleave: 4 remote calls in 1 class: 4 sequential\n");
    }

    @Test
    void aClassThatCannotBeReadHidesNoOther() throws IOException {
        byte[] future = Files.readAllBytes(classes.resolve(SHOP));
        future[7] = (byte) 200;
        Files.write(classes.resolve("com/shop/Future.class"), future);
        Files.write(classes.resolve("com/shop/Cut.class"), new byte[] {(byte) 0xCA, (byte) 0xFE});

        explain(classes);

        assertThat(out.toString())
                .startsWith("cleave: 4 remote calls in 1 class")
                .contains("\ncom/shop/Future.class is left as it is: java.lang.IllegalArgumentException: ");
    }

    @Test
    void weavesAJarAndKeepsItsOtherFiles() throws IOException {
        Path jar = jar(Map.of(
                JarFile.MANIFEST_NAME,
                text("Manifest-Version: 1.0\n\n"),
                "stored.bin",
                text("abc"),
                "a.txt",
                text("x")));
        Path folder = directory.resolve("woven");
        Path woven = directory.resolve("woven.jar");

        weave(jar, folder);
        weave(jar, woven);

        try (ZipFile before = new ZipFile(jar.toFile());
                ZipFile after = new ZipFile(woven.toFile())) {
            List<String> names = before.stream().map(ZipEntry::getName).toList();
            assertThat(after.stream().map(ZipEntry::getName).toList()).isEqualTo(names);
            assertThat(after.getEntry("stored.bin").getMethod()).isEqualTo(ZipEntry.STORED);
            assertThat(after.getEntry("a.txt").getTime())
                    .isEqualTo(before.getEntry("a.txt").getTime());
            for (String name : names) {
                byte[] bytes = after.getInputStream(after.getEntry(name)).readAllBytes();
                assertThat(folder.resolve(name)).hasBinaryContent(bytes);
                byte[] old = before.getInputStream(before.getEntry(name)).readAllBytes();
                assertThat(Arrays.equals(bytes, old)).isEqualTo(!name.equals(SHOP));
            }
        }
    }

    @Test
    void folderBecomesAJarThatBeginsWithItsManifest() throws IOException {
        Files.createDirectories(classes.resolve("META-INF"));
        Files.writeString(classes.resolve("META-INF/MANIFEST.MF"), "Manifest-Version: 1.0\n\n");
        Files.writeString(classes.resolve("A.txt"), "x");
        Path jar = directory.resolve("woven.jar");

        weave(classes, jar);

        try (ZipFile zip = new ZipFile(jar.toFile())) {
            assertThat(zip.stream().map(ZipEntry::getName))
                    .containsExactly(JarFile.MANIFEST_NAME, "A.txt", SHOP, "com/shop/Stock.class");
        }
        weave(classes, directory.resolve("again.jar"));
        assertThat(directory.resolve("again.jar")).hasSameBinaryContentAs(jar);
    }

    @Test
    void aWovenProgramIsLeftAloneAndSaidOnce() throws IOException {
        weave(classes, directory.resolve("woven"));
        out.getBuffer().setLength(0);

        explain(directory.resolve("woven"));

        assertThat(out.toString()).isEqualTo("cleave: no remote calls\nalready woven, left as it is: com.shop.Shop\n");
    }

    @Test
    void aSignedJarIsNotWoven() throws IOException {
        Path jar = jar(Map.of("META-INF/SHOP.SF", text("x")));
        Path woven = directory.resolve("woven.jar");

        assertMistake(
                () -> weave(jar, woven),
                jar + ": is signed, and " + SHOP
                        + " would no longer match (expected: an unsigned jar; weave it, then sign it)");

        assertThat(directory).isDirectoryNotContaining(file -> file.toString().contains("woven"));
    }

    @Test
    void entriesStayInsideTheFolder() throws IOException {
        Path jar = jar(Map.of("../evil.txt", text("x")));

        assertMistake(() -> weave(jar, directory.resolve("woven")), "entry: ../evil.txt (expected: a name inside ");
        assertThat(directory.resolve("evil.txt")).doesNotExist();
    }

    @Test
    void entriesThatLeadOutOfAJarAreRefused() throws IOException {
        Path jar = jar(Map.of("../evil.txt", text("x")));
        Path woven = directory.resolve("woven.jar");

        assertMistake(() -> weave(jar, woven), "entry: ../evil.txt (expected: a name inside ");
        assertThat(woven).doesNotExist();
    }

    @Test
    void foldersOfAJarAreKept() throws IOException {
        Path jar = jar(Map.of("BOOT-INF/", new byte[0], "BOOT-INF/lib/", new byte[0], "stored/", new byte[0]));
        Path woven = directory.resolve("woven.jar");
        Path folder = directory.resolve("woven");

        weave(jar, woven);
        weave(jar, folder);

        try (ZipFile after = new ZipFile(woven.toFile())) {
            assertThat(after.stream().map(ZipEntry::getName)).contains("BOOT-INF/", "BOOT-INF/lib/", "stored/");
        }
        assertThat(folder.resolve("BOOT-INF/lib")).isDirectory();
    }

    @Test
    void tellsOfMistakesInOneLine() throws IOException {
        Path text = Files.writeString(directory.resolve("a.txt"), "x");
        Path none = directory.resolve("none");

        assertMistake(() -> explain(none), none + ": no such file (expected: a jar or a folder with classes)");
        assertMistake(() -> explain(text), text + ": not a jar (expected: a jar or a folder with classes)");
        assertMistake(
                () -> weave(classes, none.resolve("out.jar")),
                none.resolve("out.jar") + ": its folder does not exist (expected: an existing folder)");
        assertThatThrownBy(() -> explainWith(null, none, classes)).hasMessageContaining("none");
    }

    @Test
    void explainTellsCallsOfHelpersWithTheFateThatCallersInOtherClassesGiveThem() throws IOException {
        ShopProgram.add(classes, "Levels", """
                package com.shop;
                class Levels {
                    static int of(Stock stock, String article) { return stock.level(article) + 1; }
                    static synchronized int locked(Stock stock, String article) { return stock.level(article) + 2; }
                }
                """);
        ShopProgram.add(classes, "Loops", """
                package com.shop;
                class Loops {
                    int sum(Stock stock, java.util.List<String> all) {
                        int t = 0;
                        for (String a : all) t += Levels.of(stock, a);
                        for (String a : all) t += Levels.locked(stock, a);
                        return t;
                    }
                }
                """);

        explain(classes);

        assertThat(out.toString())
                .containsPattern("of\\(\\)\\s+3 +Stock.level +pipelined\\(8\\)")
                .containsPattern("locked\\(\\)\\s+4 +Stock.level +sequential +R68: locked: it is synchronized")
                .containsPattern("5 +Levels.of > Stock.level +pipelined\\(8\\)");
    }

    /** A jar may have entries of any name, and a note quotes that of one that cannot be read. */
    @Test
    void namesOfFilesAreShownAsTextWhereverCommandsPrintThem() throws IOException {
        byte[] whole = Files.readAllBytes(classes.resolve(SHOP));
        Path jar = jar(Map.of("com/a\u001b[2J\nINFO: b.class", Arrays.copyOf(whole, whole.length - 8)));

        explain(jar);
        weave(jar, directory.resolve("woven.jar"));
        AgentCommands.verify(new PrintWriter(out), List.of(jar.toString()), null);

        assertThat(out.toString().split(Pattern.quote("a\\u001b[2J\\u000aINFO: b.class"), -1))
                .hasSizeGreaterThanOrEqualTo(4);
        assertThat(out.toString()).doesNotContain("\u001b");
        assertThat(out.toString().lines()).noneMatch(line -> line.startsWith("INFO"));
    }
}
