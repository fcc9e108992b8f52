package dev.cleave.server;

import dev.cleave.call.FrameRoom;
import dev.cleave.call.Link;
import dev.cleave.call.ParameterPlan;
import dev.cleave.call.PeerTables;
import dev.cleave.call.Remembered;
import dev.cleave.ref.References;
import dev.cleave.serial.Codec;
import dev.cleave.serial.SerialException;
import dev.cleave.serial.ValueKind;
import dev.cleave.serial.ValueWriter;
import dev.cleave.serial.WholeForm;
import dev.cleave.serial.WrittenValue;
import dev.cleave.stream.Block;
import dev.cleave.stream.BlockFactory;
import dev.cleave.stream.StreamSender;
import dev.cleave.stream.StreamedValue;
import dev.cleave.wire.Blocks;
import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.Execution;
import dev.cleave.wire.Failure;
import dev.cleave.wire.Header;
import dev.cleave.wire.Hello;
import dev.cleave.wire.Reply;
import dev.cleave.wire.WireException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The one answer to a call: writes frames, without flushing. Owns the reply until it is written or dropped. */
final class Answer implements Function<Integer, String> {

    private static final List<Integer> RESULT = List.of(0);
    private static final int SMALL = 64;
    private static final long PAUSE_MILLIS = 20;
    private static final long MOST_MILLIS = 2_000;

    private final Invocation call;
    private final References references;
    private @Nullable ByteBuf reply;
    private @Nullable ValueWriter out;
    private @Nullable SmallReply small;
    private int size;

    /**
     * A result that is kept.
     *
     * @param value for calls that need it as an argument
     * @param sent its large arrays as they follow the reply
     * @param mayStay whether its caller can read it without running code of the program
     */
    private record Kept(WrittenValue value, List<Block> sent, boolean mayStay) {

        Kept(WrittenValue value) {
            this(value, value.sharedBlocks(), true);
        }
    }

    Answer(Invocation call, References references) {
        this.call = call;
        this.references = references;
    }

    /** Begins a reply; returns the writer of the result. */
    ValueWriter begin() {
        Codec codec = call.exported().codec();
        if (isSmall()) {
            Worker worker = Thread.currentThread() instanceof Worker thread ? thread : null;
            SmallReply known = worker == null ? small : worker.small;
            if (known == null || known.codec() != codec || known.frame().refCnt() > 1) {
                ByteBuf frame = UnpooledByteBufAllocator.DEFAULT.heapBuffer(SMALL);
                known = new SmallReply(frame, codec, codec.writer(frame));
                if (worker == null) {
                    small = known;
                } else {
                    worker.small = known;
                }
            }
            Reply.begin(known.frame(), call.peer(), call.id());
            reply = known.frame().retain();
            out = known.out();
            return known.out();
        }
        ByteBuf frame = replies()
                .allocate(
                        call.method().index(),
                        Reply.RESULT_AT,
                        call.link().connection().allocator());
        Reply.begin(frame, call.peer(), call.id());
        ValueWriter writer = codec.blockWriter(frame);
        if (isStreamed(call.method().plan().result()) && call.link().has(Hello.LATER)) {
            writer.streams(RESULT);
        }
        reply = frame;
        out = writer;
        return writer;
    }

    /** Whether the result is a primitive, and nothing else goes with it. */
    private boolean isSmall() {
        return call.method().hasPrimitiveResult()
                && call.method().plan().restored().isEmpty();
    }

    private FrameRoom replies() {
        return call.exported().order().paces().replies();
    }

    private static boolean isStreamed(@Nullable ParameterPlan result) {
        return result != null && result.isStreamed();
    }

    /**
     * Completes the reply.
     *
     * @param turn order of the call: a later call may need its result as an argument
     */
    void finish(Turn turn) {
        ByteBuf frame = reply;
        ValueWriter writer = out;
        if (frame == null || writer == null) {
            throw new IllegalStateException(call.method().label() + ": no reply has been begun");
        }
        Link link = call.link();
        PeerTables tables = link.tables(call.peer());
        int highest = writer.finish(this);
        Kept kept = turn.keepsResult() ? kept(writer, frame, highest, turn) : null;
        if (kept != null && kept.mayStay() && turn.stays(kept.value())) {
            tellThatItStays(kept.value(), frame, highest);
            return;
        }
        List<Block> blocks = kept == null ? writer.blocks() : kept.sent();
        if (!blocks.isEmpty()) {
            announce(blocks, frame);
        }
        Header.finish(frame);
        if (!isSmall()) {
            frame = replies()
                    .complete(call.method().index(), frame, link.connection().allocator());
            reply = frame;
        }
        ByteBuf whole = frame;
        size = whole.readableBytes();
        references.sent(tables, writer.departed());
        reply = null;
        tables.announceTypes(highest);
        remember(blocks.isEmpty() && writer.departed().isEmpty() ? whole : null, highest);
        if (blocks.isEmpty()) {
            link.write(whole);
        } else {
            StreamSender stream = StreamSender.ofReply(call.peer(), call.id(), blocks);
            List<StreamedValue> sources = stream.sources();
            ArgumentStream arguments = call.stream();
            if (arguments != null && blocks.stream().anyMatch(Block::isStreamed)) {
                arguments.keepUntil(stream);
            }
            link.streams().send(stream, () -> link.write(whole));
            if (!sources.isEmpty()) {
                int peer = call.peer(); // the call is used again while the result goes on
                long id = call.id();
                sources.forEach(source -> source.onArrival(() -> tellFailure(source, stream, link, peer, id)));
            }
            if (kept == null && sources.size() < blocks.size()) {
                handOver(stream);
            }
        }
    }

    /** Answers without a result that is kept; it is remembered for a caller whose connection breaks. */
    private void tellThatItStays(WrittenValue kept, ByteBuf frame, int highest) {
        Header.finish(frame);
        remember(kept.hasBlocks() ? null : frame, highest);
        drop();
        Link link = call.link();
        ByteBuf told =
                new Reply(call.peer(), call.id()).stayed(link.connection().allocator(), kept.size());
        size = told.readableBytes();
        link.write(told);
    }

    /**
     * Keeps the result for calls that need it as an argument, with copies of its large arrays; null if it is not kept:
     * there is no room, or it cannot be read again.
     */
    private @Nullable Kept kept(ValueWriter writer, ByteBuf frame, int highest, Turn turn) {
        ValueKind kind = call.method().result();
        List<Block> blocks = writer.blocks();
        long bytes =
                frame.readableBytes() + blocks.stream().mapToLong(Block::bytes).sum();
        if (kind == null
                || !call.method().plan().restored().isEmpty()
                || !References.canBePassedOn(writer.departed())
                || !BlockFactory.sources(blocks).stream().allMatch(StreamedValue::isHere)
                || !turn.hasRoom(bytes)) {
            return null;
        }
        byte[] value = new byte[frame.readableBytes() - Reply.RESULT_AT];
        frame.getBytes(frame.readerIndex() + Reply.RESULT_AT, value);
        try {
            Kept kept = blocks.stream().anyMatch(Block::isStreamed)
                    ? keptWhole(kind, value, blocks, highest)
                    : new Kept(WrittenValue.of(kind, value, blocks, types(highest)));
            return kept != null && turn.keepResult(kept.value()) ? kept : null;
        } catch (OutOfMemoryError e) { // for the copies: then the caller passes it on
            return null;
        }
    }

    /** A result that is streamed to its caller, and all of which is here: calls that need it are given it whole. */
    private @Nullable Kept keptWhole(ValueKind kind, byte[] value, List<Block> blocks, int highest) {
        List<Block> copies = blocks.stream().map(Block::copy).toList();
        WholeForm whole = WholeForm.of(call.exported().codec(), kind, value, copies, highest);
        return whole == null
                ? null
                : new Kept(
                        whole.kept(types(whole.highestType())),
                        copies,
                        copies.size() == 1 && !copies.get(0).isObjects());
    }

    private List<String> types(int highest) {
        return call.link().context().types().upTo(highest);
    }

    /** Tells the receiver of a reply, which has been sent, why a forwarded value does not arrive. */
    private static void tellFailure(StreamedValue source, StreamSender stream, Link link, int peer, long id) {
        ErrorCode code = source.failure();
        if (code != null && link.streams().stop(stream)) {
            link.write(new Failure(peer, id, code, Execution.EXECUTED, source.why())
                    .write(link.connection().allocator()));
            link.flush();
        }
    }

    /** Returns the bytes of the last reply, without those of large values. */
    int size() {
        return size;
    }

    private void announce(List<Block> blocks, ByteBuf frame) {
        if (!call.link().has(Hello.BLOCKS)) {
            throw new SerialException(
                    SerialException.Reason.TOO_LARGE,
                    call.method().label() + ": result for a peer that takes no blocks",
                    null);
        }
        if (!call.link().has(Hello.LATER) && blocks.stream().anyMatch(Block::isStreamed)) {
            throw new SerialException(
                    SerialException.Reason.TOO_LARGE,
                    call.method().label() + ": later values in the result for a peer that takes none",
                    null);
        }
        Blocks.put(blocks.stream().map(Block::announcement).toList(), frame);
    }

    /** Names the result, in a message about a value that cannot be sent. */
    @Override
    public String apply(Integer object) {
        return call.method().label() + ": the result";
    }

    /**
     * Returns when the program may change the arrays of the result again: a worker waits while the receiver reads; any
     * other thread, or a worker whose receiver is slow, copies them.
     */
    private void handOver(StreamSender stream) {
        boolean taken = false;
        if (Thread.currentThread() instanceof Worker worker && !worker.delivers()) {
            worker.handBack();
            call.link().flush();
            try {
                taken = stream.awaitTaken(PAUSE_MILLIS, MOST_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        if (!taken) {
            stream.copyRest();
        }
    }

    /** Releases a reply that has been begun, if there is one. */
    void drop() {
        ByteBuf frame = reply;
        reply = null;
        if (frame != null) {
            frame.release();
        }
    }

    /** Writes a FAILURE with the exception of the method. */
    void threw(Throwable thrown) {
        Link link = call.link();
        String message = thrown.getClass().getName();
        ByteBuf frame = new Failure(call.peer(), call.id(), ErrorCode.THROWN, Execution.EXECUTED, message)
                .begin(link.connection().allocator(), 1 << 10);
        try {
            int highest = call.exported().codec().writeThrown(thrown, frame);
            Header.finish(frame);
            link.tables(call.peer()).announceTypes(highest);
            remember(frame, highest);
            link.write(frame);
        } catch (WireException e) {
            frame.release();
            fail(e.code(), Execution.EXECUTED, "the method threw " + message + ", which is too large to send");
        } catch (RuntimeException | Error e) { // user code: methods of the exception
            frame.release();
            throw e;
        }
    }

    /** Writes a FAILURE: the call itself failed. */
    void fail(ErrorCode code, Execution execution, String why) {
        Link link = call.link();
        ByteBuf frame = new Failure(call.peer(), call.id(), code, execution, why)
                .write(link.connection().allocator());
        Remembered memory = call.memory();
        if (memory != null && execution == Execution.NOT) {
            memory.notExecuted(call.id());
        } else {
            remember(frame, -1);
        }
        link.write(frame);
    }

    /** Keeps the answer in the reply cache, for a caller whose connection breaks; null if it cannot be sent again. */
    private void remember(@Nullable ByteBuf frame, int highestType) {
        Remembered memory = call.memory();
        if (memory != null) {
            memory.ended(call.id(), frame, highestType);
        }
    }
}
