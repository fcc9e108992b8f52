package dev.cleave.client;

import dev.cleave.call.Link;
import dev.cleave.client.ServiceRoute.Hop;
import dev.cleave.serial.Block;
import dev.cleave.stream.Outflow;
import dev.cleave.wire.Blocks;
import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.Hello;
import dev.cleave.wire.WireException;
import io.netty.buffer.ByteBuf;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The large arguments of one call, which follow its request, each time it is sent. Thread-safe. */
final class SentBlocks {

    /** Of calls that have none. */
    static final SentBlocks NONE = new SentBlocks(List.of());

    private final List<Block> blocks;
    private volatile @Nullable Stream stream;

    private record Stream(Link link, Outflow flow) {

        void stop() {
            link.blocks().stop(flow);
        }
    }

    private SentBlocks(List<Block> blocks) {
        this.blocks = blocks;
    }

    /** Arguments that stay as they are until the call has ended: its caller waits. */
    static SentBlocks inPlace(List<Block> blocks) {
        return blocks.isEmpty() ? NONE : new SentBlocks(List.copyOf(blocks));
    }

    /** Arguments as they are now, which the program may change afterwards. */
    static SentBlocks copied(List<Block> blocks) {
        return blocks.isEmpty()
                ? NONE
                : new SentBlocks(blocks.stream().map(Block::copy).toList());
    }

    /** These, to be sent for another call. */
    SentBlocks again() {
        return this == NONE ? NONE : new SentBlocks(blocks);
    }

    /** Puts the list of them behind the arguments of a request, which has to be finished again. */
    void announce(ByteBuf frame) {
        Blocks.put(blocks.stream().map(Block::announcement).toList(), frame);
    }

    /** Says on a request made anew that the list is among the argument bytes. */
    void mark(ByteBuf frame) {
        if (this != NONE) {
            Blocks.mark(frame);
        }
    }

    /** Throws if those at the other end of a link cannot take them. */
    void check(Link link) {
        if (this != NONE && !link.has(Hello.BLOCKS)) {
            throw new WireException(
                    ErrorCode.TOO_LARGE,
                    "arguments of more than 64 KiB for " + link.peer().node()
                            + ", which cannot take them (expected: a newer version there)");
        }
        if (!link.has(Hello.LATER) && blocks.stream().anyMatch(Block::isLate)) {
            throw new WireException(
                    ErrorCode.TOO_LARGE,
                    "later arguments for " + link.peer().node()
                            + ", which cannot take them (expected: a newer version there)");
        }
    }

    /**
     * Sends them after the request, unless the call has ended.
     *
     * @param writing writes the request
     */
    void send(Hop way, long id, Runnable writing, BooleanSupplier hasEnded) {
        if (this == NONE) {
            writing.run();
            return;
        }
        Stream made = new Stream(way.link(), Outflow.ofRequest(way.peer(), id, blocks));
        stop();
        stream = made;
        if (hasEnded.getAsBoolean()) { // who has ended it may not have seen the stream
            made.flow().stop();
        }
        way.link().blocks().send(made.flow(), writing);
    }

    /** Reads no more from the arrays when this has returned. */
    void stop() {
        Stream known = stream;
        if (known != null) {
            known.stop();
        }
    }
}
