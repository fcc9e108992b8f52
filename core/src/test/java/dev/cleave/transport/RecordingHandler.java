package dev.cleave.transport;

import dev.cleave.wire.Header;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Writes down what happens on a connection, and whether it happens in the order promised. */
public class RecordingHandler implements FrameHandler {

    /** The bytes of each frame, in hex; only of frames of at most 64 bytes. */
    public final Queue<String> frames = new ConcurrentLinkedQueue<>();

    /** The ids of the frames. */
    public final Queue<Long> ids = new ConcurrentLinkedQueue<>();

    public final AtomicLong bytes = new AtomicLong();
    public final AtomicInteger opens = new AtomicInteger();
    public final AtomicInteger closes = new AtomicInteger();
    public final AtomicInteger readCompletes = new AtomicInteger();
    public final AtomicInteger writables = new AtomicInteger();
    public final Queue<String> violations = new ConcurrentLinkedQueue<>();
    public volatile Connection connection;
    public volatile Optional<Throwable> cause;
    private final AtomicInteger inside = new AtomicInteger();

    @Override
    public void onOpen(Connection opened) {
        during("onOpen", 0, () -> {
            connection = opened;
            opens.incrementAndGet();
        });
    }

    @Override
    public void onFrame(Connection from, ByteBuf frame) {
        during("onFrame", 1, () -> {
            bytes.addAndGet(frame.readableBytes());
            ids.add(Header.id(frame));
            if (frame.readableBytes() <= 64) {
                frames.add(ByteBufUtil.hexDump(frame));
            }
        });
    }

    @Override
    public void onReadComplete(Connection from) {
        during("onReadComplete", 1, readCompletes::incrementAndGet);
    }

    @Override
    public void onWritable(Connection from) {
        during("onWritable", 1, writables::incrementAndGet);
    }

    @Override
    public void onClose(Connection from, Throwable why) {
        during("onClose", 1, () -> {
            cause = Optional.ofNullable(why);
            closes.incrementAndGet();
        });
    }

    private void during(String event, int expectedOpens, Runnable action) {
        if (inside.incrementAndGet() != 1) {
            violations.add(event + " at the same time as another event");
        }
        if (opens.get() != expectedOpens) {
            violations.add(event + " after " + opens.get() + " onOpen");
        }
        if (closes.get() != 0) {
            violations.add(event + " after onClose");
        }
        action.run();
        inside.decrementAndGet();
    }
}
