package dev.cleave.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.CallException;
import dev.cleave.Cleave;
import dev.cleave.Remote;
import dev.cleave.config.Bindings;
import dev.cleave.node.Node;
import dev.cleave.node.NodeOptions;
import dev.cleave.transport.Endpoint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A broker that leaves while nodes that are client and server at once call through it. */
@Tag("one-jdk")
@Timeout(120)
class BrokerDrainTest {

    private static final int CALLERS = 6;

    /** The service. */
    @Remote
    interface Work {

        int back(Sink sink, int number);
    }

    /** An object of the caller: its node serves, too. */
    @Remote
    interface Sink {

        int take(int number);
    }

    @Test
    void noCallOfANodeThatIsCalledBackIsInDoubt() throws InterruptedException {
        Bindings file = Bindings.parse("services: {work: {route: relay}}", "cleave.yaml");
        Broker broker =
                Broker.start(BrokerOptions.at(Endpoint.tcp("localhost", 0)).with(file));
        try (Node server = Node.connect(NodeOptions.DEFAULT.withBroker(broker.endpoint()));
                Node client = Node.connect(
                        NodeOptions.DEFAULT.withBroker(broker.endpoint()).withBindings(file))) {
            Semaphore results = new Semaphore(0);
            server.bind("work", (Work) Sink::take);
            Work work = Cleave.withDeadline(client.lookup("work", Work.class), Duration.ofSeconds(20));
            Sink sink = number -> number + 1;
            AtomicBoolean over = new AtomicBoolean();
            Queue<Throwable> inDoubt = new ConcurrentLinkedQueue<>();
            List<Thread> callers = new ArrayList<>();
            for (int i = 0; i < CALLERS; i++) {
                Thread caller = new Thread(() -> {
                    while (!over.get()) {
                        try {
                            assertThat(work.back(sink, 1)).isEqualTo(2);
                            results.release();
                        } catch (CallException e) {
                            if (e.maybeExecuted()) {
                                inDoubt.add(e);
                            }
                        } catch (Throwable e) {
                            inDoubt.add(e);
                        }
                    }
                });
                callers.add(caller);
                caller.start();
            }
            try {
                assertThat(results.tryAcquire(200, 60, TimeUnit.SECONDS)).isTrue();

                assertThat(broker.drain(Duration.ofSeconds(30))).isTrue();
                broker.close();
            } finally {
                over.set(true);
                for (Thread caller : callers) {
                    caller.join();
                }
            }
            assertThat(inDoubt).isEmpty();
        } finally {
            broker.close();
        }
    }
}
