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

    /** The broker at the other end of another link. */
    private PeerTables broker() {
        Endpoint door = Endpoint.local("exports-" + UUID.randomUUID());
        LinkContext greeting =
                LinkContext.of(Hello.ofBroker("broker", 3), Passing.NONE, timer, new ReceiveBudget(1 << 20));
        Listener unused = Link.listen(transport, door, greeting, owner());
        return Link.dial(transport, door, context("here", 1), owner()).tables(0);
    }

    private List<Departed> departed(WeakReference<Object> object) {
        Object strong = object.get();
        return List.of(new Departed(exports.of(strong), strong));
    }

    /** An object that has gone to the peer some times, and that nothing here refers to. */
    private WeakReference<Object> sent(int times) {
        return sent(peer, times);
    }

    private WeakReference<Object> sent(PeerTables to, int times) {
        Object object = new Object();
        Exports.Departed departed = new Departed(exports.of(object), object);
        number = departed.export().number();
        for (int i = 0; i < times; i++) {
            exports.sent(to, List.of(departed));
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

    @Test
    void aPeerBehindABrokerTakesNothingAwayThatIsOnItsWayToAnother() {
        PeerTables broker = broker();
        PeerTables hostile = broker.link().tables(1);
        PeerTables taker = broker.link().tables(2);
        WeakReference<Object> object = sent(broker, 1);
        List<Departed> departed = departed(object);

        exports.changed(hostile, number, -1_000);
        assertThat(exports.isHeld(object.get())).isTrue();
        exports.received(broker, taker, departed);
        assertThat(exports.isHeld(object.get())).isTrue();

        exports.changed(taker, number, -1);
        assertThat(exports.isHeld(object.get())).isFalse();
    }

    @Test
    void whatAPeerReleasesBeforeItsReplyComesIsReleasedWithTheReply() {
        PeerTables broker = broker();
        PeerTables taker = broker.link().tables(2);
        WeakReference<Object> object = sent(broker, 2);
        List<Departed> departed = departed(object);

        exports.changed(taker, number, -1);
        exports.received(broker, taker, departed);
        assertThat(exports.isHeld(object.get())).isTrue(); // the second one is on its way
        exports.received(broker, taker, departed);
        exports.changed(taker, number, -1);

        assertThat(exports.isHeld(object.get())).isFalse();
    }

    @Test
    void objectsOfACallWithoutReplyAreReleasedByThePeerThatReceivedThem() {
        PeerTables broker = broker();
        PeerTables taker = broker.link().tables(2);
        WeakReference<Object> object = sent(broker, 2);
        List<Departed> departed = departed(object);

        exports.changed(taker, number, -1); // before the call ends
        exports.unanswered(broker, departed);
        exports.unanswered(broker, departed);
        assertThat(exports.isHeld(object.get())).isTrue();
        exports.changed(taker, number, -1); // after it

        assertThat(exports.isHeld(object.get())).isFalse();
    }

    @Test
    void aBookOfEachPossibleCountEndsWithItsPeer() {
        PeerTables broker = broker();
        WeakReference<Object> object = sent(broker, 3);
        exports.changed(broker.link().tables(5), number, Integer.MIN_VALUE);
        assertThat(exports.isHeld(object.get())).isTrue();

        broker.link().close();

        await().atMost(Duration.ofSeconds(60)).until(() -> !exports.isHeld(object.get()));
    }
}
