package dev.cleave.agent.premain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.agent.cli.AgentCommands;
import dev.cleave.agent.conformance.Compiler;
import dev.cleave.agent.fuzz.FuzzProgram;
import dev.cleave.agent.fuzz.ProgramGenerator;
import dev.cleave.agent.report.Report;
import dev.cleave.agent.report.ReportForm;
import dev.cleave.agent.scan.CallSettings;
import dev.cleave.agent.scan.ClassFileSource;
import dev.cleave.agent.scan.RemoteInterfaceIndex;
import dev.cleave.agent.transform.Weaver;
import dev.cleave.testing.Seed;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code explain}, which reads the class files of a program, and the report at exit, which is about the classes that
 * were loaded, say the same of every call: verdict, reason, advice and the annotation that would free it.
 */
@Tag("one-jdk")
class ExplainAtExitTest {

    private static final long SEED = Seed.of(ExplainAtExitTest.class);
    private static final int ORDERS = Boolean.getBoolean("cleave.full") ? 8 : 2;
    private static final int PROGRAMS = Boolean.getBoolean("cleave.full") ? 24 : 1;

    private static final Map<String, String> LAYERS = Map.of(
            "p.Stock",
            """
                    package p;
                    import dev.cleave.*;
                    @Remote public interface Stock {
                        @Async(window = 8) int level(int x);
                        @ReadOnly int look(int x);
                        @Pure int rate(int x);
                        int plain(int x);
                        int deposit(int x);
                        void put(int x);
                    }
                    """,
            "p.Prices",
            "package p; public interface Prices { int of(int x); }",
            "p.PriceBean",
            """
                    package p;
                    public class PriceBean implements Prices {
                        private final Stock stock;
                        private final Object lock = new Object();
                        PriceBean(Stock stock) { this.stock = stock; }
                        public int of(int x) { synchronized (lock) { return stock.level(x) * 3; } }
                    }
                    """,
            "p.Levels",
            "package p; public interface Levels { int of(int x); }",
            "p.LevelBean",
            """
                    package p;
                    public class LevelBean implements Levels {
                        private final Stock stock;
                        LevelBean(Stock stock) { this.stock = stock; }
                        public int of(int x) { return stock.look(x); }
                    }
                    """,
            "p.Sub",
            """
                    package p;
                    public class Sub extends PriceBean {
                        private final Stock stock;
                        Sub(Stock stock) { super(stock); this.stock = stock; }
                        public int of(int x) { return stock.plain(x); }
                    }
                    """,
            "p.Desk",
            """
                    package p;
                    import java.util.*;
                    public class Desk {
                        private final Prices prices;
                        private final Levels levels;
                        Desk(Prices prices, Levels levels) { this.prices = prices; this.levels = levels; }
                        int sum(int n) { int t = 0; for (int i = 0; i < n; i++) t += prices.of(i); return t; }
                        int both(int n) { int t = 0; for (int i = 0; i < n; i++) t += levels.of(i); return t; }
                        int row(List<Integer> all) { return all.stream().mapToInt(levels::of).sum(); }
                    }
                    """,
            "p.Front",
            """
                    package p;
                    import java.util.*;
                    public class Front {
                        static native boolean seen(int x);
                        static int loops(Stock s, int n) {
                            int t = 0;
                            for (int i = 0; i < n; i++) { t += s.plain(i); }
                            for (int i = 0; i < n; i++) { s.put(i); if (seen(i)) { break; } }
                            for (int i = 0; i < n; i++) { int a = s.deposit(i); if (seen(a)) { break; } }
                            for (int i = 0; i < n; i++) { int a = s.plain(i); if (seen(a)) { break; } }
                            return t;
                        }
                        static int alone(Stock s, int n) { return s.plain(n); }
                        static int two(Stock s, int n) { return s.plain(n) + s.level(n); }
                        static int helper(Stock s, int n) { return s.rate(n) + 1; }
                        static int helped(Stock s, int n) {
                            int t = 0;
                            for (int i = 0; i < n; i++) { t += helper(s, i); }
                            return t;
                        }
                        static int given(Stock s, List<Integer> all) {
                            int t = 0;
                            for (int each : all) { Runnable r = () -> s.put(each); r.run(); }
                            return t;
                        }
                    }
                    """);

    @TempDir
    Path directory;

    /** Defines the classes of a folder as the agent rewrites them. */
    private static final class Loader extends URLClassLoader {

        private final CallTransformer transformer;

        Loader(URL[] path, CallTransformer transformer) {
            super(path, ExplainAtExitTest.class.getClassLoader());
            this.transformer = transformer;
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            byte[] written = ClassFileSource.ofResources(this, name.replace('.', '/'));
            if (written == null) {
                throw new ClassNotFoundException(name);
            }
            byte[] woven = transformer.transform(null, this, name.replace('.', '/'), null, null, written);
            byte[] file = woven == null ? written : woven;
            return defineClass(name, file, 0, file.length);
        }
    }

    private static void write(Map<String, byte[]> files, Path folder) throws IOException {
        for (Map.Entry<String, byte[]> each : files.entrySet()) {
            Path file = folder.resolve(each.getKey().replace('.', '/') + ".class");
            Files.createDirectories(file.getParent());
            Files.write(file, each.getValue());
        }
    }

    private static List<String> explained(Path folder) throws IOException {
        Path file = folder.resolveSibling(folder.getFileName() + ".txt");
        AgentCommands.explain(
                new PrintWriter(new StringWriter()),
                List.of(folder.toString()),
                file.toString(),
                null,
                null,
                false,
                List.of());
        return Files.readAllLines(file);
    }

    private static List<String> atExit(Path folder, List<String> names) throws Exception {
        Weaver weaver = new Weaver(
                new RemoteInterfaceIndex(ClassFileSource.OF_LOADERS, CallSettings.NONE), ClassFileSource.OF_LOADERS);
        Findings findings = new Findings();
        CallTransformer transformer =
                new CallTransformer(weaver, findings, new ReentrancyGuard(), module -> true, message -> {
                    throw new AssertionError(message);
                });
        URL[] path = {folder.toUri().toURL()};
        try (Loader loader = new Loader(path, transformer)) {
            List<Class<?>> loaded = new ArrayList<>();
            for (String name : names) {
                loaded.add(loader.loadClass(name));
            }
            Report report = CleaveAgent.report(weaver, findings, loaded.toArray(Class<?>[]::new), () -> 0);
            return ReportForm.TEXT
                    .write(new Report(report.methods(), report.notes()))
                    .lines()
                    .toList();
        }
    }

    private void saysTheSame(Map<String, byte[]> files, Path folder, Random random) throws Exception {
        write(files, folder);
        List<String> explained = explained(folder);
        List<String> names = new ArrayList<>(files.keySet());
        Collections.sort(names);
        Collections.shuffle(names, random);

        assertThat(atExit(folder, names))
                .as("seed %d, classes loaded in the order %s", SEED, names)
                .isEqualTo(explained);
    }

    @Test
    void sayTheSameOfEveryCallOfAProgramInLayers() throws Exception {
        Random random = new Random(SEED);
        Map<String, byte[]> files = Compiler.compile(LAYERS);

        for (int order = 0; order < ORDERS; order++) {
            saysTheSame(files, directory.resolve("layers" + order), random);
        }

        assertThat(explained(directory.resolve("layers0")))
                .as("the program has calls of all sorts")
                .anyMatch(line -> line.contains("calls PriceBean.of through Prices in a loop"))
                .anyMatch(line -> line.contains("Front.helper > Stock.rate") && line.contains("pipelined"))
                .anyMatch(line -> line.contains("Stock.plain") && line.contains("sequential"))
                .anyMatch(line -> line.contains("put it beside another call, or into a loop, and mark it @Async"))
                .anyMatch(line -> line.contains("with @Async: pipelined"));
    }

    @Test
    void sayTheSameOfEveryCallOfRandomPrograms() throws Exception {
        Random random = new Random(SEED);
        Compiler compiler = new Compiler(FuzzProgram.class, dev.cleave.Remote.class);
        for (int i = 0; i < PROGRAMS; i++) {
            Map<String, String> source = new LinkedHashMap<>();
            source.put("p.R" + i, ProgramGenerator.program("R" + i, random.nextLong()));
            Map<String, byte[]> files = compiler.classes(source, "-g", "-nowarn", "-proc:none", "-implicit:none");

            saysTheSame(files, directory.resolve("random" + i), random);
        }
    }
}
