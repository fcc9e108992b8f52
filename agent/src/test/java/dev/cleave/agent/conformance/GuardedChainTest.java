package dev.cleave.agent.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.cleave.Chained;
import dev.cleave.Remote;
import dev.cleave.call.Chain;
import dev.cleave.call.Handle;
import dev.cleave.node.Node;
import dev.cleave.node.NodeOptions;
import dev.cleave.testing.FakeBroker;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.Transport;
import dev.cleave.transport.local.LocalTransport;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Chained calls of two real servers, of which none is given the result of another (R49), sent as rewritten code sends them. */
@Tag("one-jdk")
@Timeout(120)
class GuardedChainTest {

    private static final int LONG_ENOUGH_TO_OVERTAKE = 300; // ms

    /** Takes notes. */
    @Remote
    @Chained
    interface Book {

        void note(int value);
    }

    /** Writes down what it executes; a negative note fails, when a later one has had the time to overtake it. */
    private record WrittenBook(List<Integer> notes, CountDownLatch overtaken) implements Book {

        @Override
        public void note(int value) {
            notes.add(value);
            if (value >= 0) {
                overtaken.countDown();
                return;
            }
            try {
                boolean unused = overtaken.await(LONG_ENOUGH_TO_OVERTAKE, TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            throw new IllegalArgumentException("note " + value);
        }
    }

    private static Handle send(Book book, Chain chain, int value) throws ReflectiveOperationException {
        Method twin = Arrays.stream(book.getClass().getMethods())
                .filter(method -> method.getName().equals("note$chain"))
                .findFirst()
                .orElseThrow();
        twin.setAccessible(true);
        return (Handle) twin.invoke(book, chain, value);
    }

    @Test
    void aServerRunsNoCallBehindOneThatFailsAtAnotherServer() throws Throwable {
        List<Integer> notes = new CopyOnWriteArrayList<>();
        CountDownLatch overtaken = new CountDownLatch(1);
        try (Transport transport = LocalTransport.create();
                FakeBroker broker = FakeBroker.start(transport, Endpoint.local("chain-" + UUID.randomUUID()))) {
            NodeOptions options =
                    NodeOptions.DEFAULT.withBroker(broker.endpoint()).withTransport(transport);
            try (Node one = Node.connect(options.withName("one"));
                    Node two = Node.connect(options.withName("two"));
                    Node client = Node.connect(options.withName("client"))) {
                one.bind("one", (Book) new WrittenBook(notes, overtaken));
                two.bind("two", (Book) new WrittenBook(notes, overtaken));
                Book first = client.lookup("one", Book.class);
                Book second = client.lookup("two", Book.class);
                Chain chain = Chain.dependent();
                Handle failing = send(first, chain, -1);
                Handle behind = send(second, chain, 2);

                assertThat(catchThrowable(failing::awaitVoid)).hasMessage("note -1");
                behind.withdrawn();
                behind.discard();
                chain.end();
            }
        }

        assertThat(notes).containsExactly(-1);
    }
}
