package dev.cleave.client;

import dev.cleave.call.Link;
import dev.cleave.call.ResultStream;
import dev.cleave.client.ServiceRoute.Hop;
import dev.cleave.stream.Block;
import dev.cleave.stream.BlockFactory;
import dev.cleave.stream.RepeatedBlocks;
import dev.cleave.stream.StreamSender;
import dev.cleave.stream.StreamedValue;
import dev.cleave.wire.Blocks;
import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.Hello;
import dev.cleave.wire.Same;
import dev.cleave.wire.WireException;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The large arguments of one call: they are streamed behind its request each time that it is sent. Thread-safe. */
final class RequestStream {

    /** The stream of calls without large arguments. */
    static final RequestStream NONE = new RequestStream(List.of(), true, RepeatedBlocks.of(List.of()));

    /** Replaces the stream of a call that has ended. */
    static final RequestStream OVER = NONE.empty();

    private final List<Block> blocks;
    private final boolean inPlace;
    private final RepeatedBlocks repeated;
    private volatile @Nullable Sending sending;
    private volatile @Nullable ResultStream result; // a streamed result, which may be made of these arguments

    private record Sending(Link link, StreamSender sender) {

        void stop() {
            link.streams().stop(sender);
        }
    }

    private RequestStream(List<Block> blocks, boolean inPlace, RepeatedBlocks repeated) {
        this.blocks = blocks;
        this.inPlace = inPlace;
        this.repeated = repeated;
    }

    /** Sends arguments from their arrays, which do not change until the call has ended: its caller waits. */
    static RequestStream inPlace(List<Block> blocks) {
        return blocks.isEmpty() ? NONE : new RequestStream(List.copyOf(blocks), true, RepeatedBlocks.of(blocks));
    }

    /** Copies arguments, which the program may change afterwards. */
    static RequestStream copied(List<Block> blocks) {
        return blocks.isEmpty()
                ? NONE
                : new RequestStream(blocks.stream().map(Block::copy).toList(), false, RepeatedBlocks.of(blocks));
    }

    /** Returns the same arguments, to be sent for another call. */
    RequestStream again() {
        return this == NONE ? NONE : new RequestStream(blocks, inPlace, repeated);
    }

    /** Returns the announcements of the blocks for the request. */
    List<Blocks> announcements() {
        return this == NONE
                ? List.of()
                : blocks.stream().map(Block::announcement).toList();
    }

    /** Throws a WireException if the node at the other end of a link cannot take the arguments. */
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
     * Sends the arguments after the request, unless the call has ended.
     *
     * @param writing writes the request
     */
    void send(Hop way, long id, Runnable writing, BooleanSupplier hasEnded) {
        if (this == NONE) {
            writing.run();
            return;
        }
        boolean mayName =
                way.link().has(Hello.SAME_BLOCKS) && way.link().connection().isToOtherHost();
        List<Same.Entry> named = mayName ? repeated.named(blocks) : List.of();
        StreamSender sender = StreamSender.ofRequest(way.peer(), id, blocks);
        Sending made = new Sending(way.link(), named.isEmpty() ? sender : sender.naming());
        stop();
        sending = made;
        if (hasEnded.getAsBoolean()) { // the thread that has ended it may not have seen the sender
            made.sender().stop();
        }
        way.link().streams().send(made.sender(), () -> {
            if (!named.isEmpty()) {
                Link to = way.link();
                to.write(new Same(id, false, named).write(to.connection().allocator()));
            }
            writing.run();
        });
    }

    /** The bytes that were not sent, as the server had them from earlier calls. */
    long spared() {
        Sending known = sending;
        return known == null ? 0 : known.sender().spared();
    }

    private RequestStream empty() {
        return new RequestStream(List.of(), true, repeated);
    }

    /** Replaces this when its call has ended. */
    RequestStream over() {
        if (spared() == 0) {
            return OVER;
        }
        RequestStream over = empty();
        over.sending = sending;
        return over;
    }

    /** Returns the streamed values among the arguments, which may still be arriving here. */
    List<StreamedValue> sources() {
        return BlockFactory.sources(blocks).stream().distinct().toList();
    }

    /** Keeps the stream open until a streamed result is whole: it may be made of these arguments. */
    void lastUntil(ResultStream whole) {
        result = whole;
        if (inPlace) {
            whole.beforeItIsUsed(this::copyRest);
        }
        whole.whenEnded(this::stop);
    }

    /** Gives up the result when an argument, a streamed value, has failed after the end of the call. */
    void failed(StreamedValue source) {
        ResultStream made = result;
        ErrorCode code = source.failure();
        if (made != null && code != null) {
            made.giveUp(code, "argument: " + source.why());
        }
    }

    /** Stops the stream at the end of the call, unless a result is still arriving. */
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

    /** Stops the stream; it reads no more from the arrays when this has returned. */
    void stop() {
        Sending known = sending;
        if (known != null) {
            known.stop();
        }
    }
}
