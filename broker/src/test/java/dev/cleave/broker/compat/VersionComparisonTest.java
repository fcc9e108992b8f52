package dev.cleave.broker.compat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.broker.cli.Main;
import dev.cleave.testing.Compiled;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code cleave compat} says of two versions; what happens when they run is in {@code VersionsTest} of core. */
@Tag("one-jdk")
class VersionComparisonTest {

    private static final String HEAD = "package shop; import dev.cleave.*; import java.util.*; import java.io.*;\n";

    @TempDir
    Path folder;

    private int programs;

    private Path jar(String text) {
        String name = "p" + programs++;
        return Compiled.of(folder.resolve(name), HEAD + text).jar(folder.resolve(name + ".jar"));
    }

    private List<String> compare(String before, String after) throws Exception {
        return VersionComparison.of(Program.read(jar(before)), Program.read(jar(after))).stream()
                .map(d -> (d.isBreak() ? "BREAK " : "note ") + d.pair() + " " + d.where() + ": " + d.what())
                .toList();
    }

    @Test
    void equalVersionsHaveNoDifferences() throws Exception {
        String text = "@Remote interface Shop { Item put(Item i); } record Item(String name, List<Item> parts) {}";

        assertThat(compare(text, text)).isEmpty();
    }

    @Test
    void fieldsThatAreAddedOrGoneBreakNothing() throws Exception {
        assertThat(compare(
                        "@Remote interface Shop { void put(Item i); } record Item(String name, int old) {}",
                        "@Remote interface Shop { void put(Item i); } record Item(long price, String name, Tag t) {}"
                                + " record Tag(String text) {}"))
                .containsExactlyInAnyOrder(
                        "note OLD_CLIENT shop.Item.old: the field is gone: its value is dropped at the receiver",
                        "note OLD_CLIENT shop.Item.price: the field is not sent: it is 0 or false",
                        "note OLD_CLIENT shop.Item.t: the field is not sent: it is null",
                        "note NEW_CLIENT shop.Item.price: the field is new: its value is dropped at the receiver",
                        "note NEW_CLIENT shop.Item.t: the field is new: its value is dropped at the receiver",
                        "note NEW_CLIENT shop.Item.old: the field is not sent: it is 0 or false");
    }

    @Test
    void whoWritesAndWhoReadsDecidesWhoBreaks() throws Exception {
        String text = "@Remote interface Shop { %s } record Item(%s count, %s all) {}";

        assertThat(compare(
                        text.formatted("void put(Item i);", "int", "ArrayList<String>"),
                        text.formatted("void put(Item i);", "long", "List<String>")))
                .containsExactly(
                        "BREAK NEW_CLIENT shop.Item.count: long is sent and int expected: refused",
                        "BREAK NEW_CLIENT shop.Item.all: java.util.List is sent and java.util.ArrayList expected: values"
                                + " of other classes are refused");
        assertThat(compare(
                        text.formatted("Item get();", "int", "List<String>"),
                        text.formatted("Item get();", "String", "List<String>")))
                .containsExactly(
                        "BREAK NEW_CLIENT shop.Item.count: int is sent and java.lang.String expected: refused",
                        "BREAK OLD_CLIENT shop.Item.count: java.lang.String is sent and int expected: refused");
    }

    @Test
    void methodsThatAreGoneBreakOldClients() throws Exception {
        assertThat(compare(
                        "@Remote interface Shop { int put(String s); int gone(); } @Remote interface Old {}",
                        "@Remote interface Shop { int put(String s, int n); } interface Old {}"))
                .containsExactlyInAnyOrder(
                        "BREAK OLD_CLIENT shop.Old: the interface is gone: its services cannot be called",
                        "BREAK OLD_CLIENT shop.Shop.gone(): int: the method is gone: calls fail with"
                                + " NoSuchMethodOnServerException (keep it until all clients are new)",
                        "BREAK OLD_CLIENT shop.Shop.put(String): int: the method is gone, there is"
                                + " shop.Shop.put(String, int): int: calls fail with NoSuchMethodOnServerException (keep it"
                                + " until all clients are new)",
                        "note NEW_CLIENT shop.Shop.put(String, int): int: new method: old servers answer with"
                                + " NoSuchMethodOnServerException (deploy servers first)");
    }

    @Test
    void enumsBreakTheReaderOfUnknownConstants() throws Exception {
        assertThat(compare(
                        "@Remote interface Shop { Size get(); void put(Set<Size> s); } enum Size { A, B }",
                        "@Remote interface Shop { Size get(); void put(Set<Size> s); } enum Size { C, B }"))
                .containsExactlyInAnyOrder(
                        "BREAK OLD_CLIENT shop.Size.A: the constant is gone: refused when it is sent (keep it until all"
                                + " processes are new)",
                        "BREAK NEW_CLIENT shop.Size.C: the constant is new: refused when it is sent (send it when all"
                                + " processes are new)",
                        "BREAK NEW_CLIENT shop.Size.A: the constant is gone: refused when it is sent (keep it until all"
                                + " processes are new)",
                        "BREAK OLD_CLIENT shop.Size.C: the constant is new: refused when it is sent (send it when all"
                                + " processes are new)");
    }

    @Test
    void stylesExceptionsAndSubtypesAreCompared() throws Exception {
        assertThat(compare(
                        "@Remote interface Shop extends Above { @Idempotent int a(); } interface Above { @Pure int b();"
                                + " Kind c(); } sealed interface Kind {} record One() implements Kind {}",
                        "@Remote interface Shop extends Above { int a() throws Full; } interface Above { @Idempotent int"
                                + " b(); Kind c(); } class Full extends Exception {} sealed interface Kind {} record"
                                + " One() implements Kind {} record Two() implements Kind {}"))
                .containsExactlyInAnyOrder(
                        "BREAK OLD_CLIENT shop.Shop.a(): int: no longer @Idempotent, @ReadOnly or @Pure: old clients still"
                                + " send it again, so it may be executed twice",
                        "BREAK OLD_CLIENT shop.Shop.a(): int: throws shop.Full, which old clients do not declare: it"
                                + " arrives as RemoteFailureException",
                        "BREAK OLD_CLIENT shop.Shop.b(): int: no longer @Pure: old clients still call it ahead of the"
                                + " program, and may drop its result",
                        "BREAK OLD_CLIENT shop.Two: a new subtype of shop.Kind: refused where it is sent to the old"
                                + " version");
    }

    @Test
    void classesThatCannotBeMatchedBreakBothWays() throws Exception {
        String text = "@Remote interface Shop { void put(Item i); } class Item implements Serializable {"
                + " static final long serialVersionUID = %d; int a; %s }";

        assertThat(compare(text.formatted(1, ""), text.formatted(2, "")))
                .hasSize(2)
                .allMatch(line -> line.contains("serialVersionUID is 1 and then 2: refused (keep it)"));
        assertThat(compare(text.formatted(1, ""), text.formatted(1, "private void readObject(ObjectInputStream i) {}")))
                .hasSize(2)
                .allMatch(line -> line.contains("readObject in one version alone: refused"));
        assertThat(compare(
                        "@Remote interface Shop { void put(Item i); } @SameVersion record Item(int a) {}",
                        "@Remote interface Shop { void put(Item i); } record Item(int a, int b) {}"))
                .hasSize(2)
                .allMatch(line -> line.contains("marked @SameVersion: refused"));
    }

    @Test
    void theCommandEndsWithOneIfAnythingBreaks() throws Exception {
        Path before = jar("@Remote interface Shop { void put(int i); }");
        Path after = jar("@Remote interface Shop { void put(int i); void more(); }");
        Path json = folder.resolve("out.json");
        StringWriter out = new StringWriter();
        PrintWriter writer = new PrintWriter(out, true);

        assertThat(Main.run(writer, writer, "compat", before.toString(), after.toString()))
                .isZero();
        assertThat(Main.run(writer, writer, "compat", after.toString(), before.toString(), "--json", json.toString()))
                .isEqualTo(1);

        assertThat(out.toString())
                .contains("old client, new server: nothing breaks")
                .contains("new client, old server: nothing breaks")
                .contains("old client, new server: 1 break")
                .contains("  BREAK shop.Shop.more(): void: the method is gone");
        assertThat(Files.readString(json)).contains("\"kind\": \"break\", \"where\": \"shop.Shop.more(): void\"");
        assertThat(Main.run(writer, writer, "compat", "nowhere.jar", after.toString()))
                .isEqualTo(1);
    }
}
