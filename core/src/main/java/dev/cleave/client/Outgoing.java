package dev.cleave.client;

import static java.util.Objects.requireNonNull;

import dev.cleave.CallException.Execution;
import dev.cleave.Cleave;
import dev.cleave.Later;
import dev.cleave.Pending;
import dev.cleave.call.Chain;
import dev.cleave.call.ChainLane;
import dev.cleave.call.Expression;
import dev.cleave.call.Failures;
import dev.cleave.call.Handle;
import dev.cleave.call.Observation;
import dev.cleave.call.Outcome;
import dev.cleave.call.ParameterPlan;
import dev.cleave.call.Primitives;
import dev.cleave.call.RemoteMethod;
import dev.cleave.concurrent.SafeLog;
import dev.cleave.config.Style;
import dev.cleave.later.LaterArguments;
import dev.cleave.later.LaterCalls;
import dev.cleave.serial.Reference;
import dev.cleave.serial.ValueWriter;
import dev.cleave.stream.Block;
import dev.cleave.stream.ForwardedValues;
import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.Header;
import dev.cleave.wire.PendingArgument;
import dev.cleave.wire.RequestFrame;
import dev.cleave.wire.RequestHead;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A call whose arguments are being written, as generated stubs see it: write all {@link #values}, then end it by one of
 * the other methods. Used by one thread at a time.
 *
 * <p>The object of a method with only primitive parameters is re-used for its next call once the connection has copied
 * the frame and holds no reference to it. The call object is re-used, too, if it was awaited here and is {@linkplain
 * ClientCall#spend spent}.
 */
public final class Outgoing implements Cleave.Prepared, GroupLanes.Member {

    private static final System.Logger LOG = SafeLog.of(Outgoing.class);
    private static final int UNFIT = Integer.MIN_VALUE;
    private static final @Nullable Object[] NO_ARGUMENTS = {};
    private static final Duration OF_RMI = Duration.ofDays(365);
    private static final int REUSED_BYTES = RequestFrame.ROOM + 128;

    private final CalledService service;
    private final RemoteMethod method;
    private final SpareCalls<Outgoing> spare;
    private final Around around;
    private final boolean
            isReused; // its arguments take few bytes, which are copied when they are written to a connection
    private ByteBuf frame; // another one when it is complete, if it is long
    private ClientCall call;
    private final ValueWriter values;
    private final Function<Integer, String> naming;
    private Map<Integer, Handle> wanted = Map.of(); // by the index of the parameter
    private final List<PassedResults.Passed> passed = new ArrayList<>(0);
    private boolean isUnable;
    private boolean isRefused; // an argument cannot be restored
    private boolean isAtItsPlace; // the call is at its place, in a group
    private boolean isWaitedFor; // the caller does nothing else before the call has ended
    private boolean isBeforeItsPlace;
    private boolean isInChain;
    private boolean isWithoutRoom;
    private @Nullable Expression key;
    private @Nullable Object[] seen = NO_ARGUMENTS; // by interceptors
    private boolean isSurrounded;

    Outgoing(CalledService service, RemoteMethod method, SpareCalls<Outgoing> spare, Around around) {
        this.service = service;
        this.method = method;
        this.spare = spare;
        this.around = around;
        naming = method.plan()::objectName;
        isReused = method.hasPrimitivesOnly();
        frame = isReused
                ? UnpooledByteBufAllocator.DEFAULT.heapBuffer(REUSED_BYTES)
                : service.requests()
                        .allocate(
                                method.index(),
                                RequestFrame.ROOM + RequestHead.PLAIN_LENGTH,
                                PooledByteBufAllocator.DEFAULT);
        values = isReused ? service.codec().writer(frame) : service.codec().blockWriter(frame);
        if (!isReused) {
            try {
                values.streams(later(method));
                values.forwards(ForwardedValues.take());
            } catch (RuntimeException | Error e) {
                frame.release();
                throw e;
            }
        }
        call = new ClientCall(service, method);
        beginFrame();
    }

    private static List<Integer> later(RemoteMethod method) {
        List<String> chosen = LaterCalls.chosen();
        return chosen == null ? method.plan().streamed() : method.plan().streamed(chosen);
    }

    /** Resets the object for another call. */
    Outgoing again() {
        if (method.method().getReturnType().isPrimitive()) { // else it is a new one already
            call = call.isSpent() ? call.again() : new ClientCall(service, method);
        }
        isWaitedFor = false;
        isBeforeItsPlace = false;
        isSurrounded = false;
        beginFrame();
        return this;
    }

    private void beginFrame() {
        RequestFrame.begin(frame, service.number(method));
        Reference.Number object = service.object();
        if (object != null) {
            frame.writeLong(object.high()).writeLong(object.low());
        }
    }

    /** Whether the values of the arguments order the call or choose its replica, or interceptors see them. */
    public boolean hasKey() {
        key = service.route().key(method);
        return key != null || service.ratings().rates(method) || around.hasInterceptors();
    }

    /** Takes the arguments as objects; called if {@link #hasKey}. */
    public void arguments(@Nullable Object[] arguments) {
        seen = arguments;
        if (service.ratings().rates(method)) {
            call.request().isRated(service.ratings().rate(method, arguments));
        }
        Expression expression = key;
        if (expression == null) {
            return;
        }
        try {
            call.request().belongsTo(expression.value(arguments));
        } catch (RuntimeException | Error e) { // user code of the arguments
            LOG.log(System.Logger.Level.DEBUG, method.label() + ": no affinity: " + SafeLog.text(e));
        }
    }

    /**
     * Takes the arguments that the answer of the call changes.
     *
     * @throws IllegalArgumentException if one cannot be restored
     */
    public void restores(@Nullable Object[] arguments) {
        try {
            call.restores(arguments);
        } catch (RuntimeException | Error e) {
            drop();
            throw e;
        }
    }

    /** The same for a call that is sent before its place: where an argument cannot be restored it is not sent. */
    public void restoresAhead(@Nullable Object[] arguments) {
        try {
            call.restores(arguments);
        } catch (RuntimeException | Error e) { // thrown again where the call is written
            LOG.log(System.Logger.Level.DEBUG, method.label() + ": not sent ahead: " + SafeLog.text(e));
            isRefused = true;
        }
    }

    /** Returns the writer of the arguments: first all direct ones, then the objects. */
    public ValueWriter values() {
        return values;
    }

    /**
     * Sets the results of earlier calls that are arguments of this one, by parameter, and for how many arguments of later
     * calls, and nothing else, its own result is; 0 if it is for more.
     */
    void passes(Map<Integer, Handle> results, int uses) {
        wanted = results;
        call.isUsedBy(uses);
    }

    /** Says whether the argument for a parameter is not to be written: it is the pending result of an earlier call. */
    public boolean isPassed(int parameter) {
        Handle source = wanted.isEmpty() ? null : wanted.get(parameter);
        if (source == null) {
            return false;
        }
        ParameterPlan plan = method.plan().parameters().get(parameter);
        ChainLane lane = source instanceof ClientCall earlier ? earlier.order().lane() : null;
        if (source instanceof ClientCall earlier
                && lane != null
                && takes(plan, earlier.method())
                && earlier.method().result() != null
                && passed.size() < PendingArgument.MOST - 1) { // one may be a guard
            int at = values.position() - RequestHead.PLAIN_LENGTH;
            passed.add(new PassedResults.Passed(earlier, lane, earlier.order().number(), plan, at));
        } else {
            isUnable = true;
        }
        return true;
    }

    /** Says that an argument is not written, as that might wait: the call is not sent in a chain. */
    public void declines() {
        isUnable = true;
    }

    /** Whether a server can put the result of a call in for a parameter. */
    private static boolean takes(ParameterPlan parameter, RemoteMethod source) {
        return !parameter.isRestored()
                && switch (parameter.travel()) {
                    case WHOLE, STREAMED -> true;
                    case LATER -> source.plan().resultIs(ParameterPlan.Travel.LATER);
                    case INPUT -> false;
                };
    }

    /**
     * Sends the call and returns at once; null in the lambda of {@link Cleave#async}, which sends nothing ahead, and if
     * there is no room for its arguments before the program has come to its place, or they are objects of an RMI
     * program whose writing runs its code.
     */
    public @Nullable Handle send() {
        if (Cleave.capturing() != null || values.isPremature() || isRefused) {
            drop();
            return null;
        }
        if (isInterrupted()) { // at its place the call is not made
            drop();
            return null;
        }
        String group = method.conduct().group();
        if (!group.isEmpty()) {
            if (service.together() == null) {
                drop();
                return null;
            }
            return service.groups().send(this, group, service.owner());
        }
        call.aheadOfItsPlace();
        isBeforeItsPlace = true;
        if (!surround()) {
            return call;
        }
        ClientCall sent = ship(false);
        return isWithoutRoom ? null : sent;
    }

    /**
     * Sends the call behind the others of a chain or group and returns at once; null if they are those of another stub, but for
     * objects of one node, or this one cannot be given a result that was passed, as objects cannot, and in the lambda of {@link
     * Cleave#async}.
     */
    @Override
    public @Nullable Handle chain(Chain chain) {
        isUnable |= passed.stream()
                .anyMatch(each -> !chain.passesResults() || !each.source().isIn(chain));
        isUnable |= !wanted.isEmpty() && around.hasInterceptors(); // they would see no value there
        boolean isOrdered = method.conduct().style() == Style.CHAINED || !chain.passesResults();
        if (chain.stopsAtFailures()) { // a group has the calls of one service, or of the objects of one node
            Object together = chain.passesResults() && service.object() != null ? null : service.together();
            isUnable |= together == null || !chain.accepts(together);
        }
        if (isUnable
                || !isAtItsPlace && values.isPremature()
                || Cleave.capturing() != null
                || !isAtItsPlace && chain.stopsAtFailures() && isInterrupted()) {
            if (isOrdered && chain.stopsAtFailures()) {
                chain.breakOff(); // it is made at its place, and no later call of the chain may be executed before
            }
            drop();
            return null;
        }
        if (!isAtItsPlace) {
            call.aheadOfItsPlace();
            isBeforeItsPlace = true;
            isInChain = true;
        }
        if (!surround()) {
            chain.breakOff();
            return call;
        }
        if (chain.stopsAtFailures()) {
            setDeadline();
        }
        int highest = finish();
        if (highest == UNFIT) {
            chain.breakOff();
            return isUnable ? null : call;
        } else {
            call.send(frame, highest, chain, new PassedResults(passed, isOrdered ? guard(chain, passed) : null));
        }
        return call;
    }

    /** The call of the chain before this one, if this one is not given its result: it may run only if that one has succeeded. */
    private static PassedResults.@Nullable Guard guard(Chain chain, List<PassedResults.Passed> passed) {
        if (!(chain.passesResults() && chain.last() instanceof ClientCall last) || isGiven(last, passed)) {
            return null;
        }
        ChainLane lane = last.order().lane();
        return lane == null
                ? null
                : new PassedResults.Guard(last, lane, last.order().number());
    }

    private static boolean isGiven(ClientCall result, List<PassedResults.Passed> passed) {
        return passed.stream().anyMatch(each -> each.source() == result);
    }

    @Override
    public void onSettled(Runnable task) {
        call.onSettled(task);
    }

    /** Makes a call without a result. */
    public void callVoid() throws Throwable {
        if (isCaptured()) {
            return;
        }
        if (method.conduct().style() == Style.ONE_WAY) {
            handOver();
            return;
        }
        ClientCall sent = beginAwaited();
        sent.awaitVoid();
        sent.spend();
    }

    /** Hands a one-way call to the connection; throws only if that fails. */
    private void handOver() throws Throwable {
        OneWays oneWays = service.oneWays();
        try {
            oneWays.enter(call, service.name());
        } catch (RuntimeException | Error e) {
            drop();
            throw e;
        }
        long thread = Thread.currentThread().getId();
        ClientCall sent = begin(false);
        if (sent.isUnsent()) {
            oneWays.ended(thread, method, null);
            sent.awaitVoid();
            return;
        }
        sent.watchDeadline();
        Observation told = sent.observation();
        if (told != null) {
            told.ended(null, null);
        }
        sent.onEnd(() -> oneWays.ended(thread, method, sent.failure()));
    }

    /** Makes a call with a result of type boolean, byte, char, short or int. */
    public int callInt() throws Throwable {
        Cleave.Capture capture = Cleave.capturing();
        if (capture != null) {
            long bits = ThreadLocalRandom.current().nextLong();
            Object placeholder = Primitives.box(method.method().getReturnType(), bits);
            capture.take(this, placeholder);
            return Primitives.toInt(placeholder);
        }
        ClientCall sent = beginAwaited();
        int result = sent.awaitInt();
        sent.spend();
        return result;
    }

    /** Makes a call with a long as its result. */
    public long callLong() throws Throwable {
        Cleave.Capture capture = Cleave.capturing();
        if (capture != null) {
            long placeholder = ThreadLocalRandom.current().nextLong();
            capture.take(this, placeholder);
            return placeholder;
        }
        ClientCall sent = beginAwaited();
        long result = sent.awaitLong();
        sent.spend();
        return result;
    }

    /** Makes a call with a float as its result. */
    public float callFloat() throws Throwable {
        Cleave.Capture capture = Cleave.capturing();
        if (capture != null) {
            float placeholder = ThreadLocalRandom.current().nextFloat();
            capture.take(this, placeholder);
            return placeholder;
        }
        ClientCall sent = beginAwaited();
        float result = sent.awaitFloat();
        sent.spend();
        return result;
    }

    /** Makes a call with a double as its result. */
    public double callDouble() throws Throwable {
        Cleave.Capture capture = Cleave.capturing();
        if (capture != null) {
            double placeholder = ThreadLocalRandom.current().nextDouble();
            capture.take(this, placeholder);
            return placeholder;
        }
        ClientCall sent = beginAwaited();
        double result = sent.awaitDouble();
        sent.spend();
        return result;
    }

    /** Makes a call with an object as its result. */
    public @Nullable Object callObject() throws Throwable {
        if (isCaptured()) {
            return null;
        }
        return beginAwaited().await();
    }

    /** Makes a call whose result is used while it arrives; whole if the call is idempotent, and may be made again. */
    public LaterArguments callLater() {
        if (isCaptured()) {
            return StreamedResult.of(method, null);
        }
        if (method.conduct().idempotent()) {
            return StreamedResult.whole(method, beginAwaited().await());
        }
        call.showsItsResult();
        return StreamedResult.of(method, (Later.Value<?>) beginAwaited().await());
    }

    /**
     * Makes a call of a method that returns a future.
     *
     * @throws IllegalStateException in the lambda of {@link Cleave#async}
     */
    public CompletableFuture<Object> callFuture() {
        if (Cleave.capturing() != null) {
            drop();
            throw new IllegalStateException(
                    method.label() + " returns a future (expected: a call of it without Cleave.async)");
        }
        ClientCall sent = begin(true);
        sent.watchDeadline();
        return service.isOfNodes() ? sent.toPromptFuture() : sent.toCompletableFuture();
    }

    @Override
    public Pending<?> start() {
        ClientCall sent = begin(false);
        sent.watchDeadline();
        return sent;
    }

    @Override
    public void drop() {
        frame.release();
        try {
            values.finish(naming);
        } catch (RuntimeException e) { // a refused value of a call that will not be made
            requireNonNull(e);
        }
    }

    private boolean isCaptured() {
        Cleave.Capture capture = Cleave.capturing();
        if (capture == null) {
            return false;
        }
        capture.take(this, null);
        return true;
    }

    /** Sends a call whose caller waits for it. */
    private ClientCall beginAwaited() {
        if (isInterrupted()) {
            drop();
            call.fail(ErrorCode.CANCELLED, Execution.NOT_EXECUTED, "not sent: the calling thread is interrupted", null);
            return call;
        }
        isWaitedFor = true;
        call.waitsFromBeginning();
        if (service.resends().areAhead()) {
            call.aheadOfItsPlace(); // calls sent ahead, of any thread, may fill the queue
        }
        return begin(true);
    }

    /** Sends the call with its deadline running. */
    private ClientCall begin(boolean atOnce) {
        if (!surround()) {
            return call;
        }
        call.originAlone();
        setDeadline();
        String group = method.conduct().group();
        if (group.isEmpty()
                || method.conduct().style() == Style.ONE_WAY
                || !service.groups().isPending(group, service.owner()) && (isWaitedFor || service.together() == null)) {
            return ship(atOnce);
        }
        isAtItsPlace = true;
        ClientCall sent = call;
        Handle unused = service.groups().send(this, group, service.owner());
        if (atOnce) {
            sent.waiting();
        }
        return sent;
    }

    /** Tells the server the deadline; that of RMI ends the waiting alone, and the method goes on. */
    private void setDeadline() {
        Duration allowed = method.plan().isFormatted() ? OF_RMI : call.allowed();
        RequestFrame.deadline(frame, Math.max(1, allowed.toNanos() / 1000));
    }

    private boolean isInterrupted() {
        return Thread.currentThread().isInterrupted() && !method.ignoresInterrupts();
    }

    /** Adds what the call has besides its arguments, once; false if an interceptor forbids it: it has ended then. */
    private boolean surround() {
        if (isSurrounded || !around.isNeeded()) {
            return true;
        }
        isSurrounded = true;
        try {
            Surroundings here = around.sends(method, around.captured(), seen, isBeforeItsPlace, false);
            call.request().isWithin(here);
            return true;
        } catch (RuntimeException | Error veto) { // user code
            drop();
            call.end(new Outcome.Vetoed(veto));
            return false;
        } finally {
            seen = NO_ARGUMENTS;
        }
    }

    /** Sends the call, which leaves this object. */
    private ClientCall ship(boolean atOnce) {
        ClientCall sent = call;
        int highest = finish();
        if (highest == UNFIT) {
            return sent;
        }
        if (!isReused) {
            sent.send(frame, highest, atOnce);
            return sent;
        }
        sent.send(frame.retain(), highest, atOnce);
        if (frame.refCnt() == 1) { // no reader of the frame is left
            if (!method.method().getReturnType().isPrimitive()) {
                call = new ClientCall(service, method); // the one that was sent keeps its result alive
            }
            spare.put(method.index(), this);
        }
        return sent;
    }

    /**
     * Takes room for the arguments, which are kept until the call has ended; a chain takes it even if there is none.
     */
    private boolean takesRoom(List<Block> blocks) {
        long bytes = frame.readableBytes();
        for (Block block : blocks) {
            bytes += block.bytes();
        }
        if (isInChain) {
            call.ahead().takesRoomAnyway(service.aheadRoom(), bytes, service.expectedResult(method));
            return true;
        }
        return call.ahead().takesRoom(service.aheadRoom(), bytes, service.expectedResult(method));
    }

    /** Completes the frame; {@link #UNFIT} if the arguments cannot travel, and the call has ended, or have no room. */
    private int finish() {
        try {
            int highest = values.finish(naming);
            List<Block> blocks = values.blocks();
            if (!blocks.isEmpty()
                    && passed.stream().anyMatch(each -> !each.plan().kind().isPrimitive())) {
                frame.release(); // made again, it would have to put results between large arguments
                isUnable = true;
                return UNFIT;
            }
            if (isBeforeItsPlace && !takesRoom(blocks)) {
                frame.release();
                isWithoutRoom = true;
                return UNFIT;
            }
            if (!blocks.isEmpty()) {
                call.request().isFollowedBy(isWaitedFor ? RequestStream.inPlace(blocks) : RequestStream.copied(blocks));
            }
            Header.finish(frame);
            if (!isReused) {
                frame = service.requests().complete(method.index(), frame, PooledByteBufAllocator.DEFAULT);
            }
            call.request().carries(values.departed());
            return highest;
        } catch (OutOfMemoryError e) {
            if (!isBeforeItsPlace || isInChain) {
                throw e;
            }
            frame.release();
            call.ahead().roomIsLeft();
            isWithoutRoom = true; // at its place the call needs no copy
            return UNFIT;
        } catch (RuntimeException e) {
            frame.release();
            call.fail(Failures.code(e), Execution.NOT_EXECUTED, String.valueOf(e.getMessage()), e);
            return UNFIT;
        }
    }
}
