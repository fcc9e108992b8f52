package dev.cleave.client;

import static java.util.Objects.requireNonNull;

import dev.cleave.CallException.CallSite;
import dev.cleave.CallException.Execution;
import dev.cleave.call.Chain;
import dev.cleave.call.Epoch;
import dev.cleave.call.Failures;
import dev.cleave.call.Link;
import dev.cleave.call.PeerTables;
import dev.cleave.call.PendingCall;
import dev.cleave.call.RemoteMethod;
import dev.cleave.config.Aggregate;
import dev.cleave.client.ServiceRoute.Hop;
import dev.cleave.concurrent.Timer.Timeout;
import dev.cleave.replica.Attempts;
import dev.cleave.replica.FailureClass;
import dev.cleave.replica.Keys;
import dev.cleave.serial.Codec;
import dev.cleave.wire.CallKey;
import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.FrameKind;
import dev.cleave.wire.Header;
import dev.cleave.wire.Hello;
import dev.cleave.wire.Lane;
import dev.cleave.wire.Moved;
import dev.cleave.wire.Request;
import dev.cleave.wire.WireException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One call of a stub: knows where it is, and keeps its arguments while it may have to be sent again.
 *
 * <p>Type and method numbers are those of the node, so the kept bytes fit any link.
 */
final class ClientCall extends RoutedCall {

    private static final int MOST_REPEATS = 64; // about two seconds
    private static final long FIRST_PAUSE_NANOS = 500_000;
    private static final int LONGEST_PAUSE = 6; // 32 ms
    private static final int MOST_MOVES = 16;

    private final ServiceCalls calls;
    private final int number;
    private int highest = -1;
    private List<Object> departed = List.of();
    private volatile @Nullable KeptArguments kept; // set before there is anything to keep
    private volatile Attempts history = Attempts.NONE;
    private volatile int moves; // between replicas, by one at a time
    private volatile @Nullable Timeout expiry;
    private volatile @Nullable Chain chain;
    private @Nullable Object key; // before it is sent
    private long lane = -1;
    private int place; // in the lane
    private volatile SentBlocks blocks = SentBlocks.NONE;
    private PassedResults passed = PassedResults.NONE; // before it is sent
    private @Nullable ClientCall anew; // awaiting thread only
    private int repeats; // before it is sent

    ClientCall(ServiceCalls calls, RemoteMethod method, int number) {
        super(method);
        this.calls = calls;
        this.number = number;
    }

    /** What it has in common with calls that belong to it. */
    void belongsTo(@Nullable Object common) {
        key = common;
    }

    /** The objects of which references are among the arguments. */
    void carries(List<Object> objects) {
        departed = objects;
    }

    /** Some of its arguments follow its frame. */
    void isFollowedBy(SentBlocks following) {
        blocks = following;
    }

    /** Some of its arguments are results of earlier calls of its chain, and not in its frame. */
    void isPassed(PassedResults results) {
        passed = results;
    }

    /** The number that the call has in its chain. */
    int place() {
        return place;
    }

    /** Whether it has been sent in a chain, which has not begun again since. */
    boolean isIn(Chain of) {
        return chain == of && id() > 0 && lane == of.laneId();
    }

    /** Whether the link of a chain is gone with the call, which may be executed again: nothing else sends it again. */
    @Override
    boolean isRepeatable() {
        Chain of = chain;
        return of != null && of.stopsAtFailures() && method().conduct().idempotent() && wasLost();
    }

    /** Whether the call has ended before it was handed to a connection. */
    boolean isUnsent() {
        return isDone() && wasNotExecuted() && id() <= 0;
    }

    /** Sends the call behind others of a chain or group; takes over the frame. */
    void send(ByteBuf frame, int highestType, Chain in) {
        highest = highestType;
        chain = in;
        begins();
        keepArguments(frame);
        Link taken = in.link();
        try {
            if (in.isBroken()) {
                throw new NoHopException(ErrorCode.CANCELLED, "not sent: a call before it was not answered", null);
            }
            if (taken == null && calls.oneWays().lane() != null) {
                calls.oneWays().drain(method().conduct().deadline());
            }
            Hop way = taken == null ? first() : new Hop(taken, in.replica());
            if (taken != null && !enter(way)) {
                throw new NoHopException(ErrorCode.CONNECTION_LOST, "not sent: the connection is gone", null);
            }
            Lane next = taken == null ? in.open(way.link(), way.replica(), id()) : in.lane();
            lane = next.id();
            place = in.lastNumber();
            passed.announce(frame);
            path().put(frame);
            next.put(frame);
            Header.finish(frame);
            write(way, frame, false);
        } catch (NoHopException e) {
            unsent(frame, in, e.code(), e);
        } catch (WireException e) { // too long for a lane: it may just fit without
            unsent(frame, in, ErrorCode.CANCELLED, e);
        }
    }

    private void begins() {
        setOut();
        if (!method().conduct().changesNothing()) {
            Epoch.changing(method().conduct().group());
        }
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
        highest = highestType;
        begins();
        if (isAhead()) {
            keepArguments(frame);
        }
        Hop way;
        try {
            way = first();
        } catch (NoHopException e) {
            frame.release();
            fail(e.code(), Execution.NOT_EXECUTED, String.valueOf(e.getMessage()), e.getCause());
            return;
        }
        if (!isAhead() && (method().conduct().idempotent() || calls.route().hasChoice())) {
            keepArguments(frame);
        }
        if (path().put(frame)) {
            Header.finish(frame);
        }
        Lane lane = calls.oneWays().lane();
        if (lane != null && frame.readableBytes() + Long.BYTES <= FrameKind.REQUEST.maxLength()) {
            lane.put(frame);
            Header.finish(frame);
        } else {
            Moved.allow(frame, mayMove());
        }
        putKey(frame, way);
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
        Hop way = hop();
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
    protected void suspected() {
        Hop way = hop();
        if (way == null
                || chain != null
                || !method().conduct().idempotent()
                || !calls.route().hasOther(way)) {
            return;
        }
        if (way.link().forget(id())) { // an answer that comes from there in the end finds nobody
            way.link().cancel(id());
            String why = "nothing was heard of the replica";
            if (!sendAgain(FailureClass.LOST, why)) {
                fail(ErrorCode.CONNECTION_LOST, Execution.MAYBE_EXECUTED, why, null);
            }
        }
    }

    @Override
    protected boolean sendAgain(FailureClass failure, String why) {
        Hop last = hop();
        history = history.and(last == null || last.replica() == null ? "" : requireNonNull(last.replica()));
        if (last != null && failure != FailureClass.LOST) {
            calls.references().unsent(last.link().tables(last.peer()), departed);
        }
        if (chain != null || failure == FailureClass.LOST && !method().conduct().idempotent()) {
            return false;
        }
        ByteBuf arguments = kept().take();
        if (arguments == null || isDone()) {
            if (arguments != null) {
                arguments.release();
            }
            return false;
        }
        // Dialling may block, which this thread may not.
        try {
            calls.resends()
                    .submit(
                            history.made(),
                            () -> {
                                try {
                                    resend(arguments, failure, why);
                                } catch (RuntimeException e) {
                                    fail(ErrorCode.INTERNAL, Execution.MAYBE_EXECUTED, why + ", then " + e, e);
                                }
                            },
                            closed -> giveUp(arguments, failure, why));
            return true;
        } catch (RejectedExecutionException e) { // the node is closing
            keep(arguments);
            return false;
        }
    }

    /** What it needs to be sent again is kept in whole, and no order or reference binds it to a replica. */
    private boolean mayMove() {
        KeptArguments known = kept;
        return moves < MOST_MOVES
                && departed.isEmpty()
                && chain == null
                && blocks == SentBlocks.NONE
                && known != null
                && known.isThere();
    }

    @Override
    protected void moved(String replica) {
        ByteBuf arguments = kept().take();
        if (arguments == null) { // it has ended meanwhile
            fail(ErrorCode.PROTOCOL, Execution.NOT_EXECUTED, "moved to " + replica + ", though it may not", null);
            return;
        }
        moves++;
        String why = "it was moved to " + replica + ", which cannot be reached";
        try {
            calls.resends().submitNow(() -> {
                if (!isShipped(calls.route().to(replica), arguments, remaining())) {
                    resend(arguments, FailureClass.BUSY, why);
                }
            });
        } catch (RejectedExecutionException e) { // the node is closing
            keep(arguments);
            fail(ErrorCode.CANCELLED, Execution.NOT_EXECUTED, "the node is closing", e);
        }
    }

    @Override
    boolean isInOrder() {
        return chain != null;
    }

    /** Made at its await, where the program now is, if the call that was sent ahead was not executed. */
    @Override
    protected @Nullable PendingCall anew(ErrorCode why) {
        if (anew != null) {
            return anew;
        }
        byte[] arguments = mayBeMadeAnew() && isPassing(why) && mayRepeat(why) ? kept().rescue() : null;
        if (arguments == null) {
            settle();
            return null;
        }
        if (repeats > 0) {
            LockSupport.parkNanos(this, FIRST_PAUSE_NANOS << Math.min(repeats, LONGEST_PAUSE));
        }
        ClientCall again = new ClientCall(calls, method(), number);
        again.aheadOfItsPlace(); // it may find the queue full of calls that the program has not come to
        again.repeats = repeats + 1;
        again.carries(departed);
        again.belongsTo(key);
        long remaining = again.beginAs(this) - calls.context().timer().nanos();
        ByteBuf frame = new Request(0, 0, number, Math.max(1, remaining / 1000))
                .begin(PooledByteBufAllocator.DEFAULT, arguments.length);
        anew = again;
        again.isFollowedBy(blocks.again());
        blocks.mark(frame);
        again.onSettled(this::settle);
        try {
            passed.write(arguments, frame, calls.codec());
            Header.finish(frame);
        } catch (Throwable e) { // a result does not fit, or has not come: of that failure the program knows already
            frame.release();
            ErrorCode code = e instanceof RuntimeException known ? Failures.code(known) : ErrorCode.CANCELLED;
            again.fail(code, Execution.NOT_EXECUTED, String.valueOf(e.getMessage()), e);
            return again;
        }
        again.send(frame, highest, true);
        return again;
    }

    /** Once; and again while calls of this node that are in flight may be what fills the queue. */
    private boolean mayRepeat(ErrorCode why) {
        Hop way = hop();
        return repeats == 0
                || why == ErrorCode.OVERLOAD
                        && repeats < MOST_REPEATS
                        && way != null
                        && way.link().pendingCalls() > 0;
    }

    /** Lets go of the kept arguments; those of a call that was sent ahead and not executed are kept as bytes. */
    private void letGo() {
        if (failedAhead()) {
            kept().rescue();
            return;
        }
        KeptArguments known = kept;
        if (known != null) {
            known.release();
        }
        blocks = SentBlocks.NONE;
    }

    @Override
    protected CallSite site() {
        Hop way = hop();
        return method().site(calls.service(), way == null ? null : way.replica());
    }

    @Override
    protected void ended() {
        blocks.stop();
        leave();
        letGo();
        Chain of = chain;
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
            Hop only = calls.route().only();
            if (only != null && enter(only)) {
                return only;
            }
            long patience = chain == null ? method().conduct().deadline().toNanos() : 0;
            Hop way = calls.route().first(new ServiceRoute.Wish(key, patience));
            if (enter(way)) {
                return way;
            }
        }
        throw new NoHopException(ErrorCode.CONNECTION_LOST, "connections close as soon as they are made", null);
    }

    private void write(Hop way, ByteBuf frame, boolean atOnce) {
        Link link = way.link();
        try {
            blocks.check(link);
            calls.references().sent(link.tables(way.peer()), departed);
        } catch (WireException e) {
            frame.release();
            link.forget(id());
            fail(e.code(), Execution.NOT_EXECUTED, String.valueOf(e.getMessage()), e);
            return;
        }
        Header.readdress(frame, way.peer(), id());
        link.tables(0).announceMethods(number);
        link.tables(0).announceTypes(highest);
        if (way.isPulled()) {
            link.pull(calls.service());
        }
        if (blocks != SentBlocks.NONE) {
            blocks.send(way, id(), () -> link.write(frame), this::isDone);
            link.flush();
        } else if (atOnce) {
            link.write(frame);
            link.flush();
        } else {
            Aggregate gathered = method().conduct().traffic().aggregate();
            if (gathered == null) {
                link.defer(frame, id());
            } else {
                link.defer(frame, id(), gathered);
            }
        }
    }

    /** Tells a broker that chooses the replica what the call has in common with others. */
    private void putKey(ByteBuf frame, Hop way) {
        if (key != null
                && way.replica() == null
                && (way.link().peer().features() & Hello.KEYS) != 0
                && frame.readableBytes() + Long.BYTES <= FrameKind.REQUEST.maxLength()) {
            CallKey.put(Keys.hash(key), frame);
        }
    }

    private long remaining() {
        return deadlineAt() == 0
                ? method().conduct().deadline().toNanos()
                : deadlineAt() - calls.context().timer().nanos();
    }

    private void resend(ByteBuf arguments, FailureClass failure, String why) {
        boolean idempotent = method().conduct().idempotent();
        long remaining = remaining();
        Hop way = calls.route().next(history, failure, idempotent, remaining);
        if (!isShipped(way, arguments, remaining)) {
            giveUp(arguments, failure, why);
        }
    }

    /** Sends kept arguments by a way; if it says that it could not they are still the caller's. */
    private boolean isShipped(@Nullable Hop way, ByteBuf arguments, long remaining) {
        Hop before = hop();
        boolean entered = way != null && !isDone() && remaining > 0 && enter(way);
        if (before != null) {
            before.link().connection().wakeWaiting(); // who waits there is to wait where the call goes now
        }
        if (way == null) {
            return false;
        }
        if (!entered) {
            way.leave();
            return false;
        }
        long micros = deadlineAt() == 0 ? 0 : Math.max(1, remaining / 1000);
        ByteBuf frame = new Request(0, id(), number, micros)
                .begin(way.link().connection().allocator(), arguments.readableBytes());
        frame.writeBytes(arguments, arguments.readerIndex(), arguments.readableBytes());
        blocks.mark(frame);
        path().put(frame);
        Header.finish(frame);
        keep(arguments);
        Moved.allow(frame, mayMove());
        if (moves > 0) {
            Moved.mark(frame);
        }
        putKey(frame, way);
        write(way, frame, true);
        return true;
    }

    private void giveUp(ByteBuf arguments, FailureClass failure, String why) {
        keep(arguments);
        Execution known = failure == FailureClass.LOST ? Execution.MAYBE_EXECUTED : Execution.NOT_EXECUTED;
        fail(
                failure == FailureClass.BUSY ? ErrorCode.OVERLOAD : ErrorCode.CONNECTION_LOST,
                known,
                why + " (sent " + history.made() + " times)",
                null);
    }

    private void keepArguments(ByteBuf frame) {
        kept().keepOf(frame);
        letGoIfEnded();
    }

    /** Keeps arguments unless the call has ended meanwhile. */
    private void keep(ByteBuf arguments) {
        kept().keep(arguments);
        letGoIfEnded();
    }

    private KeptArguments kept() {
        KeptArguments known = kept;
        if (known == null) {
            known = new KeptArguments();
            kept = known;
        }
        return known;
    }

    private void letGoIfEnded() {
        if (isDone()) {
            letGo();
        }
    }
}
