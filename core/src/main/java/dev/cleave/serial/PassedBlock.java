package dev.cleave.serial;

import static java.util.Objects.requireNonNull;

import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/** An array that is still arriving here, and is sent on as it comes. */
final class PassedBlock extends Block {

    private final LateValue source;
    private final Block arriving;

    private PassedBlock(LateValue source, Block arriving) {
        super(arriving.kind(), arriving.bytes());
        this.source = source;
        this.arriving = arriving;
    }

    /** Passes on a value that {@linkplain LateValue#isArray is an array}. */
    static PassedBlock of(LateValue source) {
        return new PassedBlock(source, source.blocks().get(0));
    }

    @Override
    public long readable() {
        return source.readable();
    }

    @Override
    public LateValue source() {
        return source;
    }

    @Override
    public int elementSize() {
        return arriving.elementSize();
    }

    /** What has arrived in whole is copied; what has not goes on as it comes. */
    @Override
    public Block copy() {
        return source.isComplete() ? arriving.copy().like(this) : this;
    }

    @Override
    @Nullable
    Object array() {
        return arriving.array();
    }

    @Override
    int elements(long filled) {
        return arriving.elements(filled);
    }

    @Override
    public void read(long from, int count, ByteBuf to) {
        arriving.read(from, count, to);
    }

    @Override
    public boolean isMadeElsewhere() {
        return false;
    }

    @Override
    public void make() {
        requireNonNull(arriving.array());
    }

    @Override
    public void fill(long from, int count, ByteBuf source) {
        throw new IllegalStateException("a block that is sent");
    }
}
