package dev.cleave.client;

import static java.util.Objects.requireNonNull;

import dev.cleave.CallException.CallSite;
import dev.cleave.CallException.Execution;
import dev.cleave.call.Chain;
import dev.cleave.call.Epoch;
import dev.cleave.call.Failures;
import dev.cleave.call.Link;
import dev.cleave.call.PendingCall;
import dev.cleave.call.RemoteMethod;
import dev.cleave.client.ServiceRoute.Hop;
import dev.cleave.concurrent.Timer.Timeout;
import dev.cleave.config.Style;
import dev.cleave.replica.Attempts;
import dev.cleave.serial.Codec;
import dev.cleave.stream.AheadRoom;
import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.Header;
import dev.cleave.wire.Lane;
import dev.cleave.wire.RequestFrame;
import dev.cleave.wire.RequestHead;
import dev.cleave.wire.RequestOptions;
import dev.cleave.wire.WireException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * One call of a stub: knows where it is, and keeps its arguments while it may have to be sent again.
 *
 * <p>Type and method numbers are those of the node, so the kept bytes fit any link.
 */
final class ClientCall extends ResentCall implements Runnable {

    private static final long FIRST_PAUSE_NANOS = 1_000_000;
    private static final long LONGEST_PAUSE_NANOS = 100_000_000;
    private static final int MOST_DOUBLINGS = 7;

    private static final VarHandle SPENT;

    static {
        try {
            SPENT = MethodHandles.lookup().findVarHandle(ClientCall.class, "spent", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    @SuppressWarnings("UnusedVariable") // read by its handle
    private boolean spent; // released by the thread that had it to itself

    private volatile @Nullable Timeout expiry;
    private volatile @Nullable Place place; // in a chain or group, if it is in one
    private @Nullable ClientCall anew; // awaiting thread only
    private @Nullable OwnCalls own; // that it is counted among; before it is sent
    private volatile @Nullable ClientCall before; // until it or this has ended

    /** Where a call stands in a chain or group; apart, since most calls are in none. All but the chain: before it is sent. */
    private static final class Place {

        private final Chain chain;
        private final PassedResults passed;
        private long lane = -1;
        private int number; // in the lane

        private Place(Chain chain, PassedResults passed) {
            this.chain = chain;
            this.passed = passed;
        }
    }

    ClientCall(ServiceCalls calls, RemoteMethod method, int number) {
        super(calls, method, number);
    }

    /**
     * Its caller, who has shown it to nobody, has its result and does not look at it any more: it may stand for another call,
     * unless anybody else may still know of it. A link does no longer when whoever ended the call has left it: it is not in
     * the table there, and the link did all on one thread at a time. A second way, a second request, a task that waits for
     * the end or a thread that sends again do, perhaps; such a call is never used again.
     */
    void spend() {
        if (place == null && expiry == null && anew == null && own == null && isAlone()) {
            SPENT.setRelease(this, true);
        }
    }

    /** Whether it may be made {@linkplain #again another call}; whoever asks and does that has it alone. */
    boolean isSpent() {
        return (boolean) SPENT.getAcquire(this);
    }

    /** As new, for another call; only if it {@linkplain #isSpent is spent}. */
    ClientCall again() {
        SPENT.set(this, false);
        renew();
        return this;
    }

    /** The number that the call, which is in a chain, has there. */
    int inChain() {
        return requireNonNull(place).number;
    }

    /** It is sent behind another one, which it may not overtake. */
    void follows(@Nullable ClientCall earlier) {
        if (earlier != null && !earlier.isDone()) {
            before = earlier;
        }
    }

    @Override
    @Nullable
    ResentCall before() {
        return before;
    }

    /** Whether it has ended, or is on its way with those that were sent before it. */
    boolean isInPlace() {
        Hop way = hop();
        return isDone() || way == null || !hasStrayed() && !way.link().isClosed();
    }

    /** Waits until the call that it is sent behind has ended, if that goes another way by now. */
    void awaitStrayed() {
        ClientCall earlier = before;
        if (earlier != null && !earlier.isInPlace()) {
            boolean unused = earlier.hasAnswer();
        }
    }

    /** Whether it has been sent in a chain, which has not begun again since. */
    boolean isIn(Chain of) {
        Place here = place;
        return here != null && here.chain == of && id() > 0 && here.lane == of.laneId();
    }

    /** Whether the link of a chain is gone with the call, which may be executed again: nothing else sends it again. */
    @Override
    boolean isRepeatable() {
        Chain of = chain();
        return of != null && of.stopsAtFailures() && method().conduct().idempotent() && wasLost();
    }

    /** Whether the call has ended before it was handed to a connection. */
    boolean isUnsent() {
        return isDone() && wasNotExecuted() && id() <= 0;
    }

    private @Nullable Chain chain() {
        Place here = place;
        return here == null ? null : here.chain;
    }

    /**
     * Sends the call behind others of a chain or group; takes over the frame.
     *
     * @param passed the arguments that are results of earlier calls of it, and not in the frame
     */
    void send(ByteBuf frame, int highestType, Chain in, PassedResults passed) {
        announces(highestType);
        Place here = new Place(in, passed);
        place = here;
        follows((ClientCall) in.sends(this));
        begins();
        Link taken = in.link();
        try {
            RequestOptions options = reserved(frame);
            keepArguments(frame);
            if (in.isBroken()) {
                throw new NoHopException(ErrorCode.CANCELLED, "not sent: a call before it was not answered", null);
            }
            if (taken == null && calls().oneWays().lane(this) != null) {
                calls().oneWays().drain(method().conduct().deadline());
            }
            Hop way = taken == null ? first() : new Hop(taken, in.replica());
            if (taken != null && !enter(way)) {
                throw new NoHopException(ErrorCode.CONNECTION_LOST, "not sent: the connection is gone", null);
            }
            Lane next = taken == null ? in.open(way.link(), way.replica(), id()) : in.lane();
            here.lane = next.id();
            here.number = in.lastNumber();
            RequestFrame.put(options.in(next), frame);
            write(way, frame, false);
        } catch (NoHopException e) {
            unsent(frame, in, e.code(), e);
        } catch (WireException e) { // too long for a lane: it may just fit without
            unsent(frame, in, ErrorCode.CANCELLED, e);
        }
    }

    /** The options that do not depend on the way, for which there is room in front of the arguments afterwards. */
    private RequestOptions reserved(ByteBuf frame) {
        int arguments = frame.readableBytes() - RequestHead.PLAIN_LENGTH;
        RequestOptions options = CallOptions.everywhere(this, passed(), arguments);
        if (options != RequestOptions.NONE) {
            RequestFrame.reserve(options, frame);
        }
        return isAwaitedFromBeginning() ? options.and(RequestOptions.AWAITED) : options;
    }

    private PassedResults passed() {
        Place here = place;
        return here == null ? PassedResults.NONE : here.passed;
    }

    private void begins() {
        setOut();
        if (isAhead()) {
            count();
        }
        if (!method().conduct().changesNothing()) {
            Epoch.changing(method().conduct().group());
        }
    }

    /** It may be what a server has no room for other calls by, until it has ended. */
    private void count() {
        OwnCalls here = OwnCalls.here();
        own = here;
        here.sent();
        calls().resends().sentAhead();
    }

    private void unsent(ByteBuf frame, Chain in, ErrorCode code, RuntimeException why) {
        in.breakOff();
        Hop way = hop();
        if (way != null) {
            way.link().forget(id());
        }
        frame.release();
        fail(code, Execution.NOT_EXECUTED, String.valueOf(why.getMessage()), why);
    }

    /** Sends the call for the first time; takes over the frame. */
    void send(ByteBuf frame, int highestType, boolean atOnce) {
        announces(highestType);
        begins();
        int arguments = frame.readableBytes() - RequestHead.PLAIN_LENGTH;
        RequestOptions options = reserved(frame);
        keepArguments(frame);
        Hop way;
        try {
            way = first();
        } catch (NoHopException e) {
            frame.release();
            fail(e.code(), Execution.NOT_EXECUTED, String.valueOf(e.getMessage()), e.getCause());
            return;
        }
        Hedge.prepare(this, way, frame);
        try {
            Lane lane = calls().oneWays().lane(this);
            RequestOptions ordered = CallOptions.inOrder(lane, this, options, arguments);
            RequestFrame.put(CallOptions.by(way, this, ordered, arguments), frame);
        } catch (WireException e) { // its list of large arguments is too long for the frame
            frame.release();
            way.link().forget(id());
            fail(e.code(), Execution.NOT_EXECUTED, String.valueOf(e.getMessage()), e);
            return;
        }
        write(way, frame, atOnce);
    }

    @Override
    boolean hasElsewhereToGo() {
        return isAhead()
                || method().conduct().idempotent()
                || method().conduct().style() == Style.ONE_WAY
                || route().hasChoice();
    }

    /** Ends the call when its deadline passes though nobody waits for it. */
    void watchDeadline() {
        Timeout timeout = calls().context().timer().scheduleAt(deadlineAt(), this);
        expiry = timeout;
        if (isDone()) {
            timeout.cancel();
        }
    }

    /** Its deadline has passed: the task of the timer, which for a million calls is an object less for each. */
    @Override
    public void run() {
        expire();
    }

    @Override
    protected Codec codec() {
        return calls().codec();
    }

    @Override
    boolean isInOrder() {
        return place != null;
    }

    /** Made at its await, where the program now is, if the call that was sent ahead was not executed. */
    @Override
    protected @Nullable PendingCall anew(ErrorCode why) {
        if (anew != null) {
            return anew;
        }
        byte[] arguments = mayBeMadeAnew() && isPassing(why) ? kept().rescue() : null;
        if (arguments == null) {
            settle();
            return null;
        }
        try {
            ClientCall again = madeAnew(arguments, why);
            anew = again;
            return again;
        } finally {
            settle();
        }
    }

    /**
     * Makes it again until it is not refused for want of room, or no other call that was sent ahead can have filled the
     * queue: the program as written would be refused there too. Within its deadline.
     */
    private ClientCall madeAnew(byte[] arguments, ErrorCode why) {
        Resends resends = calls().resends();
        origin();
        boolean isFull = why == ErrorCode.OVERLOAD;
        for (int made = 0; ; made++) {
            if (isFull) {
                awaitRoom(made);
            }
            boolean isBeside = resends.areAhead();
            long before = resends.sentSoFar();
            ClientCall again = madeOnceMore(arguments);
            isFull = !again.hasAnswer() && again.wasOverload() && again.wasNotExecuted();
            isBeside |= resends.sentSoFar() != before + 1;
            if (!isFull || !isBeside || deadlineAt() - System.nanoTime() <= FIRST_PAUSE_NANOS) {
                return again;
            }
        }
    }

    /**
     * Does not wait at first: a server refuses one that was sent ahead rather than this one. Then waits for what this thread has
     * in flight; where that is nothing, at random, and longer each time.
     */
    private void awaitRoom(int made) {
        Hop way = hop();
        if (way != null) {
            way.link().flush();
        }
        OwnCalls here = OwnCalls.here();
        long pause = Math.min(LONGEST_PAUSE_NANOS, FIRST_PAUSE_NANOS << Math.min(made, MOST_DOUBLINGS));
        boolean areOver = here.areOver();
        if (made == 0) {
            return;
        }
        long now = System.nanoTime();
        long longest = Math.max(0, Math.min(pause, deadlineAt() - now - FIRST_PAUSE_NANOS));
        if (areOver) {
            OwnCalls.pause(now + ThreadLocalRandom.current().nextLong(longest + 1));
        } else {
            here.awaitEnd(now + longest);
        }
    }

    private ClientCall madeOnceMore(byte[] arguments) {
        ClientCall again = new ClientCall(calls(), method(), number());
        again.continues(this);
        again.count();
        long remaining = again.beginAs(this) - calls().context().timer().nanos();
        again.waitsFromBeginning();
        ByteBuf frame =
                PooledByteBufAllocator.DEFAULT.buffer(RequestFrame.ROOM + RequestHead.PLAIN_LENGTH + arguments.length);
        RequestFrame.begin(frame, number());
        RequestFrame.deadline(frame, Math.max(1, remaining / 1000));
        try {
            passed().write(arguments, frame, calls().codec());
            Header.finish(frame);
        } catch (Throwable e) { // a result does not fit, or has not come: of that failure the program knows already
            frame.release();
            ErrorCode code = e instanceof RuntimeException known ? Failures.code(known) : ErrorCode.CANCELLED;
            again.fail(code, Execution.NOT_EXECUTED, String.valueOf(e.getMessage()), e);
            return again;
        }
        again.send(frame, highestType(), true);
        return again;
    }

    @Override
    long expectedResult() {
        return calls().expectedResult(method());
    }

    @Override
    void hasResult(long bytes) {
        calls().hasResult(method(), bytes);
    }

    @Override
    AheadRoom aheadRoom() {
        return calls().aheadRoom();
    }

    @Override
    protected CallSite site() {
        Hop way = hop();
        return method().site(calls().service(), way == null ? null : way.replica());
    }

    @Override
    protected void ended() {
        blocks().ended();
        leave();
        letGo();
        leavesRoom();
        before = null;
        OwnCalls among = own;
        if (among != null) {
            calls().resends().endedAhead();
            among.ended();
        }
        Chain of = chain();
        if (of != null && !hasResult()) {
            of.failed(!wasNotExecuted());
        }
        settleUnlessMadeAnew();
        Timeout timeout = expiry;
        if (timeout != null) {
            timeout.cancel();
        }
        Hop way = hop();
        if (way != null) {
            way.link().connection().wakeWaiting();
        }
    }

    /** A way whose link has taken the call; links may go while they are chosen. */
    private Hop first() {
        for (int i = 0; i < Attempts.MOST; i++) {
            Hop only = route().only();
            if (only != null && enter(only)) {
                return only;
            }
            long patience = place == null ? method().conduct().deadline().toNanos() : 0;
            Hop way = route().first(new ServiceRoute.Wish(key(), patience));
            if (enter(way)) {
                return way;
            }
        }
        throw new NoHopException(ErrorCode.CONNECTION_LOST, "connections close as soon as they are made", null);
    }
}
