package dev.cleave.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cleave.Cleave;
import dev.cleave.Pending;
import dev.cleave.Remote;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.Transport;
import dev.cleave.transport.netty.NettyTransport;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Short calls are left to few threads; none of them waits for a long one behind which it happens to stand. */
@Tag("one-jdk")
@Timeout(120)
class ShortCallsTest extends NodesUnderTest {

    private static final int ENOUGH = 5_000;
    private static final int WORKERS = 4;

    /** Short, or as long as it is told. */
    @Remote
    interface Gate {

        int next(int number);

        void pass(int number);
    }

    private static final class RealGate implements Gate {

        private final CountDownLatch open = new CountDownLatch(1);
        private final AtomicInteger within = new AtomicInteger();

        @Override
        public int next(int number) {
            return number + 1;
        }

        @Override
        public void pass(int number) {
            within.incrementAndGet();
            try {
                open.await();
            } catch (InterruptedException e) { // at the end of the test
                Thread.currentThread().interrupt();
            }
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

    @Test
    void shortCallsPassLongOnes() {
        RealGate served = new RealGate();
        node(NodeOptions.DEFAULT.withName("server").withCapacity(WORKERS, 1024)).bind("gate", served);
        client = node(NodeOptions.DEFAULT.withName("client"));
        Gate gate = client.lookup("gate", Gate.class);
        for (int i = 0; i < ENOUGH; i++) {
            assertThat(gate.next(i)).isEqualTo(i + 1);
        }

        List<Pending<?>> held = new ArrayList<>();
        List<Pending<Integer>> passing = new ArrayList<>();
        for (int i = 0; i < WORKERS - 1; i++) {
            int number = i;
            held.add(Cleave.async(() -> gate.pass(number)));
            passing.add(Cleave.async(() -> gate.next(number)));
        }
        for (int i = 0; i < passing.size(); i++) {
            assertThat(passing.get(i).await()).isEqualTo(i + 1);
        }

        await("all slots but one").until(() -> served.within.get() == WORKERS - 1);
        served.open.countDown();
        held.forEach(Pending::await);
    }
}
