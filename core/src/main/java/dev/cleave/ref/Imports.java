package dev.cleave.ref;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.cleave.call.PeerTables;
import dev.cleave.serial.Reference;
import dev.cleave.wire.Held;
import java.lang.ref.Cleaner;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The objects of peers that this node holds: one stub for each, and how often its reference has arrived. When a stub is
 * collected, its object is released that often.
 */
final class Imports {

    @GuardedBy("this")
    private final Map<PeerTables, Map<Key, Holding>> peers = new IdentityHashMap<>();

    private record Key(Reference.Number number, String service) {}

    /** Holds the cleaner, whose thread starts with the first stub. */
    private static final class Cleaning {

        static final Cleaner CLEANER = Cleaner.create();
    }

    /**
     * A weak reference to a stub, with the number of times that its reference has arrived, which the table's lock
     * guards.
     */
    private static final class Holding {

        final WeakReference<Object> stub;
        int times;
        Cleaner.@Nullable Cleanable cleaning; // once the owner has been told; guarded by the table's lock

        Holding(Object stub) {
            this.stub = new WeakReference<>(stub);
        }
    }

    /**
     * Returns the stub of an object that its owner has sent.
     *
     * @param maker makes the stub, if there is none
     */
    Object arrived(PeerTables from, Target target, Supplier<Object> maker) {
        return stub(from, target, maker, true);
    }

    /**
     * Returns the stub of an object that a node other than its owner has sent, and tells the owner.
     *
     * @param maker makes the stub, if there is none
     */
    Object passedOn(PeerTables owner, Target target, Supplier<Object> maker) {
        return stub(owner, target, maker, false);
    }

    private Object stub(PeerTables owner, Target target, Supplier<Object> maker, boolean counted) {
        Key key = new Key(target.number(), target.contract().service());
        Holding made;
        Object stub;
        boolean first;
        synchronized (this) {
            first = !peers.containsKey(owner);
            Map<Key, Holding> book = peers.computeIfAbsent(owner, p -> new HashMap<>());
            Holding known = book.get(key);
            Object live = known == null ? null : known.stub.get();
            if (known != null && live != null) {
                known.times += counted ? 1 : 0;
                return live;
            }
            stub = maker.get();
            made = new Holding(stub);
            made.times = 1;
            book.put(key, made);
        }
        if (first) {
            owner.whenEnded(() -> forget(owner));
        }
        if (!counted) {
            Held held = new Held(
                    owner.peer(), target.number().high(), target.number().low(), 1);
            owner.link().write(held.write(owner.link().connection().allocator()));
            owner.link().flushSoon();
        }
        Cleaner.Cleanable cleaning = Cleaning.CLEANER.register(stub, () -> collected(owner, key, made));
        if (!isKept(owner, made, cleaning)) {
            cleaning.clean();
        }
        return stub;
    }

    /** Gives an object of a peer its cleaning; returns false if the peer has ended meanwhile. */
    private synchronized boolean isKept(PeerTables owner, Holding holding, Cleaner.Cleanable cleaning) {
        holding.cleaning = cleaning;
        return peers.containsKey(owner);
    }

    private void collected(PeerTables owner, Key key, Holding holding) {
        int times;
        synchronized (this) {
            Map<Key, Holding> book = peers.get(owner);
            if (book == null) {
                return;
            }
            book.remove(key, holding);
            times = holding.times;
        }
        Target.giveBack(owner, key.number(), times);
    }

    /** Forgets a peer that has ended: the cleaner, which lives as long as the JVM, does not hold it any more. */
    private void forget(PeerTables owner) {
        List<Cleaner.Cleanable> cleanings = new ArrayList<>();
        synchronized (this) {
            Map<Key, Holding> book = peers.remove(owner);
            if (book == null) {
                return;
            }
            for (Holding holding : book.values()) {
                if (holding.cleaning != null) {
                    cleanings.add(holding.cleaning);
                }
            }
        }
        cleanings.forEach(Cleaner.Cleanable::clean);
    }
}
