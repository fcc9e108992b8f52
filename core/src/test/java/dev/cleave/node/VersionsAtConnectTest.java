package dev.cleave.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cleave.RefusedTypeException;
import dev.cleave.testing.Compiled;
import dev.cleave.testing.LogLines;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.Transport;
import dev.cleave.transport.local.LocalTransport;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A client and a server with versions of a class that do not fit: the first call of any method names the field. */
@Tag("one-jdk")
class VersionsAtConnectTest extends NodesUnderTest {

    private static final String SHOP = "import dev.cleave.*; @Remote interface Shop { int next(int number);"
            + " String put(Item item); Item take(); }"
            + " class RealShop implements Shop { public int next(int number) { return number + 1; }"
            + " public String put(Item item) { return item.toString(); } public Item take() { return Item.any(); } }\n";

    @TempDir
    Path folder;

    private ClassLoader here;

    @Override
    Transport transport() {
        return LocalTransport.create();
    }

    @Override
    Endpoint door() {
        return Endpoint.local("broker-" + UUID.randomUUID());
    }

    private static Object made(ClassLoader loader, String type) throws ReflectiveOperationException {
        var constructor = loader.loadClass(type).getDeclaredConstructor();
        constructor.setAccessible(true);
        return constructor.newInstance();
    }

    /** Serves the shop with a version of the item, and looks it up with another one. */
    private Object shop(String itemThere, String itemHere) throws ReflectiveOperationException {
        ClassLoader there =
                Compiled.of(folder.resolve("there"), SHOP + itemThere).loader();
        here = Compiled.of(folder.resolve("here"), SHOP + itemHere).loader();
        node(NodeOptions.DEFAULT.withName("server")).bind("shop", made(there, "RealShop"));
        client = node(NodeOptions.DEFAULT.withName("client"));
        return client.lookup("shop", here.loadClass("Shop"));
    }

    private Object call(Object shop, String name, Object... arguments) throws Throwable {
        for (Method method : here.loadClass("Shop").getDeclaredMethods()) {
            if (method.getName().equals(name)) {
                method.setAccessible(true);
                try {
                    return method.invoke(shop, arguments);
                } catch (InvocationTargetException e) {
                    throw e.getCause();
                }
            }
        }
        throw new NoSuchMethodException(name);
    }

    private Object item() throws ReflectiveOperationException {
        Method any = here.loadClass("Item").getDeclaredMethod("any");
        any.setAccessible(true);
        return any.invoke(null);
    }

    @Test
    void theFieldIsNamedBeforeAnyCallNeedsIt() throws Throwable {
        Object shop = shop(
                "record Item(String name, java.util.List<String> tags) { static Item any() { return null; } }",
                "record Item(String name, int tags) { static Item any() { return new Item(\"a\", 1); } }");

        try (LogLines log = LogLines.of("dev.cleave.call.TypeVersions")) {
            assertThat(call(shop, "next", 1)).isEqualTo(2);
            assertThat(call(client.lookup("shop", here.loadClass("Shop")), "next", 2))
                    .isEqualTo(3);

            assertThat(log.lines())
                    .containsExactly(
                            "WARNING server server: type Item differs on the other side: field tags is"
                                    + " java.util.List there and int here; calls with such an argument or result will be refused");
        }
        assertThatThrownBy(() -> call(shop, "put", item()))
                .isInstanceOf(RefusedTypeException.class)
                .hasMessageContaining("field tags is int there and java.util.List here");
    }

    @Test
    void ofATypeThatIsWiderThereItIsSaidThatResultsAreRefused() throws Throwable {
        Object shop = shop(
                "record Item(long count) { static Item any() { return new Item(5); } }",
                "record Item(int count) { static Item any() { return new Item(1); } }");

        try (LogLines log = LogLines.of("dev.cleave.call.TypeVersions")) {
            assertThat(call(shop, "next", 1)).isEqualTo(2);

            assertThat(log.lines())
                    .containsExactly("INFO server server: type Item differs on the other side: field count is long"
                            + " there and int here; calls with such a result will be refused");
        }
        assertThat(call(shop, "put", item())).isEqualTo("Item[count=1]");
        assertThatThrownBy(() -> call(shop, "take")).isInstanceOf(RefusedTypeException.class);
    }

    @Test
    void versionsThatFitAreNotMentioned() throws Throwable {
        Object shop = shop(
                "record Item(int count, String more, int[] gone) { static Item any() { return new Item(5, \"m\", null); } }",
                "record Item(String note, int count) { static Item any() { return new Item(\"n\", 1); } }");

        try (LogLines log = LogLines.of("dev.cleave.call.TypeVersions")) {
            assertThat(call(shop, "next", 1)).isEqualTo(2);
            assertThat(call(shop, "put", item())).isEqualTo("Item[count=1, more=null, gone=null]");
            assertThat(call(shop, "take")).hasToString("Item[note=null, count=5]");

            assertThat(log.lines()).isEmpty();
        }
    }

    @Test
    void theAuthorsWishForOneVersionIsNamedAsWell() throws Throwable {
        Object shop = shop(
                "@SameVersion record Item(int count, int more) { static Item any() { return null; } }",
                "@SameVersion record Item(int count) { static Item any() { return new Item(1); } }");

        try (LogLines log = LogLines.of("dev.cleave.call.TypeVersions")) {
            assertThat(call(shop, "next", 1)).isEqualTo(2);

            assertThat(log.lines()).singleElement().asString().contains("field more of int is only there");
        }
    }
}
