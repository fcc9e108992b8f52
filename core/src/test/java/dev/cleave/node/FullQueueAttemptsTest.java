package dev.cleave.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.config.Bindings;
import dev.cleave.node.FullQueueTest.Counter;
import dev.cleave.node.FullQueueTest.Counting;
import dev.cleave.node.FullQueueTest.Loop;
import dev.cleave.testing.WrappedTransport;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.Transport;
import dev.cleave.transport.local.LocalTransport;
import dev.cleave.wire.FrameKind;
import dev.cleave.wire.Header;
import io.netty.buffer.ByteBuf;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A saturated server is not made slower by refusals: loops that send calls ahead to a full queue make few calls anew. It counts
 * requests and their bytes in place of time.
 */
@Tag("one-jdk")
@Timeout(180)
class FullQueueAttemptsTest extends NodesUnderTest {

    private static final int LOOPS = 6; // of each thread

    private final Counting served = new Counting();
    private final AtomicLong requests = new AtomicLong();
    private final AtomicLong bytes = new AtomicLong();

    @Override
    Transport transport() {
        return new WrappedTransport(LocalTransport.create()) {
            @Override
            protected Half half() {
                return new Half() {
                    @Override
                    public void write(ByteBuf frame) {
                        if (Header.kind(frame) == FrameKind.REQUEST) {
                            requests.incrementAndGet();
                            bytes.addAndGet(frame.readableBytes());
                        }
                        super.write(frame);
                    }
                };
            }
        };
    }

    @Override
    Endpoint door() {
        return Endpoint.local("broker-" + UUID.randomUUID());
    }

    private static long asWritten(Counter counter) {
        long sum = 0;
        for (int i = 0; i < FullQueueTest.CALLS; i++) {
            sum += counter.twice(i);
        }
        return sum;
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "1, 8", "1, 20", "4, 8", "4, 20", "8, 8", "8, 20"}) // fits as written
    void loopsMakeFewCallsAnew(int threads, int queue) throws Exception {
        node(NodeOptions.DEFAULT.withName("one").withCapacity(1, queue)).bind("counter", served);
        client = node(NodeOptions.DEFAULT
                .withName("client")
                .withBindings(Bindings.parse("application: test", "cleave.yaml")));
        Counter counter = client.lookup("counter", Counter.class);
        asWritten(counter);
        requests.set(0);
        bytes.set(0);
        asWritten(counter);
        long bytesOfLoop = bytes.getAndSet(0);
        assertThat(requests.getAndSet(0)).isEqualTo(FullQueueTest.CALLS);

        ExecutorService pool = Executors.newFixedThreadPool(threads);
        Loop loop = new Loop();
        try {
            List<Callable<Integer>> tasks = Collections.nCopies(threads * LOOPS, () -> loop.sum(counter));
            for (Future<Integer> sum : pool.invokeAll(tasks, 150, TimeUnit.SECONDS)) {
                assertThat(sum.get()).isEqualTo(FullQueueTest.CALLS * (FullQueueTest.CALLS - 1));
            }
        } finally {
            pool.shutdownNow();
        }

        int loops = threads * LOOPS;
        assertThat(requests).as("requests of %d loops", loops).hasValueLessThan(3L * loops * FullQueueTest.CALLS / 2);
        assertThat(bytes).as("bytes of %d loops", loops).hasValueLessThan(3 * loops * bytesOfLoop / 2);
    }
}
