package dev.cleave.client;

import dev.cleave.call.Link;
import dev.cleave.call.ResultStream;
import dev.cleave.client.ServiceRoute.Hop;
import dev.cleave.stream.Block;
import dev.cleave.stream.StreamSender;
import dev.cleave.stream.StreamedValue;
import dev.cleave.wire.Blocks;
import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.Hello;
import dev.cleave.wire.WireException;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The large arguments of one call: they are streamed behind its request each time that it is sent. Thread-safe. */
final class RequestStream {

    /** Of calls that have none. */
    static final RequestStream NONE = new RequestStream(List.of(), true);

    /** In the place of those of a call that has ended. */
    static final RequestStream OVER = new RequestStream(List.of(), true);

    private final List<Block> blocks;
    private final boolean inPlace;
    private volatile @Nullable Sending sending;
    private volatile @Nullable ResultStream result; // may be made of them while it arrives

    private record Sending(Link link, StreamSender sender) {

        void stop() {
            link.streams().stop(sender);
        }
    }

    private RequestStream(List<Block> blocks, boolean inPlace) {
        this.blocks = blocks;
        this.inPlace = inPlace;
    }

    /** Arguments that stay as they are until the call has ended: its caller waits. */
    static RequestStream inPlace(List<Block> blocks) {
        return blocks.isEmpty() ? NONE : new RequestStream(List.copyOf(blocks), true);
    }

    /** Arguments as they are now, which the program may change afterwards. */
    static RequestStream copied(List<Block> blocks) {
        return blocks.isEmpty()
                ? NONE
                : new RequestStream(blocks.stream().map(Block::copy).toList(), false);
    }

    /** These, to be sent for another call. */
    RequestStream again() {
        return this == NONE ? NONE : new RequestStream(blocks, inPlace);
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
        if (!link.has(Hello.LATER) && blocks.stream().anyMatch(Block::isStreamed)) {
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
        Sending made = new Sending(way.link(), StreamSender.ofRequest(way.peer(), id, blocks));
        stop();
        sending = made;
        if (hasEnded.getAsBoolean()) { // the thread that has ended it may not have seen the sender
            made.sender().stop();
        }
        way.link().streams().send(made.sender(), writing);
    }

    /** The streamed values among them, which may still be arriving here. */
    List<StreamedValue> sources() {
        return blocks.stream()
                .map(Block::source)
                .filter(Objects::nonNull)
                .distinct()
                .toList();
    }

    /** Goes on until a result is whole with whose beginning the call ends: it may be made of these arguments. */
    void lastUntil(ResultStream whole) {
        result = whole;
        if (inPlace) {
            whole.beforeItIsUsed(this::copyRest);
        }
        whole.whenEnded(this::stop);
    }

    /** Gives up the result, which may be made of a streamed value that has failed after the call has ended. */
    void failed(StreamedValue source) {
        ResultStream made = result;
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

    private void copyRest() {
        Sending known = sending;
        if (known != null) {
            known.sender().copyRest();
        }
    }

    /** Reads no more from the arrays when this has returned. */
    void stop() {
        Sending known = sending;
        if (known != null) {
            known.stop();
        }
    }
}
