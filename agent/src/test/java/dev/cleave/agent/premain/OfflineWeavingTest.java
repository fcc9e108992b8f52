package dev.cleave.agent.premain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.agent.cli.AgentCommands;
import dev.cleave.agent.cli.ShopProgram;
import dev.cleave.agent.scan.CallSettings;
import dev.cleave.agent.scan.ClassFileSource;
import dev.cleave.agent.scan.RemoteInterfaceIndex;
import dev.cleave.agent.transform.Weaver;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Proxy;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is woven offline is what the agent would make of it. */
class OfflineWeavingTest {

    @TempDir
    Path directory;

    private final Findings findings = new Findings();
    private final CallTransformer transformer = new CallTransformer(
            new Weaver(
                    new RemoteInterfaceIndex(ClassFileSource::ofResources, CallSettings.NONE),
                    ClassFileSource::ofResources),
            findings,
            new ReentrancyGuard(),
            module -> true,
            message -> {
                throw new AssertionError(message);
            });

    private Path classes;

    @BeforeEach
    void compileShop() throws Exception {
        classes = ShopProgram.compile(directory);
    }

    private byte[] transformed(Path program) throws Exception {
        return transformed(program, "com/shop/Shop");
    }

    private byte[] transformed(Path program, String name) throws Exception {
        URL[] urls = {program.toUri().toURL()};
        try (URLClassLoader loader = new URLClassLoader(urls, getClass().getClassLoader())) {
            byte[] classFile = ClassFileSource.ofResources(loader, name);
            return transformer.transform(null, loader, name, null, null, classFile);
        }
    }

    private static String weave(Path in, Path out) throws IOException {
        StringWriter said = new StringWriter();
        AgentCommands.weave(new PrintWriter(said), in.toString(), out.toString(), null);
        return said.toString();
    }

    @Test
    void writesTheBytesThatTheAgentWouldDefine() throws Exception {
        byte[] expected = transformed(classes);
        Path woven = directory.resolve("woven");

        String said = weave(classes, woven);

        assertThat(expected).isNotNull().isNotEqualTo(Files.readAllBytes(classes.resolve("com/shop/Shop.class")));
        assertThat(woven.resolve("com/shop/Shop.class")).hasBinaryContent(expected);
        assertThat(woven.resolve("com/shop/Stock.class"))
                .hasSameBinaryContentAs(classes.resolve("com/shop/Stock.class"));
        assertThat(said)
                .isEqualTo("cleave: 4 remote calls in 1 class: 2 split, 1 pipelined, 1 sequential; written to " + woven
                        + "\n");
    }

    @Test
    void streamsAreWovenAsTheAgentWouldAndEachTimeAlike() throws Exception {
        ShopProgram.add(classes, "Shelf", """
            package com.shop;

            import java.util.ArrayList;
            import java.util.List;
            import java.util.Map;
            import java.util.stream.Collectors;

            public class Shelf {
                Map<Integer, Long> levels(Stock stock, List<String> articles) {
                    return articles.stream()
                            .filter(article -> stock.level(article) > 0)
                            .map(stock::level)
                            .collect(Collectors.groupingBy(level -> level, Collectors.counting()));
                }
                List<Integer> all(Stock stock, List<String> articles) {
                    List<Integer> levels = new ArrayList<>();
                    articles.forEach(article -> levels.add(stock.level(article)));
                    return levels;
                }
            }
            """);
        byte[] expected = transformed(classes, "com/shop/Shelf");
        Path woven = directory.resolve("woven");

        weave(classes, woven);

        assertThat(expected).isNotNull().isNotEqualTo(Files.readAllBytes(classes.resolve("com/shop/Shelf.class")));
        assertThat(woven.resolve("com/shop/Shelf.class")).hasBinaryContent(expected);
        assertThat(transformed(classes, "com/shop/Shelf")).isEqualTo(expected);
    }

    @Test
    void strandsAreWovenAsTheAgentWouldAndRunWithoutIt() throws Exception {
        ShopProgram.add(classes, "Nest", """
            package com.shop;

            import java.util.List;

            public class Nest {
                private final String mark;
                public Nest(String mark) { this.mark = mark; }
                private String part(String article, int i) { return article + mark + i; }
                public int sum(Stock stock, List<String> articles) {
                    int sum = 0;
                    for (String article : articles) {
                        int parts = stock.level(article);
                        for (int i = 0; i < parts; i++) {
                            sum = sum * 3 + stock.level(part(article, i));
                        }
                    }
                    return sum;
                }
            }
            """);
        byte[] expected = transformed(classes, "com/shop/Nest");
        Path woven = directory.resolve("woven");

        weave(classes, woven);

        assertThat(new String(Files.readAllBytes(woven.resolve("com/shop/Nest.class")), StandardCharsets.ISO_8859_1))
                .contains("dev/cleave/rt/Strands");
        assertThat(woven.resolve("com/shop/Nest.class")).hasBinaryContent(expected);
        assertThat(transformed(classes, "com/shop/Nest")).isEqualTo(expected);
        assertThat(nestSum(woven)).isEqualTo(nestSum(classes));
    }

    private Object nestSum(Path program) throws Exception {
        try (URLClassLoader loader = new URLClassLoader(
                new URL[] {program.toUri().toURL()}, getClass().getClassLoader())) {
            Class<?> stock = loader.loadClass("com.shop.Stock");
            Class<?> nest = loader.loadClass("com.shop.Nest");
            Object local = Proxy.newProxyInstance(
                    loader, new Class<?>[] {stock}, (proxy, method, args) -> Math.floorMod(args[0].hashCode(), 7));

            return nest.getMethod("sum", stock, List.class)
                    .invoke(nest.getConstructor(String.class).newInstance("-"), local, List.of("a", "b", "c"));
        }
    }

    @Test
    void aWovenProgramRunsWithoutTheAgent() throws Exception {
        Path woven = directory.resolve("woven.jar");
        weave(classes, woven);

        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {woven.toUri().toURL()}, getClass().getClassLoader())) {
            Class<?> stock = loader.loadClass("com.shop.Stock");
            Class<?> shop = loader.loadClass("com.shop.Shop");
            Object local = Proxy.newProxyInstance(loader, new Class<?>[] {stock}, (proxy, method, args) -> 3);

            Object sum = shop.getMethod("sum", stock, List.class)
                    .invoke(shop.getConstructor().newInstance(), local, List.of("a", "b", "c"));

            assertThat(sum).isEqualTo(9);
        }
    }

    @Test
    void aWovenClassIsLeftAloneAndSaidOnce() throws Exception {
        Path woven = directory.resolve("woven");
        weave(classes, woven);

        assertThat(transformed(woven)).isNull();
        assertThat(transformed(woven)).isNull();

        assertThat(findings.all()).isEmpty();
        assertThat(findings.notes()).isEqualTo(List.of("already woven, left as it is: com.shop.Shop"));
    }
}
