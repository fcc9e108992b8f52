package dev.cleave.server;

import static java.util.Objects.requireNonNull;

import dev.cleave.CallException;
import dev.cleave.call.Failures;
import dev.cleave.call.Link;
import dev.cleave.call.Remembered;
import dev.cleave.call.RemoteMethod;
import dev.cleave.call.Stub;
import dev.cleave.concurrent.AgeingQueue;
import dev.cleave.config.Aggregate;
import dev.cleave.later.LaterArguments;
import dev.cleave.ref.References;
import dev.cleave.serial.ArrivedBlocks;
import dev.cleave.serial.Names;
import dev.cleave.serial.SerialException;
import dev.cleave.serial.ValueReader;
import dev.cleave.serial.ValueWriter;
import dev.cleave.stream.Inflow;
import dev.cleave.wire.CallPath;
import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.Execution;
import dev.cleave.wire.Request;
import io.netty.buffer.ByteBuf;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * One call at the server, from its request to its one answer. Owns the request frame until the arguments are read or the call
 * is dropped.
 */
public final class Invocation extends AgeingQueue.Entry {

    private static final String LACKS = "not executed: a result that it needs is not kept";

    /** How far the call has come; says whether a failure means that the method ran. */
    private enum Phase {
        /** The method has not begun. */
        ARGUMENTS,
        /** The method runs, or has thrown. */
        RUNNING,
        /** The method has returned. */
        RESULT,
        /** The method has returned a future, which answers. */
        FUTURE
    }

    /**
     * Where a call has come from.
     *
     * @param link over which it has come
     * @param header of its request
     * @param references told what is sent back
     */
    record Origin(Link link, Request header, References references) {}

    /**
     * Names a call.
     *
     * @param link over which it has come
     * @param peer the relayed client, or 0
     * @param id its number among those of its caller
     */
    record Key(Link link, int peer, long id) {}

    private final Answer answer;
    private final Turn turn;
    private final Claim claim = new Claim();
    private Link link; // it and those up to the deadline: set again where the object serves for another call
    private int peer;
    private long id;
    private CallPath path;
    private Exported exported;
    private RemoteMethod method;
    private long arrived;
    private long deadlineNanos;
    private @Nullable Key key; // made when it is asked for
    private @Nullable ByteBuf request;
    private volatile @Nullable Arrival arrival; // of large arguments
    private @Nullable ValueReader in;
    private Phase phase = Phase.ARGUMENTS;
    private long since;
    private boolean running; // on a worker, from beginning to end
    private @Nullable Object @Nullable [] ready; // the arguments, if they have been read before the call runs

    /** Takes over {@code frame}, whose reader index is at the arguments. */
    Invocation(Origin origin, CallPath path, ByteBuf frame, Exported exported, RemoteMethod method) {
        Request header = origin.header();
        this.link = origin.link();
        this.path = path;
        this.exported = exported;
        this.method = method;
        answer = new Answer(this, origin.references());
        turn = new Turn(this);
        arrives(header, frame);
    }

    /** As new, for another call of the same node; only if the last one {@linkplain #isOver is over}. */
    Invocation again(
            Link from, Request header, CallPath ofCall, ByteBuf frame, Exported ofTarget, RemoteMethod called) {
        link = from;
        path = ofCall;
        exported = ofTarget;
        method = called;
        key = null;
        arrival = null;
        claim.free();
        phase = Phase.ARGUMENTS;
        running = false;
        ready = null;
        arrives(header, frame);
        return this;
    }

    private void arrives(Request header, ByteBuf frame) {
        peer = header.peer();
        id = header.id();
        request = frame;
        arrived = link.context().timer().nanos();
        since = arrived;
        deadlineNanos = header.deadlineMicros() == 0 ? Long.MAX_VALUE : header.deadlineMicros() * 1000;
    }

    /** Where the arguments are read from. */
    public ValueReader arguments() {
        Names names = link.tables(peer).types();
        Arrival large = arrival;
        ArrivedBlocks values = large == null ? ArrivedBlocks.none() : large.values();
        ValueReader known = in;
        ValueReader reader = known != null && known.isOf(exported.codec())
                ? known.again(requireNonNull(request), names, values)
                : exported.codec().reader(requireNonNull(request), names, values);
        in = reader;
        return reader;
    }

    /** Large arguments are on their way. */
    void receives(Inflow arriving) {
        boolean early = exported.order().later().takesReady(method)
                && !exported.order().ratings().rates(method);
        arrival = new Arrival(this, arriving, early);
    }

    /** Whether all arguments have come without which the method cannot begin. */
    boolean hasArrived() {
        Arrival large = arrival;
        return large == null || large.isReady();
    }

    /** Runs a task when the method can begin, or now if it can; never if the call is dropped or refused before. */
    void whenArrived(Runnable task) {
        Arrival large = arrival;
        if (large == null) {
            task.run();
        } else {
            large.whenReady(task);
        }
    }

    /** How long the call may still take. */
    long remainingNanos() {
        return deadlineNanos == Long.MAX_VALUE
                ? Long.MAX_VALUE
                : since + deadlineNanos - link.context().timer().nanos();
    }

    /** The arguments have been read, the method begins. */
    public void begin() {
        boolean rest = !requireNonNull(in).isAtEnd();
        releaseFrame();
        Arrival large = arrival;
        if (large != null) {
            large.read();
        }
        if (rest) {
            throw new SerialException(SerialException.Reason.MALFORMED, "bytes after the last argument", null);
        }
        phase = Phase.RUNNING;
    }

    /** The arguments of a call whose method has a priority, or takes some while they arrive; the method begins. */
    public @Nullable Object[] ready() {
        @Nullable Object @Nullable [] known = ready;
        if (known != null) {
            phase = Phase.RUNNING;
            return known;
        }
        @Nullable Object[] read = new @Nullable Object[method.method().getParameterCount()];
        ArrivingArguments arriving = exported.order().later().read(method, arguments(), read);
        begin();
        if (arriving != null) {
            arriving.handOver();
        }
        return read;
    }

    /** Whether its priority is not known yet. */
    boolean isToBeRated() {
        return ready == null
                && turn.gate() == null
                && exported.order().ratings().rates(method);
    }

    /** Reads the arguments and computes the priority. On a worker, before it can be run; not if it has been given up. */
    void rate() {
        if (!claim.beginRating()) {
            return;
        }
        try {
            if (!complete()) {
                leaveQueue();
                refuse(ErrorCode.CANCELLED, LACKS);
                link.flush();
                return;
            }
            readArguments();
            if (claim.endRating()) {
                return;
            }
            leaveQueue();
            refuse(ErrorCode.CANCELLED, "cancelled before it began");
        } catch (RuntimeException e) { // values that cannot be read
            leaveQueue();
            failed(e);
        }
        link.flush();
    }

    private void leaveQueue() {
        claim.refuse();
        dispatcher().release(this);
    }

    private void readArguments() {
        try (ValueReader reader = arguments()) {
            @Nullable Object[] read = new @Nullable Object[method.method().getParameterCount()];
            exported.order().later().read(method, reader, read);
            begin();
            phase = Phase.ARGUMENTS;
            ready = read;
            priority(exported.order().ratings().rate(method, read));
        }
    }

    /** The method has returned: where its result is written to. */
    public ValueWriter result() {
        phase = Phase.RESULT;
        Arrival large = arrival;
        if (large != null) {
            large.ends();
        }
        return answer.begin();
    }

    /** The method has returned a future, whose result is that of the call. */
    public void future(@Nullable CompletionStage<?> stage) {
        phase = Phase.FUTURE;
        if (stage == null) {
            throw new NullPointerException(method.label() + " returned null (expected: a future)");
        }
        stage.whenComplete((value, thrown) -> {
            if (thrown != null) {
                Throwable cause =
                        thrown instanceof java.util.concurrent.CompletionException && thrown.getCause() != null
                                ? thrown.getCause()
                                : thrown;
                answer(cause);
                closeArrival();
                link.flush();
                return;
            }
            try {
                result().putObject(value);
                finish();
            } catch (RuntimeException e) {
                resultFailed(e);
            }
            closeArrival();
            link.flush();
        });
    }

    boolean belongsTo(Link from, int ofPeer) {
        return link == from && peer == ofPeer;
    }

    boolean belongsTo(Link from) {
        return link == from;
    }

    boolean serves(Exported service) {
        return exported == service;
    }

    /** Where its outcome is remembered; null if its caller cannot ask for it. */
    @Nullable
    Remembered memory() {
        return peer == 0 ? link.memory() : null;
    }

    Turn turn() {
        return turn;
    }

    /** Names it; asked under the lock of those that wait, or by whoever has claimed it. */
    Key key() {
        Key known = key;
        if (known == null) {
            known = new Key(link, peer, id);
            key = known;
        }
        return known;
    }

    int peer() {
        return peer;
    }

    long id() {
        return id;
    }

    Exported exported() {
        return exported;
    }

    RemoteMethod method() {
        return method;
    }

    /** Whether it has come to its end, and nobody else knows of it. Only if it has run here and now. */
    boolean isOver() {
        return phase != Phase.FUTURE && turn.isFree();
    }

    String label() {
        return method.label();
    }

    String service() {
        return exported.contract().service();
    }

    /** Sends what was answered, or lets it wait for others as is said of the method. Only after {@link #run}. */
    void flush() {
        Aggregate gathered = method.conduct().traffic().aggregate();
        if (gathered == null || isAwaited()) {
            link.flush();
        } else {
            link.gathered(answer.size(), gathered);
        }
    }

    boolean isInline() {
        Arrival large = arrival;
        return exported.order().inline().has(method) && (large == null || large.isComplete());
    }

    /** When its time is over, on the clock of the node. */
    long expiresAt() {
        return expires() ? since + deadlineNanos : arrived + (Long.MAX_VALUE >> 1);
    }

    /** Whether its time runs out while it waits. */
    boolean expires() {
        return deadlineNanos != Long.MAX_VALUE && !turn.isInChain();
    }

    /** Answers that its time is over. Only after {@link #claim}. */
    void expire() {
        long waited = link.context().timer().nanos() - since;
        refuse(ErrorCode.DEADLINE, "deadline passed after " + waited / 1_000_000 + " ms in the queue of the server");
    }

    /** Its caller waits for it since before it was sent. */
    void isAwaitedFromTheBeginning() {
        if (turn.isFree()) {
            awaited();
        }
    }

    /** Whether a call cannot end before this one has. */
    boolean isBehind(long number) {
        return path.contains(number);
    }

    /** The path of a call that the method makes and waits for. */
    long[] path(long number) {
        return (turn.gate() == null ? path : path.and(number)).numbers();
    }

    long arrived() {
        return arrived;
    }

    Link link() {
        return link;
    }

    Dispatcher dispatcher() {
        return exported.dispatcher();
    }

    /** The call before it in its chain has been answered: only now its time begins to run. */
    void startClock() {
        since = link.context().timer().nanos();
    }

    /** Whoever is first may run, drop or refuse the call; while it is rated it is refused when that has been done. */
    boolean claim() {
        return claim.take();
    }

    /** As {@link #claim}, but not while it is rated. */
    boolean claimFree() {
        return claim.takeFree();
    }

    /** Runs the method and writes the answer, without flushing. Only after {@link #claim}. */
    void run() {
        if (link.context().timer().nanos() - since >= deadlineNanos && !link.isClosed()) {
            running = true;
            expire();
            return;
        }
        runInTime();
    }

    /** As {@link #run}, of a call that has just arrived. */
    void runInTime() {
        running = true;
        if (link.isClosed()) {
            drop();
            return;
        }
        if (!complete()) {
            refuse(ErrorCode.CANCELLED, LACKS);
            return;
        }
        Remembered memory = memory();
        if (memory != null && !memory.begins(id)) {
            drop();
            return;
        }
        link.begins(exported.contract().service(), peer, id);
        try {
            exported.skeleton().invoke(method.index(), exported.target(), this);
            if (phase == Phase.RESULT) {
                finish();
            }
        } catch (Throwable e) { // user code: the method may throw anything, and that is its outcome
            answer(e);
        } finally {
            releaseFrame();
            if (arrival != null) {
                LaterArguments.clear();
                if (phase != Phase.FUTURE) {
                    closeArrival();
                }
            }
            if (in != null) {
                in.close();
            }
        }
    }

    /** Puts in the arguments that are results of others; false if that cannot be done. */
    private boolean complete() {
        ByteBuf frame = request;
        if (frame == null || !turn.lacksArguments()) {
            return true;
        }
        ByteBuf whole = turn.complete(frame);
        if (whole != null) {
            request = whole;
        }
        return whole != null;
    }

    /** Answers that the call was not executed. Only after {@link #claim}. */
    void refuse(ErrorCode code, String why) {
        releaseRequest();
        answer.fail(code, Execution.NOT, why);
        answered(Execution.NOT, false);
    }

    /** Lets the call go without an answer. Only after {@link #claim}. */
    void drop() {
        releaseRequest();
        answered(Execution.NOT, false);
    }

    private void answered(Execution execution, boolean hasResult) {
        turn.ended(execution, hasResult, running && phase != Phase.FUTURE);
    }

    private void finish() {
        if (turn.isInChain() && link.context().timer().nanos() - since >= deadlineNanos) {
            // The caller of the chain has turned away by now: what is behind the call must not run.
            answer.drop();
            answerExecuted(ErrorCode.DEADLINE, "deadline passed while the method ran");
            return;
        }
        answer.finish(turn);
        answered(Execution.EXECUTED, true);
    }

    private void answer(Throwable e) {
        try {
            failed(e);
        } catch (RuntimeException worse) { // user code: what the exception says of itself
            answerExecuted(ErrorCode.INTERNAL, e.getClass().getName() + " was thrown, which cannot be sent: " + worse);
        }
    }

    private void failed(Throwable e) {
        switch (phase) {
            case ARGUMENTS -> {
                ErrorCode code = e instanceof RuntimeException r ? Failures.code(r) : ErrorCode.INTERNAL;
                refuse(code == ErrorCode.INTERNAL ? ErrorCode.PROTOCOL : code, "arguments: " + e.getMessage());
            }
            case RUNNING, FUTURE -> {
                Arrival large = arrival;
                ErrorCode late = large == null ? null : large.codeOf(e);
                if (late != null) { // it is our own failure that the method let pass
                    answerExecuted(late, String.valueOf(e.getMessage()));
                } else if (exported.target() instanceof Stub && e instanceof CallException failure) {
                    forwardingFailed(failure); // we only stand in for another node
                } else {
                    answer.threw(e);
                    answered(Execution.EXECUTED, false);
                }
            }
            case RESULT -> resultFailed(e);
        }
    }

    private void forwardingFailed(CallException failure) {
        Execution execution =
                failure.notExecuted() ? Execution.NOT : failure.maybeExecuted() ? Execution.MAYBE : Execution.EXECUTED;
        answer.fail(Failures.code(failure), execution, String.valueOf(failure.getMessage()));
        answered(execution, false);
    }

    private void resultFailed(Throwable e) {
        answer.drop();
        ErrorCode code = e instanceof RuntimeException r ? Failures.code(r) : ErrorCode.INTERNAL;
        answerExecuted(code, String.valueOf(e.getMessage()));
    }

    private void answerExecuted(ErrorCode code, String why) {
        answer.fail(code, Execution.EXECUTED, why);
        answered(Execution.EXECUTED, false);
    }

    private void releaseRequest() {
        releaseFrame();
        closeArrival();
    }

    private void releaseFrame() {
        ByteBuf frame = request;
        request = null;
        if (frame != null) {
            frame.release();
        }
    }

    private void closeArrival() {
        Arrival large = arrival;
        if (large != null) {
            large.close();
        }
    }
}
