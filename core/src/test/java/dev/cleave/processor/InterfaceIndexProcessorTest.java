package dev.cleave.processor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("one-jdk")
class InterfaceIndexProcessorTest {

    private static final String SHOP = """
            package org.shop;
            @dev.cleave.Remote public interface Stock { int level(String item); }
            interface Local { int f(); }
            interface Below extends Stock {}
            interface Rmi extends java.rmi.Remote {}
            class Outer { @dev.cleave.Remote interface Inner {} }
            """;

    @TempDir
    Path out;

    @Test
    void namesInterfacesAndWhetherTheyAreRemote() throws IOException {
        compile("org/shop/Stock", SHOP);

        assertThat(index())
                .containsExactly(
                        "local  org.shop.Local",
                        "remote org.shop.Below",
                        "remote org.shop.Outer$Inner",
                        "remote org.shop.Rmi",
                        "remote org.shop.Stock");
    }

    @Test
    void writesNothingWhereNothingIsRemote() {
        compile("org/shop/Plain", "package org.shop; interface Plain {}");

        assertThat(out.resolve(InterfaceIndex.FILE)).doesNotExist();
    }

    @Test
    void keepsWhatAnEarlierCompilationSaidOfTypesThatAreStillThere() throws IOException {
        compile("org/shop/Stock", SHOP);
        Files.delete(out.resolve("org/shop/Rmi.class"));
        compile("org/bank/Bank", "package org.bank; @dev.cleave.Remote interface Bank {}");

        assertThat(index())
                .contains("remote org.bank.Bank", "remote org.shop.Stock", "local  org.shop.Local")
                .doesNotContain("remote org.shop.Rmi");
    }

    @Test
    void forgetsTheMarkThatWasTakenAway() throws IOException {
        compile("org/shop/Stock", SHOP);
        compile("org/shop/Stock", SHOP.replace("@dev.cleave.Remote", ""));

        assertThat(index())
                .contains("remote org.shop.Rmi")
                .doesNotContain("remote org.shop.Stock")
                .contains("local  org.shop.Stock");
    }

    private List<String> index() throws IOException {
        return Files.readAllLines(out.resolve(InterfaceIndex.FILE));
    }

    private void compile(String name, String text) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        JavaFileObject source =
                new SimpleJavaFileObject(URI.create("string:///" + name + ".java"), JavaFileObject.Kind.SOURCE) {
                    @Override
                    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                        return text;
                    }
                };
        List<String> options = List.of("-d", out.toString(), "-cp", System.getProperty("java.class.path") + ":" + out);
        JavaCompiler.CompilationTask task = compiler.getTask(null, null, null, options, null, List.of(source));
        task.setProcessors(List.of(new InterfaceIndexProcessor()));
        assertThat(task.call()).isTrue();
    }
}
