package dev.cleave.agent.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("one-jdk")
class WeaveRmiTest {

    private static final String SOURCE = """
            package com.shop;
            import java.rmi.Remote;
            import java.rmi.registry.LocateRegistry;
            import java.rmi.server.UnicastRemoteObject;
            public class Server implements Remote {
                public static void main(String[] args) throws Exception {
                    LocateRegistry.createRegistry(0).rebind("s", UnicastRemoteObject.exportObject(new Server(), 0));
                }
            }
            """;

    @TempDir
    private Path folder;

    @Test
    void classesThatUseRmiAreWovenAsTheAgentRewritesThem() throws Exception {
        Path source = Files.writeString(folder.resolve("Server.java"), SOURCE);
        Path classes = Files.createDirectory(folder.resolve("classes"));
        assertThat(ToolProvider.getSystemJavaCompiler()
                        .run(null, null, null, "-proc:none", "-d", classes.toString(), source.toString()))
                .isZero();
        Path woven = folder.resolve("woven");

        AgentCommands.weave(new PrintWriter(new StringWriter()), classes.toString(), woven.toString(), null);

        assertThat(pool(woven)).contains("dev/cleave/rmi/RmiCalls", "exportObject", "createRegistry");
        assertThat(pool(classes)).doesNotContain("dev/cleave/rmi/RmiCalls");
    }

    private static String pool(Path classes) throws Exception {
        return new String(Files.readAllBytes(classes.resolve("com/shop/Server.class")), ISO_8859_1);
    }
}
