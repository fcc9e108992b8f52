package dev.cleave.client;

import static java.util.Objects.requireNonNull;

import dev.cleave.CallException.CallSite;
import dev.cleave.CallException.Execution;
import dev.cleave.call.Link;
import dev.cleave.call.LinkCall;
import dev.cleave.client.ServiceRoute.Hop;
import dev.cleave.concurrent.Timer.Timeout;
import dev.cleave.replica.Attempts;
import dev.cleave.replica.FailureClass;
import dev.cleave.serial.Codec;
import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.Header;
import dev.cleave.wire.Request;
import io.netty.buffer.ByteBuf;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * A second request for a call that takes long, at another replica, if the {@linkplain Resends budget} allows it. The first answer
 * is that of the call, and the other request is given up; a request that fails leaves the call to the other one.
 */
final class Hedge extends LinkCall {

    private final ResentCall call;
    private final byte[] arguments;
    private volatile @Nullable Hop way;
    private volatile long id = -1;

    private Hedge(ResentCall call, byte[] arguments) {
        super(call.method());
        this.call = requireNonNull(call, "call");
        this.arguments = requireNonNull(arguments, "arguments");
    }

    /** Sends one when a call has not ended after a time. */
    static void schedule(ResentCall call, Duration after, byte[] arguments) {
        Hedge hedge = new Hedge(call, arguments);
        Timeout timeout = call.calls().context().timer().schedule(after, hedge::begin);
        call.onEnd(() -> {
            timeout.cancel();
            hedge.giveUp();
        });
    }

    private void begin() {
        if (call.isDone() || isDone()) {
            return;
        }
        try {
            call.calls().resends().hedge(this::send); // dialling may block
        } catch (RejectedExecutionException e) {
            fail(ErrorCode.CANCELLED, Execution.NOT_EXECUTED, "the node is closing", e);
        }
    }

    private void send() {
        Hop first = call.hop();
        long remaining = call.remaining();
        if (call.isDone() || first == null || first.replica() == null || remaining <= 0) {
            return;
        }
        Attempts history = Attempts.NONE.and(requireNonNull(first.replica()));
        Hop other = call.route().next(history, FailureClass.LOST, true, remaining);
        if (other == null) {
            return;
        }
        if (other.replica() == null || other.replica().equals(first.replica())) {
            other.leave();
            return;
        }
        way = other;
        long entered = other.link().enter(this);
        id = entered;
        if (entered < 0 || isDone()) {
            leave();
            return;
        }
        Link link = other.link();
        ByteBuf frame = new Request(other.peer(), entered, call.number(), Math.max(1, remaining / 1000))
                .begin(link.connection().allocator(), arguments.length);
        frame.writeBytes(arguments);
        call.path().put(frame);
        Header.finish(frame);
        link.tables(0).announceMethods(call.number());
        link.tables(0).announceTypes(call.highestType());
        link.write(frame);
        link.flush();
        call.calls().resends().hedged();
        if (isDone()) {
            withdraw();
        }
    }

    /** The call has ended, by this or not. */
    private void giveUp() {
        if (fail(ErrorCode.CANCELLED, Execution.MAYBE_EXECUTED, "the call has ended", null)) {
            withdraw();
        }
    }

    private void leave() {
        Hop known = way;
        if (known != null) {
            if (id > 0) {
                boolean unused = known.link().forget(id);
            }
            known.leave();
        }
    }

    @Override
    protected void ended() {
        leave();
        Hop other = call.hop();
        long waiting = call.id();
        if (!isAnswered() || other == null) {
            return;
        }
        boolean waited = other.link().forget(waiting); // nothing is pending any more when the call has ended
        if (call.endAs(this)) {
            call.calls().resends().hedgeWon();
            if (waited) {
                other.link().cancel(waiting);
            }
        }
    }

    @Override
    protected void withdraw() {
        Hop known = way;
        if (known != null && id > 0) {
            known.link().cancel(id);
        }
    }

    @Override
    protected void lost(@Nullable Throwable cause) {
        fail(ErrorCode.CONNECTION_LOST, Execution.MAYBE_EXECUTED, "connection lost", cause);
    }

    @Override
    protected void moved(String replica) {
        fail(ErrorCode.CANCELLED, Execution.NOT_EXECUTED, "moved to " + replica, null);
    }

    @Override
    protected boolean sendAgain(FailureClass failure, String why) {
        return false;
    }

    @Override
    protected Codec codec() {
        return call.calls().codec();
    }

    @Override
    protected boolean isShown() {
        return call.isShown();
    }

    @Override
    protected CallSite site() {
        Hop known = way;
        return method().site(call.calls().service(), known == null ? null : known.replica());
    }

    @Override
    protected void waiting() {}
}
