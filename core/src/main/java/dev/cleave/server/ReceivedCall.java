package dev.cleave.server;

import dev.cleave.call.Link;
import dev.cleave.call.Remembered;
import dev.cleave.call.RemoteMethod;
import dev.cleave.concurrent.AgeingQueue;
import dev.cleave.serial.TimeLimit;
import dev.cleave.wire.Attachments;
import dev.cleave.wire.CallPath;
import dev.cleave.wire.Rating;
import dev.cleave.wire.RequestHead;
import org.jspecify.annotations.Nullable;

/** A call that has come to the server: its caller, method and deadline, and the claim on it. */
abstract class ReceivedCall extends AgeingQueue.Entry implements TimeLimit, CallIndex.Indexed<Invocation> {

    private final Claim claim = new Claim();
    private Link link; // set again, as those below, when the object is re-used for another call
    private int peer;
    private long id;
    private CallPath path;
    private Attachments attachments;
    private Exported exported;
    private RemoteMethod method;
    private long arrived;
    private long since;
    private long deadlineNanos;
    private boolean isRated; // by its caller
    private @Nullable Key key; // made when it is asked for

    private @Nullable Invocation sameSlot; // in the index of the waiting calls

    /**
     * Names a call.
     *
     * @param link over which it has come
     * @param peer the relayed client, or 0
     * @param id its number among those of its caller
     */
    record Key(Link link, int peer, long id) {}

    ReceivedCall(Link link, RequestHead head, Exported exported, RemoteMethod method) {
        this.link = link;
        this.exported = exported;
        this.method = method;
        arrives(head);
    }

    /** Resets the object for another call. */
    void receive(Link from, RequestHead head, Exported ofTarget, RemoteMethod called) {
        link = from;
        exported = ofTarget;
        method = called;
        key = null;
        renew();
        claim.free();
        arrives(head);
    }

    private void arrives(RequestHead head) {
        peer = head.peer();
        id = head.id();
        path = head.options().path();
        attachments = head.options().attachments();
        Rating rating = head.options().rating();
        isRated = rating != null && exported.order().ratings().accepts(method, rating);
        if (rating != null && isRated) {
            ratedAs(rating);
        }
        arrived = link.arrivedAt();
        since = arrived;
        deadlineNanos = head.deadlineMicros() == 0 ? Long.MAX_VALUE : head.deadlineMicros() * 1000;
    }

    /** Orders the call by a rating among those that wait. */
    void ratedAs(Rating rating) {
        priority(rating.value());
        prefersBlocked(rating.prefersBlocked());
    }

    /** Whether its caller has computed its priority, by the expression that holds here. */
    boolean isRated() {
        return isRated;
    }

    /** Returns the state of its turn. */
    abstract Turn turn();

    /** Returns the time that the call may still take, in nanoseconds. */
    long remainingNanos() {
        return deadlineNanos == Long.MAX_VALUE
                ? Long.MAX_VALUE
                : since + deadlineNanos - link.context().timer().nanos();
    }

    /** Returns its deadline on the clock of the node; {@link Long#MAX_VALUE} if its time has not begun. */
    public long until() {
        return deadlineNanos == Long.MAX_VALUE ? Long.MAX_VALUE : since + deadlineNanos;
    }

    /** Whether its deadline has passed. */
    boolean isLate() {
        return waitedNanos() >= deadlineNanos;
    }

    /** Whether its deadline has passed at a time of the clock of the node. */
    boolean isLateAt(long now) {
        return now - since >= deadlineNanos;
    }

    /** Whether no caller waits for it any longer. */
    @Override
    public boolean hasPassed() {
        return isLate() || link.isClosed();
    }

    /** Returns the time for which it has been waiting for its turn, or running, in nanoseconds. */
    long waitedNanos() {
        return link.context().timer().nanos() - since;
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

    /** Returns where its outcome is kept; null if its caller cannot ask for it. */
    @Nullable
    Remembered memory() {
        return peer == 0 ? link.memory() : null;
    }

    /** Names it; asked under the lock of the waiting calls, or by the thread that has claimed it. */
    Key key() {
        Key known = key;
        if (known == null) {
            known = new Key(link, peer, id);
            key = known;
        }
        return known;
    }

    /** Whether it is the call with a number of a caller. */
    public boolean isNamed(Link from, int ofPeer, long number) {
        return id == number && belongsTo(from, ofPeer);
    }

    /** The texts that have come with it. */
    public Attachments attachments() {
        return attachments;
    }

    @Override
    public int peer() {
        return peer;
    }

    @Override
    public long id() {
        return id;
    }

    Exported exported() {
        return exported;
    }

    RemoteMethod method() {
        return method;
    }

    String label() {
        return method.label();
    }

    String service() {
        return exported.contract().service();
    }

    /** Returns its deadline on the clock of the node. */
    long expiresAt() {
        return expires() ? since + deadlineNanos : arrived + (Long.MAX_VALUE >> 1);
    }

    /** Whether its time runs out while it waits. */
    boolean expires() {
        return deadlineNanos != Long.MAX_VALUE && !turn().isInChain();
    }

    /** Whether it was sent before its caller had come to its place, where it is made again if it is refused. */
    boolean isSentAhead() {
        return deadlineNanos == Long.MAX_VALUE;
    }

    /** Whether its caller has waited for it since it was sent. */
    void isAwaitedFromTheBeginning() {
        if (turn().isFree()) {
            awaited();
        }
    }

    /** Whether a call cannot end before this one has. */
    boolean isBehind(long number) {
        return path.contains(number);
    }

    /** The path of a call that the method makes and waits for. */
    public long[] path(long number) {
        return (turn().gate() == null ? path : path.and(number)).numbers();
    }

    long arrived() {
        return arrived;
    }

    @Override
    public Link link() {
        return link;
    }

    @Override
    public @Nullable Invocation sameSlot() {
        return sameSlot;
    }

    @Override
    public void sameSlot(@Nullable Invocation next) {
        sameSlot = next;
    }

    Dispatcher dispatcher() {
        return exported.dispatcher();
    }

    /** Begins its time: the call before it in its chain has been answered. */
    void startClock() {
        since = link.context().timer().nanos();
    }

    /** Claims the call, to run, drop or refuse it; a call that is being rated is refused after that. */
    boolean claim() {
        return claim.take();
    }

    /** Claims the call as {@link #claim}, but not while it is being rated. */
    boolean claimFree() {
        return claim.takeFree();
    }

    /** Returns the claim on the call. */
    public Claim hand() {
        return claim;
    }
}
