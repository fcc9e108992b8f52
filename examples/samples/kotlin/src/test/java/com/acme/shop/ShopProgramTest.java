package com.acme.shop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.broker.Broker;
import dev.cleave.broker.BrokerOptions;
import dev.cleave.node.Node;
import dev.cleave.node.NodeOptions;
import dev.cleave.transport.Endpoint;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jetbrains.kotlin.cli.common.ExitCode;
import org.jetbrains.kotlin.cli.jvm.K2JVMCompiler;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The shop in a process of its own, as written and with the agent. */
@Timeout(120)
class ShopProgramTest {

    @TempDir
    Path folder;

    @Test
    void theAgentMakesPipelinesOfKotlinsLoops() throws Exception {
        List<String> here = new Shop(new Warehouse())
                .report(100).stream().map(String::valueOf).toList();
        Path report = folder.resolve("report.json");
        try (Broker broker = Broker.start(BrokerOptions.at(Endpoint.tcp("localhost", 0)));
                Node node = Node.connect(NodeOptions.DEFAULT.withBroker(broker.endpoint()))) {
            node.bind("inventory", Inventory.class, new Warehouse());

            assertThat(shop(broker, System.getProperty("java.class.path"))).isEqualTo(here);
            node.rebind("inventory", new Warehouse());
            assertThat(shop(
                            broker,
                            System.getProperty("java.class.path"),
                            "-javaagent:" + System.getProperty("cleave.agent") + "=report=" + report))
                    .isEqualTo(here);
        }
        String said = Files.readString(report);
        for (String method : List.of("total", "defaults", "prices", "price$default")) {
            assertThat(said).containsPattern("\"" + Pattern.quote(method) + "\",[^}]*\"pipelined\"");
        }
        assertThat(said).containsPattern("\"reserveAll\",[^}]*\"the method is a part of a coroutine\"");
        assertThat(said)
                .as("the call of a sequence happens when its element is asked for")
                .containsPattern("\"sequence\\$lambda\\$0\",[^}]*\"the function is not given to a stage of a stream\"");
        assertThat(said)
                .containsPattern("\"over\",[^}]*Number.intValue is a method of the JDK that the agent does not know");
    }

    /** Before Kotlin 2.2 a static method of a class beside the interface, {@code DefaultImpls}, fills in default arguments. */
    @Test
    void defaultArgumentsAsOlderCompilersWriteThemArePipelinedToo() throws Exception {
        Path older = folder.resolve("older");
        assertThat(new K2JVMCompiler()
                        .exec(
                                System.err,
                                "-jvm-default=disable",
                                "-java-parameters",
                                "-jvm-target",
                                "17",
                                "-no-stdlib",
                                "-cp",
                                System.getProperty("java.class.path"),
                                "-d",
                                older.toString(),
                                "src/main/kotlin"))
                .isEqualTo(ExitCode.OK);
        List<String> here = new Shop(new Warehouse())
                .report(100).stream().map(String::valueOf).toList();
        Path report = folder.resolve("report.json");
        try (Broker broker = Broker.start(BrokerOptions.at(Endpoint.tcp("localhost", 0)));
                Node node = Node.connect(NodeOptions.DEFAULT.withBroker(broker.endpoint()))) {
            node.bind("inventory", Inventory.class, new Warehouse());

            assertThat(shop(
                            broker,
                            older + File.pathSeparator + System.getProperty("java.class.path"),
                            "-javaagent:" + System.getProperty("cleave.agent") + "=report=" + report))
                    .isEqualTo(here);
        }
        assertThat(Files.readString(report))
                .containsPattern("\"defaults\",[^}]*\"pipelined\"")
                .containsPattern("DefaultImpls\",[^}]*\"price\\$default\",[^}]*\"pipelined\"");
    }

    /** The tests of the artifact {@code cleave-kotlin} use the class files, so that they need no compiler. */
    @Test
    void theClassFilesInTheRepositoryAreThoseOfTheSources() throws Exception {
        Path compiled = Path.of(Shop.class.getResource("Shop.class").toURI()).getParent();
        Path kept = Path.of(System.getProperty("kotlin.kept"));
        assertThat(names(kept)).isEqualTo(names(compiled));
        for (String name : names(kept)) {
            assertThat(Files.mismatch(kept.resolve(name), compiled.resolve(name)))
                    .as(name + " (copy it)")
                    .isNegative();
        }
    }

    private static List<String> names(Path folder) throws Exception {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    private List<String> shop(Broker broker, String classPath, String... options) throws Exception {
        Path out = folder.resolve("out");
        List<String> words = Stream.of(
                        Stream.of(
                                Path.of(System.getProperty("java.home"), "bin", "java")
                                        .toString(),
                                "-XX:TieredStopAtLevel=1"),
                        Stream.of(options),
                        Stream.of("-cp", classPath, "com.acme.shop.MainKt", "shop"),
                        Stream.of(broker.endpoint().toString()))
                .flatMap(each -> each)
                .toList();
        Process process = new ProcessBuilder(words)
                .redirectOutput(out.toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isZero();
        return Files.readAllLines(out);
    }
}
