package dev.cleave.agent.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
        String path = classes + ":" + System.getProperty("java.class.path");
        assertThat(ToolProvider.getSystemJavaCompiler()
                        .run(
                                null,
                                null,
                                null,
                                "-proc:none",
                                "-cp",
                                path,
                                "--release",
                                "17",
                                "-d",
                                classes.toString(),
                                file.toString()))
                .isZero();
    }

    /** Compiles the program below a directory and returns the folder with its classes. */
    public static Path compile(Path directory) throws IOException {
        Path classes = Files.createDirectory(directory.resolve("classes"));
        Path sources = Files.createDirectory(directory.resolve("sources"));
        for (Map.Entry<String, String> source : SOURCES.entrySet()) {
            Path file = sources.resolve(source.getKey());
            Files.createDirectories(file.getParent());
            Files.writeString(file, source.getValue());
        }
        String path = System.getProperty("java.class.path");
        String[] options = {
            "-g",
            "-proc:none",
            "-cp",
            path,
            "--release",
            "17",
            "-d",
            classes.toString(),
            sources.resolve("com/shop/Stock.java").toString(),
            sources.resolve("com/shop/Shop.java").toString()
        };
        assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, options))
                .isZero();
        return classes;
    }
}
