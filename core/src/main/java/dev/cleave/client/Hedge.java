package dev.cleave.client;

import static java.util.Objects.requireNonNull;

import dev.cleave.CallException.CallSite;
import dev.cleave.CallException.Execution;
import dev.cleave.call.Link;
import dev.cleave.call.LinkCall;
import dev.cleave.client.ServiceRoute.Hop;
import dev.cleave.concurrent.Timer;
import dev.cleave.concurrent.Timer.Timeout;
import dev.cleave.config.HedgeAfter;
import dev.cleave.replica.AnswerTimes;
import dev.cleave.replica.Attempts;
import dev.cleave.replica.FailureClass;
import dev.cleave.serial.Codec;
import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.Header;
import dev.cleave.wire.RequestHead;
import dev.cleave.wire.RequestOptions;
import io.netty.buffer.ByteBuf;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * A second request for a call that takes long, at another replica, if the {@linkplain Resends budget} allows it. The first answer
 * is that of the call, and the other request is given up; a request that fails leaves the call to the other one.
 */
final class Hedge extends LinkCall {

    private static final int MOST_BYTES = 1 << 20; // of arguments
    private static final Duration LEAST = Duration.ofMillis(1);

    private final ResentCall call;
    private final byte[] arguments;
    private volatile @Nullable Hop way;
    private volatile long id = -1;

    private Hedge(ResentCall call, byte[] arguments) {
        super(call.method());
        this.call = requireNonNull(call, "call");
        this.arguments = requireNonNull(arguments, "arguments");
    }

    /** Sends one when a call takes long, if that is wanted, and its frame, which has no more than arguments, fits. */
    static void prepare(ResentCall call, Hop way, ByteBuf frame) {
        HedgeAfter wanted = call.method().conduct().hedge();
        if (wanted == null || !call.method().conduct().idempotent() || !call.isFree()) {
            return;
        }
        call.calls().resends().mayHedge();
        Duration after = wanted.isMeasured() ? measured(call, wanted) : wanted.time();
        int bytes = frame.readableBytes() - RequestHead.PLAIN_LENGTH;
        if (after == null || bytes > MOST_BYTES || !call.route().canHedge(way)) {
            return;
        }
        byte[] arguments = new byte[bytes];
        frame.getBytes(frame.readerIndex() + RequestHead.PLAIN_LENGTH, arguments);
        Hedge hedge = new Hedge(call, arguments);
        Timeout timeout = call.calls().context().timer().schedule(after, hedge::begin);
        call.onEnd(() -> {
            timeout.cancel();
            hedge.giveUp();
        });
    }

    /** By when most calls of the method have been answered; null if that is not known, or too late to be of use. */
    private static @Nullable Duration measured(ResentCall call, HedgeAfter wanted) {
        AnswerTimes times = call.calls().times(call.method(), wanted);
        Timer timer = call.calls().context().timer();
        long began = timer.nanos();
        call.onEnd(() -> {
            if (call.hasSucceeded()) {
                times.add(timer.nanos() - began);
            }
        });
        long nanos = times.nanos();
        return nanos < 0 || nanos > call.method().conduct().deadline().toNanos() / 2
                ? null
                : Duration.ofNanos(Math.max(nanos, LEAST.toNanos()));
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
        Hop other = call.isDone() || first == null || remaining <= 0 ? null : other(first, remaining);
        if (first == null || other == null) {
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
        RequestOptions path = CallOptions.everywhere(call, PassedResults.NONE, arguments.length);
        RequestOptions options = other.replica() == null ? path.elsewhereThan(call.id()) : path;
        ByteBuf frame = new RequestHead(other.peer(), entered, call.number(), Math.max(1, remaining / 1000), options)
                .begin(link.connection().allocator(), arguments.length);
        frame.writeBytes(arguments);
        Header.finish(frame);
        link.tables(0).announceMethods(call.number());
        link.tables(0).announceTypes(call.highestType());
        call.calls().resends().hedged();
        call.mayRunBesides(true);
        link.write(frame);
        link.flush();
        if (isDone()) {
            withdraw();
        }
    }

    /** A way to another replica, or to the broker that is to choose one; null if there is none. */
    private @Nullable Hop other(Hop first, long remaining) {
        if (!call.route().canHedge(first)) {
            return null;
        }
        String at = first.replica();
        if (at == null) {
            return new Hop(first.link(), null);
        }
        Hop other = call.route().next(Attempts.NONE.and(at), FailureClass.LOST, true, remaining);
        if (other != null && (other.replica() == null || other.replica().equals(at))) {
            other.leave();
            return null;
        }
        return other;
    }

    @Override
    public boolean fail(ErrorCode code, Execution execution, String message, @Nullable Throwable cause) {
        boolean isFirst = super.fail(code, execution, message, cause);
        if (isFirst && execution == Execution.NOT_EXECUTED) {
            call.mayRunBesides(false);
        }
        return isFirst;
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
