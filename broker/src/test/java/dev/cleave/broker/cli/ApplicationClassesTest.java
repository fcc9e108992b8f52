package dev.cleave.broker.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cleave.Remote;
import dev.cleave.broker.Broker;
import dev.cleave.broker.BrokerOptions;
import dev.cleave.config.Bindings;
import dev.cleave.node.Node;
import dev.cleave.node.NodeOptions;
import dev.cleave.testing.EffectOf;
import dev.cleave.transport.Endpoint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@EffectOf("classpath")
@Tag("one-jdk")
class ApplicationClassesTest {

    @TempDir
    Path directory;

    private List<String> path(String entries) {
        Path file = directory.resolve("cleave.yaml");
        return ApplicationClasses.path(file, Bindings.parse("classpath: " + entries, file.toString()));
    }

    @Test
    void entriesAreRelativeToTheFolderOfTheFile() throws IOException {
        Files.createDirectories(directory.resolve("target/classes"));

        assertThat(path("[target/classes]"))
                .containsExactly(directory.resolve("target/classes").toString());
    }

    @Test
    void aStarIsAllJarsOfAFolder() throws IOException {
        Path lib = Files.createDirectory(directory.resolve("lib"));
        Files.createFile(lib.resolve("b.jar"));
        Files.createFile(lib.resolve("a.jar"));
        Files.createFile(lib.resolve("notes.txt"));

        assertThat(path("['lib/*']"))
                .containsExactly(
                        lib.resolve("a.jar").toString(), lib.resolve("b.jar").toString());
    }

    @Test
    void anEntryThatIsNotThereIsNamed() {
        assertThatThrownBy(() -> path("[target/classes]"))
                .isInstanceOf(CommandException.class)
                .hasMessage(directory.resolve("cleave.yaml") + ": classpath: " + directory.resolve("target/classes")
                        + " does not exist (expected: a jar or a folder; is the application built?)");
    }

    /** Greets. */
    @Remote
    public interface Greeter {

        /** Returns a greeting. */
        String greet();
    }

    @Test
    void aReplicaRunsAClassThatOnlyAJarOfTheFileHas() throws Exception {
        jarWithHello("package dev.cleave.broker.cli; public class Hello implements ApplicationClassesTest.Greeter"
                + " { public String greet() { return \"hello of a jar\"; } }");
        Path file = directory.resolve("cleave.yaml");
        String service = "services: {greeter: {interface: " + Greeter.class.getName()
                + ", implementation: dev.cleave.broker.cli.Hello, replicas: [{name: a}]}}";

        assertThatThrownBy(() -> greeting(file, Bindings.parse(service, file.toString())))
                .isInstanceOf(CommandException.class)
                .hasMessageContaining("classpath: in the file adds to it");
        assertThat(greeting(file, Bindings.parse("classpath: ['lib/*']\n" + service, file.toString())))
                .isEqualTo("hello of a jar");
    }

    private static String greeting(Path file, Bindings bindings) throws Exception {
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        ApplicationClasses.addToContext(file, bindings);
        try (Broker broker = Broker.start(BrokerOptions.at(Endpoint.tcp("localhost", 0)));
                ReplicaHost host = ReplicaHost.start("a", file, bindings, List.of(broker.endpoint()), false);
                Node client = Node.connect(NodeOptions.DEFAULT.withBroker(broker.endpoint()))) {
            assertThat(host.services()).hasSize(1);
            return client.lookup("greeter", Greeter.class).greet();
        } finally {
            Thread.currentThread().setContextClassLoader(before);
        }
    }

    private void jarWithHello(String text) throws IOException {
        Path source = Files.writeString(directory.resolve("Hello.java"), text);
        assertThat(ToolProvider.getSystemJavaCompiler()
                        .run(
                                null,
                                null,
                                null,
                                "-proc:none",
                                "-cp",
                                System.getProperty("java.class.path"),
                                "-d",
                                directory.toString(),
                                source.toString()))
                .isZero();
        Path jar = Files.createDirectory(directory.resolve("lib")).resolve("hello.jar");
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
            String name = "dev/cleave/broker/cli/Hello.class";
            out.putNextEntry(new JarEntry(name));
            out.write(Files.readAllBytes(directory.resolve(name)));
        }
    }
}
