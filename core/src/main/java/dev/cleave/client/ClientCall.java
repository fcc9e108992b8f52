package dev.cleave.client;

import static java.util.Objects.requireNonNull;

import dev.cleave.CallException.CallSite;
import dev.cleave.CallException.Execution;
import dev.cleave.call.Chain;
import dev.cleave.call.ChainLane;
import dev.cleave.call.Epoch;
import dev.cleave.call.Observation;
import dev.cleave.call.Outcome;
import dev.cleave.call.ParameterPlan;
import dev.cleave.call.PendingCall;
import dev.cleave.call.RemoteMethod;
import dev.cleave.call.ResultStream;
import dev.cleave.client.ServiceRoute.Hop;
import dev.cleave.concurrent.Timer.Timeout;
import dev.cleave.config.Style;
import dev.cleave.replica.FailureClass;
import dev.cleave.serial.Codec;
import dev.cleave.serial.CopyRestore;
import dev.cleave.stream.AheadRoom;
import dev.cleave.stream.ReceiveBudget;
import dev.cleave.transport.WaitCondition;
import dev.cleave.wire.ErrorCode;
import io.netty.buffer.ByteBuf;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One call of a stub: its {@link Request}, its {@link Journey}, its {@link Order} among other calls, and its room and
 * count if it is {@linkplain SentAhead sent ahead} of its place in the program. {@link Sending} sends it, {@link
 * Failover} decides the next step when it fails, {@link Hedge} asks a second replica when it takes long.
 */
final class ClientCall extends PendingCall implements OutboundCall, PassedResults.Source, Deadlines.Watched, Runnable {

    private static final String NO_ROOM = "each replica had as many calls as it may have until the deadline";

    private final CalledService service;
    private final Request request = new Request();
    private final Journey journey = new Journey();
    private volatile SentAhead ahead = SentAhead.NONE; // before it is sent
    private volatile Order order = Order.NONE;
    private volatile @Nullable Failover failover; // after the first failure; set under the monitor of journey
    private volatile @Nullable Timeout expiry;
    // It has an expiry, or is in a queue of deadlines. A thread that does not see it yet has the deadline watched
    // twice.
    private boolean isWatched;
    private boolean awaitedFromBeginning; // before it is sent
    private boolean shown; // before it is sent
    private OnwardResult onward = OnwardResult.NONE; // before it is sent
    private @Nullable Object @Nullable []
            changed; // arguments that the answer changes; before it is sent, and by the thread that awaits
    private volatile @Nullable CopyRestore restored; // of these

    private volatile @Nullable WaitingCall<?> held; // while it waits for room, and afterwards

    ClientCall(CalledService service, RemoteMethod method) {
        super(method);
        this.service = requireNonNull(service, "service");
    }

    // Re-use of the object for one call after the other.

    /**
     * Frees the object for another call, unless other code may still refer to it. Its caller has shown it to no other
     * thread, has its result and uses it no more. Its link drops it before the end; a second link, a hedge or a task
     * that waits for the end may still have it.
     */
    void spend() {
        if (isAlone()
                && journey.stage() == Stage.SENT
                && failover == null
                && request.isFree()
                && ahead == SentAhead.NONE
                && order.isOver()
                && !isWatched
                && !shown) {
            journey.move(Stage.SPENT);
        }
    }

    /** Whether it may be made {@linkplain #again another call}, by the thread that has taken it from the spare ones. */
    boolean isSpent() {
        return journey.stage() == Stage.SPENT;
    }

    /** Resets the object for another call; only if it {@linkplain #isSpent is spent}. */
    ClientCall again() {
        journey.renew();
        renew();
        request.renew();
        if (order != Order.NONE) {
            order = Order.NONE;
        }
        awaitedFromBeginning = false;
        held = null;
        return this;
    }

    // Settings before the call is sent.

    /** Records that the caller waits as soon as the call is sent. */
    void waitsFromBeginning() {
        awaitedFromBeginning = true;
    }

    /** Records that the result is used while it arrives, whatever its type. */
    void showsItsResult() {
        shown = true;
    }

    /** Records the arguments that the answer changes. */
    void restores(@Nullable Object[] arguments) {
        restored = method().plan().remember(arguments);
        changed = arguments;
    }

    @Override
    public void restoresInto(int number, @Nullable Object array) {
        @Nullable Object[] known = changed;
        if (known != null && known[number] != array) {
            known[number] = array;
            restored = method().plan().remember(known);
        }
    }

    @Override
    public void isHeld(WaitingCall<?> waiting) {
        held = waiting;
    }

    @Override
    public @Nullable CopyRestore restored() {
        return restored;
    }

    /** Records that its result is for a number of arguments of later calls, and nothing else; 0 if it is for more. */
    void isUsedBy(int arguments) {
        onward = OnwardResult.forArguments(arguments);
    }

    /** Its result, if it is for later calls alone. */
    @Override
    public OnwardResult onward() {
        return onward;
    }

    /** Waits for its end; whether it is made again, and needs the results again that are its arguments. */
    @Override
    public boolean mayNeedResults() {
        return !hasAnswer() && mayBeMadeAnew();
    }

    @Override
    public void stayed(long bytes) {
        ChainLane lane = order.lane();
        ParameterPlan plan = method().plan().result();
        if (lane == null || plan == null || onward == OnwardResult.NONE) {
            OutboundCall.super.stayed(bytes);
            return;
        }
        ResultSource results = service.side().results();
        end(new Outcome.Stayed(
                bytes, limit -> onward.fetch(results, lane, order.number(), codec(), plan, limit, site())));
    }

    @Override
    protected boolean isResultUnused() {
        return onward.isUsedUp();
    }

    @Override
    public long stayedBytes() {
        return outcome() instanceof Outcome.Stayed stayed ? stayed.bytes() : 0;
    }

    @Override
    public long sparedBytes() {
        return request.blocks().spared();
    }

    /** Records that the call is sent before the program has come to its place. */
    void aheadOfItsPlace() {
        ahead = new SentAhead();
    }

    /** Returns its room and count as a call sent ahead; {@link SentAhead#NONE} if it is at its place. */
    SentAhead ahead() {
        return ahead;
    }

    /** Sends it for the first time; takes over the frame. */
    void send(ByteBuf frame, int highestType, boolean atOnce) {
        begins(highestType);
        Sending.send(this, service, frame, atOnce);
    }

    /**
     * Sends it behind others of a chain or group; takes over the frame.
     *
     * @param passed the arguments that are results of earlier calls of the chain, and not in the frame
     */
    void send(ByteBuf frame, int highestType, Chain in, PassedResults passed) {
        Order here = Order.in(in, passed);
        order = here;
        begins(highestType);
        Sending.send(this, service, frame, in, here);
    }

    private void begins(int highestType) {
        journey.move(Stage.SENT);
        request.announces(highestType);
        if (method().conduct().style() != Style.ONE_WAY) {
            request.isBehind(WaitPath.here());
        }
        ahead.count(service.resends()); // until it has ended it may fill the queue of a server
        if (!method().conduct().changesNothing()) {
            Epoch.changing(method().conduct().group());
        }
    }

    /** Ends the call when its deadline passes, whether or not a thread waits for it. */
    void watchDeadline() {
        isWatched = true;
        if (method().hasPrimitiveResult()
                && allowed() == method().conduct().deadline()
                && service.deadlines(method()).add(this)) {
            return;
        }
        Timeout timeout = service.timer().scheduleAt(deadlineAt(), this);
        expiry = timeout;
        if (isDone()) {
            timeout.cancel();
        }
    }

    @Override
    protected long nanos() {
        return service.timer().nanos();
    }

    @Override
    public void run() { // the call is itself the task of the timer, which saves an object for each call
        expire();
    }

    // What Sending, Failover, Recovery and Hedge see.

    @Override
    public Request request() {
        return request;
    }

    @Override
    public Order order() {
        return order;
    }

    @Override
    public Journey journey() {
        return journey;
    }

    @Override
    public boolean isAhead() {
        return ahead != SentAhead.NONE;
    }

    @Override
    public boolean isAwaitedFromBeginning() {
        return awaitedFromBeginning;
    }

    @Override
    public Duration allowed() {
        Duration own = request.around().deadline();
        if (own != null) {
            return own;
        }
        Duration full = super.allowed();
        if (!isWithin()) {
            return full;
        }
        long left = request.around().until() - service.timer().nanos();
        return left >= full.toNanos() ? full : Duration.ofNanos(Math.max(1, left));
    }

    /** Whether it must end before the call in whose method it is made; no caller waits for one-way calls. */
    private boolean isWithin() {
        return request.around().until() != Long.MAX_VALUE && method().conduct().style() != Style.ONE_WAY;
    }

    @Override
    protected String limit() {
        return isWithin() && request.around().until() - service.timer().nanos() <= 0
                ? "deadline of the call that made it"
                : super.limit();
    }

    @Override
    protected @Nullable Observation observation() {
        return request.around().observation();
    }

    @Override
    protected boolean wasSentAhead() {
        return ahead != SentAhead.NONE;
    }

    @Override
    public long remaining() {
        return deadlineAt() == 0
                ? allowed().toNanos()
                : deadlineAt() - service.timer().nanos();
    }

    @Override
    public void mayRunBesides(boolean may) {
        failover().mayRunBesides(may);
    }

    @Override
    public boolean hasResult() {
        Outcome known = outcome();
        return known != null && known.isResult();
    }

    private Failover failover() {
        Failover known = failover;
        if (known == null) {
            synchronized (journey) {
                known = failover == null ? new Failover(this, service) : failover;
                failover = known;
            }
        }
        return known;
    }

    // Order among other calls.

    @Override
    public void follows(@Nullable Ordered earlier) {
        if (earlier == null || earlier.isDone()) {
            return;
        }
        if (order == Order.NONE) {
            order = Order.behind();
        }
        order.follows(earlier);
    }

    @Override
    public boolean isInPlace() {
        return isDone() || journey.isStraight();
    }

    @Override
    public @Nullable Ordered before() {
        return order.before();
    }

    @Override
    public boolean isIn(Chain of) {
        return journey.id() > 0 && order.isIn(of);
    }

    /** Runs a task once, when the call, or the one made in its place, has ended for good. It may not block. */
    void onSettled(Runnable task) {
        if (order == Order.NONE) {
            order = Order.behind();
        }
        order.onSettled(task);
        if (isDone() && !mayBeMadeAnew()) {
            order.settle();
        }
    }

    // For the caller.

    @Override
    public CallSite site() {
        Hop way = journey.hop();
        return method().site(service.name(), way == null ? null : way.replica());
    }

    @Override
    public void waiting() {
        WaitingCall<?> unsent = held;
        if (unsent != null) {
            unsent.promote();
        }
        if (order.isInVain() && !isDone()) {
            withdraw(); // its server answers at once that it has not executed it
        }
        journey.waiting(isAhead());
        if (service.timer().mayJump() && !isWatched) {
            watchDeadline(); // which wakes the thread that waits
        }
    }

    @Override
    public void block(WaitCondition it, long atNanos) {
        journey.block(it, atNanos);
    }

    @Override
    public boolean isToBeTold() {
        return journey.id() > 0 && !order.isInLane() && !awaitedFromBeginning;
    }

    @Override
    public void blocked() {
        journey.blocked();
    }

    @Override
    public long waitNumber() {
        return request.path().number();
    }

    @Override
    public boolean mayBeFollowedBy(int calls) {
        long each = Math.max(service.expectedResult(method()), ahead.needed());
        return each < AheadRoom.LEAST || service.aheadRoom().has(calls * each);
    }

    @Override
    public void taken() {
        ahead.taken(isDone());
    }

    @Override
    public void withdraw() {
        journey.withdraw(isDone());
    }

    @Override
    public void withdrawn() {
        ahead.giveUp();
        super.withdrawn();
    }

    @Override
    public void discard() {
        ahead.giveUp();
        onward.letGo();
        ahead.taken(isDone());
        super.discard();
        if (isDone()) {
            order.settle();
        }
    }

    // For the link and the server.

    @Override
    public Codec codec() {
        return service.codec();
    }

    @Override
    public boolean isShown() {
        return shown;
    }

    @Override
    public boolean isBeforeItsPlace() {
        return isAhead() && ahead.isUnclaimed() && deadlineAt() == 0;
    }

    @Override
    public void answeredBy(int peer) {
        Hop way = journey.hop();
        if (way != null && way.peer() == 0) {
            service.references().received(way.link().tables(peer), request.departed());
            request.areBooked(true);
        }
    }

    @Override
    public ReceiveBudget.Room arrives(long bytes) {
        service.hasResult(method(), bytes);
        return isBeforeItsPlace() ? ahead.arrives(service.aheadRoom(), bytes, isDone()) : ReceiveBudget.Room.ARRIVING;
    }

    @Override
    public void arrived(int bytes) {
        service.hasResult(method(), bytes);
        if (isBeforeItsPlace()) {
            ahead.arrived(service.aheadRoom(), bytes, isDone());
        }
    }

    @Override
    public void arrives(ResultStream result) {
        request.blocks().lastUntil(result);
    }

    @Override
    public void begun() {
        journey.begun();
    }

    @Override
    public void suspected() {
        failover().suspected();
    }

    @Override
    public void replicaSuspected() {
        failover().replicaSuspected();
    }

    @Override
    public void moved(String replica) {
        failover().moved(replica);
    }

    @Override
    public void lost(@Nullable Throwable cause) {
        failover().lost(cause);
    }

    @Override
    public boolean sendAgain(FailureClass failure, String why) {
        return failover().refused(failure, why);
    }

    // The end.

    /** Fails the call; a call that was not executed this time may have been executed before, or by a hedge. */
    @Override
    public boolean fail(ErrorCode code, Execution execution, String message, @Nullable Throwable cause) {
        WaitingCall<?> unsent = held;
        if (unsent != null && unsent.giveUp()) {
            boolean isLate = code == ErrorCode.DEADLINE;
            return super.fail(
                    isLate ? ErrorCode.OVERLOAD : code, Execution.NOT_EXECUTED, isLate ? NO_ROOM : message, cause);
        }
        Failover known = failover;
        boolean mayHaveRun = execution == Execution.NOT_EXECUTED && known != null && known.mayHaveRun();
        return super.fail(code, mayHaveRun ? Execution.MAYBE_EXECUTED : execution, message, cause);
    }

    /** Whether it has ended before it was handed to a connection. */
    boolean isUnsent() {
        return (wasNotExecuted() || outcome() instanceof Outcome.Vetoed) && journey.id() <= 0;
    }

    @Override
    protected void ended() {
        request.blocks().ended();
        Hop way = journey.hop();
        if (!request.areBooked() && way != null && way.peer() == 0) {
            service.references().unanswered(way.link().tables(0), request.departed());
        }
        journey.leave();
        letGoIfEnded();
        boolean hasResult = hasResult();
        if (!(outcome() instanceof Outcome.Stayed)) {
            onward.letGo();
        }
        ahead.ended(hasResult, mayBeMadeAnew(), service.resends());
        order.ended(!hasResult, !wasNotExecuted());
        if (!mayBeMadeAnew()) {
            order.settle();
        }
        Timeout timeout = expiry;
        if (timeout != null) {
            timeout.cancel();
        }
        journey.wake();
    }

    @Override
    public void letGoIfEnded() {
        if (!isDone()) {
            return;
        }
        if (Failover.isForItsPlace(this, outcome())) {
            byte[] unused = request.rescue();
        } else {
            request.release();
        }
    }

    @Override
    public boolean isRefusedForNow() {
        return wasOverload() && mayBeMadeAnew();
    }

    /** Whether it has ended in a way that allows to make it again. */
    private boolean mayBeMadeAnew() {
        return !ahead.isGivenUp() && Failover.isForItsPlace(this, outcome());
    }

    /** Makes a call that was sent ahead and not executed again, at its await. */
    @Override
    protected @Nullable PendingCall anew(ErrorCode why) {
        Failover known = failover;
        PendingCall made = known == null ? null : known.anew();
        try {
            if (made == null && mayBeMadeAnew()) {
                origin();
                made = failover().madeAtItsPlace(why, this::madeOnceMore);
            }
            return made;
        } finally {
            order.settle();
        }
    }

    private ClientCall madeOnceMore(byte[] arguments) {
        ClientCall again = new ClientCall(service, method());
        again.request.continues(request);
        again.restored = restored;
        SentAhead counted = new SentAhead(); // at its place, but it may fill the queue of a server
        counted.count(service.resends());
        again.onEnd(() -> counted.ended(true, false, service.resends()));
        again.waitsFromBeginning();
        long remaining = again.beginAs(this) - service.timer().nanos();
        again.request.announces(request.highestType());
        ByteBuf frame = Sending.frame(again, service, order.passed(), arguments, remaining);
        if (frame != null) {
            again.send(frame, again.request.highestType(), true);
        }
        return again;
    }
}
