package dev.cleave.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.cleave.CallException.CallSite;
import dev.cleave.ConnectionLostException;
import dev.cleave.call.Link;
import dev.cleave.call.LinkContext;
import dev.cleave.call.LinkOwner;
import dev.cleave.serial.Passing;
import dev.cleave.stream.ReceiveBudget;
import dev.cleave.testing.FakeTimer;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.Listener;
import dev.cleave.transport.local.LocalTransport;
import dev.cleave.wire.Frame;
import dev.cleave.wire.Hello;
import dev.cleave.wire.ListServices;
import dev.cleave.wire.Ping;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Questions to a broker that does not answer. */
class BrokerRequestsTest {

    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final CallSite SITE = new CallSite("*", "Node.list", null, true);

    private final FakeTimer timer = new FakeTimer();
    private final LocalTransport transport = LocalTransport.create();
    private final Listener listener =
            Link.listen(transport, Endpoint.local("mute-" + UUID.randomUUID()), context("broker", 1), owner());
    private final BrokerRequests requests = new BrokerRequests();

    private LinkContext context(String name, long incarnation) {
        return LinkContext.of(Hello.of(name, incarnation), Passing.NONE, timer, new ReceiveBudget(1 << 20));
    }

    /** One that does nothing. */
    private static LinkOwner owner() {
        return new LinkOwner() {};
    }

    private Link dial() {
        return Link.dial(transport, listener.endpoint(), context("node", 2), owner());
    }

    @AfterEach
    void close() {
        transport.close();
    }

    @Test
    void oneOverALinkThatHasClosedFailsAtOnce() {
        Link link = dial();
        link.close();
        await().atMost(PATIENCE).until(link::isClosed);

        assertThatThrownBy(() -> requests.ask(link, SITE, ListServices::new))
                .isInstanceOf(ConnectionLostException.class);
    }

    @Test
    void oneEndsWithItsLinkAlsoWhenThereIsAnotherByThen() throws Exception {
        Link first = dial();
        Link second = dial();
        AtomicLong sent = new AtomicLong();
        CompletableFuture<Frame> asked = CompletableFuture.supplyAsync(() -> requests.ask(first, SITE, id -> {
            sent.set(id);
            return new Ping(id); // the other side is a node, which would close the connection for a LIST
        }));
        await().atMost(PATIENCE).until(() -> sent.get() != 0);

        requests.lost(second);
        assertThat(asked).isNotDone();
        requests.lost(first);

        assertThatThrownBy(() -> asked.get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(ConnectionLostException.class);
    }
}
