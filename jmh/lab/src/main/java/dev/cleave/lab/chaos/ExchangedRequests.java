package dev.cleave.lab.chaos;

import dev.cleave.wire.FrameKind;
import dev.cleave.wire.Header;
import dev.cleave.wire.Lane;
import dev.cleave.wire.RequestHead;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Now and then two requests of one lane that are behind others change places. */
final class ExchangedRequests extends Requests {

    private final FaultyTransport.Pipe pipe;
    private final BooleanSupplier when;
    private @Nullable ByteBuf held;

    ExchangedRequests(FaultyTransport.Pipe pipe, String method, BooleanSupplier when) {
        super(method);
        this.pipe = pipe;
        this.when = when;
    }

    @Override
    synchronized boolean leaves(ByteBuf frame) {
        Lane lane = RequestHead.read(frame.duplicate()).options().lane();
        ByteBuf before = held;
        if (before == null) {
            boolean waits = lane != null && !lane.isFirst() && when.getAsBoolean();
            held = waits ? Unpooled.copiedBuffer(frame) : null;
            return !waits;
        }
        held = null;
        boolean isBehind = lane != null && !lane.isFirst();
        pipe.send(isBehind ? frame.copy() : before);
        pipe.send(isBehind ? before : frame.copy());
        return false;
    }

    /** Nothing waits for long. */
    @Override
    synchronized boolean other(ByteBuf frame) {
        ByteBuf before = held;
        if (before == null || Header.kind(frame) == FrameKind.REQUEST) {
            return true;
        }
        held = null;
        pipe.send(before);
        return true;
    }
}
