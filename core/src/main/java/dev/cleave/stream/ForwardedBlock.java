package dev.cleave.stream;

import static java.util.Objects.requireNonNull;

import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/** An array that is still being received from one node, and is sent to another as it arrives. */
final class ForwardedBlock extends Block {

    private final StreamedValue source;
    private final Block arriving;

    /** Forwards a value that {@linkplain StreamedValue#isArray is an array}. */
    ForwardedBlock(StreamedValue source) {
        super(source.blocks().get(0).kind(), source.bytes());
        this.source = source;
        arriving = source.blocks().get(0);
    }

    @Override
    long readable() {
        return source.readable();
    }

    /** Returns the value that it forwards. */
    StreamedValue source() {
        return source;
    }

    @Override
    int elementSize() {
        return arriving.elementSize();
    }

    /** A copy if the array has arrived whole; else this, which goes on as it arrives. */
    @Override
    public Block copy() {
        return source.isHere() ? arriving.copy().like(this) : this;
    }

    @Override
    public @Nullable Object array() {
        return arriving.array();
    }

    @Override
    int elements(long filled) {
        return arriving.elements(filled);
    }

    @Override
    void read(long from, int count, ByteBuf to) {
        arriving.read(from, count, to);
    }

    @Override
    boolean isMadeElsewhere() {
        return false;
    }

    @Override
    void make() {
        requireNonNull(arriving.array());
    }

    @Override
    void fill(long from, int count, ByteBuf source) {
        throw new IllegalStateException("a block that is sent");
    }
}
