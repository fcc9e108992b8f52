package dev.cleave.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import dev.cleave.Inline;
import dev.cleave.Remote;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.Transport;
import dev.cleave.transport.netty.NettyTransport;
import io.netty.channel.epoll.Epoll;
import io.netty.util.ResourceLeakDetector;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a call leaves for the garbage collector when nothing is new about it, in bytes of the heap. */
@Timeout(120)
class AllocationTest extends NodesUnderTest {

    private static final int WARM = 20_000;
    private static final int CALLS = 10_000;
    private static final int ROUNDS =
            20; // the compiler's own time, pings and a frame per 256 calls are in some of them
    private static final int MOST_AT_CALLER = 8; // no object for each call
    private static final int MOST_AT_SERVER = 64;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /** Does next to nothing. */
    @Remote
    interface Echo {

        void nothing();

        long echo(long value);
    }

    private static final class RealEcho implements Echo {

        @Override
        @Inline
        public void nothing() {}

        @Override
        @Inline
        public long echo(long value) {
            return value;
        }
    }

    private final ResourceLeakDetector.Level level = ResourceLeakDetector.getLevel();
    private Echo echo;

    /** The search for leaked buffers allocates for each of them. */
    @Override
    Transport transport() {
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.DISABLED);
        return NettyTransport.create();
    }

    @Override
    Endpoint door() {
        return Endpoint.tcp("localhost", 0);
    }

    @BeforeEach
    void serve() {
        assumeTrue(Epoll.isAvailable());
        node(NodeOptions.DEFAULT.withName("server")).bind("echo", new RealEcho());
        client = node(NodeOptions.DEFAULT.withName("client"));
        echo = client.lookup("echo", Echo.class);
    }

    @AfterEach
    void searchAgain() {
        ResourceLeakDetector.setLevel(level);
    }

    private static long allocatedHere() {
        return THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
    }

    private static long allocatedByEventThreads() {
        long[] threads = Arrays.stream(THREADS.getThreadInfo(THREADS.getAllThreadIds()))
                .filter(info -> info != null && info.getThreadName().startsWith("cleave-net"))
                .mapToLong(info -> info.getThreadId())
                .toArray();
        return Arrays.stream(THREADS.getThreadAllocatedBytes(threads)).sum();
    }

    private void call(int count) {
        for (int i = 0; i < count; i++) {
            echo.nothing();
        }
    }

    /** What each call leaves is in every round; what comes from elsewhere (a compilation, a ping) is not in the least one. */
    @Test
    void ofALoneCallThatRunsOnTheEventThread() {
        call(WARM);
        long leastAtCaller = Long.MAX_VALUE;
        long leastAtServer = Long.MAX_VALUE;

        for (int round = 0;
                round < ROUNDS && (leastAtCaller > MOST_AT_CALLER || leastAtServer > MOST_AT_SERVER);
                round++) {
            long served = allocatedByEventThreads(); // which allocates here
            long before = allocatedHere();
            call(CALLS);
            leastAtCaller = Math.min(leastAtCaller, (allocatedHere() - before) / CALLS);
            leastAtServer = Math.min(leastAtServer, (allocatedByEventThreads() - served) / CALLS);
        }

        System.out.println("ALLOC caller " + leastAtCaller + " server " + leastAtServer);
        assertThat(leastAtCaller).isLessThanOrEqualTo(MOST_AT_CALLER);
        assertThat(leastAtServer).isLessThanOrEqualTo(MOST_AT_SERVER);
    }
}
