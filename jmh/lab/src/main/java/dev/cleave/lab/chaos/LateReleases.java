package dev.cleave.lab.chaos;

import dev.cleave.wire.FrameKind;
import dev.cleave.wire.Header;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Delays the releases of a server until its next request to the owner: a garbage collector may take as long, and the
 * object may have arrived again meanwhile.
 */
final class LateReleases implements FrameDefect {

    private final FaultyTransport.Pipe pipe;
    private final int times;
    private final Deque<ByteBuf> late = new ArrayDeque<>(); // guarded by this

    /**
     * Creates one.
     *
     * @param times how often each is said; more than once is a defect
     */
    LateReleases(FaultyTransport.Pipe pipe, int times) {
        this.pipe = pipe;
        this.times = times;
    }

    @Override
    public synchronized boolean out(ByteBuf frame) {
        FrameKind kind = Header.kind(frame);
        for (int i = 0; i < times && kind == FrameKind.HELD; i++) {
            late.add(Unpooled.copiedBuffer(frame));
        }
        while (kind == FrameKind.REQUEST && !late.isEmpty()) {
            pipe.send(late.remove());
        }
        return kind != FrameKind.HELD;
    }
}
