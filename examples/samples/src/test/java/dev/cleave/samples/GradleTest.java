package dev.cleave.samples;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** The project that {@code bin/cleave new --gradle} writes is built, tested and run by Gradle. */
@EnabledIfSystemProperty(named = "cleave.full", matches = "true")
class GradleTest {

    @TempDir
    Path directory;

    @Test
    void buildsTestsAndRunsANewProject() throws Exception {
        Stranger stranger = Stranger.in(directory);
        GradleHome gradle = GradleHome.lay(Path.of(System.getProperty("cleave.gradle")), directory.resolve("gradle"));
        stranger.program("gradle", gradle.script(Stranger.repository(), directory.resolve("caches")));
        stranger.program("cleave", "exec '" + Stranger.HOME + "/bin/cleave' \"$@\"");

        String output = stranger.run(
                        directory,
                        "cleave new shop --gradle",
                        "cd shop",
                        "gradle build cleaveWeave",
                        "cleave up cleave.yaml")
                .successfully();

        assertThat(output).contains("BUILD SUCCESSFUL").containsPattern("38900 pieces in stock, counted in \\d+ ms");
        Path shop = directory.resolve("shop");
        assertThat(shop.resolve("build/test-results/test/TEST-com.example.shop.InventoryTest.xml"))
                .content()
                .contains("tests=\"1\" skipped=\"0\" failures=\"0\" errors=\"0\"");
        assertThat(shop.resolve("build/cleave/test.html")).content().contains("1 remote call in 1 class: 1 pipelined");
        assertThat(shop.resolve("build/cleave/shop.jar")).isRegularFile();

        String ran = stranger.run(
                        shop,
                        "cleave broker --listen localhost:0 > broker.txt &",
                        "trap 'kill $(jobs -p)' EXIT",
                        "until grep -q cleave:// broker.txt; do sleep 0.1; done",
                        "export CLEAVE_BROKER=$(grep -o -m 1 'cleave://[a-z0-9.:]*' broker.txt)",
                        "cleave serve cleave.yaml --replica first > server.txt &",
                        "until grep -q warehouse server.txt; do sleep 0.1; done",
                        "gradle run")
                .successfully();

        assertThat(ran).containsPattern("38900 pieces in stock, counted in \\d+ ms");
        assertThat(shop.resolve("build/cleave/run.html")).content().contains("<h2>In this run</h2>");

        Stranger.edit(
                shop.resolve("src/main/java/com/example/shop/Inventory.java"), "stock(item)", "stock(item + total)");
        Stranger.Ended broken = stranger.run(shop, "gradle check -x test");

        assertThat(broken.exitCode()).isNotZero();
        assertThat(broken.output())
                .contains(
                        "Warehouse.stock in com.example.shop.Inventory.count, line 20, was pipelined and is sequential");
    }
}
