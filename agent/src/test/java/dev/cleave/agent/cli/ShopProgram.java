package dev.cleave.agent.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.Remote;
import dev.cleave.agent.conformance.Compiler;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.tools.ToolProvider;

/** A small program with remote calls of all sorts, compiled. */
public final class ShopProgram {

    private static final Map<String, String> SOURCES = Map.of("com/shop/Stock.java", """
                    package com.shop;

                    import dev.cleave.Async;
                    import dev.cleave.Remote;

                    @Remote
                    public interface Stock {
                        @Async(window = 8) int level(String article);
                        void order(String article);
                    }
                    """, "com/shop/Shop.java", """
                    package com.shop;

                    import java.util.List;

                    public class Shop {
                        public int sum(Stock stock, List<String> articles) {
                            int sum = 0;
                            for (String article : articles) {
                                sum += stock.level(article);
                            }
                            return sum;
                        }
                        public int both(Stock stock) {
                            return stock.level("a") + stock.level("b");
                        }
                        public void order(Stock stock) {
                            stock.order("a");
                        }
                    }
                    """);

    private ShopProgram() {}

    /** Compiles one more class of the program. */
    public static void add(Path classes, String name, String source) throws IOException {
        Path file = classes.resolveSibling("sources").resolve(name + ".java");
        Files.writeString(file, source);
        compile("-g:source,lines", classes, classes + ":" + core(), List.of(file));
    }

    /** Compiles the program below a directory and returns the folder with its classes. */
    public static Path compile(Path directory) throws IOException {
        Path classes = Files.createDirectory(directory.resolve("classes"));
        Path sources = Files.createDirectory(directory.resolve("sources"));
        List<Path> files = new ArrayList<>();
        for (Map.Entry<String, String> source : SOURCES.entrySet()) {
            Path file = sources.resolve(source.getKey());
            Files.createDirectories(file.getParent());
            files.add(Files.writeString(file, source.getValue()));
        }
        compile("-g", classes, core(), files);
        return classes;
    }

    private static String core() {
        return Path.of(URI.create(Remote.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .toString()))
                .toString();
    }

    private static void compile(String debug, Path classes, String path, List<Path> files) {
        List<String> words = new ArrayList<>(List.of(debug, "-proc:none", "-cp", path, "-d", classes.toString()));
        words.addAll(Compiler.RELEASE);
        files.forEach(file -> words.add(file.toString()));
        assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, words.toArray(String[]::new)))
                .isZero();
    }
}
