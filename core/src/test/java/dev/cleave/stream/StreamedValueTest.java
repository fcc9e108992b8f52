package dev.cleave.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cleave.wire.Blocks;
import dev.cleave.wire.ErrorCode;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class StreamedValueTest {

    private static final int LENGTH = 8;

    private final Block block = BlockFactory.received(new Blocks('I', LENGTH * Integer.BYTES, 1));
    private final StreamedValue value = new StreamedValue(1, List.of(block));
    private final Call call = new Call();

    /** What a wait that ends without the value throws. */
    private static final class Missing extends RuntimeException {

        private static final long serialVersionUID = 1;

        Missing(ErrorCode code, String why) {
            super(code + ": " + why);
        }
    }

    private static final class Call implements StreamedValue.Owner {

        private volatile long remaining = Duration.ofMinutes(1).toNanos();
        private final CountDownLatch asked = new CountDownLatch(1);

        @Override
        public long remainingNanos() {
            asked.countDown();
            return remaining;
        }

        @Override
        public RuntimeException failed(ErrorCode code, String why) {
            return new Missing(code, why);
        }
    }

    StreamedValueTest() {
        value.belongsTo(call);
    }

    /** Fills elements up to an index with their numbers. */
    private void fill(int from, int to) {
        ByteBuf bytes = Unpooled.buffer();
        for (int i = from; i < to; i++) {
            bytes.writeIntLE(i);
        }
        block.fill((long) from * Integer.BYTES, bytes.readableBytes(), bytes);
        value.filled((long) to * Integer.BYTES);
        if (to == LENGTH) {
            value.completed();
        }
    }

    /** Runs an action on another thread, and returns when that thread is about to wait. */
    private <T extends @Nullable Object> CompletableFuture<T> waiting(Supplier<T> action) throws InterruptedException {
        CompletableFuture<T> result = new CompletableFuture<>();
        new Thread(() -> {
                    try {
                        result.complete(action.get());
                    } catch (RuntimeException e) {
                        result.completeExceptionally(e);
                    }
                })
                .start();
        assertThat(call.asked.await(60, TimeUnit.SECONDS)).isTrue();
        return result;
    }

    @Test
    void theArrayIsThereBeforeItsElements() {
        int[] array = (int[]) value.begun();

        assertThat(array).hasSize(LENGTH).containsOnly(0);
        assertThat(value.received()).isZero();
        fill(0, 3);
        assertThat(value.received()).isEqualTo(3);
        assertThat(value.await(2)).isEqualTo(3);
        assertThat(array).startsWith(0, 1, 2).endsWith(0);
        assertThat(value.isHere()).isFalse();
    }

    @Test
    void aWaitForAnElementEndsWhenThatHasArrived() throws Exception {
        CompletableFuture<Integer> waiting = waiting(() -> value.await(4));

        fill(0, 4);
        assertThat(waiting).isNotDone();
        fill(4, 6);

        assertThat(waiting.get(60, TimeUnit.SECONDS)).isEqualTo(6);
    }

    @Test
    void aWaitForTheValueEndsWhenAllHasArrived() throws Exception {
        CompletableFuture<@Nullable Object> waiting = waiting(value::get);

        fill(0, 7);
        assertThat(waiting).isNotDone();
        fill(7, LENGTH);

        assertThat(waiting.get(60, TimeUnit.SECONDS)).isEqualTo(new int[] {0, 1, 2, 3, 4, 5, 6, 7});
        assertThat(value.isHere()).isTrue();
        assertThat(value.waits().firstNanos()).isNotZero();
    }

    @Test
    void anIndexOutsideOfTheArrayIsNotWaitedFor() {
        assertThat(value.await(LENGTH)).isZero();
        assertThat(value.await(-1)).isZero();
        assertThat(value.await(Integer.MAX_VALUE)).isZero();
    }

    @Test
    void aFailureEndsWaitsAndIsThrownToThoseThatComeLater() throws Exception {
        CompletableFuture<Integer> waiting = waiting(() -> value.await(4));
        List<String> told = new ArrayList<>();
        value.onArrival(() -> told.add("first"));

        value.fail(ErrorCode.CONNECTION_LOST, "gone");
        value.fail(ErrorCode.CANCELLED, "again");
        value.onArrival(() -> told.add("second"));

        assertThatThrownBy(() -> waiting.get(60, TimeUnit.SECONDS)).hasMessageContaining("CONNECTION_LOST: gone");
        assertThatThrownBy(value::get).hasMessage("CONNECTION_LOST: gone");
        assertThat(told).containsExactly("first", "second");
    }

    @Test
    void whatHasArrivedDoesNotFailAnyMore() {
        fill(0, LENGTH);
        value.fail(ErrorCode.CONNECTION_LOST, "gone");

        assertThat(value.failure()).isNull();
        assertThat(value.get()).isInstanceOf(int[].class);
    }

    @Test
    void aWaitEndsWithTheTimeOfItsCallOrItsOwn() {
        assertThatThrownBy(() -> value.get(Duration.ofNanos(1))).hasMessageStartingWith("DEADLINE");
        call.remaining = 0;
        assertThatThrownBy(() -> value.await(1)).hasMessageStartingWith("DEADLINE");
        assertThatThrownBy(() -> value.get(Duration.ZERO)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aValueThatIsNoArrayIsDecodedOnceAndItsElementsAreNotWaitedFor() {
        List<StreamedValue.Owner> owners = new ArrayList<>();
        value.decodedBy(owner -> {
            owners.add(owner);
            return "text";
        });

        assertThat(value.await(3)).as("returns at once").isZero();
        fill(0, LENGTH);

        assertThat(value.received()).isZero();
        assertThat(value.get()).isSameAs(value.get()).isEqualTo("text");
        assertThat(value.begun()).isEqualTo("text");
        assertThat(owners).containsExactly(call);
    }

    @Test
    void followersRunWheneverMoreHasArrived() {
        List<Integer> seen = new ArrayList<>();
        Runnable task = () -> seen.add(value.received());
        value.follow(task);

        fill(0, 2);
        fill(2, 5);
        value.unfollow(task);
        fill(5, LENGTH);

        assertThat(seen).containsExactly(2, 5);
    }

    @Test
    void streamsOfBytesReadWhatHasArrivedAndWaitForNoMore() throws IOException {
        Block bytes = BlockFactory.received(new Blocks('B', 4, 1));
        StreamedValue arriving = new StreamedValue(1, List.of(bytes));
        arriving.belongsTo(call);
        try (StreamedInput in = new StreamedInput(arriving)) {
            bytes.fill(0, 3, Unpooled.wrappedBuffer(new byte[] {1, -2, 3}));
            arriving.filled(3);

            assertThat(in.available()).isEqualTo(3);
            assertThat(in.read()).isEqualTo(1);
            assertThat(in.read()).isEqualTo(254);
            assertThat(in.read(new byte[10])).isEqualTo(1);
            bytes.fill(3, 1, Unpooled.wrappedBuffer(new byte[] {4}));
            arriving.filled(4);
            arriving.completed();
            assertThat(in.readAllBytes()).containsExactly(4);
            assertThat(in.read()).isEqualTo(-1);
        }
    }
}
