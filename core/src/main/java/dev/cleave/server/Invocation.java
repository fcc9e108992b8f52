package dev.cleave.server;

import static java.util.Objects.requireNonNull;

import dev.cleave.CallException;
import dev.cleave.call.Failures;
import dev.cleave.call.Link;
import dev.cleave.call.RemoteMethod;
import dev.cleave.call.Stub;
import dev.cleave.ref.References;
import dev.cleave.serial.SerialException;
import dev.cleave.serial.ValueKind;
import dev.cleave.serial.ValueReader;
import dev.cleave.serial.ValueWriter;
import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.Execution;
import dev.cleave.wire.Failure;
import dev.cleave.wire.FrameKind;
import dev.cleave.wire.Header;
import dev.cleave.wire.PendingArgument;
import dev.cleave.wire.Reply;
import dev.cleave.wire.Request;
import dev.cleave.wire.WireException;
import io.netty.buffer.ByteBuf;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One call at the server, from its request to its one answer. Owns the request frame until the arguments are read or the call
 * is dropped.
 */
public final class Invocation {

    /** How far the call has come; says whether a failure means that the method ran. */
    private enum Phase {
        /** The method has not begun. */
        ARGUMENTS,
        /** The method runs, or has thrown. */
        RUNNING,
        /** The method has returned. */
        RESULT,
        /** The method has returned a future, which answers. */
        FUTURE
    }

    /**
     * Where a call has come from.
     *
     * @param link over which it has come
     * @param header of its request
     * @param references told what is sent back
     */
    record Origin(Link link, Request header, References references) {}

    private final Link link;
    private final References references;
    private final int peer;
    private final long id;
    private final Exported exported;
    private final RemoteMethod method;
    private final long arrived;
    private final long deadlineNanos;
    private final AtomicBoolean claimed = new AtomicBoolean();
    private @Nullable ByteBuf request;
    private @Nullable ValueReader in;
    private @Nullable ByteBuf reply;
    private @Nullable ValueWriter out;
    private Phase phase = Phase.ARGUMENTS;
    private long since;
    private @Nullable Lanes lanes;
    private @Nullable LaneQueue lane;
    private int place; // in the lane
    private List<PendingArgument> lacking = List.of();
    private boolean running; // on a worker, from beginning to end
    private @Nullable Invocation following;

    /** Takes over {@code frame}, whose reader index is at the arguments. */
    Invocation(Origin origin, ByteBuf frame, Exported exported, RemoteMethod method) {
        Request header = origin.header();
        this.link = origin.link();
        this.references = origin.references();
        this.peer = header.peer();
        this.id = header.id();
        this.request = frame;
        this.exported = exported;
        this.method = method;
        arrived = link.context().timer().nanos();
        since = arrived;
        deadlineNanos = header.deadlineMicros() == 0 ? Long.MAX_VALUE : header.deadlineMicros() * 1000;
    }

    /** Where the arguments are read from. */
    public ValueReader arguments() {
        in = exported.codec().reader(requireNonNull(request), link.tables(peer).types());
        return in;
    }

    /** The arguments have been read, the method begins. */
    public void begin() {
        boolean rest = !requireNonNull(in).isAtEnd();
        releaseRequest();
        if (rest) {
            throw new SerialException(SerialException.Reason.MALFORMED, "bytes after the last argument", null);
        }
        phase = Phase.RUNNING;
    }

    /** The method has returned: where its result is written to. */
    public ValueWriter result() {
        phase = Phase.RESULT;
        reply = new Reply(peer, id).begin(link.connection().allocator(), 64);
        out = exported.codec().writer(reply);
        return out;
    }

    /** The method has returned a future, whose result is that of the call. */
    public void future(@Nullable CompletionStage<?> stage) {
        phase = Phase.FUTURE;
        if (stage == null) {
            throw new NullPointerException(method.label() + " returned null (expected: a future)");
        }
        stage.whenComplete((value, thrown) -> {
            if (thrown != null) {
                Throwable cause =
                        thrown instanceof java.util.concurrent.CompletionException && thrown.getCause() != null
                                ? thrown.getCause()
                                : thrown;
                answer(cause);
                link.flush();
                return;
            }
            try {
                result().putObject(value);
                finish();
            } catch (RuntimeException e) {
                resultFailed(e);
            }
            link.flush();
        });
    }

    boolean belongsTo(Link from, int ofPeer) {
        return link == from && peer == ofPeer;
    }

    boolean belongsTo(Link from) {
        return link == from;
    }

    boolean serves(Exported service) {
        return exported == service;
    }

    long id() {
        return id;
    }

    long arrived() {
        return arrived;
    }

    Link link() {
        return link;
    }

    Dispatcher dispatcher() {
        return exported.dispatcher();
    }

    /** It is in a lane, as the call with a number: when it has been answered, the next one there has its turn. */
    void enter(Lanes of, LaneQueue queue, int number) {
        lanes = of;
        lane = queue;
        place = number;
    }

    /** Some of its arguments are results of calls before it in its lane. */
    void lacks(List<PendingArgument> arguments) {
        lacking = arguments;
    }

    /** The call before it in its chain has been answered: only now its time begins to run. */
    void turn() {
        since = link.context().timer().nanos();
    }

    /** The call behind it in its lane, to be run by the same worker; null if there is none. */
    @Nullable
    Invocation following() {
        return following;
    }

    /** Whoever is first may run, drop or refuse the call. */
    boolean claim() {
        return claimed.compareAndSet(false, true);
    }

    /** Runs the method and writes the answer, without flushing. Only after {@link #claim}. */
    void run() {
        running = true;
        if (link.isClosed()) {
            drop();
            return;
        }
        long waited = link.context().timer().nanos() - since;
        if (waited >= deadlineNanos) {
            refuse(
                    ErrorCode.DEADLINE,
                    "deadline passed after " + waited / 1_000_000 + " ms in the queue of the server");
            return;
        }
        if (!lacking.isEmpty() && !complete()) {
            refuse(ErrorCode.CANCELLED, "not executed: a result that it needs is not kept");
            return;
        }
        try {
            exported.skeleton().invoke(method.index(), exported.target(), this);
            if (phase == Phase.RESULT) {
                finish();
            }
        } catch (Throwable e) { // user code: the method may throw anything, and that is its outcome
            answer(e);
        } finally {
            releaseRequest();
            if (in != null) {
                in.close();
            }
        }
    }

    /** Puts the results that are arguments between the other arguments; false if that cannot be done. */
    private boolean complete() {
        LaneQueue own = lane;
        List<byte[]> results = own == null ? null : requireNonNull(lanes).results(own, lacking);
        ByteBuf rest = requireNonNull(request);
        long bytes = Request.ARGUMENTS_AT + rest.readableBytes();
        for (byte[] result : results == null ? List.<byte[]>of() : results) {
            bytes += result.length;
        }
        if (results == null || bytes > FrameKind.REQUEST.maxLength()) {
            return false;
        }
        ByteBuf whole = link.connection().allocator().buffer((int) bytes);
        int taken = 0;
        for (int i = 0; i < results.size(); i++) {
            int at = lacking.get(i).at();
            whole.writeBytes(rest, at - taken).writeBytes(results.get(i));
            taken = at;
        }
        whole.writeBytes(rest);
        rest.release();
        request = whole;
        return true;
    }

    /** Keeps the result for calls behind this one, which may need it; only values that need nothing but their bytes. */
    private void keepResult(ByteBuf frame) {
        LaneQueue own = lane;
        ValueKind kind = method.result();
        if (own == null || !own.keepsResults() || kind == null || kind == ValueKind.OBJECT) {
            return;
        }
        byte[] result = new byte[frame.readableBytes() - Reply.RESULT_AT];
        frame.getBytes(frame.readerIndex() + Reply.RESULT_AT, result);
        requireNonNull(lanes).keep(own, place, result);
    }

    /** Answers that the call was not executed. Only after {@link #claim}. */
    void refuse(ErrorCode code, String why) {
        releaseRequest();
        link.write(new Failure(peer, id, code, Execution.NOT, why)
                .write(link.connection().allocator()));
        answered(Execution.NOT, false);
    }

    /** Lets the call go without an answer. Only after {@link #claim}. */
    void drop() {
        releaseRequest();
        answered(Execution.NOT, false);
    }

    private void answered(Execution execution, boolean hasResult) {
        LaneQueue own = lane;
        if (own == null) {
            return;
        }
        Invocation next = requireNonNull(lanes).ended(own, this, execution, hasResult);
        if (next != null && running && phase != Phase.FUTURE) {
            following = next;
        } else if (next != null) {
            next.dispatcher().dispatch(next);
        }
    }

    /** The caller of a chain has turned away by now: what is behind the call must not run. */
    private boolean isTooLate() {
        LaneQueue own = lane;
        return own != null && own.isChain() && link.context().timer().nanos() - since >= deadlineNanos;
    }

    private void finish() {
        ByteBuf frame = requireNonNull(reply);
        if (isTooLate()) {
            reply = null;
            frame.release();
            answerExecuted(ErrorCode.DEADLINE, "deadline passed while the method ran");
            return;
        }
        int highest = requireNonNull(out).finish(i -> method.label() + ": the result");
        Header.finish(frame);
        references.sent(link.tables(peer), out.departed());
        reply = null;
        link.tables(peer).announceTypes(highest);
        keepResult(frame);
        link.write(frame);
        answered(Execution.EXECUTED, true);
    }

    private void answer(Throwable e) {
        try {
            failed(e);
        } catch (RuntimeException worse) { // user code: what the exception says of itself
            answerExecuted(ErrorCode.INTERNAL, e.getClass().getName() + " was thrown, which cannot be sent: " + worse);
        }
    }

    private void failed(Throwable e) {
        switch (phase) {
            case ARGUMENTS -> {
                ErrorCode code = e instanceof RuntimeException r ? Failures.code(r) : ErrorCode.INTERNAL;
                refuse(code == ErrorCode.INTERNAL ? ErrorCode.PROTOCOL : code, "arguments: " + e.getMessage());
            }
            case RUNNING, FUTURE -> {
                if (exported.target() instanceof Stub && e instanceof CallException failure) {
                    forwardingFailed(failure); // we only stand in for another node
                } else {
                    threw(e);
                }
            }
            case RESULT -> resultFailed(e);
        }
    }

    private void threw(Throwable thrown) {
        String message = thrown.getClass().getName();
        ByteBuf frame = new Failure(peer, id, ErrorCode.THROWN, Execution.EXECUTED, message)
                .begin(link.connection().allocator(), 1 << 10);
        try {
            int highest = exported.codec().writeThrown(thrown, frame);
            Header.finish(frame);
            link.tables(peer).announceTypes(highest);
            link.write(frame);
        } catch (WireException e) {
            frame.release();
            answerExecuted(e.code(), "the method threw " + message + ", which is too large to send");
            return;
        } catch (RuntimeException e) {
            frame.release();
            throw e;
        }
        answered(Execution.EXECUTED, false);
    }

    private void forwardingFailed(CallException failure) {
        Execution execution =
                failure.notExecuted() ? Execution.NOT : failure.maybeExecuted() ? Execution.MAYBE : Execution.EXECUTED;
        link.write(new Failure(peer, id, Failures.code(failure), execution, String.valueOf(failure.getMessage()))
                .write(link.connection().allocator()));
    }

    private void resultFailed(Throwable e) {
        ByteBuf frame = reply;
        reply = null;
        if (frame != null) {
            frame.release();
        }
        ErrorCode code = e instanceof RuntimeException r ? Failures.code(r) : ErrorCode.INTERNAL;
        answerExecuted(code, String.valueOf(e.getMessage()));
    }

    private void answerExecuted(ErrorCode code, String why) {
        link.write(new Failure(peer, id, code, Execution.EXECUTED, why)
                .write(link.connection().allocator()));
        answered(Execution.EXECUTED, false);
    }

    private void releaseRequest() {
        ByteBuf frame = request;
        request = null;
        if (frame != null) {
            frame.release();
        }
    }
}
