package dev.cleave.agent.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cleave.agent.transform.Weaver;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Classes that a build rewrites between its compiler and its packaging. */
@Tag("one-jdk")
class FolderInPlaceTest {

    private static final String SHOP = "com/shop/Shop.class";

    @TempDir
    Path directory;

    private final StringWriter out = new StringWriter();
    private Path classes;
    private Path originals;

    @BeforeEach
    void compile() throws IOException {
        classes = ShopProgram.compile(directory);
        originals = directory.resolve("as-written");
    }

    private void weave(@Nullable Path config) throws IOException {
        AgentCommands.weaveInPlace(
                new PrintWriter(out),
                classes.toString(),
                originals.toString(),
                config == null ? null : config.toString());
    }

    private Path file(String style) throws IOException {
        return Files.writeString(
                directory.resolve("cleave.yaml"),
                "services: {stock: {interface: com.shop.Stock, methods: {level: {style: " + style + "}}}}");
    }

    @Test
    void rewritesWhatTheAgentWouldRewriteAndKeepsTheOriginals() throws IOException {
        byte[] written = Files.readAllBytes(classes.resolve(SHOP));

        weave(null);

        assertThat(Weaver.isWoven(Files.readAllBytes(classes.resolve(SHOP)))).isTrue();
        assertThat(originals.resolve(SHOP)).hasBinaryContent(written);
        assertThat(AgentCommands.asWritten(classes.toString(), originals.toString()))
                .isEqualTo(originals.toString());
    }

    @Test
    void weavesAgainWithTheFileOfTheDay() throws IOException {
        byte[] written = Files.readAllBytes(classes.resolve(SHOP));
        weave(null);

        weave(file("sync"));

        assertThat(classes.resolve(SHOP)).hasBinaryContent(written);
        assertThat(AgentCommands.asWritten(classes.toString(), originals.toString()))
                .isEqualTo(classes.toString());
    }

    @Test
    void aSecondTimeChangesNoFile() throws IOException {
        weave(null);
        Object before = Files.getLastModifiedTime(classes.resolve(SHOP));
        byte[] woven = Files.readAllBytes(classes.resolve(SHOP));

        weave(null);

        assertThat(classes.resolve(SHOP)).hasBinaryContent(woven);
        assertThat(Files.getLastModifiedTime(classes.resolve(SHOP))).isEqualTo(before);
    }

    @Test
    void aClassThatIsCompiledAnewIsWovenAnew() throws IOException {
        weave(null);
        ShopProgram.add(classes, "Shop", "package com.shop; public class Shop {}");
        byte[] written = Files.readAllBytes(classes.resolve(SHOP));

        weave(null);

        assertThat(classes.resolve(SHOP)).hasBinaryContent(written);
        assertThat(originals.resolve(SHOP)).hasBinaryContent(written);
    }

    @Test
    void originalsOfClassesThatHaveGoneGo() throws IOException {
        weave(null);
        Files.delete(classes.resolve(SHOP));

        weave(null);

        assertThat(originals.resolve(SHOP)).doesNotExist();
    }

    @Test
    void aWovenClassWithoutAnOriginalIsNamed() throws IOException {
        weave(null);
        Files.delete(originals.resolve(SHOP));

        assertThatThrownBy(() -> weave(null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(classes.resolve(SHOP) + ": was rewritten")
                .hasMessageContaining("build from clean");
    }

    @Test
    void explainSaysWhatBreaksTheRulesOfAUser() throws IOException {
        assertThat(AgentCommands.explain(
                        new PrintWriter(out),
                        List.of(classes.toString()),
                        null,
                        null,
                        null,
                        false,
                        List.of("sequential")))
                .singleElement()
                .asString()
                .startsWith(
                        "Stock.order in com.shop.Shop.order, line 17, is sequential: R10, the method has no call style");
        assertThat(AgentCommands.explain(
                        new PrintWriter(out), List.of(classes.toString()), null, null, null, false, List.of("R37")))
                .isEmpty();
        assertThatThrownBy(() -> FailOn.of(List.of("9")))
                .hasMessage("fail on 9 (expected: sequential, or a rule of the report, such as R37)");
    }
}
