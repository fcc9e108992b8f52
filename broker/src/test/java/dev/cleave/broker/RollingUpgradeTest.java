package dev.cleave.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.cleave.NoSuchMethodOnServerException;
import dev.cleave.config.Bindings;
import dev.cleave.node.Node;
import dev.cleave.node.NodeOptions;
import dev.cleave.testing.Compiled;
import dev.cleave.transport.Endpoint;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A service whose value class gains and loses a field, and whose interface gains a method, is replaced replica by
 * replica while clients of both versions call it.
 */
@Tag("one-jdk")
class RollingUpgradeTest {

    private static final String BEFORE = """
            import java.util.*; import dev.cleave.*; import dev.cleave.node.Node; import java.util.concurrent.Callable;
            enum Size { SMALL, LARGE }
            record Item(String name, int count, String old, Size size) {}
            class Receipt { Item item; String by; List<Item> all; }
            @Remote interface Shop { Receipt put(Item item, List<Item> more); }
            class Server implements Shop {
                public Receipt put(Item item, List<Item> more) {
                    Receipt r = new Receipt(); r.item = item; r.by = "before"; r.all = more; return r;
                }
            }
            class Client {
                static Object server() { return new Server(); }
                static Callable<String> of(Node node) {
                    Shop shop = node.lookup("shop", Shop.class);
                    return () -> {
                        Item item = new Item("a", 7, "old", Size.LARGE);
                        Receipt r = shop.put(item, List.of(item, item));
                        if (!r.item.name().equals("a") || r.item.count() != 7 || r.item.size() != Size.LARGE
                                || r.all.size() != 2 || r.all.get(0) != r.all.get(1)) {
                            throw new IllegalStateException(r.item + " " + r.all);
                        }
                        return r.by;
                    };
                }
            }
            """;

    private static final String AFTER = """
            import java.util.*; import dev.cleave.*; import dev.cleave.node.Node; import java.util.concurrent.Callable;
            enum Size { TINY, SMALL, LARGE }
            record Tag(String text) {}
            record Item(long count, String name, Size size, Set<Tag> tags) {}
            class Receipt { List<Item> all; Tag tag = new Tag("t"); Item item; String by; }
            @Remote interface Shop { Receipt put(Item item, List<Item> more); int added(int x); }
            class Server implements Shop {
                public Receipt put(Item item, List<Item> more) {
                    Receipt r = new Receipt(); r.item = item; r.by = "after"; r.all = more; return r;
                }
                public int added(int x) { return x + 1; }
            }
            class Client {
                static Object server() { return new Server(); }
                static Callable<Integer> added(Node node) {
                    Shop shop = node.lookup("shop", Shop.class);
                    return () -> shop.added(1);
                }
                static Callable<String> of(Node node) {
                    Shop shop = node.lookup("shop", Shop.class);
                    return () -> {
                        Item item = new Item(7, "a", Size.LARGE, Set.of(new Tag("x")));
                        Receipt r = shop.put(item, List.of(item, item));
                        if (!r.item.name().equals("a") || r.item.count() != 7 || r.item.size() != Size.LARGE
                                || r.all.size() != 2 || r.all.get(0) != r.all.get(1)) {
                            throw new IllegalStateException(r.item + " " + r.all);
                        }
                        return r.by;
                    };
                }
            }
            """;

    private static final int CALLS_PER_SECOND = 500;

    private final List<Node> nodes = new ArrayList<>();

    @TempDir
    Path folder;

    private ClassLoader before;
    private ClassLoader after;
    private Broker broker;

    @BeforeEach
    void compile() {
        before = Compiled.of(folder.resolve("before"), BEFORE).loader();
        // what a receiver widens, int to long, a client of the version before cannot take back: the count stays an int
        after = Compiled.of(folder.resolve("after"), AFTER.replace("long count", "int count"))
                .loader();
    }

    @AfterEach
    void close() {
        nodes.forEach(Node::close);
        broker.close();
    }

    private void start(String route) {
        broker = Broker.start(BrokerOptions.at(Endpoint.tcp("localhost", 0))
                .with(Bindings.parse("services: {shop: {route: " + route + "}}", "cleave.yaml")));
    }

    private Node node(String name) {
        Node node =
                Node.connect(NodeOptions.DEFAULT.withBroker(broker.endpoint()).withName(name));
        nodes.add(node);
        return node;
    }

    private Node serve(String name, ClassLoader version) {
        Node node = node(name);
        node.bind("shop", ask(version, "server", Object.class));
        return node;
    }

    @SuppressWarnings("unchecked")
    private static <T> T ask(ClassLoader version, String method, Class<T> type, Node... node) {
        try {
            Class<?> client = Class.forName("Client", true, version);
            var found =
                    client.getDeclaredMethod(method, node.length == 0 ? new Class<?>[0] : new Class<?>[] {Node.class});
            found.setAccessible(true);
            return (T) found.invoke(null, (Object[]) node);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Calls at a steady rate until it is stopped. */
    private static final class Caller extends Thread {

        private final Callable<String> call;
        private final AtomicBoolean stopped = new AtomicBoolean();
        final ConcurrentLinkedQueue<Throwable> failed = new ConcurrentLinkedQueue<>();
        final AtomicInteger byBefore = new AtomicInteger();
        final AtomicInteger byAfter = new AtomicInteger();

        Caller(Callable<String> call) {
            this.call = call;
            start();
        }

        @Override
        public void run() {
            long next = System.nanoTime();
            while (!stopped.get()) {
                try {
                    (call.call().equals("before") ? byBefore : byAfter).incrementAndGet();
                } catch (Exception | Error e) {
                    failed.add(e);
                }
                next += 1_000_000_000L / CALLS_PER_SECOND;
                LockSupport.parkNanos(next - System.nanoTime());
            }
        }

        void end() throws InterruptedException {
            stopped.set(true);
            join();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"direct", "relay"})
    @SuppressWarnings("unchecked")
    void noCallFails(String route) throws Exception {
        start(route);
        List<Node> old = List.of(serve("a", before), serve("b", before));
        List<Caller> callers = List.of(
                new Caller(ask(before, "of", Callable.class, node("client-before"))),
                new Caller(ask(after, "of", Callable.class, node("client-after"))));

        for (int i = 0; i < old.size(); i++) {
            int calls = 200;
            await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> assertThat(callers)
                    .allSatisfy(
                            c -> assertThat(c.byBefore.get() + c.byAfter.get()).isGreaterThan(calls)));
            serve("new-" + i, after);
            old.get(i).drain();
        }
        await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> assertThat(callers)
                .allSatisfy(c -> assertThat(c.byAfter.get()).isGreaterThan(300)));
        for (Caller each : callers) {
            each.end();
        }

        assertThat(callers).allSatisfy(c -> assertThat(c.failed).isEmpty());
        assertThat(callers).allSatisfy(c -> assertThat(c.byBefore.get()).isPositive());
    }

    @Test
    @SuppressWarnings("unchecked")
    void methodsThatTheServerLacksAreNamedWithItsVersion() {
        start("direct");
        serve("a", before);
        Callable<Integer> added = ask(after, "added", Callable.class, node("client"));

        assertThatThrownBy(added::call)
                .isInstanceOf(NoSuchMethodOnServerException.class)
                .hasMessageContaining(
                        "service shop has no method added(I)I (is the client newer than the server? Shop has"
                                + " no method of this name there)");
    }
}
