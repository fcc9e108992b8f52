package dev.cleave.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Remembers every buffer that it gave out, with the size asked for. */
public final class LeakCheckingAllocator {

    /** Netty's own detector is off: it would say the same, slowly. */
    private static final ByteBufAllocator BUFFERS = new UnpooledByteBufAllocator(true, true);

    private final Queue<ByteBuf> given = new ConcurrentLinkedQueue<>();
    private final ByteBufAllocator allocator = (ByteBufAllocator) Proxy.newProxyInstance(
            LeakCheckingAllocator.class.getClassLoader(),
            new Class<?>[] {ByteBufAllocator.class},
            (proxy, method, arguments) -> {
                try {
                    Object result = method.invoke(BUFFERS, arguments);
                    if (result instanceof ByteBuf buffer) {
                        given.add(buffer);
                    }
                    return result;
                } catch (InvocationTargetException e) {
                    throw e.getCause();
                }
            });

    /** The allocator to use in the test. */
    public ByteBufAllocator allocator() {
        return allocator;
    }

    /** How many buffers have been given out. */
    public int given() {
        return given.size();
    }

    /** The capacity of the largest buffer given out. */
    public int largest() {
        return given.stream().mapToInt(ByteBuf::capacity).max().orElse(0);
    }

    /** Checks that every buffer is released, now or soon. */
    public void assertNoLeaks() {
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(
                        () -> assertThat(leaked()).as("buffers not released").isEmpty());
    }

    private List<String> leaked() {
        return given.stream()
                .filter(buffer -> buffer.refCnt() != 0)
                .limit(5)
                .map(Object::toString)
                .toList();
    }
}
