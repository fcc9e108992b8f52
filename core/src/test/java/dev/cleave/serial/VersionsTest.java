package dev.cleave.serial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cleave.testing.Compiled;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two versions of a program, each in a class loader of its own, and what one writes the other reads. */
@Tag("one-jdk")
class VersionsTest {

    private static final String HEAD = "import java.util.*; import java.io.*; import dev.cleave.*;\n";

    /** Each version has a class {@code Test}, a supplier of the value that it sends, and a type {@code Value}. */
    private static final String MAKER =
            "class Test implements java.util.function.Supplier<Object> {" + " public Object get() { return %s; } }\n";

    @TempDir
    Path folder;

    private int versions;

    /** One side. */
    private final class Side {

        private final ClassLoader loader;
        private final Numbers numbers = new Numbers();
        private final Codec codec;

        Side(String types, String value) {
            Compiled made = Compiled.of(folder.resolve("v" + versions++), HEAD + types + MAKER.formatted(value));
            loader = made.loader();
            Class<?> root = type("Value");
            codec = new Codec(
                    TypePolicy.of(List.of(new TypePolicy.Root(root, "Shop.put: parameter 1")), List.of()), numbers);
        }

        Class<?> type(String name) {
            try {
                return Class.forName(name, true, loader);
            } catch (ClassNotFoundException e) {
                throw new IllegalArgumentException(e);
            }
        }

        @SuppressWarnings("unchecked")
        Object value() {
            try {
                var maker = type("Test").getDeclaredConstructor();
                maker.setAccessible(true);
                return ((Supplier<Object>) maker.newInstance()).get();
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(e);
            }
        }

        Object sendTo(Side other) {
            ByteBuf bytes = Unpooled.buffer();
            ValueWriter writer = codec.writer(bytes);
            writer.putObject(value());
            writer.putObject("behind");
            AnnouncedNames names = new AnnouncedNames();
            new Announcements(numbers, names::announced).upTo(writer.finish(i -> "parameter"));
            try (ValueReader reader = other.codec.reader(bytes, names)) {
                Object read = reader.takeObject();
                assertThat(reader.takeObject()).isEqualTo("behind");
                assertThat(reader.isAtEnd()).isTrue();
                return read;
            }
        }
    }

    private static Object get(Object object, String name) {
        try {
            if (object.getClass().isRecord()) {
                Method getter = object.getClass().getDeclaredMethod(name);
                getter.setAccessible(true);
                return getter.invoke(object);
            }
            Class<?> type = object.getClass();
            while (java.util.Arrays.stream(type.getDeclaredFields())
                    .noneMatch(f -> f.getName().equals(name))) {
                type = type.getSuperclass();
            }
            Field field = type.getDeclaredField(name);
            field.setAccessible(true);
            return field.get(object);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void recordsMatchByNameAndAddedComponentsHaveDefaults() {
        Side before = new Side("record Value(String name, int count) {}", "new Value(\"a\", 2)");
        Side after = new Side(
                "record Value(int count, long price, String name, List<String> tags, boolean on) {}",
                "new Value(3, 4, \"b\", List.of(\"x\"), true)");

        Object newer = before.sendTo(after);
        Object older = after.sendTo(before);

        assertThat(newer).hasToString("Value[count=2, price=0, name=a, tags=null, on=false]");
        assertThat(older).hasToString("Value[name=b, count=3]");
    }

    @Test
    void classesMatchByNameThroughTheirHierarchyAndKeepWhatTheirConstructorGives() {
        Side before = new Side(
                "class Base { int id = 1; } class Value extends Base { String name = \"a\"; int gone = 7; }",
                "new Value()");
        Side after = new Side(
                "class Base { } class Value extends Base { int id; String name; List<String> tags = new ArrayList<>();"
                        + " double rate; }",
                "new Value()");

        Object newer = before.sendTo(after);

        assertThat(get(newer, "id")).isEqualTo(1);
        assertThat(get(newer, "name")).isEqualTo("a");
        assertThat(get(newer, "tags")).isEqualTo(List.of());
        assertThat(get(newer, "rate")).isEqualTo(0.0);
        assertThat(get(after.sendTo(before), "gone")).isEqualTo(7);
    }

    @Test
    void addedFieldsOfUnknownClassesAreSkipped() {
        String unknown = "record Address(String street, int[] codes, Kind kind) {} enum Kind { A, B }"
                + " class Node { Node next; Object[] all = {Kind.B, new Address(\"s\", new int[0], null)}; }"
                + " record Key(int n) implements Comparable<Key> { public int compareTo(Key k) { return n - k.n; } }"
                + " class Odd implements Serializable { transient int x; private void writeObject(ObjectOutputStream o)"
                + " throws IOException { o.defaultWriteObject(); o.writeInt(1); o.writeObject(new Key(1)); } }"
                + " class Ext implements Externalizable { public Ext() {} public void writeExternal(ObjectOutput o)"
                + " throws IOException { o.writeUTF(\"e\"); } public void readExternal(ObjectInput i) {} }"
                + " class Oops extends Exception { Key key = new Key(2); Oops() { super(\"o\", new IOException()); } }";
        Side before = new Side("record Value(String name) {}", "new Value(\"a\")");
        Side after = new Side(
                unknown + " record Value(Address a, Node b, Set<Key> c, Map<Key, Address> d, EnumSet<Kind> e,"
                        + " EnumMap<Kind, Key> f, Key[][] g, Odd h, Ext i, Oops j, Optional<Key> k, Kind l, Kind m,"
                        + " String name, List<Key> z) {"
                        + " static Value make() { Node n = new Node(); n.next = n; Key k = new Key(5);"
                        + " return new Value(new Address(\"s\", new int[] {1}, Kind.A), n, new TreeSet<>(Set.of(k, new"
                        + " Key(6))), Map.of(k, new Address(\"t\", null, Kind.B)), EnumSet.noneOf(Kind.class), new"
                        + " EnumMap<>(Map.of(Kind.A, k)), new Key[][] {{k}}, new Odd(), new Ext(), new Oops(),"
                        + " Optional.of(k), Kind.A, Kind.A, \"b\", List.of(k, k)); } }",
                "Value.make()");

        assertThat(after.sendTo(before)).hasToString("Value[name=b]");
    }

    @Test
    void objectsThatAreFirstMetInASkippedFieldAreStillFound() {
        String item = "record Item(int n) {}";
        Side before = new Side(item + " record Value(List<Item> items) {}", "null");
        Side after = new Side(
                item + " record Value(Item best, List<Item> items) {}"
                        + " class Make { static Value make() { Item i = new Item(4);"
                        + " return new Value(i, List.of(i, i)); } }",
                "Make.make()");

        assertThat(after.sendTo(before)).hasToString("Value[items=[Item[n=4], Item[n=4]]]");
    }

    @Test
    void wideningIsExactAndOtherTypesAreRefusedByField() {
        Side before = new Side(
                "record Value(int a, short b, float c, int d, Integer e, String f, ArrayList<String> g) {}",
                "new Value(1, (short) 2, 3.5f, 4, 5, \"six\", new ArrayList<>(List.of(\"7\")))");
        Side after = new Side(
                "record Value(long a, int b, double c, Integer d, int e, Object f, List<String> g) {}", "null");
        Side narrow = new Side("record Value(int a, byte b) {}", "null");
        Side text = new Side("record Value(String a) {}", "null");

        assertThat(before.sendTo(after)).hasToString("Value[a=1, b=2, c=3.5, d=4, e=5, f=six, g=[7]]");
        assertThatThrownBy(() -> before.sendTo(narrow))
                .isInstanceOf(SerialException.class)
                .hasMessageContaining("type Value differs on the other side: field b is short there and byte here");
        assertThatThrownBy(() -> before.sendTo(text))
                .hasMessageContaining("field a is int there and java.lang.String here");
    }

    @Test
    void valuesThatDoNotFitANarrowerTypeAreRefusedByField() {
        Side before = new Side("record Value(Collection<String> a) {}", "new Value(new TreeSet<>(Set.of(\"x\")))");
        Side after = new Side("record Value(List<String> a) {}", "null");

        assertThatThrownBy(() -> before.sendTo(after))
                .hasMessageContaining("at .a: java.util.TreeSet (expected: java.util.List");
    }

    @Test
    void enumsMatchByName() {
        Side before = new Side("enum Value { RED, GREEN }", "List.of(Value.GREEN, EnumSet.of(Value.GREEN))");
        Side after = new Side("enum Value { BLUE, GREEN, RED }", "Value.BLUE");

        assertThat(before.sendTo(after)).hasToString("[GREEN, [GREEN]]");
        assertThatThrownBy(() -> after.sendTo(before))
                .isInstanceOf(SerialException.class)
                .hasMessageContaining("constant BLUE of Value is not known here");
    }

    @Test
    void constantsThatAreNotSentDoNotMatter() {
        Side before = new Side("enum Value { RED }", "null");
        Side after = new Side(
                "enum Value { BLUE, RED }",
                "List.of(EnumSet.noneOf(Value.class), Value.RED, " + "new EnumMap<Value, String>(Value.class))");

        assertThat(after.sendTo(before)).hasToString("[[], RED, {}]");
    }

    @Test
    void classesThatMustBeOfOneVersionAreRefusedByField() {
        Side before = new Side("@SameVersion record Value(String name) {}", "new Value(\"a\")");
        Side after = new Side("record Value(String name, int count) {}", "new Value(\"a\", 1)");

        assertThatThrownBy(() -> before.sendTo(after))
                .hasMessageContaining("type Value differs on the other side: field count of int is only here, and it"
                        + " is marked @SameVersion");
        assertThatThrownBy(() -> after.sendTo(before)).hasMessageContaining("field count of int is only there");
    }

    @Test
    void serialVersionsThatAreDeclaredMustBeEqual() {
        String text = "class Value implements Serializable { static final long serialVersionUID = %d; int a = 1; %s }";
        Side one = new Side(text.formatted(1, ""), "new Value()");
        Side same = new Side(text.formatted(1, "int b = 9;"), "new Value()");
        Side other = new Side(text.formatted(2, ""), "new Value()");

        assertThat(get(one.sendTo(same), "b")).isEqualTo(9);
        assertThatThrownBy(() -> one.sendTo(other)).hasMessageContaining("its serialVersionUID is 1 there and 2 here");
    }

    @Test
    void classesWithHooksMatchByClassAndField() {
        String hooks = " transient int t; private void writeObject(ObjectOutputStream o) throws IOException {"
                + " o.defaultWriteObject(); o.writeInt(t); } private void readObject(ObjectInputStream i) throws"
                + " IOException, ClassNotFoundException { i.defaultReadObject(); t = i.readInt(); } }";
        Side before = new Side(
                "class Value implements Serializable { int a = 1; int gone = 2; { t = 5; }" + hooks, "new Value()");
        Side after = new Side(
                "class Base implements Serializable { transient int none; private void readObjectNoData() { none = 8; } }"
                        + " class Value extends Base { int a = 3; int b; { t = 6; }" + hooks,
                "new Value()");

        Object newer = before.sendTo(after);

        assertThat(List.of(get(newer, "a"), get(newer, "b"), get(newer, "t"), get(newer, "none")))
                .isEqualTo(List.of(1, 0, 5, 8));
        Object older = after.sendTo(before);
        assertThat(List.of(get(older, "a"), get(older, "gone"), get(older, "t")))
                .isEqualTo(List.of(3, 0, 6));
    }

    @Test
    void exceptionsMatchByName() {
        Side before =
                new Side("class Value extends Exception { int code = 3; Value() { super(\"m\"); } }", "new Value()");
        Side after = new Side(
                "class Value extends Exception { String more; int code; Value() { super(\"m\"); } }", "new Value()");

        Object newer = before.sendTo(after);

        assertThat((Throwable) newer).hasMessage("m");
        assertThat(get(newer, "code")).isEqualTo(3);
    }

    @Test
    void kindsOfClassesThatCannotBeMatchedAreNamed() {
        Side fields = new Side("class Value implements Serializable { int a; }", "new Value()");
        Side hooks = new Side(
                "class Value implements Serializable { int a; private void readObject(ObjectInputStream i) {} }",
                "new Value()");

        assertThatThrownBy(() -> fields.sendTo(hooks))
                .hasMessageContaining(
                        "it is a class without them there and a class with writeObject or readObject here");
    }

    @Test
    void peersThatAnnounceEverNewVersionsTakeNoMemory() {
        Side here = new Side("record Value(String name) {}", "new Value(\"a\")");
        AnnouncedNames names = new AnnouncedNames();
        for (int i = 0; i < 5000; i++) {
            names.announced(i, List.of("Value#r;name/Ljava/lang/String;x" + i + "/I"));
            byte[] bytes = {(byte) (i + 1 & 0x7f | (i + 1 > 127 ? 0x80 : 0)), (byte) (i + 1 >> 7), 1, 3, 'n', 2};
            byte[] small = {(byte) (i + 1), 1, 3, 'n', 2};
            try (ValueReader reader = here.codec.reader(Unpooled.wrappedBuffer(i < 127 ? small : bytes), names)) {
                assertThat(reader.takeObject()).hasToString("Value[name=n]");
            }
        }
    }

    @Test
    void layoutsThatArePoisonAreRefused() {
        Side here = new Side("record Value(String name) {}", "new Value(\"a\")");
        for (String text : List.of(
                "",
                "r",
                "r;",
                "r;name",
                "r;name/",
                "r;name/L",
                "r;name/Q",
                "r;[",
                "r;[x",
                "z;",
                "c1;",
                "r;[Value;wname/I",
                "h;1-1;",
                "v;x;",
                "e;A;",
                "!",
                "r!",
                "t;",
                "s;[;",
                "x;",
                "r;a/[[[[[[[I")) {
            AnnouncedNames names = new AnnouncedNames();
            names.announced(0, List.of("Value#" + text));
            try (ValueReader reader =
                    here.codec.reader(Unpooled.wrappedBuffer(new byte[] {1, 1, 3, 'n', 2, 0, 0, 0}), names)) {
                Object read = reader.takeObject();
                assertThat(read).as(text).isInstanceOf(here.type("Value"));
            } catch (SerialException e) {
                assertThat(e.getMessage()).as(text).isNotBlank();
            }
        }
    }
}
