package dev.cleave.samples;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** A project of somebody else, with the Maven plugin: examples/samples/maven-plugin. */
class MavenPluginTest {

    @TempDir
    Path directory;

    @Test
    @Tag("full")
    void weavesAndTestsAndFailsWhenTheLoopIsBroken() throws Exception {
        Stranger stranger = Stranger.in(directory);
        Path shop = Stranger.copy(Stranger.HOME.resolve("examples/samples/maven-plugin"), directory.resolve("shop"));

        assertThat(stranger.run(shop, "mvn -B verify").successfully())
                .contains("cleave: 1 remote call in 1 class: 1 pipelined; rewritten in", "Tests run: 1, Failures: 0");
        assertThat(shop.resolve("target/cleave/report.html")).content().startsWith("<!DOCTYPE html>");

        Stranger.edit(shop.resolve("src/main/java/com/acme/shop/Inventory.java"), "stock(item)", "stock(item + total)");
        Stranger.Ended broken = stranger.run(shop, "mvn -B verify -DskipTests");

        assertThat(broken.exitCode()).isNotZero();
        assertThat(broken.output())
                .contains("Warehouse.stock in com.acme.shop.Inventory.count, line 18, was pipelined and is sequential");
    }

    @Test
    @EnabledIfSystemProperty(named = "cleave.full", matches = "true")
    void acceptsTheVerdictsOfTodayWhenToldTo() throws Exception {
        Stranger stranger = Stranger.in(directory);
        Path shop = Stranger.copy(Stranger.HOME.resolve("examples/samples/maven-plugin"), directory.resolve("shop"));
        Stranger.edit(shop.resolve("src/main/java/com/acme/shop/Inventory.java"), "stock(item)", "stock(item + total)");

        stranger.run(shop, "mvn -B verify -DskipTests -Dcleave.writeBaseline=true")
                .successfully();

        assertThat(Files.readString(shop.resolve("cleave.baseline")))
                .contains("com.acme.shop.Inventory count Warehouse.stock sequential");
        stranger.run(shop, "mvn -B verify -DskipTests").successfully();
        Stranger.Ended strict = stranger.run(shop, "mvn -B verify -DskipTests -Dcleave.failOn=sequential");
        assertThat(strict.exitCode()).isNotZero();
        assertThat(strict.output()).contains("Warehouse.stock in com.acme.shop.Inventory.count");
    }

    @Test
    @EnabledIfSystemProperty(named = "cleave.full", matches = "true")
    void aMistakeInTheApplicationFileFailsTheBuild() throws Exception {
        Stranger stranger = Stranger.in(directory);
        Path shop = Stranger.copy(Stranger.HOME.resolve("examples/samples/maven-plugin"), directory.resolve("shop"));
        Stranger.edit(shop.resolve("cleave.yaml"), "stock:", "stok:");

        Stranger.Ended ended = stranger.run(shop, "mvn -B process-classes");

        assertThat(ended.exitCode()).isNotZero();
        assertThat(ended.output())
                .contains("cleave.yaml: services.warehouse.methods.stok: no method of com.acme.shop.Warehouse"
                        + " (did you mean stock?)");
    }

    /** As {@code docs/maven.md} and {@code docs/spring.md} say it. */
    @Test
    @EnabledIfSystemProperty(named = "cleave.full", matches = "true")
    void aGoalThatRunsTheProgramHasTheAgent() throws Exception {
        Stranger stranger = Stranger.in(directory);
        Path shop = Stranger.copy(Stranger.HOME.resolve("examples/samples/maven-plugin"), directory.resolve("shop"));
        Path pom = shop.resolve("pom.xml");
        Stranger.edit(pom, "<goal>weave</goal>", "<goal>agent</goal>");
        Stranger.edit(
                pom,
                "<artifactId>cleave-broker</artifactId>\n      <scope>test</scope>",
                "<artifactId>cleave-broker</artifactId>");
        Stranger.edit(pom, "    </plugins>", """
                      <plugin>
                        <groupId>org.springframework.boot</groupId>
                        <artifactId>spring-boot-maven-plugin</artifactId>
                        <version>%s</version>
                        <configuration>
                          <jvmArguments>${cleave.javaagent}</jvmArguments>
                          <mainClass>com.acme.shop.Local</mainClass>
                        </configuration>
                      </plugin>
                    </plugins>""".formatted(System.getProperty("cleave.spring-boot")));
        Files.writeString(shop.resolve("src/main/java/com/acme/shop/Local.java"), """
                package com.acme.shop;

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
                            node.bind("warehouse", Warehouse.class, item -> item.length());
                            Inventory inventory = new Inventory(node.lookup("warehouse", Warehouse.class));
                            System.out.println("counted " + inventory.count(List.of("a", "bb", "ccc")));
                        }
                    }
                }
                """);

        assertThat(stranger.run(shop, "mvn -B spring-boot:run").successfully()).contains("counted 6");
        assertThat(shop.resolve("target/cleave/run.html"))
                .content()
                .contains("1 remote call in 1 class: 1 pipelined", "<h2>In this run</h2>");
    }
}
