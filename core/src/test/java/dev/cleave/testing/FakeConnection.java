package dev.cleave.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.call.FrameTable;
import dev.cleave.call.LinkCore;
import dev.cleave.transport.Connection;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.Peer;
import dev.cleave.wire.Frame;
import dev.cleave.wire.FrameKind;
import dev.cleave.wire.Header;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;

/** A connection that keeps what is written to it, and takes or reads no more when a test says so. One thread only. */
public final class FakeConnection implements Connection {

    private static final ByteBufAllocator HEAP = new UnpooledByteBufAllocator(false);

    public final Queue<Runnable> tasks = new ArrayDeque<>();
    public boolean isWritable = true;
    public boolean isReading = true;
    public boolean isClosed;
    public boolean isStopped; // its event thread
    public int flushes;
    public long unsent; // bytes
    public BooleanConsumer whenReading = enabled -> {}; // told that it reads again, or no more
    private final String name;
    private final Queue<ByteBuf> written = new ArrayDeque<>();

    /** What other threads do at the moment at which reading ends or begins. */
    @FunctionalInterface
    public interface BooleanConsumer {

        void accept(boolean enabled);
    }

    public FakeConnection(String name) {
        this.name = name;
    }

    /** The core of a session over this connection, whose peer has features and may lead to others. */
    public <S> LinkCore<S> core(FrameTable<S> frames, long features) {
        return new LinkCore<>(this, new Peer(name, 1, 2, features), frames, true);
    }

    /** The kinds of the frames that were written and have not been taken. */
    public List<FrameKind> kinds() {
        List<FrameKind> kinds = new ArrayList<>();
        written.forEach(frame -> kinds.add(Header.kind(frame)));
        return kinds;
    }

    /** Takes the first frame that was written. */
    public ByteBuf take() {
        assertThat(written).as("frames written to " + name).isNotEmpty();
        return written.remove();
    }

    /** Takes and reads the first frame that was written. */
    public <F extends Frame> F take(Function<ByteBuf, F> reader) {
        return reader.apply(take());
    }

    /** Runs the tasks of the event thread. */
    public void runTasks() {
        while (!tasks.isEmpty()) {
            tasks.remove().run();
        }
    }

    @Override
    public ByteBufAllocator allocator() {
        return HEAP;
    }

    @Override
    public void write(ByteBuf frame) {
        ByteBuf kept = HEAP.buffer();
        kept.writeBytes(frame, frame.readerIndex(), frame.readableBytes());
        frame.release();
        written.add(kept);
    }

    @Override
    public void flush() {
        flushes++;
    }

    @Override
    public boolean isWritable() {
        return isWritable;
    }

    @Override
    public long unsent() {
        return unsent;
    }

    @Override
    public void reading(boolean enabled) {
        isReading = enabled;
        whenReading.accept(enabled);
    }

    @Override
    public void execute(Runnable task) {
        if (isStopped) {
            throw new RejectedExecutionException("stopped");
        }
        tasks.add(task);
    }

    @Override
    public Endpoint peer() {
        return Endpoint.local(name);
    }

    @Override
    public boolean isClosed() {
        return isClosed;
    }

    @Override
    public void close() {
        isClosed = true;
    }

    @Override
    public String toString() {
        return name;
    }
}
