package dev.cleave.client;

import static java.util.Objects.requireNonNull;

import dev.cleave.CallException.Execution;
import dev.cleave.call.ArrivingResult;
import dev.cleave.call.Link;
import dev.cleave.call.PeerTables;
import dev.cleave.call.RemoteMethod;
import dev.cleave.client.ServiceRoute.Hop;
import dev.cleave.config.Style;
import dev.cleave.replica.Attempts;
import dev.cleave.replica.FailureClass;
import dev.cleave.replica.Keys;
import dev.cleave.serial.LateValue;
import dev.cleave.wire.CallKey;
import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.FrameKind;
import dev.cleave.wire.Header;
import dev.cleave.wire.Hello;
import dev.cleave.wire.Moved;
import dev.cleave.wire.Request;
import dev.cleave.wire.WireException;
import io.netty.buffer.ByteBuf;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * A call that keeps its arguments while it may have to be sent again, and is when its way is lost or its replica is full.
 *
 * <p>Type and method numbers are those of the node, so the kept bytes fit any link.
 */
abstract class ResentCall extends RoutedCall {

    private static final int MOST_MOVES = 16;

    private final ServiceCalls calls;
    private final int number;
    private int highest = -1;
    private List<Object> departed = List.of();
    private volatile @Nullable KeptArguments kept; // set before there is anything to keep
    private volatile Attempts history = Attempts.NONE;
    private volatile int moves; // between replicas, by one at a time
    private @Nullable Object key; // before it is sent
    private volatile SentBlocks blocks = SentBlocks.NONE;
    private volatile boolean strayed;
    private volatile boolean doubtful; // it was lost where it may have been executed, and sent again
    private volatile @Nullable Recalls recalls; // of where it was sent last

    ResentCall(ServiceCalls calls, RemoteMethod method, int number) {
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
        share();
    }

    /** Begins as the same call once more. */
    void continues(ResentCall other) {
        departed = other.departed;
        key = other.key;
        blocks = other.blocks.again();
    }

    /** The highest number of a type among the arguments; announced before they are sent. */
    void announces(int highestType) {
        highest = highestType;
    }

    @Nullable
    Object key() {
        return key;
    }

    int highestType() {
        return highest;
    }

    SentBlocks blocks() {
        return blocks;
    }

    ServiceCalls calls() {
        return calls;
    }

    int number() {
        return number;
    }

    @Override
    protected boolean isAlone() {
        return history == Attempts.NONE
                && moves == 0
                && !strayed
                && recalls == null
                && before() == null
                && blocks == SentBlocks.NONE
                && super.isAlone();
    }

    @Override
    protected void renew() {
        super.renew();
        key = null;
        departed = List.of();
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

    /** What has not been executed the last time may have been before. */
    @Override
    public boolean fail(ErrorCode code, Execution execution, String message, @Nullable Throwable cause) {
        boolean known = execution != Execution.NOT_EXECUTED || !doubtful;
        return super.fail(code, known ? execution : Execution.MAYBE_EXECUTED, message, cause);
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
        if (broken == null || !departed.isEmpty() || !Recalls.canBeAsked(broken)) {
            return false;
        }
        Recalls known = recalls;
        if (known == null) {
            known = new Recalls(this, broken);
            recalls = known;
        }
        return known.ask(broken, why, before());
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
        history = history.and(last == null || last.replica() == null ? "" : requireNonNull(last.replica()));
        if (last != null && failure != FailureClass.LOST) {
            calls.references().unsent(last.link().tables(last.peer()), departed);
        }
        if (isInOrder() || failure == FailureClass.LOST && !method().conduct().idempotent()) {
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
            doubtful = true;
        }
        // Dialling may block, which this thread may not.
        try {
            calls.resends()
                    .submit(
                            history.made(),
                            () -> {
                                try {
                                    resend(arguments, failure, why);
                                } catch (Throwable e) { // an Error as well: the call must end
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
    boolean mayMove() {
        KeptArguments known = kept;
        return moves < MOST_MOVES
                && departed.isEmpty()
                && !isInOrder()
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
                if (!isShipped(route().to(replica), arguments, remaining())) {
                    resend(arguments, FailureClass.BUSY, why);
                }
            });
        } catch (RejectedExecutionException e) { // the node is closing
            keep(arguments);
            fail(ErrorCode.CANCELLED, Execution.NOT_EXECUTED, "the node is closing", e);
        }
    }

    /** Whether it has ended with a result. */
    boolean hasSucceeded() {
        return hasResult();
    }

    /** Whether it, and what is needed for it, can be sent to any replica. */
    boolean isFree() {
        return !isInOrder() && before() == null && departed.isEmpty() && blocks == SentBlocks.NONE;
    }

    /** Writes the frame by a way whose link has taken the call; takes it over. */
    void write(Hop way, ByteBuf frame, boolean atOnce) {
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
            SentBlocks following = blocks;
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
    private void arrived(LateValue source, SentBlocks following) {
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

    @Override
    protected void arrives(ArrivingResult result) {
        blocks.lastUntil(result);
    }

    /** Tells a broker that chooses the replica what the call has in common with others. */
    void putKey(ByteBuf frame, Hop way) {
        if (key != null
                && way.replica() == null
                && (way.link().peer().features() & Hello.KEYS) != 0
                && frame.readableBytes() + Long.BYTES <= FrameKind.REQUEST.maxLength()) {
            CallKey.put(Keys.hash(key), frame);
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

    private void resend(ByteBuf arguments, FailureClass failure, String why) {
        boolean idempotent = method().conduct().idempotent();
        long remaining = remaining();
        Hop way = route().next(history, failure, idempotent, remaining);
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
        recalls = null;
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

    /** Lets go of the kept arguments; those of a call that was sent ahead and not executed are kept as bytes. */
    void letGo() {
        if (failedAhead()) {
            kept().rescue();
            return;
        }
        KeptArguments known = kept;
        if (known != null) {
            known.release();
        }
        if (blocks != SentBlocks.NONE) {
            blocks = SentBlocks.NONE;
        }
    }

    /** Keeps the arguments of a frame, which stays the caller's. */
    void keepArguments(ByteBuf frame) {
        kept().keepOf(frame);
        letGoIfEnded();
    }

    /** Keeps arguments unless the call has ended meanwhile. */
    private void keep(ByteBuf arguments) {
        kept().keep(arguments);
        letGoIfEnded();
    }

    KeptArguments kept() {
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
