package dev.cleave.broker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.broker.check.SiteVerdicts;
import dev.cleave.wire.Names;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("one-jdk")
class CheckCommandTest {

    private static final String SHOP = """
            services:
              shop:
                interface: dev.cleave.broker.check.shop.Shop
                implementation: dev.cleave.broker.check.shop.RealShop
            """;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path folder;

    @Test
    void aMistakeIsShownInItsLineAndFailsTheCommand() throws IOException {
        Path file = write(SHOP + "    methods:\n      ordr: {style: async}\n");

        assertThat(run("check", file.toString())).isEqualTo(1);

        assertThat(out.toString().replace(file.toString(), "FILE")).isEqualTo("""
                FILE:6:7: services.shop.methods.ordr: unknown method (did you mean order?)
                          ordr: {style: async}
                          ^
                """);
        assertThat(err.toString()).isEqualTo("cleave: " + file + ": 1 mistake, no warnings\n");
    }

    @Test
    void aFileOfAnotherKindIsNotQuoted() throws IOException {
        for (String text :
                List.of("root:SECRET:20228:0\n", "password: SECRET\n", "- SECRET\n", "{SECRET\n", "a: *SECRET\n")) {
            Path file = write(text);
            assertThat(run("check", file.toString())).isEqualTo(1);
        }
        Path other = Files.writeString(folder.resolve("other"), "root:SECRET:20228:0\npassword: SECRET\n");
        assertThat(run("check", write("include: [other]\n" + SHOP).toString())).isEqualTo(1);

        assertThat(out.toString()).contains(other + ":").doesNotContain("SECRET");
        assertThat(err.toString()).doesNotContain("SECRET");
    }

    @Test
    void aLineThatSteersATerminalIsShownAsText() throws IOException {
        Path file = write(SHOP + "    methods: {\"\\e\": {}, ordr: {style: async}} # \u202egnp\n");

        assertThat(run("check", file.toString())).isEqualTo(1);

        assertThat(out.toString()).contains("# \\u202egnp").matches(text -> text.lines()
                .allMatch(Names::isPlain));
    }

    @Test
    void ofALongLineAPartIsShown() throws IOException {
        Path file =
                write(SHOP + "    methods: {" + " ".repeat(1_000) + "ordr: {style: async}" + " ".repeat(1_000) + "}\n");

        assertThat(run("check", file.toString())).isEqualTo(1);

        assertThat(out.toString()).contains("ordr: {style: async}").matches(text -> text.lines()
                .allMatch(line -> line.length() < 200));
    }

    @Test
    void aWarningFailsTheCommandOnlyIfAsked() throws IOException {
        Path file = write(SHOP + "    methods: {order: {window: 4}}\n");

        assertThat(run("check", file.toString())).isZero();
        assertThat(out.toString()).endsWith(file + ": no mistakes, 1 warning\n");
        assertThat(run("check", "--strict", file.toString())).isEqualTo(1);
    }

    @Test
    void theClassPathOfTheFileIsLookedAtEntryByEntry() throws IOException {
        Files.createDirectory(folder.resolve("classes"));
        Path file = write("classpath: [classes, lost]\n" + SHOP + "    interceptors: [com.example.Audit]\n");

        assertThat(run("check", file.toString())).isEqualTo(1);

        assertThat(out.toString().replace(folder.toString(), "FOLDER"))
                .contains(
                        "cleave.yaml:1:22: classpath[1]: FOLDER/lost does not exist (expected: a jar or a folder; is the"
                                + " application built?)",
                        "cleave.yaml:6:20: services.shop.interceptors[0]: com.example.Audit: no such class");
    }

    @Test
    void whatTheAgentWouldDoIsReadFromItsReport() {
        assertThat(ExplainedSites.read(
                                "{\"summary\": {\"calls\": 1}, \"sites\": [{\"class\": \"com.example.Desk\", \"method\": \"main\","
                                        + " \"line\": 12, \"call\": \"Shop.order\", \"verdict\": \"sequential\","
                                        + " \"reason\": \"it is printed\"}], \"run\": []}")
                        .sites())
                .containsExactly(new SiteVerdicts.Site("Shop.order", "Desk:12", true, "it is printed"));
    }

    private Path write(String text) throws IOException {
        return Files.writeString(folder.resolve("cleave.yaml"), text);
    }

    private int run(String... args) {
        return Main.run(new PrintWriter(out, true), new PrintWriter(err, true), args);
    }
}
