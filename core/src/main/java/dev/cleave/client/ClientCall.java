package dev.cleave.client;

import static java.util.Objects.requireNonNull;

import dev.cleave.CallException.CallSite;
import dev.cleave.CallException.Execution;
import dev.cleave.call.Chain;
import dev.cleave.call.Epoch;
import dev.cleave.call.Outcome;
import dev.cleave.call.PendingCall;
import dev.cleave.call.RemoteMethod;
import dev.cleave.call.ResultStream;
import dev.cleave.client.ServiceRoute.Hop;
import dev.cleave.concurrent.Timer.Timeout;
import dev.cleave.config.Style;
import dev.cleave.replica.FailureClass;
import dev.cleave.serial.Codec;
import dev.cleave.stream.AheadRoom;
import dev.cleave.stream.ReceiveBudget;
import dev.cleave.transport.WaitCondition;
import dev.cleave.wire.ErrorCode;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * One call of a stub: what it asks ({@link Request}), where it is ({@link Journey}), where it stands among others ({@link Order}),
 * and what it has because it is {@linkplain SentAhead sent ahead} of its place in the program. {@link Sending} sends it, {@link
 * Failover} decides what becomes of it when something goes wrong, {@link Hedge} asks a second replica when it takes long.
 */
final class ClientCall extends PendingCall implements OutboundCall, Runnable {

    private final CalledService service;
    private final Request request = new Request();
    private final Journey journey = new Journey();
    private volatile SentAhead ahead = SentAhead.NONE; // before it is sent
    private volatile Order order = Order.NONE;
    private volatile @Nullable Failover failover; // once something has gone wrong; set under this
    private volatile @Nullable Timeout expiry;
    private boolean awaitedFromBeginning; // before it is sent
    private boolean shown; // before it is sent

    ClientCall(CalledService service, RemoteMethod method) {
        super(method);
        this.service = requireNonNull(service, "service");
    }

    // Its object, which may stand for one call after the other.

    /**
     * Its caller, which has shown it to no other thread, has its result and does not look at it any more: it may stand for another
     * call, unless something else may still know of it. A link does no longer when the thread that has ended the call has left it. A
     * second way, a second request, a task that waits for the end do, perhaps.
     */
    void spend() {
        if (isAlone()
                && journey.stage() == Stage.SENT
                && failover == null
                && request.isFree()
                && ahead == SentAhead.NONE
                && order.isOver()
                && expiry == null
                && !shown) {
            journey.move(Stage.SPENT);
        }
    }

    /** Whether it may be made {@linkplain #again another call}, by the thread that has taken it from the spare ones. */
    boolean isSpent() {
        return journey.stage() == Stage.SPENT;
    }

    /** As new, for another call; only if it {@linkplain #isSpent is spent}. */
    ClientCall again() {
        journey.renew();
        renew();
        request.renew();
        if (order != Order.NONE) {
            order = Order.NONE;
        }
        awaitedFromBeginning = false;
        return this;
    }

    // What is said of it before it is sent.

    /** Its caller waits as soon as it is sent. */
    void waitsFromBeginning() {
        awaitedFromBeginning = true;
    }

    /** Its result is used while it arrives, of whatever type its method is. */
    void showsItsResult() {
        shown = true;
    }

    /** It is sent before the program has come to its place. */
    void aheadOfItsPlace() {
        ahead = new SentAhead();
    }

    /** What it has because of that; none of it if the program has come to its place. */
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
     * @param passed the arguments that are results of earlier calls of it, and not in the frame
     */
    void send(ByteBuf frame, int highestType, Chain in, PassedResults passed) {
        Order here = Order.in(in, passed);
        order = here;
        follows((ClientCall) in.sends(this));
        begins(highestType);
        Sending.send(this, service, frame, in, here);
    }

    private void begins(int highestType) {
        journey.move(Stage.SENT);
        request.announces(highestType);
        if (method().conduct().style() != Style.ONE_WAY) {
            request.isBehind(WaitPath.here());
        }
        ahead.count(service.resends()); // it may be what a server has no room for other calls by, until it has ended
        if (!method().conduct().changesNothing()) {
            Epoch.changing(method().conduct().group());
        }
    }

    /** Ends the call when its deadline passes, whether or not a thread waits for it. */
    void watchDeadline() {
        Timeout timeout = service.timer().scheduleAt(deadlineAt(), this);
        expiry = timeout;
        if (isDone()) {
            timeout.cancel();
        }
    }

    @Override
    public void run() { // the task of the timer, which for a million calls is an object less for each
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
    public long remaining() {
        return deadlineAt() == 0
                ? method().conduct().deadline().toNanos()
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

    // Its order among others.

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

    /** Whether it has been sent in a chain, which has not begun again since. */
    boolean isIn(Chain of) {
        return journey.id() > 0 && order.isIn(of);
    }

    /** Runs a task once, when it has ended and is not to be made anew, or the call that stands for it has. It may not block. */
    void onSettled(Runnable task) {
        if (order == Order.NONE) {
            order = Order.behind();
        }
        order.onSettled(task);
        if (isDone() && !mayBeMadeAnew()) {
            order.settle();
        }
    }

    // What its caller does with it.

    @Override
    public CallSite site() {
        Hop way = journey.hop();
        return method().site(service.name(), way == null ? null : way.replica());
    }

    @Override
    public void waiting() {
        journey.waiting(isAhead());
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
        ahead.taken(isDone());
        super.discard();
        if (isDone()) {
            order.settle();
        }
    }

    // What its link and its server say.

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

    // Its end.

    /** What has not been executed the last time may have been before, or elsewhere. */
    @Override
    public boolean fail(ErrorCode code, Execution execution, String message, @Nullable Throwable cause) {
        Failover known = failover;
        boolean mayHaveRun = execution == Execution.NOT_EXECUTED && known != null && known.mayHaveRun();
        return super.fail(code, mayHaveRun ? Execution.MAYBE_EXECUTED : execution, message, cause);
    }

    /** Whether it has ended before it was handed to a connection. */
    boolean isUnsent() {
        return wasNotExecuted() && journey.id() <= 0;
    }

    @Override
    protected void ended() {
        request.blocks().ended();
        journey.leave();
        letGoIfEnded();
        boolean hasResult = hasResult();
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

    /** Whether it has ended so that a new one may stand for it. */
    private boolean mayBeMadeAnew() {
        return !ahead.isGivenUp() && Failover.isForItsPlace(this, outcome());
    }

    /** Made at its await, where the program now is, if the call that was sent ahead was not executed. */
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
        SentAhead counted = new SentAhead(); // at its place, but a server may have no room for others by it
        counted.count(service.resends());
        again.onEnd(() -> counted.ended(true, false, service.resends()));
        again.waitsFromBeginning();
        long remaining = again.beginAs(this) - service.timer().nanos();
        ByteBuf frame = Sending.frame(again, service, order.passed(), arguments, remaining);
        if (frame != null) {
            again.send(frame, request.highestType(), true);
        }
        return again;
    }
}
