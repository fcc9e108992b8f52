package dev.cleave.serial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cleave.Later;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What arrives where a type with type arguments is declared. */
class DeclaredTypesTest {

    enum Color {
        RED
    }

    enum Size {
        BIG
    }

    record Names(List<String> names) {
        Names {
            names.forEach(String::length); // must not see anything else
        }
    }

    record Box<T>(T content) {}

    sealed interface Held<T> permits HeldText, HeldAny {}

    record HeldText(String text) implements Held<String> {}

    record HeldAny<X>(int id, List<X> all) implements Held<X> {}

    static class Page<T> {
        List<T> items = new ArrayList<>();
        T[] raw;
        Page<List<T>> next; // a type that grows
        Page<Set<T>> other;
    }

    static class TextPage extends Page<String> {
        Map<String, Integer> counts = new HashMap<>();
    }

    record Cell(Later.Value<List<String>> later) {}

    record Two(List<String> first, Object second) {}

    record Turned(Object first, List<String> second) {}

    interface Base<T> {
        void put(T value);

        void putAll(Collection<? extends T> values);
    }

    interface Shop extends Base<String> {
        void texts(List<String> it);

        void counts(Map<String, Integer> it);

        void upper(List<? extends Number> it);

        void lower(List<? super Integer> it);

        void any(List<?> it);

        @SuppressWarnings("rawtypes")
        void raw(List it);

        void objects(List<Object> it);

        void nested(Map<String, List<Optional<String>>> it);

        void optional(Optional<String> it);

        void colors(EnumSet<Color> it);

        void colorMap(EnumMap<Color, String> it);

        void names(List<Names> it);

        void box(Box<String> it);

        void wildBox(Box<?> it);

        void intBox(Box<Integer> it);

        void arrays(List<String>[] it);

        void strings(Object[] it);

        void held(Held<Integer> it);

        void heldText(Held<String> it);

        void page(Page<String> it);

        void textPage(TextPage it);

        void cells(List<Cell> it);

        void two(Two it);

        void turned(Turned it);

        <E extends Number & Comparable<E>> void bounded(List<E> it);

        <E> void generic(List<E> it, E[] more);

        void comparable(Comparable<String> it);

        void iterable(Iterable<String> it);
    }

    private static Type declared(String method) {
        return Arrays.stream(Shop.class.getMethods())
                .filter(m -> m.getName().equals(method))
                .map(Method::getGenericParameterTypes)
                .findFirst()
                .orElseThrow()[0];
    }

    private static Object pass(String method, Object value) {
        Bench bench = Bench.allowing(
                List.of(
                        Turned.class,
                        Names.class,
                        Box.class,
                        HeldText.class,
                        HeldAny.class,
                        Page.class,
                        TextPage.class,
                        Cell.class),
                declared(method),
                Color.class,
                Size.class);
        return bench.read(bench.write(value), Declared.of(declared(method), Shop.class, "Shop." + method));
    }

    private static <T> Page<T> page(T item) {
        Page<T> page = new Page<>();
        page.items.add(item);
        return page;
    }

    private static void refuses(String method, Object value, String text) {
        assertThatThrownBy(() -> pass(method, value))
                .isInstanceOf(SerialException.class)
                .hasMessage("Shop." + method + text + ", as it is declared)");
    }

    private static List<Object> polluted() {
        return new ArrayList<>(List.of("a", "b", 7));
    }

    private static List<List<?>> lists() {
        List<List<?>> lists = new ArrayList<>();
        lists.add(polluted());
        lists.add(List.of("a", "b", 7));
        lists.add(Arrays.asList("a", "b", 7));
        lists.add(Collections.unmodifiableList(polluted()));
        lists.add(Stream.of("a", "b", 7).toList());
        lists.add(new java.util.LinkedList<>(polluted()));
        lists.add(new java.util.concurrent.CopyOnWriteArrayList<>(polluted()));
        return lists;
    }

    @ParameterizedTest
    @MethodSource("lists")
    void listsOfAllKindsHaveTheElementsThatAreDeclared(List<?> list) {
        refuses("texts", list, ", at [2]: java.lang.Integer (expected: java.lang.String");
        refuses("iterable", list, ", at [2]: java.lang.Integer (expected: java.lang.String");
        refuses("putAll", list, ", at [2]: java.lang.Integer (expected: java.lang.String");
        refuses("upper", list, ", at [0]: java.lang.String (expected: java.lang.Number");
        for (String method : List.of("any", "raw", "objects", "lower", "generic")) {
            assertThat(pass(method, list)).isEqualTo(list);
        }
    }

    @Test
    void setsMapsOptionalsAndArraysHaveThePartsThatAreDeclared() {
        refuses("put", 7, ": java.lang.Integer (expected: java.lang.String");
        refuses("texts", new HashSet<>(), ": java.util.HashSet (expected: java.util.List<java.lang.String>");
        refuses("iterable", new HashSet<>(Set.of(7)), ", at [0]: java.lang.Integer (expected: java.lang.String");
        refuses("iterable", Set.of(7), ", at [0]: java.lang.Integer (expected: java.lang.String");
        for (Map<Object, Object> map : List.of(new HashMap<>(), new LinkedHashMap<>(), new TreeMap<>())) {
            map.put(1, 1);
            refuses("counts", map, ", at [key 0]: java.lang.Integer (expected: java.lang.String");
            map.clear();
            map.put("1", "2");
            refuses("counts", map, ", at [value 0]: java.lang.String (expected: java.lang.Integer");
        }
        refuses("counts", Map.of("a", 1L), ", at [value 0]: java.lang.Long (expected: java.lang.Integer");
        refuses(
                "nested",
                Map.of("a", List.of(Optional.of(3))),
                ", at [value 0][0][value]: java.lang.Integer (expected: java.lang.String");
        refuses("optional", Optional.of(3), ", at [value]: java.lang.Integer (expected: java.lang.String");
        refuses(
                "arrays",
                new List<?>[] {List.of("a"), List.of(1)},
                ", at [1][0]: java.lang.Integer (expected: java.lang.String");
        refuses("comparable", 7, ": java.lang.Integer (expected: java.lang.Comparable<java.lang.String>");
        refuses("bounded", List.of("x"), ", at [0]: java.lang.String (expected: java.lang.Number");

        assertThat(pass("nested", Map.of("a", List.of(Optional.of("x"), Optional.empty()))))
                .isEqualTo(Map.of("a", List.of(Optional.of("x"), Optional.empty())));
        assertThat(pass("texts", Arrays.asList("x", null))).isEqualTo(Arrays.asList("x", null));
        assertThat(pass("strings", new String[] {"x"})).isEqualTo(new String[] {"x"});
        assertThat(pass("comparable", "x")).isEqualTo("x");
        assertThat(pass("bounded", List.of(1, 2))).isEqualTo(List.of(1, 2));
    }

    @Test
    void setsAndMapsOfEnumsAreOfTheEnumThatIsDeclared() {
        String text = ", at [0]: " + Size.class.getName() + " (expected: " + Color.class.getName();
        refuses("colors", EnumSet.of(Size.BIG), text);
        refuses("colors", EnumSet.noneOf(Size.class), text);
        refuses("colorMap", new EnumMap<>(Map.of(Size.BIG, "x")), text.replace("[0]", "[key 0]"));

        assertThat(pass("colors", EnumSet.noneOf(Color.class))).isEqualTo(EnumSet.noneOf(Color.class));
        assertThat(pass("colorMap", new EnumMap<>(Map.of(Color.RED, "x")))).isEqualTo(Map.of(Color.RED, "x"));
    }

    @Test
    @SuppressWarnings({"unchecked", "rawtypes"})
    void fieldsHaveThePartsThatTheirClassDeclares() throws Exception {
        List<String> names = new ArrayList<>(List.of("a"));
        List<Names> all = List.of(new Names(names));
        ((List) names).add(7);
        String at = ".names[1]: java.lang.Integer (expected: java.lang.String";
        refuses("names", all, ", at [0]" + at);
        refuses("objects", all, ", at [0]" + at);
        refuses("any", all, ", at [0]" + at);

        TextPage page = new TextPage();
        ((Map) page.counts).put("a", "b");
        refuses("textPage", page, ", at .counts[value 0]: java.lang.String (expected: java.lang.Integer");
        page.counts.clear();
        ((List) page.items).add(3);
        refuses("textPage", page, ", at .items[0]: java.lang.Integer (expected: java.lang.String");
        refuses("page", page, ", at .items[0]: java.lang.Integer (expected: java.lang.String");
    }

    @Test
    @SuppressWarnings({"unchecked", "rawtypes"})
    void typeVariablesAreWhatTheDeclarationSays() {
        refuses("box", new Box<>(7), ", at .content: java.lang.Integer (expected: java.lang.String");
        refuses("intBox", new Box<>("x"), ", at .content: java.lang.String (expected: java.lang.Integer");
        assertThat(pass("wildBox", new Box<>(7))).isEqualTo(new Box<>(7));
        assertThat(pass("objects", List.of(new Box<>(7), new Box<>("x"))))
                .isEqualTo(List.of(new Box<>(7), new Box<>("x")));

        refuses(
                "held",
                new HeldText("x"),
                ": " + HeldText.class.getName() + " (expected: " + Held.class.getName() + "<java.lang.Integer>");
        refuses("held", new HeldAny<>(1, List.of("x")), ", at .all[0]: java.lang.String (expected: java.lang.Integer");
        assertThat(pass("held", new HeldAny<>(1, List.of(7)))).isEqualTo(new HeldAny<>(1, List.of(7)));
        assertThat(pass("heldText", new HeldText("x"))).isEqualTo(new HeldText("x"));

        Page<String> page = page("a");
        page.raw = (String[]) null;
        page.next = page(List.of("b"));
        page.next.next = page(List.of(List.of("c")));
        assertThat(((Page<String>) pass("page", page)).next.next.items).isEqualTo(page.next.next.items);
        ((Page) page.next).items.add(List.of(3));
        refuses("page", page, ", at .next.items[1][0]: java.lang.Integer (expected: java.lang.String");
    }

    @Test
    @SuppressWarnings({"unchecked", "rawtypes"})
    void anArrayOfObjectsMayStandForAnArrayOfATypeVariable() {
        Page page = page("a");
        page.raw = new Object[] {"x"};
        assertThat(((Page) pass("page", page)).raw).isEqualTo(new Object[] {"x"});

        page.raw = new Object[] {3};
        refuses("page", page, ", at .raw[0]: java.lang.Integer (expected: java.lang.String");
    }

    @Test
    void typesThatGrowWithoutEndEnd() {
        Page<Object> first = new Page<>();
        Page<Object> page = first;
        for (int i = 0; i < 50; i++) {
            @SuppressWarnings({"unchecked", "rawtypes"})
            Page<Object> next = (Page) new Page<>();
            setNext(page, next, i);
            page = next;
        }
        setNext(page, first, 0);

        assertThat(pass("page", first)).isInstanceOf(Page.class);
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static void setNext(Page page, Page next, int turn) {
        if (turn % 2 == 0) {
            page.next = next;
        } else {
            page.other = next;
        }
    }

    @Test
    void anObjectThatIsThereTwiceIsWhatBothPlacesDeclare() {
        String twice = ", at an object that is referred to twice";
        List<Object> shared = polluted();
        @SuppressWarnings({"unchecked", "rawtypes"})
        Turned hostile = new Turned(shared, (List) shared);
        refuses("turned", hostile, twice + ": java.lang.Integer (expected: java.lang.String");
        @SuppressWarnings({"unchecked", "rawtypes"})
        Two later = new Two((List) new ArrayList<>(List.of("a")), null);
        assertThat(pass("two", later)).isEqualTo(later);

        List<Object> within = new ArrayList<>(); // is not complete when it is referred to
        @SuppressWarnings({"unchecked", "rawtypes"})
        Turned cyclic = new Turned(null, (List) within);
        within.add(cyclic);
        refuses("any", within, twice + ": " + Turned.class.getName() + " (expected: java.lang.String");

        List<String> honest = new ArrayList<>(List.of("a"));
        assertThat(pass("turned", new Turned(honest, honest))).isEqualTo(new Turned(honest, honest));
    }

    @Test
    @SuppressWarnings({"unchecked", "rawtypes"})
    void laterValuesAreWhatIsDeclared() {
        Later.Value<List<String>> value = (Later.Value) Later.Value.of(polluted());
        assertThatThrownBy(() -> pass("cells", List.of(new Cell(value))))
                .hasMessageContaining("at [2]: java.lang.Integer (expected: java.lang.String");
    }
}
