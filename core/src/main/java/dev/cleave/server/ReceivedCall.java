package dev.cleave.server;

import dev.cleave.call.Link;
import dev.cleave.call.Remembered;
import dev.cleave.call.RemoteMethod;
import dev.cleave.concurrent.AgeingQueue;
import dev.cleave.serial.TimeLimit;
import dev.cleave.wire.CallPath;
import dev.cleave.wire.RequestHead;
import org.jspecify.annotations.Nullable;

/** A call that has come to the server: from whom, of what, until when, and who has it in hand. */
abstract class ReceivedCall extends AgeingQueue.Entry implements TimeLimit {

    private final Claim claim = new Claim();
    private Link link; // it and those below: set again where the object serves for another call
    private int peer;
    private long id;
    private CallPath path;
    private Exported exported;
    private RemoteMethod method;
    private long arrived;
    private long since;
    private long deadlineNanos;
    private @Nullable Key key; // made when it is asked for

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

    /** As new, for another call. */
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
        arrived = link.context().timer().nanos();
        since = arrived;
        deadlineNanos = head.deadlineMicros() == 0 ? Long.MAX_VALUE : head.deadlineMicros() * 1000;
    }

    /** When it may run. */
    abstract Turn turn();

    /** How long the call may still take. */
    long remainingNanos() {
        return deadlineNanos == Long.MAX_VALUE
                ? Long.MAX_VALUE
                : since + deadlineNanos - link.context().timer().nanos();
    }

    /** Whether its time is over. */
    boolean isLate() {
        return waitedNanos() >= deadlineNanos;
    }

    /** Nobody waits for it any longer. */
    @Override
    public boolean hasPassed() {
        return isLate() || link.isClosed();
    }

    /** How long it has been waiting for its turn, or running. */
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

    /** Where its outcome is remembered; null if its caller cannot ask for it. */
    @Nullable
    Remembered memory() {
        return peer == 0 ? link.memory() : null;
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

    String label() {
        return method.label();
    }

    String service() {
        return exported.contract().service();
    }

    /** When its time is over, on the clock of the node. */
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

    /** Its caller waits for it since before it was sent. */
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
    long[] path(long number) {
        return (turn().gate() == null ? path : path.and(number)).numbers();
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

    /** Who has it in hand. */
    Claim hand() {
        return claim;
    }
}
