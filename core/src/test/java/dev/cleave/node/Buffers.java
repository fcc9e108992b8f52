package dev.cleave.node;

import static org.awaitility.Awaitility.await;

import io.netty.buffer.PooledByteBufAllocator;
import java.time.Duration;

/** Counts the buffers that nobody has released. */
final class Buffers {

    private Buffers() {}

    static void assertNoneInUse() {
        PooledByteBufAllocator allocator = PooledByteBufAllocator.DEFAULT;
        await().pollInterval(Duration.ofMillis(5))
                .atMost(Duration.ofSeconds(60))
                .until(() -> allocator.pinnedDirectMemory() + allocator.pinnedHeapMemory() == 0);
    }
}
