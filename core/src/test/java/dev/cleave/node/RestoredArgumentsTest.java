package dev.cleave.node;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cleave.Cleave;
import dev.cleave.InOut;
import dev.cleave.Later;
import dev.cleave.OneWay;
import dev.cleave.Out;
import dev.cleave.Pending;
import dev.cleave.Priority;
import dev.cleave.Remote;
import dev.cleave.call.Handle;
import dev.cleave.testing.FakeBroker;
import dev.cleave.testing.Seed;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.Transport;
import dev.cleave.transport.local.LocalTransport;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Arguments that are copied back: what a method changes at the server is what the caller then sees. */
@Tag("one-jdk")
class RestoredArgumentsTest {

    private final Real real = new Real();
    private Transport transport;
    private FakeBroker broker;
    private Node server;
    private Node client;
    private Work work;

    /** Refers to others, as many of them as there are fields for. */
    static final class Item {

        private String name = "";
        private int number;
        private Item next;
        private double[] values;
        private List<Item> parts = new ArrayList<>();
        private Map<String, Item> named = new HashMap<>();

        @Override
        public String toString() {
            return name + number;
        }
    }

    /** Has an array that can change. */
    record Box(String name, int[] numbers, Item item) {}

    /** Changes its arguments. */
    @Remote
    interface Work {

        int sort(@InOut int[] values);

        void fill(@Out double[] values, double first);

        boolean rows(@InOut long[][] values, @Out int[][] counts);

        void names(@Out String[] names, @InOut List<String> list);

        Item change(@InOut Item item, int seed);

        void both(@InOut Item one, @InOut Item other, int seed);

        String box(@InOut Box box);

        void fail(@InOut int[] values, @Out int[] others) throws java.io.IOException;

        @Priority("rank")
        double rated(@Out double[] values, int rank);

        int objects(@InOut Object[] values);
    }

    /** Does it. */
    static final class Real implements Work {

        @Override
        public int sort(int[] values) {
            Arrays.sort(values);
            return values.length;
        }

        @Override
        public void fill(double[] values, double first) {
            for (int i = 0; i < values.length; i++) {
                values[i] += i == 3 ? 0 : first + i;
            }
        }

        @Override
        public boolean rows(long[][] values, int[][] counts) {
            for (int i = 0; i < values.length; i++) {
                if (values[i] != null && counts[i] != null) {
                    Arrays.sort(values[i]);
                    counts[i][0] = values[i].length;
                }
            }
            values[0] = values[values.length - 1];
            values[values.length - 1] = new long[] {7};
            return counts[0] == null;
        }

        @Override
        public void names(String[] names, List<String> list) {
            names[1] = list.get(0);
            list.remove(0);
            list.add("new");
        }

        @Override
        public Item change(Item item, int seed) {
            return changed(item, new Random(seed));
        }

        @Override
        public void both(Item one, Item other, int seed) {
            Item swapped = one.next;
            one.next = other.next;
            other.next = swapped;
            changed(one, new Random(seed));
            changed(other, new Random(seed + 1));
        }

        @Override
        public String box(Box box) {
            box.numbers()[1]++;
            box.item().name = "boxed";
            return box.name();
        }

        @Override
        public void fail(int[] values, int[] others) throws java.io.IOException {
            values[0] = 9;
            others[0] = 9;
            throw new java.io.IOException("half way");
        }

        @Override
        public double rated(double[] values, int rank) {
            values[0] = 5;
            return values.length;
        }

        @Override
        public int objects(Object[] values) {
            values[0] = values[1];
            values[1] = "x";
            return values.length;
        }
    }

    @BeforeEach
    void connect() {
        transport = LocalTransport.create();
        broker = FakeBroker.start(transport, Endpoint.local("broker"));
        server = Node.connect(options("server"));
        server.bind("work", real);
        client = Node.connect(options("client"));
        work = client.lookup("work", Work.class);
    }

    private NodeOptions options(String name) {
        return NodeOptions.DEFAULT.withName(name).withBroker(broker.endpoint()).withTransport(transport);
    }

    @AfterEach
    void close() {
        client.close();
        server.close();
        broker.close();
        transport.close();
        Buffers.assertNoneInUse();
    }

    @Test
    void anArrayIsChangedWhereItIs() {
        int[] values = {3, 1, 2};

        assertThat(work.sort(values)).isEqualTo(3);
        assertThat(values).containsExactly(1, 2, 3);
        assertThat(work.sort(values)).isEqualTo(3);
        assertThat(values).containsExactly(1, 2, 3);
        assertThatThrownBy(() -> work.sort(null)).isInstanceOf(NullPointerException.class);
    }

    @Test
    void largeArraysAreRestoredToo() {
        int[] values =
                new Random(Seed.of(RestoredArgumentsTest.class)).ints(200_000).toArray();
        int[] expected = values.clone();
        Arrays.sort(expected);

        work.sort(values);

        assertThat(values).isEqualTo(expected);
    }

    @Test
    void anOutArrayGoesAsItsLengthAndIsOverwritten() {
        double[] values = {9, 9, 9, 9, 9};

        work.fill(values, 1);

        assertThat(values).containsExactly(1, 2, 3, 0, 5);
        assertThat(work.rated(values, 1)).isEqualTo(5);
        assertThat(values).containsExactly(5, 0, 0, 0, 0);
    }

    @Test
    void rowsKeepTheirIdentity() {
        long[] first = {2, 1};
        long[] last = {5, 4, 3};
        long[][] values = {first, null, last};
        int[][] counts = {{8}, {8}, {8, 8}};
        int[] count = counts[2];

        assertThat(work.rows(values, counts)).isFalse();

        assertThat(values[0]).isSameAs(last).containsExactly(3, 4, 5);
        assertThat(first).containsExactly(1, 2);
        assertThat(values[2]).containsExactly(7);
        assertThat(counts).isDeepEqualTo(new int[][] {{2}, {0}, {3, 0}});
        assertThat(counts[2]).isSameAs(count);
        String[] names = {"a", "b", "c"};
        List<String> list = new ArrayList<>(List.of("one", "two"));
        work.names(names, list);
        assertThat(names).containsExactly(null, "one", null);
        assertThat(list).containsExactly("two", "new");
        Object shared = new int[] {1};
        Object[] objects = {0, shared};
        assertThat(work.objects(objects)).isEqualTo(2);
        assertThat(objects[0]).isSameAs(shared);
        assertThat(objects[1]).isEqualTo("x");
    }

    @Test
    void partsOfRecordsAreRestored() {
        Box box = new Box("box", new int[] {1, 2, 3}, new Item());

        assertThat(work.box(box)).isEqualTo("box");

        assertThat(box.numbers()).containsExactly(1, 3, 3);
        assertThat(box.item().name).isEqualTo("boxed");
    }

    @Test
    void nothingIsRestoredWhenTheMethodThrows() {
        int[] values = {1, 2};
        int[] others = {3, 4};

        assertThatThrownBy(() -> work.fail(values, others)).hasMessage("half way");

        assertThat(values).containsExactly(1, 2);
        assertThat(others).containsExactly(3, 4);
    }

    @Test
    void asynchronousCallsRestoreWhenTheyAreAwaited() {
        int[] values = {3, 1, 2};

        Pending<Integer> pending = Cleave.async(() -> work.sort(values));

        assertThat(pending.await()).isEqualTo(3);
        assertThat(values).containsExactly(1, 2, 3);
    }

    @Test
    void callsThatAreSentAheadRestoreWhenTheyAreAwaited() throws Throwable {
        int[] values = {3, 1, 2};
        int[] others = {9, 8};

        Handle first = sent("sort", values);
        Handle second = sent("sort", others);
        assertThat(second.awaitInt()).isEqualTo(2);
        assertThat(values).containsExactly(3, 1, 2);
        assertThat(first.awaitInt()).isEqualTo(3);

        assertThat(values).containsExactly(1, 2, 3);
        assertThat(others).containsExactly(8, 9);
    }

    @Test
    void theAwaitChangesTheArrayThatTheProgramHasComeWith() throws Throwable {
        int[] copy = {3, 1, 2};
        int[] own = copy.clone();
        long[][] values = {{2, 1}, {3}};
        int[][] counts = new int[2][1];
        Handle sort = sent("sort", copy);
        Handle rows = sent("rows", new long[][] {{2, 1}, {3}}, new int[2][1]);

        sort.restoresInto(0, own);
        assertThat(sort.awaitInt()).isEqualTo(3);
        rows.restoresInto(0, values);
        rows.restoresInto(1, counts);
        assertThat(rows.awaitInt()).isZero();

        assertThat(own).containsExactly(1, 2, 3);
        assertThat(copy).containsExactly(3, 1, 2);
        assertThat(values).isDeepEqualTo(new long[][] {{3}, {7}});
        assertThat(counts).isDeepEqualTo(new int[][] {{2}, {1}});
    }

    @Test
    void nothingIsRestoredByACallThatIsSentAheadAndDiscarded() throws Throwable {
        int[] values = {3, 1, 2};

        sent("sort", values).discard();

        assertThat(values).containsExactly(3, 1, 2);
    }

    @Test
    void anArgumentThatCannotBeRestoredIsNotSentAhead() throws Throwable {
        int[] out = {1};

        assertThat(sentOrNull("rows", new long[][] {{1}}, new int[][] {out, out}))
                .isNull();
    }

    private Handle sent(String method, Object... arguments) throws Throwable {
        return requireNonNull(sentOrNull(method, arguments));
    }

    private @Nullable Handle sentOrNull(String method, Object... arguments) throws Throwable {
        Method send = Arrays.stream(work.getClass().getMethods())
                .filter(each -> each.getName().equals(method + "$send"))
                .findAny()
                .orElseThrow();
        return (Handle) send.invoke(work, arguments);
    }

    @Test
    void anOutArrayThatIsGivenTwiceIsRefused() {
        long[] row = {1};
        int[] out = {1};

        assertThatThrownBy(() -> work.rows(new long[][] {row, row}, new int[][] {out, out}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("an array of an @Out parameter is given twice (expected: once)");
        assertThat(work.rows(new long[][] {row, row}, new int[2][1])).isFalse();
    }

    @Test
    void graphsOfObjectsAreWhatALocalCallWouldLeave() {
        for (int i = 0; i < 60; i++) {
            int seed = (int) Seed.of(RestoredArgumentsTest.class) + i;
            Item here = made(new Random(seed));
            Item there = made(new Random(seed));

            Item local = real.change(here, seed);
            Item remote = work.change(there, seed);

            assertThat(drawn(List.of(there, remote))).as("seed %s", seed).isEqualTo(drawn(List.of(here, local)));
        }
    }

    @Test
    void graphsThatShareObjectsAreWhatALocalCallWouldLeave() {
        for (int i = 0; i < 60; i++) {
            int seed = (int) Seed.of(RestoredArgumentsTest.class) + i;
            BiConsumer<Work, Item> call = (service, item) -> service.both(item, item.next, seed);
            Item here = made(new Random(seed));
            Item there = made(new Random(seed));
            here.next = here.next == null ? here : here.next;
            there.next = there.next == null ? there : there.next;

            call.accept(real, here);
            call.accept(work, there);

            assertThat(drawn(List.of(there))).as("seed %s", seed).isEqualTo(drawn(List.of(here)));
        }
    }

    /** A graph of a few items. */
    private static Item made(Random random) {
        List<Item> items = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            Item item = new Item();
            item.name = "i" + i;
            item.values = random.nextBoolean() ? null : random.doubles(40).toArray();
            items.add(item);
        }
        for (Item item : items) {
            item.next = random.nextInt(3) == 0 ? null : items.get(random.nextInt(6));
            for (int i = random.nextInt(3); i > 0; i--) {
                item.parts.add(items.get(random.nextInt(6)));
            }
            if (item.values == null && random.nextBoolean()) {
                item.values = items.get(random.nextInt(6)).values;
            }
        }
        return items.get(0);
    }

    /** Changes some items that can be reached, and adds new ones that lead back to old ones. */
    private static Item changed(Item root, Random random) {
        List<Item> all = reached(List.of(root));
        for (int i = 0; i < 6; i++) {
            Item item = all.get(random.nextInt(all.size()));
            Item other = all.get(random.nextInt(all.size()));
            switch (random.nextInt(7)) {
                case 0 -> item.number++;
                case 1 -> item.next = other;
                case 2 -> item.parts.add(other);
                case 3 -> {
                    Item fresh = new Item();
                    fresh.name = "new" + i;
                    fresh.next = other;
                    fresh.parts.add(item);
                    fresh.values = other.values;
                    item.next = fresh;
                }
                case 4 -> {
                    if (item.values != null) {
                        item.values[random.nextInt(item.values.length)] = i;
                    }
                }
                case 5 -> item.values = new double[] {i, -0.0, Double.NaN};
                default -> item.parts.clear();
            }
        }
        return all.get(random.nextInt(all.size()));
    }

    private static List<Item> reached(List<Item> roots) {
        List<Item> all = new ArrayList<>();
        roots.forEach(root -> add(root, all));
        for (int i = 0; i < all.size(); i++) {
            add(all.get(i).next, all);
            int at = i;
            all.get(at).parts.forEach(part -> add(part, all));
        }
        return all;
    }

    private static void add(Item item, List<Item> all) {
        if (item != null && all.stream().noneMatch(each -> each == item)) {
            all.add(item);
        }
    }

    /** Draws a graph as text: equal for graphs of equal values and shape. */
    private static String drawn(List<Item> roots) {
        List<Item> all = reached(roots);
        List<double[]> arrays = new ArrayList<>();
        StringBuilder text = new StringBuilder();
        for (Item item : all) {
            int array = -1;
            for (int i = 0; i < arrays.size(); i++) {
                array = arrays.get(i) == item.values ? i : array;
            }
            if (item.values != null && array < 0) {
                arrays.add(item.values);
            }
            text.append(item)
                    .append(" next ")
                    .append(indexOf(item.next, all))
                    .append(" array ")
                    .append(array);
            text.append(' ').append(Arrays.toString(item.values));
            item.parts.forEach(part -> text.append(" part ").append(indexOf(part, all)));
            text.append('\n');
        }
        return text.toString();
    }

    private static int indexOf(Item item, List<Item> all) {
        for (int i = 0; i < all.size(); i++) {
            if (all.get(i) == item) {
                return i;
            }
        }
        return -1;
    }

    @Test
    void mapsAreRestoredAsAWhole() {
        Item item = new Item();
        Item inner = new Item();
        inner.name = "inner";
        item.named.put("a", inner);
        item.next = inner;
        Map<String, Item> map = item.named;

        work.change(item, 1);

        assertThat(item.named).isSameAs(map).containsOnlyKeys("a");
        assertThat(map.get("a")).isSameAs(inner);
    }

    /** Each has a mistake. */
    @Remote
    interface OutObject {

        void take(@Out Item item);
    }

    @Remote
    interface InOutText {

        void take(@InOut String text);
    }

    @Remote
    interface InOutLater {

        void take(@InOut @Later int[] values);
    }

    @Remote
    interface InOutOneWay {

        @OneWay
        void take(@InOut int[] values);
    }

    @Remote
    interface InOutFuture {

        CompletableFuture<Integer> take(@InOut int[] values);
    }

    @Test
    void mistakesAreFoundWhenTheInterfaceIsRead() {
        assertThatThrownBy(() -> client.expect("x", OutObject.class))
                .hasMessage(
                        "OutObject.take: parameter 1 is @Out and a Item (expected: an array; @InOut restores objects)");
        assertThatThrownBy(() -> client.expect("x", InOutText.class))
                .hasMessageContaining("parameter 1 is @InOut and a String, which cannot change");
        assertThatThrownBy(() -> client.expect("x", InOutLater.class))
                .hasMessageContaining("@Out and @InOut cannot be used with values that are streamed");
        assertThatThrownBy(() -> client.expect("x", InOutOneWay.class))
                .hasMessageContaining("@Out and @InOut cannot be used with @OneWay");
        assertThatThrownBy(() -> client.expect("x", InOutFuture.class))
                .hasMessageContaining("@Out and @InOut cannot be used with a future as its result");
    }
}
