package dev.cleave.server;

import dev.cleave.call.Link;
import dev.cleave.call.RemoteMethod;
import dev.cleave.ref.References;
import dev.cleave.serial.ValueWriter;
import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.Execution;
import dev.cleave.wire.Failure;
import dev.cleave.wire.Header;
import dev.cleave.wire.Reply;
import dev.cleave.wire.WireException;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/** The one answer to a call: writes frames, without flushing. Owns the reply until it is written or dropped. */
final class Answer {

    private final Link link;
    private final Invocation.Key to;
    private final References references;
    private final Exported exported;
    private final RemoteMethod method;
    private @Nullable ByteBuf reply;
    private @Nullable ValueWriter out;

    Answer(Invocation.Key to, References references, Exported exported, RemoteMethod method) {
        this.link = to.link();
        this.to = to;
        this.references = references;
        this.exported = exported;
        this.method = method;
    }

    /** Begins a reply: where the result is written to. */
    ValueWriter begin() {
        ByteBuf frame = new Reply(to.peer(), to.id()).begin(link.connection().allocator(), 64);
        ValueWriter writer = exported.codec().writer(frame);
        reply = frame;
        out = writer;
        return writer;
    }

    /**
     * Completes the reply.
     *
     * @param turn of the call: others may need the result
     */
    void finish(Turn turn) {
        ByteBuf frame = reply;
        ValueWriter writer = out;
        if (frame == null || writer == null) {
            throw new IllegalStateException(method.label() + ": no reply has been begun");
        }
        int highest = writer.finish(i -> method.label() + ": the result");
        Header.finish(frame);
        references.sent(link.tables(to.peer()), writer.departed());
        reply = null;
        link.tables(to.peer()).announceTypes(highest);
        turn.keepResult(frame, method);
        link.write(frame);
    }

    /** Lets a reply go that has been begun, if one has. */
    void drop() {
        ByteBuf frame = reply;
        reply = null;
        if (frame != null) {
            frame.release();
        }
    }

    /** Says what the method threw. */
    void threw(Throwable thrown) {
        String message = thrown.getClass().getName();
        ByteBuf frame = new Failure(to.peer(), to.id(), ErrorCode.THROWN, Execution.EXECUTED, message)
                .begin(link.connection().allocator(), 1 << 10);
        try {
            int highest = exported.codec().writeThrown(thrown, frame);
            Header.finish(frame);
            link.tables(to.peer()).announceTypes(highest);
            link.write(frame);
        } catch (WireException e) {
            frame.release();
            fail(e.code(), Execution.EXECUTED, "the method threw " + message + ", which is too large to send");
        } catch (RuntimeException e) {
            frame.release();
            throw e;
        }
    }

    /** Says that the call failed. */
    void fail(ErrorCode code, Execution execution, String why) {
        link.write(new Failure(to.peer(), to.id(), code, execution, why)
                .write(link.connection().allocator()));
    }
}
