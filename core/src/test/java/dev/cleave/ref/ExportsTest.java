package dev.cleave.ref;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cleave.call.Link;
import dev.cleave.call.LinkContext;
import dev.cleave.call.LinkOwner;
import dev.cleave.call.PeerTables;
import dev.cleave.ref.Exports.Departed;
import dev.cleave.serial.Passing;
import dev.cleave.serial.Reference;
import dev.cleave.stream.ReceiveBudget;
import dev.cleave.testing.FakeTimer;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.Listener;
import dev.cleave.transport.local.LocalTransport;
import dev.cleave.wire.Hello;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How long an object lives that peers hold. */
@Tag("one-jdk")
class ExportsTest {

    private final LocalTransport transport = LocalTransport.create();
    private final FakeTimer timer = new FakeTimer();
    private final Exports exports = new Exports(new Random(1));
    private PeerTables peer;
    private Reference.Number number;

    @BeforeEach
    void connect() {
        Endpoint door = Endpoint.local("exports-" + UUID.randomUUID());
        Listener unused = Link.listen(transport, door, context("there", 2), owner());
        peer = Link.dial(transport, door, context("here", 1), owner()).tables(0);
    }

    @AfterEach
    void close() {
        transport.close();
    }

    private LinkContext context(String node, long incarnation) {
        return LinkContext.of(Hello.of(node, incarnation), Passing.NONE, timer, new ReceiveBudget(1 << 20));
    }

    private static LinkOwner owner() {
        return new LinkOwner() {};
    }

    /** An object that has gone to the peer so many times, and that nobody here has. */
    private WeakReference<Object> sent(int times) {
        Object object = new Object();
        Exports.Departed departed = new Departed(exports.of(object), object);
        number = departed.export().number();
        for (int i = 0; i < times; i++) {
            exports.sent(peer, List.of(departed));
        }
        return new WeakReference<>(object);
    }

    private static void collect() {
        WeakReference<Object> other = new WeakReference<>(new Object());
        await().atMost(Duration.ofSeconds(30)).until(() -> {
            System.gc();
            return other.refersTo(null);
        });
    }

    @Test
    void whatHasGoneTwiceAndIsGivenBackOnceIsHeld() {
        WeakReference<Object> object = sent(2);

        exports.changed(peer, number, -1);
        collect();
        assertThat(object.refersTo(null)).isFalse();

        exports.changed(peer, number, -1);
        collect();
        assertThat(object.refersTo(null)).isTrue();
    }

    @Test
    void whatIsGivenBackMoreOftenThanItHasGoneIsCountedNoFurther() {
        WeakReference<Object> object = sent(1);
        Object again = object.get();

        exports.changed(peer, number, -5);
        exports.sent(peer, List.of(new Departed(exports.of(again), again)));
        again = null;
        collect();

        assertThat(object.refersTo(null)).isFalse();
    }
}
