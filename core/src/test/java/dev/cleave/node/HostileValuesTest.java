package dev.cleave.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cleave.CallException;
import dev.cleave.DeadlineException;
import dev.cleave.RefusedTypeException;
import dev.cleave.Remote;
import dev.cleave.config.Bindings;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.Transport;
import dev.cleave.transport.netty.NettyTransport;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Values that are not what is declared, or take longer to read than the call may. */
@Tag("one-jdk")
class HostileValuesTest extends NodesUnderTest {

    private static final int MANY = 500;
    private static final AtomicInteger MADE = new AtomicInteger();
    private static volatile long nanosEach;

    /** Takes a while to be made. */
    record Slow(int id) {
        Slow {
            MADE.incrementAndGet();
            long begun = System.nanoTime();
            while (System.nanoTime() - begun < nanosEach) {
                Thread.onSpinWait();
            }
        }
    }

    @Remote
    interface Listener<T> {
        void tell(T text);
    }

    /** It stays where it is; its state is no business of those that it is passed to. */
    private static final class Listening implements Listener<String> {

        private final List<Object> state = new ArrayList<>();

        Listening() {
            Object shared = "x";
            for (int i = 0; i < 30; i++) {
                shared = new Object[] {shared, shared};
            }
            state.add(shared);
        }

        @Override
        public void tell(String text) {}

        @Override
        public int hashCode() {
            return state.size() + System.identityHashCode(this) + (state.get(0) == this ? 1 : 0);
        }

        @Override
        public boolean equals(Object other) {
            return this == other;
        }
    }

    @Remote
    interface Holder<T> {
        void keep(T value);
    }

    @Remote
    interface Shop extends Holder<List<String>> {
        int texts(List<String> texts);

        List<String> polluted();

        CompletableFuture<List<String>> pollutedLater();

        int slow(List<Slow> values);

        List<Slow> slowResult();

        Set<Object> hostile();

        Set<Listener<String>> back(Set<Listener<String>> listeners);

        int calls();
    }

    private static final class Served implements Shop {

        private final AtomicInteger calls = new AtomicInteger();

        @Override
        public void keep(List<String> value) {
            calls.incrementAndGet();
        }

        @Override
        public int texts(List<String> texts) {
            calls.incrementAndGet();
            return texts.size();
        }

        @Override
        public List<String> polluted() {
            return strings("a", 7);
        }

        @Override
        public CompletableFuture<List<String>> pollutedLater() {
            return CompletableFuture.completedFuture(strings("a", 7));
        }

        @Override
        public int slow(List<Slow> values) {
            return calls.incrementAndGet();
        }

        @Override
        public List<Slow> slowResult() {
            return manySlow();
        }

        @Override
        public Set<Object> hostile() {
            Set<Object> root = new HashSet<>();
            Set<Object> one = root;
            Set<Object> two = new HashSet<>();
            for (int i = 0; i < 55; i++) {
                Set<Object> first = new HashSet<>(Set.of("a"));
                Set<Object> second = new HashSet<>();
                one.addAll(List.of(first, second));
                two.addAll(List.of(first, second));
                one = first;
                two = second;
            }
            return root;
        }

        @Override
        public Set<Listener<String>> back(Set<Listener<String>> listeners) {
            return listeners;
        }

        @Override
        public int calls() {
            return calls.get();
        }
    }

    @Override
    Transport transport() {
        return NettyTransport.create();
    }

    @Override
    Endpoint door() {
        return Endpoint.tcp("localhost", 0);
    }

    @AfterEach
    void hurry() {
        nanosEach = 0;
    }

    @SuppressWarnings("unchecked")
    private static List<String> strings(Object... elements) {
        return (List<String>) (List<?>) new ArrayList<>(Arrays.asList(elements));
    }

    private static List<Slow> manySlow() {
        long each = nanosEach;
        nanosEach = 0;
        List<Slow> values = IntStream.range(0, MANY).mapToObj(Slow::new).toList();
        nanosEach = each;
        MADE.set(0);
        return values;
    }

    private Shop shop() {
        node(NodeOptions.DEFAULT.withName("one").withCapacity(1, 8)).bind("shop", new Served());
        client = node(NodeOptions.DEFAULT
                .withName("client")
                .withBindings(Bindings.parse(
                        "services: {shop: {methods: {slow: {deadline: 5s}, slowResult: {deadline: 5s}}}}",
                        "cleave.yaml")));
        return client.lookup("shop", Shop.class);
    }

    @Test
    void argumentsThatAreNotWhatIsDeclaredAreRefusedBeforeTheMethodBegins() {
        Shop shop = shop();

        assertThatThrownBy(() -> shop.texts(strings("a", 7)))
                .isInstanceOfSatisfying(RefusedTypeException.class, e -> assertThat(e.notExecuted())
                        .isTrue())
                .hasMessageContaining("Shop.texts: parameter 1 (texts), at [1]: java.lang.Integer"
                        + " (expected: java.lang.String, as it is declared)");
        assertThatThrownBy(() -> shop.keep(strings("a", 7)))
                .isInstanceOf(RefusedTypeException.class)
                .hasMessageContaining("at [1]: java.lang.Integer (expected: java.lang.String, as it is declared)");
        assertThat(shop.calls()).isZero();
        assertThat(shop.texts(strings("a", null))).isEqualTo(2);
    }

    @Test
    void resultsThatAreNotWhatIsDeclaredAreRefused() {
        Shop shop = shop();
        String text = "result: at [1]: java.lang.Integer (expected: java.lang.String, as it is declared)";

        assertThatThrownBy(shop::polluted)
                .isInstanceOf(RefusedTypeException.class)
                .hasMessageContaining(text);
        assertThatThrownBy(() -> shop.pollutedLater().get(30, TimeUnit.SECONDS))
                .hasCauseInstanceOf(RefusedTypeException.class)
                .hasMessageContaining(text);
    }

    @Test
    void aResultThatTakesTooMuchWorkIsRefused() {
        assertThatThrownBy(shop()::hostile)
                .isInstanceOf(RefusedTypeException.class)
                .hasMessageContaining("result: a collection whose elements take more work to hash")
                .hasMessageContaining("-Dcleave.decode.steps");
    }

    @Test
    void whatReferencesStandForIsNotLookedInto() {
        Set<Listener<String>> listeners = new HashSet<>(Set.of(new Listening(), new Listening()));

        assertThat(shop().back(listeners)).isEqualTo(listeners);
    }

    @Test
    void argumentsAreReadUntilTheDeadline() {
        Shop shop = shop();
        List<Slow> values = manySlow();
        nanosEach = 100_000_000;

        assertThatThrownBy(() -> shop.slow(values)).isInstanceOf(DeadlineException.class);
        assertThat(shop.calls()).isZero(); // the only worker is free again
        assertThat(MADE.get()).isPositive().isLessThan(MANY);
    }

    @Test
    void resultsAreReadUntilTheDeadline() {
        Shop shop = shop();
        nanosEach = 100_000_000;

        assertThatThrownBy(shop::slowResult)
                .isInstanceOfSatisfying(DeadlineException.class, e -> assertThat(((CallException) e).maybeExecuted())
                        .isFalse())
                .hasMessageContaining("result: deadline passed while it was read");
        assertThat(MADE.get()).isPositive().isLessThan(MANY);
    }
}
