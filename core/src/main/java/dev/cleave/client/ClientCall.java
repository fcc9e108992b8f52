package dev.cleave.client;

import static java.util.Objects.requireNonNull;

import dev.cleave.CallException.CallSite;
import dev.cleave.CallException.Execution;
import dev.cleave.call.Link;
import dev.cleave.call.LinkCall;
import dev.cleave.call.PeerTables;
import dev.cleave.call.RemoteMethod;
import dev.cleave.client.ServiceRoute.Hop;
import dev.cleave.concurrent.Timer.Timeout;
import dev.cleave.replica.Attempts;
import dev.cleave.replica.FailureClass;
import dev.cleave.serial.Codec;
import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.Header;
import dev.cleave.wire.Request;
import dev.cleave.wire.WireException;
import io.netty.buffer.ByteBuf;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One call of a stub: knows where it is, and keeps its arguments while it may have to be sent again.
 *
 * <p>Type and method numbers are those of the node, so the kept bytes fit any link.
 */
final class ClientCall extends LinkCall {

    private final ServiceCalls calls;
    private final int number;
    private int highest = -1;
    private List<Object> departed = List.of();
    private volatile @Nullable Hop hop;
    private volatile long id;
    private final AtomicReference<@Nullable ByteBuf> kept =
            new AtomicReference<>(); // the arguments; taken out to release
    private volatile Attempts history = Attempts.NONE;
    private volatile @Nullable Timeout expiry;

    ClientCall(ServiceCalls calls, RemoteMethod method, int number) {
        super(method);
        this.calls = calls;
        this.number = number;
    }

    /** The objects of which references are among the arguments. */
    void carries(List<Object> objects) {
        departed = objects;
    }

    /** Sends the call for the first time; takes over the frame. */
    void send(ByteBuf frame, int highestType, boolean atOnce) {
        highest = highestType;
        Hop way;
        try {
            way = first();
        } catch (NoHopException e) {
            frame.release();
            fail(e.code(), Execution.NOT_EXECUTED, String.valueOf(e.getMessage()), e.getCause());
            return;
        }
        if (method().conduct().idempotent() || calls.route().hasChoice()) {
            keep(frame.retainedSlice(
                    frame.readerIndex() + Request.ARGUMENTS_AT, frame.readableBytes() - Request.ARGUMENTS_AT));
        }
        write(way, frame, atOnce);
    }

    /** Ends the call when its deadline passes though nobody waits for it. */
    void watchDeadline() {
        Timeout timeout = calls.context().timer().scheduleAt(deadlineAt(), this::expire);
        expiry = timeout;
        if (isDone()) {
            timeout.cancel();
        }
    }

    @Override
    protected Codec codec() {
        return calls.codec();
    }

    @Override
    protected void answeredBy(PeerTables peer) {
        Hop way = hop;
        if (way != null && way.peer() == 0) {
            calls.references().received(peer, departed);
        }
    }

    @Override
    protected void lost(@Nullable Throwable cause) {
        String why = "connection lost" + (cause == null ? "" : ": " + cause.getMessage());
        if (!sendAgain(FailureClass.LOST, why)) {
            fail(ErrorCode.CONNECTION_LOST, Execution.MAYBE_EXECUTED, why, cause);
        }
    }

    @Override
    protected boolean sendAgain(FailureClass failure, String why) {
        Hop last = hop;
        history = history.and(last == null || last.replica() == null ? "" : requireNonNull(last.replica()));
        if (last != null && failure != FailureClass.LOST) {
            calls.references().unsent(last.link().tables(last.peer()), departed);
        }
        ByteBuf arguments = kept.getAndSet(null);
        if (arguments == null || isDone()) {
            release(arguments);
            return false;
        }
        if (failure == FailureClass.LOST && !method().conduct().idempotent()) {
            release(arguments);
            return false;
        }
        // Dialling may block, which this thread may not.
        try {
            calls.resends().execute(() -> {
                try {
                    resend(arguments, failure, why);
                } catch (RuntimeException e) {
                    fail(ErrorCode.INTERNAL, Execution.MAYBE_EXECUTED, why + ", then " + e, e);
                }
            });
            return true;
        } catch (RejectedExecutionException e) { // the node is closing
            arguments.release();
            return false;
        }
    }

    @Override
    protected void waiting() {
        Hop way = hop;
        if (way != null) {
            way.link().flushDeferred();
        }
    }

    @Override
    protected void withdraw() {
        Hop way = hop;
        if (way != null) {
            if (isDone()) {
                way.link().forget(id);
            }
            way.link().cancel(id);
        }
    }

    @Override
    protected CallSite site() {
        Hop way = hop;
        return method().site(calls.service(), way == null ? null : way.replica());
    }

    @Override
    protected void ended() {
        release(kept.getAndSet(null));
        Timeout timeout = expiry;
        if (timeout != null) {
            timeout.cancel();
        }
    }

    /** A way whose link has taken the call; links may go while they are chosen. */
    private Hop first() {
        for (int i = 0; i < Attempts.MOST; i++) {
            Hop way = calls.route().first();
            if (enter(way)) {
                return way;
            }
        }
        throw new NoHopException(ErrorCode.CONNECTION_LOST, "connections close as soon as they are made", null);
    }

    private boolean enter(Hop way) {
        hop = way;
        long entered = way.link().enter(this);
        id = entered;
        return entered >= 0;
    }

    private void write(Hop way, ByteBuf frame, boolean atOnce) {
        Link link = way.link();
        try {
            calls.references().sent(link.tables(way.peer()), departed);
        } catch (WireException e) {
            frame.release();
            link.forget(id);
            fail(e.code(), Execution.NOT_EXECUTED, String.valueOf(e.getMessage()), e);
            return;
        }
        Header.readdress(frame, way.peer(), id);
        link.tables(0).announceMethods(number);
        link.tables(0).announceTypes(highest);
        if (atOnce) {
            link.write(frame);
            link.flush();
        } else {
            link.defer(frame);
        }
    }

    private void resend(ByteBuf arguments, FailureClass failure, String why) {
        boolean idempotent = method().conduct().idempotent();
        long remaining = deadlineAt() == 0
                ? method().conduct().deadline().toNanos()
                : deadlineAt() - calls.context().timer().nanos();
        Hop way = calls.route().next(history, failure, idempotent, remaining);
        if (way == null || isDone() || !enter(way)) {
            arguments.release();
            Execution known = failure == FailureClass.LOST ? Execution.MAYBE_EXECUTED : Execution.NOT_EXECUTED;
            fail(
                    failure == FailureClass.BUSY ? ErrorCode.OVERLOAD : ErrorCode.CONNECTION_LOST,
                    known,
                    why + " (sent " + history.made() + " times)",
                    null);
            return;
        }
        long micros = deadlineAt() == 0 ? 0 : Math.max(1, remaining / 1000);
        ByteBuf frame = new Request(0, id, number, micros)
                .begin(way.link().connection().allocator(), arguments.readableBytes());
        frame.writeBytes(arguments, arguments.readerIndex(), arguments.readableBytes());
        Header.finish(frame);
        keep(arguments);
        write(way, frame, true);
    }

    /** Keeps arguments unless the call has ended meanwhile. */
    private void keep(ByteBuf arguments) {
        kept.set(arguments);
        if (isDone()) {
            release(kept.getAndSet(null));
        }
    }

    private static void release(@Nullable ByteBuf arguments) {
        if (arguments != null) {
            arguments.release();
        }
    }
}
