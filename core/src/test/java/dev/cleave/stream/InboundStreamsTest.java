package dev.cleave.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cleave.wire.Blocks;
import dev.cleave.wire.Chunk;
import dev.cleave.wire.Credit;
import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.Frame;
import dev.cleave.wire.Header;
import dev.cleave.wire.WireException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class InboundStreamsTest {

    /** Nobody has to release these. */
    private static final ByteBufAllocator HEAP = new UnpooledByteBufAllocator(false);

    private static final StreamKey KEY = new StreamKey(0, 7, false);

    private final AtomicLong nanos = new AtomicLong();
    private final ReceiveBudget arrivals = new ReceiveBudget(16 << 20, nanos::get);
    private final List<Frame> answers = new ArrayList<>();
    private final BlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>(); // of the event thread
    private final BlockingQueue<String> problems = new LinkedBlockingQueue<>();
    private final InboundStreams inflows = new InboundStreams(arrivals, new Way(), 0);

    private final class Way implements InboundStreams.Way {

        @Override
        public void answer(Frame frame) {
            answers.add(frame);
        }

        @Override
        public void execute(Runnable task) {
            tasks.add(task);
        }

        @Override
        public void giveUp(String why) {
            problems.add(why);
        }
    }

    /** Waits until an array has been made, and goes on as the event thread does. */
    private void awaitArray() throws InterruptedException {
        Runnable task = tasks.poll(30, TimeUnit.SECONDS);
        assertThat(task).isNotNull();
        task.run();
    }

    private void chunk(long id, int bytes) {
        Chunk chunk = new Chunk(0, id, false, false);
        ByteBuf frame = chunk.begin(HEAP, bytes).writeZero(bytes);
        Header.finish(frame);
        inflows.onChunk(frame);
    }

    private int granted() {
        return answers.stream().mapToInt(frame -> ((Credit) frame).bytes()).sum();
    }

    private void chunkAt(int place, double value) {
        ByteBuf frame = new Chunk(0, KEY.id(), false, false, place).begin(HEAP, Double.BYTES);
        frame.writeLongLE(Double.doubleToRawLongBits(value));
        Header.finish(frame);
        inflows.onChunk(frame);
    }

    @Test
    void aChunkThatComesTwiceIsPutInItsPlaceOnce() {
        int chunks = 3 * Chunk.PLACES;
        StreamReceiver flow = inflows.open(KEY, List.of(new Blocks('D', chunks * Double.BYTES)));
        for (int i = 0; i < chunks; i++) {
            chunkAt(i % Chunk.PLACES + 1, i);
            chunkAt(i % Chunk.PLACES + 1, i);
            if (i > 7) {
                chunkAt((i - 7) % Chunk.PLACES + 1, i - 7); // late by seven others
            }
            assertThat(flow.isComplete()).as("chunk %s", i).isEqualTo(i == chunks - 1);
        }
    }

    @Test
    void aChunkBeforeWhichOneIsMissingIsRefused() {
        inflows.open(KEY, List.of(new Blocks('D', 8 * Double.BYTES)));
        chunkAt(1, 1);

        assertThatThrownBy(() -> chunkAt(3, 3))
                .isInstanceOf(WireException.class)
                .hasMessageContaining("place 3");
    }

    @Test
    void grantsAWindowAndMoreAsBytesCome() throws InterruptedException {
        int total = 8 << 20;
        StreamReceiver flow = inflows.open(KEY, List.of(new Blocks('D', total)));
        AtomicInteger completed = new AtomicInteger();
        flow.whenComplete(completed::incrementAndGet);

        int sent = 0;
        while (sent < total) {
            assertThat(granted() - sent).isBetween(1, InboundStreams.WINDOW);
            chunk(7, 64 << 10);
            if (sent == 0) {
                awaitArray();
            }
            sent += 64 << 10;
        }

        assertThat(granted()).isEqualTo(total);
        assertThat(completed).hasValue(1);
        assertThat(flow.isComplete()).isTrue();
        assertThat(inflows.size()).isZero();
        assertThat(arrivals.reserved()).isEqualTo(total);
        flow.close();
        flow.close();
        assertThat(arrivals.reserved()).isZero();
    }

    @Test
    void onePeerWithManyMessagesLeavesHalfToOthers() {
        InboundStreams others = new InboundStreams(arrivals, new Way(), 0);
        List<StreamReceiver> announced = new ArrayList<>();
        for (int id = 0; id < 8; id++) {
            announced.add(inflows.open(new StreamKey(0, id, false), List.of(new Blocks('B', 1 << 20))));
        }

        assertThatThrownBy(() -> inflows.open(new StreamKey(0, 8, false), List.of(new Blocks('B', 1 << 20))))
                .isInstanceOfSatisfying(
                        WireException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.OVERLOAD));
        announced.add(others.open(new StreamKey(0, 1, false), List.of(new Blocks('B', 8 << 20))));
        announced.forEach(StreamReceiver::close);
        assertThat(arrivals.reserved()).isZero();
        inflows.open(KEY, List.of(new Blocks('B', 16 << 20))).close();
    }

    @Test
    void whatDoesNotComeLosesItsRoomWhenAnotherNeedsIt() {
        StreamReceiver unbegun = inflows.open(KEY, List.of(new Blocks('B', 16 << 20)));
        AtomicInteger dropped = new AtomicInteger();
        unbegun.whenDropped(dropped::incrementAndGet);
        StreamKey other = new StreamKey(0, 8, false);
        List<Blocks> whole = List.of(new Blocks('B', 16 << 20));

        assertThatThrownBy(() -> inflows.open(other, whole)).isInstanceOf(WireException.class);
        nanos.addAndGet(ReceiveBudget.UNBEGUN.toNanos());
        StreamReceiver begun = inflows.open(other, whole);

        assertThat(inflows.size()).isEqualTo(1);
        tasks.remove().run();
        assertThat(dropped).hasValue(1);
        begun.close();
        assertThat(arrivals.reserved()).isZero();
    }

    @Test
    void whoHasNotSentForLongestLosesItsRoomFirstAndNoMoreDoThanIsNeeded() {
        List<Integer> dropped = new ArrayList<>();
        for (int i = 1; i <= 3; i++) {
            int number = i;
            inflows.open(new StreamKey(i, i, false), List.of(new Blocks('B', 1 << 20)))
                    .whenDropped(() -> dropped.add(number));
            nanos.addAndGet(1000);
        }
        nanos.addAndGet(ReceiveBudget.UNBEGUN.toNanos());

        StreamReceiver taken = inflows.open(new StreamKey(9, 9, false), List.of(new Blocks('B', 14 << 20)));

        tasks.forEach(Runnable::run);
        assertThat(dropped).containsExactly(1);
        taken.close();
    }

    @Test
    void aResultThatDoesNotComeKeepsItsRoom() {
        StreamReceiver unbegun = inflows.open(new StreamKey(0, 7, true), List.of(new Blocks('B', 16 << 20)));
        nanos.addAndGet(10 * ReceiveBudget.STALLED.toNanos());

        assertThatThrownBy(() -> inflows.open(KEY, List.of(new Blocks('B', 16 << 20))))
                .isInstanceOf(WireException.class);
        assertThat(inflows.size()).isEqualTo(1);
        unbegun.close();
    }

    @Test
    void whatGoesOnArrivingKeepsItsRoom() {
        StreamReceiver slow = inflows.open(KEY, List.of(new Blocks('B', 60 << 10), new Blocks('B', 15 << 20)));
        slow.whenDropped(() -> problems.add("dropped"));
        StreamKey other = new StreamKey(0, 8, false);
        List<Blocks> more = List.of(new Blocks('B', 8 << 20));
        for (int i = 0; i < 10; i++) {
            chunk(7, StreamReceiver.SIGN);
            nanos.addAndGet(ReceiveBudget.STALLED.toNanos() - 10);
            assertThatThrownBy(() -> inflows.open(other, more)).isInstanceOf(WireException.class);
        }

        chunk(7, 10); // too few
        nanos.addAndGet(ReceiveBudget.UNBEGUN.toNanos());
        StreamReceiver taken = inflows.open(other, more);

        assertThat(tasks).hasSize(1);
        taken.close();
        assertThat(arrivals.reserved()).isZero();
    }

    @Test
    void whatIsNotTheSendersToSendKeepsItsRoom() throws InterruptedException {
        StreamReceiver whole = inflows.open(KEY, List.of(new Blocks('B', 1000), new Blocks('B', 16_000_000)));
        whole.whenDropped(() -> problems.add("dropped"));
        chunk(7, 1000);
        for (int sent = 1000; sent < InboundStreams.WINDOW; ) { // all that was granted, while there is no array
            int next = Math.min(64 << 10, InboundStreams.WINDOW - sent);
            chunk(7, next);
            sent += next;
        }
        nanos.addAndGet(10 * ReceiveBudget.STALLED.toNanos());
        StreamKey other = new StreamKey(0, 8, false);

        assertThatThrownBy(() -> inflows.open(other, List.of(new Blocks('B', 8 << 20))))
                .isInstanceOf(WireException.class);
        assertThat(inflows.size()).isEqualTo(1);
        whole.close();
    }

    @Test
    void refusesMoreThanWasGranted() {
        StreamReceiver unused = inflows.open(KEY, List.of(new Blocks('B', 1000)));

        assertThatThrownBy(() -> chunk(7, 1001))
                .isInstanceOf(WireException.class)
                .hasMessage(
                        "CHUNK frame with 1001 bytes for call 7 (expected: at most 1000 that were granted, of one value)");
    }

    @Test
    void refusesPartsOfElementsAndOfTwoValues() {
        StreamReceiver unused = inflows.open(KEY, List.of(new Blocks('I', 8), new Blocks('I', 8)));

        assertThatThrownBy(() -> chunk(7, 6)).isInstanceOf(WireException.class);
        assertThatThrownBy(() -> chunk(7, 12)).isInstanceOf(WireException.class);
    }

    @Test
    void refusesWhatIsNoArray() {
        assertThatThrownBy(() -> inflows.open(KEY, List.of(new Blocks('X', 8)))).isInstanceOf(WireException.class);
        assertThatThrownBy(() -> inflows.open(KEY, List.of(new Blocks('D', 12))))
                .isInstanceOf(WireException.class);
        assertThatThrownBy(() -> inflows.open(KEY, List.of(new Blocks('B', 1L << 40))))
                .isInstanceOf(WireException.class);
        assertThat(arrivals.reserved()).isZero();
    }

    @Test
    void refusesWhatFindsNoRoomAndTakesItLater() {
        StreamReceiver first = inflows.open(KEY, List.of(new Blocks('B', 10 << 20)));

        assertThatThrownBy(() -> inflows.open(new StreamKey(0, 8, false), List.of(new Blocks('B', 10 << 20))))
                .isInstanceOfSatisfying(
                        WireException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.OVERLOAD));
        assertThatThrownBy(() -> inflows.open(new StreamKey(0, 8, false), List.of(new Blocks('B', 17 << 20))))
                .isInstanceOfSatisfying(
                        WireException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.TOO_LARGE));
        first.close();
        assertThat(inflows.open(new StreamKey(0, 8, false), List.of(new Blocks('B', 10 << 20)))
                        .isComplete())
                .isFalse();
    }

    @Test
    void dropsWhatComesForNobodyAndWhatWasGivenUp() {
        StreamReceiver flow = inflows.open(KEY, List.of(new Blocks('B', 1000)));
        AtomicInteger completed = new AtomicInteger();
        flow.whenComplete(completed::incrementAndGet);

        chunk(9, 100);
        flow.close();
        chunk(7, 1000);

        assertThat(completed).hasValue(0);
        assertThat(arrivals.reserved()).isZero();
    }

    @Test
    void theEndOfTheConnectionLeavesNothing() {
        StreamReceiver flow = inflows.open(KEY, List.of(new Blocks('B', 1000)));
        AtomicInteger completed = new AtomicInteger();
        flow.whenComplete(completed::incrementAndGet);

        inflows.close();

        assertThat(completed).hasValue(0);
        assertThat(inflows.size()).isZero();
        assertThat(arrivals.reserved()).isZero();
    }

    @Test
    void largeArraysAreMadeElsewhereAndWhatComesMeanwhileWaits() throws InterruptedException {
        int length = 1 << 20;
        byte[] values = new byte[2 * length + 100];
        new Random(7).nextBytes(values);
        StreamReceiver flow =
                inflows.open(KEY, List.of(new Blocks('B', length), new Blocks('B', 100), new Blocks('B', length)));
        AtomicInteger completed = new AtomicInteger();
        flow.whenComplete(completed::incrementAndGet);
        int granted = granted();
        assertThat(granted).isEqualTo(InboundStreams.WINDOW);

        bytes(values, 0, length / 2);
        bytes(values, length / 2, length / 2);
        bytes(values, length, 100);
        bytes(values, length + 100, length / 2);
        assertThat(granted()).as("granted while there is no array").isEqualTo(granted);
        awaitArray();
        assertThat(granted()).as("granted while the last array is missing").isEqualTo(values.length);
        awaitArray();
        assertThat(completed).hasValue(0);
        bytes(values, 3 * length / 2 + 100, length / 2);

        assertThat(completed).hasValue(1);
        assertThat(flow.isComplete()).isTrue();
        assertThat(tasks).isEmpty();
        assertThat(problems).isEmpty();
        assertThat(inflows.size()).isZero();
    }

    private void bytes(byte[] values, int from, int count) {
        int chunk = 64 << 10;
        for (int at = from; at < from + count; at += chunk) {
            int length = Math.min(chunk, from + count - at);
            ByteBuf frame = new Chunk(0, 7, false, false).begin(HEAP, length).writeBytes(values, at, length);
            Header.finish(frame);
            inflows.onChunk(frame);
            frame.release();
        }
    }

    @Test
    void whatWaitsForItsArrayIsLetGoWithTheStream() throws InterruptedException {
        StreamReceiver flow = inflows.open(KEY, List.of(new Blocks('B', 2 << 20)));
        AtomicInteger completed = new AtomicInteger();
        flow.whenComplete(completed::incrementAndGet);
        ByteBuf frame = new Chunk(0, 7, false, false).begin(HEAP, 1 << 10).writeZero(1 << 10);
        Header.finish(frame);
        inflows.onChunk(frame);
        assertThat(frame.refCnt()).as("held").isEqualTo(2);

        flow.close();
        assertThat(frame.refCnt()).as("let go").isEqualTo(1);
        int granted = granted();
        awaitArray();

        assertThat(completed).hasValue(0);
        assertThat(granted()).isEqualTo(granted);
        assertThat(arrivals.reserved()).isZero();
    }
}
