package dev.cleave.samples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.broker.cli.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.gradle.testkit.runner.BuildResult;
import org.gradle.testkit.runner.BuildTask;
import org.gradle.testkit.runner.GradleRunner;
import org.gradle.testkit.runner.TaskOutcome;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** The tasks of the Gradle plug-in in the project that {@code bin/cleave new --gradle} writes, run by Gradle's TestKit. */
@EnabledIfSystemProperty(named = "cleave.full", matches = "true")
class GradlePluginTest {

    private static final String LOOP = "src/main/java/com/example/shop/Inventory.java";

    @TempDir
    static Path shared;

    private static Path gradle;

    @TempDir
    Path folder;

    private Path shop;

    @BeforeAll
    static void lay() throws IOException {
        gradle = GradleHome.lay(Path.of(System.getProperty("cleave.gradle")), shared.resolve("gradle"))
                .folder();
        Files.writeString(Files.createDirectories(shared.resolve("testkit")).resolve("gradle.properties"), """
                org.gradle.internal.instrumentation.agent=false
                org.gradle.jvmargs=-Xmx512m -XX:TieredStopAtLevel=1 -XX:+UseSerialGC
                """);
    }

    @BeforeEach
    void write() {
        shop = folder.resolve("shop");
        PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
        assertThat(Main.run(nowhere, nowhere, "new", shop.toString(), "--gradle"))
                .isZero();
    }

    @Test
    void aBuildTestsWithTheAgentAndLooksAtTheVerdictsWhenSomethingHasChanged() throws Exception {
        BuildResult first = runner("build").build();

        assertThat(outcomes(first))
                .containsEntry(":test", TaskOutcome.SUCCESS)
                .containsEntry(":cleaveCheck", TaskOutcome.SUCCESS)
                .containsEntry(":cleaveExplain", TaskOutcome.SUCCESS);
        assertThat(report("test")).contains("1 remote call in 1 class: 1 pipelined");
        assertThat(report("report")).contains("1 remote call in 1 class: 1 pipelined");

        assertThat(outcomes(runner("test").build())).containsEntry(":test", TaskOutcome.UP_TO_DATE);
        Stranger.edit(shop.resolve("cleave.yaml"), "name: first", "name: second");
        assertThat(outcomes(runner("test").build()))
                .as("the application file is an input")
                .containsEntry(":test", TaskOutcome.SUCCESS);
    }

    @Test
    void theConfigurationOfTheTasksIsCached() throws Exception {
        String[] words = {"cleaveCheck", "cleaveExplain", "cleaveWeave", "test", "--configuration-cache"};
        assertThat(runner(words).build().getOutput()).contains("Configuration cache entry stored.");
        Stranger.edit(shop.resolve(LOOP), "stock(item)", "stock(item + total)");

        BuildResult again = runner(words).buildAndFail();

        assertThat(again.getOutput())
                .contains(
                        "Reusing configuration cache.", "Warehouse.stock in com.example.shop.Inventory.count, line 20");
    }

    @Test
    void aLostVerdictFailsTheCheckUntilTheBaselineHasIt() throws Exception {
        Stranger.edit(shop.resolve(LOOP), "stock(item)", "stock(item + total)");

        BuildResult lost = runner("check", "-x", "test").buildAndFail();

        assertThat(outcomes(lost)).containsEntry(":cleaveExplain", TaskOutcome.FAILED);
        assertThat(lost.getOutput())
                .contains(
                        "Warehouse.stock in com.example.shop.Inventory.count, line 20, was pipelined and is sequential");

        assertThat(outcomes(runner("cleaveBaseline").build())).containsEntry(":cleaveBaseline", TaskOutcome.SUCCESS);
        assertThat(shop.resolve("cleave.baseline"))
                .content()
                .contains("com.example.shop.Inventory count Warehouse.stock sequential");
        runner("check", "-x", "test").build();

        append("cleave { failOn = ['sequential'] }");
        BuildResult strict = runner("check", "-x", "test").buildAndFail();
        assertThat(outcomes(strict)).containsEntry(":cleaveExplain", TaskOutcome.FAILED);
        assertThat(strict.getOutput()).contains("Warehouse.stock in com.example.shop.Inventory.count");
    }

    @Test
    void aMistakeInTheApplicationFileFailsTheCheckAndWithoutAFileThereIsNone() throws Exception {
        Stranger.edit(shop.resolve("cleave.yaml"), "replicas:", "replikas:");

        BuildResult wrong = runner("cleaveCheck").buildAndFail();

        assertThat(outcomes(wrong)).containsEntry(":cleaveCheck", TaskOutcome.FAILED);
        assertThat(wrong.getOutput()).contains("replikas: unknown key (did you mean replicas?)");

        Files.delete(shop.resolve("cleave.yaml"));
        assertThat(outcomes(runner("cleaveCheck").build())).containsEntry(":cleaveCheck", TaskOutcome.SKIPPED);
    }

    /** The lines of {@code docs/gradle.md}, word for word, in front of what the project needs. */
    @Test
    void theDocumentedLinesAreUnderstood() throws Exception {
        Files.move(shop.resolve("cleave.yaml"), shop.resolve("shop.yaml"));
        Files.move(shop.resolve("cleave.baseline"), shop.resolve("shop.baseline"));
        Path build = shop.resolve("build.gradle");
        String written = Files.readString(build);
        Files.writeString(
                build,
                String.join("\n", Stranger.blocks(Stranger.HOME.resolve("docs/gradle.md"), "groovy")) + "\n"
                        + written.substring(written.indexOf("\nrepositories {")));

        assertThat(outcomes(runner("cleaveCheck", "cleaveExplain").build()))
                .containsEntry(":cleaveCheck", TaskOutcome.SUCCESS)
                .containsEntry(":cleaveExplain", TaskOutcome.SUCCESS);
        Stranger.edit(shop.resolve(LOOP), "stock(item)", "stock(item + total)");
        assertThat(runner("cleaveExplain").buildAndFail().getOutput()).contains("was pipelined and is sequential");
    }

    /** With Spring Boot's own plug-in, whose task is a {@code JavaExec}. */
    @Test
    void bootRunHasTheAgent() throws Exception {
        Stranger.edit(
                shop.resolve("build.gradle"),
                "    dependencies {\n        classpath",
                "    dependencies {\n        classpath 'org.springframework.boot:spring-boot-gradle-plugin:"
                        + System.getProperty("cleave.spring-boot") + "'\n        classpath");
        append("""
                apply plugin: 'org.springframework.boot'
                springBoot { mainClass = 'com.example.shop.Local' }
                dependencies { implementation 'dev.cleave:cleave-broker' }
                """);
        Files.writeString(shop.resolve("src/main/java/com/example/shop/Local.java"), """
                package com.example.shop;

                import dev.cleave.broker.Broker;
                import dev.cleave.broker.BrokerOptions;
                import dev.cleave.node.Node;
                import dev.cleave.transport.Endpoint;
                import java.util.List;

                /** Serves and calls. */
                public final class Local {

                    public static void main(String[] args) {
                        try (Broker broker = Broker.start(BrokerOptions.at(Endpoint.tcp("localhost", 0)));
                                Node node = Node.connect(broker.endpoint().toString())) {
                            node.bind("warehouse", Warehouse.class, new StoredWarehouse());
                            Inventory inventory = new Inventory(node.lookup("warehouse", Warehouse.class));
                            System.out.println("counted " + inventory.count(List.of("a", "bb", "ccc")));
                        }
                    }
                }
                """);
        BuildResult ran = runner("bootRun").build();

        assertThat(ran.getOutput()).contains("counted 60");
        assertThat(report("bootRun")).contains("1 remote call in 1 class: 1 pipelined", "data-name=\"sent\">3<");
    }

    private GradleRunner runner(String... tasks) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(tasks));
        arguments.addAll(GradleHome.options(Stranger.repository(), shared));
        return GradleRunner.create()
                .withGradleInstallation(gradle.toFile())
                .withTestKitDir(shared.resolve("testkit").toFile())
                .withProjectDir(shop.toFile())
                .withArguments(arguments);
    }

    private static Map<String, TaskOutcome> outcomes(BuildResult result) {
        return result.getTasks().stream().collect(Collectors.toMap(BuildTask::getPath, BuildTask::getOutcome));
    }

    private String report(String task) throws IOException {
        return Files.readString(shop.resolve("build/cleave/" + task + ".html"));
    }

    private void append(String text) throws IOException {
        Path build = shop.resolve("build.gradle");
        Files.writeString(build, Files.readString(build) + "\n" + text);
    }
}
