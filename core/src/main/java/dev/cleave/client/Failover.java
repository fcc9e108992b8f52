package dev.cleave.client;

import static java.util.Objects.requireNonNull;

import dev.cleave.CallException.Execution;
import dev.cleave.call.Chain;
import dev.cleave.call.Outcome;
import dev.cleave.call.PendingCall;
import dev.cleave.client.ServiceRoute.Hop;
import dev.cleave.config.Style;
import dev.cleave.replica.Attempts;
import dev.cleave.replica.FailureClass;
import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.RequestFrame;
import dev.cleave.wire.RequestOptions;
import io.netty.buffer.ByteBuf;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Decides the next step of a call that fails, is refused or loses its connection: to ask for its outcome, to send it
 * again, or to end it.
 *
 * <table>
 * <caption>What is tried, in this order</caption>
 * <tr><th>what happens<th>tried<th>else it ends
 * <tr><td>{@link #lost}: its connection is gone
 *     <td>its server is asked over another connection, first if it is behind others, one-way or relayed, last if not;
 *         it is sent again if it is idempotent
 *     <td>in doubt
 * <tr><td>{@link #isInDoubt}: its server cannot be asked for the outcome
 *     <td>it is sent again if it is idempotent
 *     <td>in doubt
 * <tr><td>{@link #refused}, UNSENT: its server says that it was not executed
 *     <td>it is sent again
 *     <td>not executed
 * <tr><td>{@link #refused}, BUSY: its server has no room
 *     <td>it is sent to another replica that may have some
 *     <td>not executed
 * <tr><td>{@link #suspected}: nothing is heard of its server
 *     <td>it is cancelled there and sent again if it is idempotent
 *     <td>not at all, or in doubt
 * <tr><td>{@link #madeAtItsPlace}: it was sent ahead and not executed, and the program comes to it
 *     <td>it is made again while other calls sent ahead may fill the queue
 *     <td>with the outcome of the last attempt
 * <tr><td>{@link #moved}: its server has given it to another replica
 *     <td>it is sent there, then anywhere
 *     <td>not executed
 * </table>
 *
 * <p>It is sent at most {@value Attempts#MOST} times where it may have been executed, each time within what is left of
 * its deadline and of the budget of its node ({@link Resends}); in a chain or group never. What a broker sends back because
 * no replica is connected to it does not count: the servers are changing brokers. A call that was not executed
 * the last time counts as perhaps executed if it may have been executed before, or by a hedge.
 *
 * <p>Every path ends the call, has it in a link's table, or in the hands of {@link Resends} or {@link Recovery}, which
 * give it back when the node closes. One thread at a time uses it, as the {@link Stage}; {@link #mayHaveRun} and {@link
 * #mayRunBesides} are thread-safe.
 */
final class Failover {

    private static final int MOST_MOVES = 16;

    /** The most attempts to send a call again that was not executed, while no connection can be made. */
    private static final int MOST_MISSED = 10;

    private final OutboundCall call;
    private final CalledService service;
    private final ServiceRoute route;
    private volatile Attempts attempts = Attempts.NONE; // counted attempts
    private volatile boolean isDoubtful; // the call was lost where it may have been executed, and sent again
    private volatile boolean isBesides; // a hedge may execute it
    private volatile @Nullable Recovery recovery; // at the server that it was sent to last
    private volatile int missed; // attempts to send since it was sent last
    private volatile int misdirected; // times that a broker had no replica of its service
    private volatile int moves; // number of moves between replicas
    private @Nullable PendingCall anew; // awaiting thread only

    Failover(OutboundCall call, CalledService service) {
        this.call = requireNonNull(call, "call");
        this.service = requireNonNull(service, "service");
        route = service.route(call.method());
    }

    // Events.

    /** Handles that the link of the call is gone. */
    void lost(@Nullable Throwable cause) {
        String why = "connection lost" + (cause == null ? "" : ": " + cause.getMessage());
        try {
            boolean isAskedFirst = isAskedFirst();
            boolean livesOn = isAskedFirst
                    ? isAsked(why) || isSentAgain(FailureClass.LOST, why)
                    : isSentAgain(FailureClass.LOST, why) || isAsked(why);
            if (!livesOn) {
                call.fail(ErrorCode.CONNECTION_LOST, Execution.MAYBE_EXECUTED, why, cause);
            }
        } catch (Throwable e) {
            endsBy(e, why);
        }
    }

    /** Handles that its server cannot be asked for the outcome, or has forgotten it. */
    void isInDoubt(String why) {
        try {
            if (!isSentAgain(FailureClass.LOST, why)) {
                call.fail(ErrorCode.CONNECTION_LOST, Execution.MAYBE_EXECUTED, why, null);
            }
        } catch (Throwable e) {
            endsBy(e, why);
        }
    }

    /** Handles an answer that the call was not or may not have been executed; returns whether it lives on. */
    boolean refused(FailureClass failure, String why) {
        try {
            if (failure == FailureClass.UNSENT && isRelayed()) {
                misdirected++;
            }
            return isSentAgain(failure, why);
        } catch (Throwable e) {
            endsBy(e, why);
            return true;
        }
    }

    /** Handles that nothing is heard of the peer of its link. */
    void suspected() {
        Hop way = call.journey().hop();
        if (way != null && route.hasOther(way)) {
            replicaSuspected();
        }
    }

    /** Handles that nothing is heard of its replica and there is another one: a repeatable call goes there. */
    void replicaSuspected() {
        if (call.order().isInLane() || !isIdempotent()) {
            return;
        }
        Journey.Place here = call.journey().place();
        if (here != null && here.leave()) { // an answer that comes from there later is dropped
            here.cancel();
            isInDoubt("nothing was heard of the replica");
        }
    }

    /** Handles that its server has given it to another replica, without having begun it. */
    void moved(String replica) {
        String why = "it was moved to " + replica + ", which cannot be reached";
        ByteBuf arguments = call.request().take();
        if (arguments == null) { // it has ended meanwhile
            call.fail(ErrorCode.PROTOCOL, Execution.NOT_EXECUTED, "moved to " + replica + ", though it may not", null);
            return;
        }
        try {
            Hop from = call.journey().hop();
            if (from != null) {
                route.isFull(from);
            }
            call.journey().move(Stage.MOVED);
            moves++;
            service.resends().submitNow(() -> resend(arguments, FailureClass.BUSY, why, replica));
        } catch (RejectedExecutionException e) { // the node is closing
            keep(arguments);
            call.fail(ErrorCode.CANCELLED, Execution.NOT_EXECUTED, "the node is closing", e);
        } catch (Throwable e) {
            keep(arguments);
            endsBy(e, why);
        }
    }

    /** Records whether a replica that was asked besides may execute the call. */
    void mayRunBesides(boolean may) {
        isBesides = may;
    }

    // Conditions.

    /** Whether it may have been executed, other than by the last attempt. */
    boolean mayHaveRun() {
        return isDoubtful || isBesides;
    }

    /** Whether the replica where it waits may give it to another one. */
    private boolean mayMove() {
        return moves < MOST_MOVES && !call.order().isInLane() && call.request().isWhole();
    }

    /** Whether its outcome is asked for before it is sent again: it is ordered behind others, or relayed. */
    private boolean isAskedFirst() {
        return isRelayed() || call.before() != null || call.method().conduct().style() == Style.ONE_WAY;
    }

    private boolean isRelayed() {
        Hop way = call.journey().hop();
        return way != null && way.peer() == 0 && way.replica() == null;
    }

    private boolean maySendAgain(FailureClass failure) {
        return !call.order().isInLane()
                && switch (failure) {
                    case LOST -> isIdempotent() && !attempts.areAllMade();
                    case BUSY -> mayFindRoom();
                    case UNSENT -> true;
                    case FINAL -> false;
                };
    }

    /** Whether another replica may have room; a call that was sent ahead waits for none: it is made at its place. */
    private boolean mayFindRoom() {
        boolean hasChoice = route.hasChoice();
        return call.isAhead()
                ? hasChoice && service.resends().mayNow()
                : hasChoice || isIdempotent() || call.method().conduct().style() == Style.ONE_WAY;
    }

    /** Whether a call without a way now may have one later: its server lived when it was asked for the outcome. */
    private boolean mayFindWayLater(FailureClass failure, long remaining) {
        return failure == FailureClass.UNSENT
                && (recovery != null || misdirected > 0)
                && !attempts.areAllMade()
                && !call.isDone()
                && remaining > 0
                && ++missed <= MOST_MISSED;
    }

    private boolean isIdempotent() {
        return call.method().conduct().idempotent();
    }

    // Attempts.

    /** Asks the server for the outcome; returns whether it could. */
    private boolean isAsked(String why) {
        Hop broken = call.journey().hop();
        if (broken == null || !call.request().departed().isEmpty() || !Recovery.canBeAsked(broken)) {
            return false;
        }
        call.journey().move(Stage.ASKING);
        Recovery known = recovery;
        if (known == null) {
            known = new Recovery(call, service, broken, this::isInDoubt);
            recovery = known;
        }
        return known.ask(broken, why);
    }

    /** Sends the call again soon, after a failed attempt; returns whether it may be sent. */
    private boolean isSentAgain(FailureClass failure, String why) {
        Hop last = call.journey().hop();
        boolean isUncounted = recovery != null || misdirected > 0 && isRelayed();
        attempts = attempts.failed(failure, last == null ? "" : route.place(last), isUncounted);
        if (last != null && failure != FailureClass.LOST) {
            call.request().areBooked(true);
            service.references()
                    .unsent(last.link().tables(last.peer()), call.request().departed());
        }
        ByteBuf arguments = maySendAgain(failure) ? call.request().take() : null;
        if (arguments == null) {
            return false;
        }
        if (call.isDone()) {
            arguments.release();
            return false;
        }
        call.journey().move(Stage.WAITING);
        if (failure == FailureClass.LOST) {
            isDoubtful = true;
        }
        try { // dialling may block, which this thread may not
            service.resends()
                    .submit(
                            Math.max(attempts.made(), misdirected),
                            () -> resend(arguments, failure, why, null),
                            closed -> giveUp(arguments, failure, why));
            return true;
        } catch (RejectedExecutionException e) { // the node is closing
            keep(arguments);
            return false;
        }
    }

    /**
     * Sends the call again if there is a way, now or soon, and ends it if not.
     *
     * @param to the replica to send it to, if that can be reached; null for any
     */
    private void resend(ByteBuf arguments, FailureClass failure, String why, @Nullable String to) {
        try {
            if (to != null && isShipped(route.to(to), arguments)) {
                return;
            }
            long remaining = call.remaining();
            if (isShipped(route.next(attempts, failure, isIdempotent(), remaining), arguments)) {
                return;
            }
            if (!mayFindWayLater(failure, remaining)) {
                giveUp(arguments, failure, why);
                return;
            }
            service.resends()
                    .later(
                            Recovery.PAUSE,
                            () -> service.resends().submitNow(() -> resend(arguments, failure, why, null)),
                            closed -> giveUp(arguments, failure, why));
        } catch (Throwable e) {
            keep(arguments);
            endsBy(e, why);
        }
    }

    /** Sends arguments by a way, and takes them over; on false they are still the caller's. */
    private boolean isShipped(@Nullable Hop way, ByteBuf arguments) {
        Hop before = call.journey().hop();
        boolean isEntered = way != null && !call.isDone() && call.remaining() > 0 && isEntered(way, arguments);
        if (before != null) {
            before.link().connection().wakeWaiting(); // threads that wait there are to wait where the call goes now
        }
        if (way != null && !isEntered) {
            way.leave();
        }
        return isEntered;
    }

    /** Prepares everything before the link takes the call, since the event thread may handle it at once. */
    private boolean isEntered(Hop way, ByteBuf arguments) {
        Attempts before = attempts;
        Recovery asked = recovery;
        int flags = moves > 0 ? RequestOptions.MOVED : 0;
        ByteBuf frame = Sending.frame(call, service, way, arguments, flags);
        call.journey().move(Stage.SENT_AGAIN);
        keep(arguments.retainedDuplicate());
        attempts = before.begun();
        recovery = null;
        if (call.journey().enter(call, way) <= 0) {
            recovery = asked;
            attempts = before;
            ByteBuf kept = call.request().take();
            if (kept != null) {
                kept.release();
            }
            frame.release();
            call.journey().move(Stage.WAITING);
            return false;
        }
        arguments.release();
        missed = 0;
        write(way, frame);
        return true;
    }

    private void write(Hop way, ByteBuf frame) {
        try {
            RequestFrame.movable(frame, mayMove());
            Sending.write(call, service, way, frame);
            if (call.isDone()) { // it may have ended before its server could be told
                call.withdraw();
            }
        } catch (Throwable e) {
            endsBy(e, "sent again");
        }
    }

    /** Ends a call that is not sent again; asks the server that had it last, if it may know the outcome. */
    private void giveUp(ByteBuf arguments, FailureClass failure, String why) {
        keep(arguments);
        Hop last = call.journey().hop();
        boolean isLost = failure == FailureClass.LOST;
        if (isLost && last != null && call.journey().id() > 0 && last.link().isClosed() && isAsked(why)) {
            return;
        }
        call.fail(
                failure == FailureClass.BUSY ? ErrorCode.OVERLOAD : ErrorCode.CONNECTION_LOST,
                isLost ? Execution.MAYBE_EXECUTED : Execution.NOT_EXECUTED,
                why + " (sent " + attempts.made() + " times)",
                null);
    }

    private void keep(ByteBuf arguments) {
        call.request().keep(arguments);
        call.letGoIfEnded();
    }

    // Calls sent ahead.

    /**
     * Whether a call that was sent ahead can be made again where the program comes to it: it was not executed, or it
     * may be executed again and its chain, in which no call is sent again, has lost its link.
     */
    static boolean isForItsPlace(OutboundCall call, @Nullable Outcome how) {
        return call.isAhead()
                && how instanceof Outcome.Failed failed
                && (failed.isNotExecuted() || isRepeatable(call, failed.code()));
    }

    private static boolean isRepeatable(OutboundCall call, ErrorCode why) {
        Chain of = call.order().chain();
        return of != null
                && of.stopsAtFailures()
                && call.method().conduct().idempotent()
                && why == ErrorCode.CONNECTION_LOST;
    }

    /** Returns the call made in place of this one; null if there is none. */
    @Nullable
    PendingCall anew() {
        return anew;
    }

    /**
     * Makes the call, which was sent ahead and has ended, where the program now is, until it is not refused for want of
     * room, or no other call that was sent ahead can have filled the queue: the program as written would be refused
     * there too. Within its deadline, which has begun.
     *
     * @param once makes a call of the arguments, awaits it, and counts it among the calls sent ahead
     * @return the call made in its place; null if there is none
     */
    @Nullable
    PendingCall madeAtItsPlace(ErrorCode why, Function<byte[], PendingCall> once) {
        byte[] arguments = isPassing(why) ? call.request().rescue() : null;
        Resends resends = service.resends();
        boolean isAgain = arguments != null;
        boolean isFull = why == ErrorCode.OVERLOAD;
        for (int made = 0; isAgain; made++) {
            Hop way = call.journey().hop();
            if (isFull && way != null) {
                way.link().flush();
            }
            if (isFull) {
                OwnCalls.awaitRoom(made, call.deadlineAt());
            }
            boolean isBeside = resends.areAhead();
            long before = resends.sentSoFar();
            PendingCall again = once.apply(requireNonNull(arguments));
            isFull = !again.hasAnswer() && again.wasOverload() && again.wasNotExecuted();
            isBeside |= resends.sentSoFar() != before + 1;
            isAgain = isFull && isBeside && call.deadlineAt() - System.nanoTime() > OwnCalls.FIRST_PAUSE_NANOS;
            anew = again;
        }
        return anew;
    }

    /** Whether a call that failed for this reason may succeed when it is made again. */
    private static boolean isPassing(ErrorCode why) {
        return switch (why) {
            case OVERLOAD, DEADLINE, CANCELLED, CONNECTION_LOST, NO_REPLICA, NOT_REGISTERED -> true;
            default -> false;
        };
    }

    /** Ends the call after a failure in this class, an Error perhaps. */
    private void endsBy(Throwable e, String why) {
        call.fail(ErrorCode.INTERNAL, Execution.MAYBE_EXECUTED, why + ", then " + e, e);
    }
}
