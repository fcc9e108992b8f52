package dev.cleave.client;

import static java.util.Objects.requireNonNull;

import dev.cleave.CallException.CallSite;
import dev.cleave.CallException.Execution;
import dev.cleave.call.Link;
import dev.cleave.call.LinkCall;
import dev.cleave.call.Outcome;
import dev.cleave.call.RemoteMethod;
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
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A second request for a call that takes long, at another replica, if the {@linkplain Resends budget} allows it. The
 * first answer ends the call, and the other request is cancelled; a request that fails leaves the call to the other
 * one.
 */
final class Hedge implements LinkCall {

    private static final int MOST_BYTES = 1 << 20; // most bytes of arguments
    private static final Duration LEAST = Duration.ofMillis(1);

    private final OutboundCall call;
    private final CalledService service;
    private final byte[] arguments;
    private final AtomicBoolean over = new AtomicBoolean();
    private volatile @Nullable Hop way;
    private volatile long id = -1;

    private Hedge(OutboundCall call, CalledService service, byte[] arguments) {
        this.call = requireNonNull(call, "call");
        this.service = requireNonNull(service, "service");
        this.arguments = requireNonNull(arguments, "arguments");
    }

    /**
     * Prepares a hedge for a call, if its method wants one and its arguments, which are alone in the frame, are few.
     */
    static void prepare(OutboundCall call, CalledService service, Hop way, ByteBuf frame) {
        HedgeAfter wanted = call.method().conduct().hedge();
        if (wanted == null
                || !call.method().conduct().idempotent()
                || call.order().isInLane()
                || call.before() != null
                || !call.request().isFree()) {
            return;
        }
        service.resends().mayHedge();
        Duration after = wanted.isMeasured() ? measured(call, service, wanted) : wanted.time();
        int bytes = frame.readableBytes() - RequestHead.PLAIN_LENGTH;
        if (after == null || bytes > MOST_BYTES || !service.route(call.method()).canHedge(way)) {
            return;
        }
        byte[] arguments = new byte[bytes];
        frame.getBytes(frame.readerIndex() + RequestHead.PLAIN_LENGTH, arguments);
        Hedge hedge = new Hedge(call, service, arguments);
        Timeout timeout = service.timer().schedule(after, hedge::begin);
        call.onEnd(() -> {
            timeout.cancel();
            hedge.giveUp();
        });
    }

    /** Returns the time by which most calls of the method are answered; null if unknown, or too long to be of use. */
    private static @Nullable Duration measured(OutboundCall call, CalledService service, HedgeAfter wanted) {
        AnswerTimes times = service.times(call.method(), wanted);
        Timer timer = service.timer();
        long began = timer.nanos();
        call.onEnd(() -> {
            if (call.hasResult()) {
                times.add(timer.nanos() - began);
            }
        });
        long nanos = times.nanos();
        return nanos < 0 || nanos > call.allowed().toNanos() / 2
                ? null
                : Duration.ofNanos(Math.max(nanos, LEAST.toNanos()));
    }

    private void begin() {
        if (call.isDone() || over.get()) {
            return;
        }
        try {
            service.resends().hedge(this::send); // dialling may block
        } catch (RejectedExecutionException e) {
            fail(ErrorCode.CANCELLED, Execution.NOT_EXECUTED, "the node is closing", e);
        }
    }

    private void send() {
        Hop first = call.journey().hop();
        long remaining = call.remaining();
        Hop other = call.isDone() || first == null || remaining <= 0 ? null : other(first, remaining);
        if (first == null || other == null) {
            return;
        }
        way = other;
        long entered = other.link().enter(this);
        id = entered;
        if (entered < 0 || over.get()) {
            leave();
            return;
        }
        Link link = other.link();
        RequestOptions path =
                Request.readable(link, call.request().options(PassedResults.NONE, arguments.length));
        RequestOptions options =
                other.replica() == null ? path.elsewhereThan(call.journey().id()) : path;
        int number = service.number(method());
        ByteBuf frame = new RequestHead(other.peer(), entered, number, Math.max(1, remaining / 1000), options)
                .begin(link.connection().allocator(), arguments.length);
        frame.writeBytes(arguments);
        Header.finish(frame);
        link.tables(0).announceMethods(number);
        link.tables(0).announceTypes(call.request().highestType());
        service.resends().hedged();
        call.mayRunBesides(true);
        link.write(frame);
        link.flush();
        if (over.get()) {
            link.cancel(entered);
        }
    }

    /** Finds a way to another replica, or to the broker that chooses one; null if there is none. */
    private @Nullable Hop other(Hop first, long remaining) {
        ServiceRoute route = service.route(method());
        if (!route.canHedge(first)) {
            return null;
        }
        String at = first.replica();
        if (at == null) {
            return new Hop(first.link(), null);
        }
        Hop other = route.next(Attempts.NONE.and(at), FailureClass.LOST, true, remaining);
        if (other != null && (other.replica() == null || other.replica().equals(at))) {
            other.leave();
            return null;
        }
        return other;
    }

    /** Ends the call with the first answer, and gives up the call's own request. */
    @Override
    public boolean end(Outcome how) {
        if (!over.compareAndSet(false, true)) {
            return false;
        }
        leave();
        if (!how.isAnswer()) {
            if (how instanceof Outcome.Failed failed && failed.isNotExecuted()) {
                call.mayRunBesides(false);
            }
            return true;
        }
        Journey.Place first = call.journey().place();
        boolean waited = first != null && first.leave(); // no request is pending any more when the call has ended
        if (!call.end(how)) {
            return false;
        }
        service.resends().hedgeWon();
        if (first != null && waited) {
            first.cancel();
        }
        return true;
    }

    /** Gives up the hedge: the call has ended. */
    private void giveUp() {
        if (!over.compareAndSet(false, true)) {
            return;
        }
        leave();
        Hop known = way;
        if (known != null && id > 0) {
            known.link().cancel(id);
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
    public void lost(@Nullable Throwable cause) {
        fail(ErrorCode.CONNECTION_LOST, Execution.MAYBE_EXECUTED, "connection lost", cause);
    }

    @Override
    public void moved(String replica) {
        fail(ErrorCode.CANCELLED, Execution.NOT_EXECUTED, "moved to " + replica, null);
    }

    @Override
    public boolean sendAgain(FailureClass failure, String why) {
        return false;
    }

    @Override
    public boolean isDone() {
        return over.get();
    }

    @Override
    public RemoteMethod method() {
        return call.method();
    }

    @Override
    public Codec codec() {
        return call.codec();
    }

    @Override
    public boolean isShown() {
        return call.isShown();
    }

    @Override
    public long deadlineAt() {
        return call.deadlineAt();
    }

    @Override
    public CallSite site() {
        Hop known = way;
        return method().site(service.name(), known == null ? null : known.replica());
    }
}
