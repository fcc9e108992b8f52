package dev.cleave.client;

import dev.cleave.CallException.Execution;
import dev.cleave.call.Link;
import dev.cleave.call.PeerTables;
import dev.cleave.call.RemoteMethod;
import dev.cleave.client.ServiceRoute.Hop;
import dev.cleave.config.Style;
import dev.cleave.replica.FailureClass;
import dev.cleave.stream.StreamedValue;
import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.Header;
import dev.cleave.wire.RequestFrame;
import dev.cleave.wire.RequestHead;
import dev.cleave.wire.RequestOptions;
import dev.cleave.wire.WireException;
import io.netty.buffer.ByteBuf;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * A call that is sent again when its way is lost or its replica is full, as far as that may be.
 *
 * <p>Type and method numbers are those of the node, so the kept bytes fit any link.
 */
abstract class ResentCall extends KeptCall {

    private static final int MOST_MOVES = 16;

    private final ServiceCalls calls;
    private final int number;
    private volatile @Nullable SentBefore sentBefore; // null if it has not failed yet, nor been sent besides
    private volatile int moves; // between replicas, by one at a time
    private volatile boolean strayed;

    ResentCall(ServiceCalls calls, RemoteMethod method, int number) {
        super(method);
        this.calls = calls;
        this.number = number;
    }

    ServiceCalls calls() {
        return calls;
    }

    int number() {
        return number;
    }

    @Override
    protected boolean isAlone() {
        return sentBefore == null && moves == 0 && !strayed && before() == null && super.isAlone();
    }

    @Override
    protected void answeredBy(PeerTables peer) {
        Hop way = hop();
        if (way != null && way.peer() == 0) {
            calls.references().received(peer, departed());
        }
    }

    @Override
    protected void lost(@Nullable Throwable cause) {
        String why = "connection lost" + (cause == null ? "" : ": " + cause.getMessage());
        strayed = true;
        Hop way = hop();
        boolean isRelayed = way != null && way.peer() == 0 && way.replica() == null;
        // Behind others, and where there is one way only, first is to be known what has become of it.
        boolean isAskedFirst =
                isRelayed || before() != null || method().conduct().style() == Style.ONE_WAY;
        if (isAskedFirst && isRecalled(why)) {
            return;
        }
        if (!sendAgain(FailureClass.LOST, why) && (isAskedFirst || !isRecalled(why))) {
            fail(ErrorCode.CONNECTION_LOST, Execution.MAYBE_EXECUTED, why, cause);
        }
    }

    /** Another replica has been asked besides, and may execute it, or is known not to. */
    void mayRunBesides(boolean may) {
        sentBefore().mayRunBesides(may);
    }

    /** What has not been executed the last time may have been before, or elsewhere. */
    @Override
    public boolean fail(ErrorCode code, Execution execution, String message, @Nullable Throwable cause) {
        SentBefore earlier = sentBefore;
        boolean mayHaveRun = execution == Execution.NOT_EXECUTED && earlier != null && earlier.mayHaveRun();
        return super.fail(code, mayHaveRun ? Execution.MAYBE_EXECUTED : execution, message, cause);
    }

    /** Nobody can say what has become of it. */
    void isInDoubt(String why) {
        if (!sendAgain(FailureClass.LOST, why)) {
            fail(ErrorCode.CONNECTION_LOST, Execution.MAYBE_EXECUTED, why, null);
        }
    }

    /** Whether the server is asked what has become of it. */
    private boolean isRecalled(String why) {
        Hop broken = hop();
        if (broken == null || !departed().isEmpty() || !Recalls.canBeAsked(broken)) {
            return false;
        }
        return sentBefore().recalls(this, broken).ask(broken, why, before());
    }

    private synchronized SentBefore sentBefore() {
        SentBefore known = sentBefore;
        if (known == null) {
            known = new SentBefore();
            sentBefore = known;
        }
        return known;
    }

    /** Whether it goes another way than those that were sent before and after it. */
    boolean hasStrayed() {
        return strayed;
    }

    /** The call that it may not overtake; null if there is none, or it has ended. */
    abstract @Nullable ResentCall before();

    @Override
    protected void suspected() {
        Hop way = hop();
        if (way != null && route().hasOther(way)) {
            goElsewhere(way);
        }
    }

    @Override
    protected void replicaSuspected() {
        Hop way = hop();
        if (way != null) {
            goElsewhere(way);
        }
    }

    private void goElsewhere(Hop way) {
        if (isInOrder() || !method().conduct().idempotent()) {
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
        SentBefore earlier = sentBefore();
        earlier.failed(failure, last);
        if (last != null && failure != FailureClass.LOST) {
            calls.references().unsent(last.link().tables(last.peer()), departed());
        }
        if (isInOrder()
                || failure == FailureClass.LOST
                        && (!method().conduct().idempotent()
                                || earlier.attempts().areAllMade())
                || failure == FailureClass.BUSY && !mayFindRoom()) {
            return false;
        }
        ByteBuf arguments = kept().take();
        if (arguments == null || isDone()) {
            if (arguments != null) {
                arguments.release();
            }
            return false;
        }
        strayed = true;
        if (failure == FailureClass.LOST) {
            earlier.isInDoubt();
        }
        // Dialling may block, which this thread may not.
        try {
            calls.resends()
                    .submit(
                            earlier.attempts().made(),
                            () -> resendOrFail(arguments, failure, why),
                            closed -> giveUp(arguments, failure, why));
            return true;
        } catch (RejectedExecutionException e) { // the node is closing
            keep(arguments);
            return false;
        }
    }

    /** Whether another replica may have room; a call that was sent ahead waits for none: it is made at its place. */
    private boolean mayFindRoom() {
        boolean hasChoice = route().hasChoice();
        return isAhead()
                ? hasChoice && calls.resends().mayNow()
                : hasChoice
                        || method().conduct().idempotent()
                        || method().conduct().style() == Style.ONE_WAY;
    }

    /** What it needs to be sent again is kept in whole, and no order or reference binds it to a replica. */
    boolean mayMove() {
        return moves < MOST_MOVES
                && departed().isEmpty()
                && !isInOrder()
                && blocks() == RequestStream.NONE
                && keepsArguments();
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
                if (!isShipped(route().to(replica), arguments, remaining())) {
                    resend(arguments, FailureClass.BUSY, why);
                }
            });
        } catch (RejectedExecutionException e) { // the node is closing
            keep(arguments);
            fail(ErrorCode.CANCELLED, Execution.NOT_EXECUTED, "the node is closing", e);
        }
    }

    /** Whether it may be of use elsewhere if it has no room where it was sent first. */
    abstract boolean hasElsewhereToGo();

    /** Whether it has ended with a result. */
    boolean hasSucceeded() {
        return hasResult();
    }

    /** Whether it, and what is needed for it, can be sent to any replica. */
    boolean isFree() {
        return !isInOrder() && before() == null && departed().isEmpty() && blocks() == RequestStream.NONE;
    }

    /** Writes the frame by a way whose link has taken the call; takes it over. */
    void write(Hop way, ByteBuf frame, boolean atOnce) {
        Link link = way.link();
        try {
            blocks().check(link);
            calls.references().sent(link.tables(way.peer()), departed());
        } catch (WireException e) {
            frame.release();
            link.forget(id());
            fail(e.code(), Execution.NOT_EXECUTED, String.valueOf(e.getMessage()), e);
            return;
        }
        Header.readdress(frame, way.peer(), id());
        link.tables(0).announceMethods(number);
        link.tables(0).announceTypes(highestType());
        if (way.isPulled()) {
            link.pull(calls.service());
        }
        RequestStream following = blocks();
        if (following != RequestStream.NONE) {
            following.send(way, id(), () -> link.write(frame), this::isDone);
            following.sources().forEach(source -> source.onArrival(() -> arrived(source, following)));
            link.flush();
        } else if (atOnce) {
            link.write(frame);
            link.flush();
        } else {
            link.defer(frame, id(), method().conduct().traffic().aggregate());
        }
    }

    /** An argument that was passed on while it was arriving has arrived here, or never will. */
    private void arrived(StreamedValue source, RequestStream following) {
        ErrorCode code = source.failure();
        if (code == null) {
            return;
        }
        if (fail(code, Execution.MAYBE_EXECUTED, "argument: " + source.why(), null)) {
            withdraw();
        } else {
            following.failed(source);
        }
    }

    /** What is left of its time, in nanoseconds. */
    long remaining() {
        return deadlineAt() == 0
                ? method().conduct().deadline().toNanos()
                : deadlineAt() - calls.context().timer().nanos();
    }

    /** The ways of calls of the method. */
    final ServiceRoute route() {
        return calls.route(method());
    }

    private void resendOrFail(ByteBuf arguments, FailureClass failure, String why) {
        try {
            resend(arguments, failure, why);
        } catch (Throwable e) { // an Error as well: the call must end
            fail(ErrorCode.INTERNAL, Execution.MAYBE_EXECUTED, why + ", then " + e, e);
        }
    }

    private void resend(ByteBuf arguments, FailureClass failure, String why) {
        boolean idempotent = method().conduct().idempotent();
        long remaining = remaining();
        SentBefore earlier = sentBefore();
        Hop way = route().next(earlier.attempts(), failure, idempotent, remaining);
        if (isShipped(way, arguments, remaining)) {
            return;
        }
        if (!isDone() && remaining > 0 && earlier.mayFindWayLater(failure)) {
            calls.resends()
                    .later(
                            Recalls.PAUSE,
                            () -> calls.resends().submitNow(() -> resendOrFail(arguments, failure, why)),
                            closed -> giveUp(arguments, failure, why));
        } else {
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
        int length = arguments.readableBytes();
        RequestOptions options = CallOptions.by(
                        way, this, CallOptions.everywhere(this, PassedResults.NONE, length), length)
                .and(moves > 0 ? RequestOptions.MOVED : 0);
        ByteBuf frame = new RequestHead(0, id(), number, micros, options)
                .begin(way.link().connection().allocator(), length);
        frame.writeBytes(arguments, arguments.readerIndex(), length);
        Header.finish(frame);
        keep(arguments);
        SentBefore earlier = sentBefore;
        if (earlier != null) {
            earlier.isSent();
        }
        RequestFrame.movable(frame, mayMove()); // which needs the kept arguments
        write(way, frame, true);
        return true;
    }

    /** It is not sent again: where it was sent last they may know what has become of it. */
    private void giveUp(ByteBuf arguments, FailureClass failure, String why) {
        keep(arguments);
        Hop last = hop();
        if (failure == FailureClass.LOST
                && last != null
                && id() > 0
                && last.link().isClosed()
                && isRecalled(why)) {
            return;
        }
        Execution known = failure == FailureClass.LOST ? Execution.MAYBE_EXECUTED : Execution.NOT_EXECUTED;
        fail(
                failure == FailureClass.BUSY ? ErrorCode.OVERLOAD : ErrorCode.CONNECTION_LOST,
                known,
                why + " (sent " + sentBefore().attempts().made() + " times)",
                null);
    }
}
