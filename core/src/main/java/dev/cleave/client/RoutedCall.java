package dev.cleave.client;

import dev.cleave.call.Link;
import dev.cleave.call.RemoteMethod;
import dev.cleave.client.ServiceRoute.Hop;
import dev.cleave.transport.WaitCondition;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/** A call that takes a way, and perhaps another one after that: what can be done to it while it is on one. */
abstract class RoutedCall extends EarlyCall {

    private static final AtomicReferenceFieldUpdater<RoutedCall, @Nullable Hop> HOP =
            AtomicReferenceFieldUpdater.newUpdater(RoutedCall.class, Hop.class, "hop");

    private volatile @Nullable Hop hop;
    private volatile long id; // on the link
    private volatile boolean rerouted; // it has taken more than one way
    private @Nullable Object key; // before it is sent

    RoutedCall(RemoteMethod method) {
        super(method);
    }

    /** The way that it has taken last; null if none yet. */
    @Nullable
    Hop hop() {
        return hop;
    }

    /** Its number on the link; not positive if none has taken it. */
    long id() {
        return id;
    }

    /** What it has in common with calls that belong to it. */
    void belongsTo(@Nullable Object common) {
        key = common;
    }

    @Nullable
    Object key() {
        return key;
    }

    /** Takes a way; false if the link there is gone. */
    boolean enter(Hop way) {
        if (hop != null) {
            rerouted = true;
            leave();
        }
        hop = way;
        long entered = way.link().enter(this);
        id = entered;
        if (entered < 0 || isDone()) {
            way.leave();
        }
        return entered >= 0;
    }

    /** It is on its way no longer. */
    void leave() {
        Hop way = hop;
        if (way != null) {
            way.leave();
        }
    }

    @Override
    protected boolean isAlone() {
        return !rerouted && super.isAlone();
    }

    @Override
    protected void renew() {
        super.renew();
        key = null;
        HOP.lazySet(this, null);
    }

    /** Whether it may not overtake others. */
    abstract boolean isInOrder();

    @Override
    protected void waiting() {
        Hop way = hop;
        if (way != null) {
            way.link().flushFor(id);
            if (isAhead()) {
                way.link().blocks().wanted(id);
            }
        }
    }

    @Override
    protected boolean isToBeTold() {
        return id > 0 && !isInOrder() && !isAwaitedFromBeginning();
    }

    @Override
    protected void blocked() {
        Hop way = hop;
        if (way != null) {
            way.link().tellAwaited(id);
        }
    }

    @Override
    protected void block(WaitCondition it, long atNanos) {
        Hop way = hop;
        if (way == null) {
            super.block(it, atNanos);
        } else {
            way.link().connection().await(it, atNanos);
        }
    }

    @Override
    protected void begun() {
        Hop way = hop;
        if (way != null) {
            way.begun();
        }
    }

    @Override
    protected void withdraw() {
        Hop way = hop;
        if (way != null) {
            Link link = way.link();
            if (isDone()) {
                link.forget(id);
            }
            link.cancel(id);
        }
    }
}
