package dev.cleave.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cleave.Async;
import dev.cleave.Chained;
import dev.cleave.Cleave;
import dev.cleave.Pending;
import dev.cleave.Pure;
import dev.cleave.Remote;
import dev.cleave.rt.Prefetch;
import dev.cleave.rt.PrefetchQueue;
import dev.cleave.rt.Rt;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.Transport;
import dev.cleave.transport.local.LocalTransport;
import java.lang.invoke.CallSite;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Rewritten code in the lambda of {@link Cleave#async}: nothing is sent ahead of the one call that is taken (R70). */
@Timeout(180)
@Tag("one-jdk")
class CapturedCallsTest extends NodesUnderTest {

    /** Adds. */
    @Remote
    public interface Adder {

        /** The next number. */
        @Async
        int next(int number);

        /** The next number, for whoever asks in order. */
        @Chained
        int nextInOrder(int number);

        /** The next number, of a group. */
        @Async(group = "sums")
        int nextOfGroup(int number);

        /** Twice a number. */
        @Pure
        int twice(int number);

        /** The next number, by and by. */
        CompletableFuture<Integer> nextLater(int number);
    }

    private static final MethodHandles.Lookup HERE = MethodHandles.lookup();
    private static final MethodType SEND = MethodType.methodType(Object.class, Adder.class, int.class);

    private final List<String> executed = new ArrayList<>(); // guarded by itself
    private Adder adder;

    @Override
    Transport transport() {
        return LocalTransport.create();
    }

    @Override
    Endpoint door() {
        return Endpoint.local("broker-" + UUID.randomUUID());
    }

    @BeforeEach
    void connect() {
        node(NodeOptions.DEFAULT).bind("adder", new LoggedAdder());
        client = node(NodeOptions.DEFAULT);
        adder = client.lookup("adder", Adder.class);
    }

    private final class LoggedAdder implements Adder {

        @Override
        public int next(int number) {
            return log("next", number + 1);
        }

        @Override
        public int nextInOrder(int number) {
            return log("nextInOrder", number + 1);
        }

        @Override
        public int nextOfGroup(int number) {
            return log("nextOfGroup", number + 1);
        }

        @Override
        public int twice(int number) {
            return log("twice", 2 * number);
        }

        @Override
        public CompletableFuture<Integer> nextLater(int number) {
            return CompletableFuture.completedFuture(log("nextLater", number + 1));
        }

        private int log(String name, int result) {
            synchronized (executed) {
                executed.add(name);
            }
            return result;
        }
    }

    @Test
    void aMethodThatReturnsAFutureIsNotStarted() {
        assertThatThrownBy(() -> Cleave.async(() -> adder.nextLater(3)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("Adder.nextLater returns a future (expected: a call of it without Cleave.async)");

        assertThat(adder.next(3)).isEqualTo(4);
        assertThat(executed).containsExactly("next");
    }

    @Test
    void sendsDecline() throws Throwable {
        for (String name : List.of("next", "nextOfGroup")) {
            MethodHandle send =
                    Rt.send(HERE, name, SEND, "CapturedCallsTest.program", 1).dynamicInvoker();
            Pending<Integer> pending = Cleave.async(() -> {
                assertThat(invoked(send, adder, 3)).isNull();
                return name.equals("next") ? adder.next(3) : adder.nextOfGroup(3);
            });

            assertThat(pending.await()).isEqualTo(4);
        }
        assertThat(executed).containsExactly("next", "nextOfGroup");
    }

    @Test
    void sendsOfChainsDecline() throws Throwable {
        MethodType type = MethodType.methodType(Object.class, Adder.class, Object.class, int.class);
        MethodHandle send = Rt.sendChained(HERE, "nextInOrder", type, "CapturedCallsTest.program", 2)
                .dynamicInvoker();
        Pending<Integer> pending = Cleave.async(() -> {
            assertThat(invoked(send, adder, Rt.chain(), 3)).isNull();
            return adder.nextInOrder(3);
        });

        assertThat(pending.await()).isEqualTo(4);
        assertThat(executed).containsExactly("nextInOrder");
    }

    @Test
    void nothingIsPrefetched() throws Throwable {
        MethodType ahead = MethodType.methodType(boolean.class, PrefetchQueue.class, Adder.class, int.class);
        MethodType claim = MethodType.methodType(Object.class, PrefetchQueue.class, Adder.class, int.class);
        CallSite open = Prefetch.open(
                HERE,
                "open",
                MethodType.methodType(PrefetchQueue.class),
                8,
                0,
                "CapturedCallsTest.program\t3\tAdder.twice\tPURE\t0");
        MethodHandle send = Prefetch.send(HERE, "twice", ahead, 0).dynamicInvoker();
        MethodHandle taken = Prefetch.claim(HERE, "twice", claim, 0).dynamicInvoker();
        Pending<Integer> pending = Cleave.async(() -> {
            PrefetchQueue queue = (PrefetchQueue) invoked(open.dynamicInvoker());
            Prefetch.begin(queue);
            assertThat(invoked(send, queue, adder, 3)).isEqualTo(false);
            assertThat(invoked(taken, queue, adder, 3)).isNull();
            Prefetch.close(queue);
            return adder.twice(3);
        });

        assertThat(pending.await()).isEqualTo(6);
        assertThat(executed).containsExactly("twice");
    }

    private static Object invoked(MethodHandle target, Object... arguments) {
        try {
            return target.invokeWithArguments(arguments);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }
}
