package dev.cleave.client;

import dev.cleave.call.ArrivingResult;
import dev.cleave.call.Link;
import dev.cleave.client.ServiceRoute.Hop;
import dev.cleave.serial.Block;
import dev.cleave.serial.LateValue;
import dev.cleave.stream.Outflow;
import dev.cleave.wire.Blocks;
import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.Hello;
import dev.cleave.wire.WireException;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The large arguments of one call, which follow its request, each time it is sent. Thread-safe. */
final class SentBlocks {

    /** Of calls that have none. */
    static final SentBlocks NONE = new SentBlocks(List.of(), true);

    /** In the place of those of a call that has ended. */
    static final SentBlocks OVER = new SentBlocks(List.of(), true);

    private final List<Block> blocks;
    private final boolean inPlace;
    private volatile @Nullable Stream stream;
    private volatile @Nullable ArrivingResult result; // which may be made of them while it arrives

    private record Stream(Link link, Outflow flow) {

        void stop() {
            link.blocks().stop(flow);
        }
    }

    private SentBlocks(List<Block> blocks, boolean inPlace) {
        this.blocks = blocks;
        this.inPlace = inPlace;
    }

    /** Arguments that stay as they are until the call has ended: its caller waits. */
    static SentBlocks inPlace(List<Block> blocks) {
        return blocks.isEmpty() ? NONE : new SentBlocks(List.copyOf(blocks), true);
    }

    /** Arguments as they are now, which the program may change afterwards. */
    static SentBlocks copied(List<Block> blocks) {
        return blocks.isEmpty()
                ? NONE
                : new SentBlocks(blocks.stream().map(Block::copy).toList(), false);
    }

    /** These, to be sent for another call. */
    SentBlocks again() {
        return this == NONE ? NONE : new SentBlocks(blocks, inPlace);
    }

    /** What a request says of them. */
    List<Blocks> announcements() {
        return this == NONE
                ? List.of()
                : blocks.stream().map(Block::announcement).toList();
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

    /** The values among them that are still arriving here. */
    List<LateValue> sources() {
        return blocks.stream()
                .map(Block::source)
                .filter(Objects::nonNull)
                .distinct()
                .toList();
    }

    /** The call ends with a result that is still arriving: they may be what it is made from, and follow until it is whole. */
    void lastUntil(ArrivingResult whole) {
        result = whole;
        if (inPlace) {
            whole.beforeItIsUsed(this::own);
        }
        whole.whenEnded(this::stop);
    }

    /** One that is still arriving here has failed after the call has ended: what is made of it does not come. */
    void failed(LateValue source) {
        ArrivingResult made = result;
        ErrorCode code = source.failure();
        if (made != null && code != null) {
            made.giveUp(code, "argument: " + source.why());
        }
    }

    /** The call has ended. */
    void ended() {
        if (result == null) {
            stop();
        }
    }

    private void own() {
        Stream known = stream;
        if (known != null) {
            known.flow().own();
        }
    }

    /** Reads no more from the arrays when this has returned. */
    void stop() {
        Stream known = stream;
        if (known != null) {
            known.stop();
        }
    }
}
