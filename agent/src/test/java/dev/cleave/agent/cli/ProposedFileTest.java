package dev.cleave.agent.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.config.Bindings;
import dev.cleave.config.Style;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("one-jdk")
class ProposedFileTest {

    @TempDir
    private Path folder;

    private static final String PRICES = """
            package com.shop;
            import java.rmi.Remote;
            import java.rmi.RemoteException;
            public interface Prices extends Remote {
                int price(String article) throws RemoteException;
                void order(String article) throws RemoteException;
            }
            """;
    private static final String CLIENT = """
            package com.shop;
            import java.rmi.RemoteException;
            import java.util.List;
            public class Client {
                static int total(Prices prices, List<String> articles) throws RemoteException {
                    int sum = 0;
                    for (String article : articles) {
                        sum += prices.price(article);
                    }
                    return sum;
                }
            }
            """;

    private Path program() throws Exception {
        Path sources = Files.createDirectory(folder.resolve("src"));
        Path prices = Files.writeString(sources.resolve("Prices.java"), PRICES);
        Path client = Files.writeString(sources.resolve("Client.java"), CLIENT);
        Path classes = Files.createDirectory(folder.resolve("classes"));
        String[] options = {"-proc:none", "-d", classes.toString(), prices.toString(), client.toString()};
        assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, options))
                .isZero();
        return classes;
    }

    private static String explained(Path program, String config) throws Exception {
        StringWriter text = new StringWriter();
        AgentCommands.explain(new PrintWriter(text), List.of(program.toString()), null, config, null, false, List.of());
        return text.toString();
    }

    @Test
    void theProposedFileFreesTheCallsOfAnRmiProgram() throws Exception {
        Path program = program();

        String text = explained(program, null);
        String proposed = text.substring(text.indexOf("services:"));

        Bindings read = Bindings.parse(proposed, "cleave.yaml");
        assertThat(read.call("com.shop.Prices", "price").style()).isEqualTo(Style.ASYNC);
        assertThat(read.call("com.shop.Prices", "order").style()).isNull();
        Path file = Files.writeString(folder.resolve("cleave.yaml"), proposed);
        assertThat(explained(program, file.toString())).contains("1 pipelined").doesNotContain("services:");
    }
}
