package dev.cleave.ref;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.cleave.call.PeerTables;
import dev.cleave.concurrent.SafeLog;
import dev.cleave.serial.Reference;
import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.WireException;
import java.lang.ref.ReferenceQueue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The objects of this node that peers may call, and the peers that hold them.
 *
 * <h2>Life</h2>
 *
 * Each peer has a book: how often each object was sent to it, less how often the peer has released it. An object is
 * kept while it is in a book or the program has exported it; otherwise only its number is kept, as long as the object
 * lives. When a peer is gone its book is closed.
 *
 * <h2>Receivers behind a broker</h2>
 *
 * An object that is sent through a broker is in the broker's book until a reply says which server has received it. A peer
 * that releases more than its book has may have received an object whose reply has not come: the surplus waits for that
 * reply, so that no peer takes away the objects on their way to another. The objects of a call that ended without a reply
 * are <em>adrift</em>: each peer behind the broker may have received them, and may release them.
 */
final class Exports {

    /** The most objects in the book of one peer. */
    static final int MOST = 1 << 14;

    private static final System.Logger LOG = SafeLog.of(Exports.class);

    private final RandomGenerator random;
    private final Map<Reference.Number, Export> byNumber = new ConcurrentHashMap<>();
    private final ReferenceQueue<Object> collected = new ReferenceQueue<>();

    private volatile int pins; // written under the lock of this

    @GuardedBy("this")
    private final Map<Integer, List<Export>> byHash = new HashMap<>();

    @GuardedBy("this")
    private final Map<PeerTables, Map<Export, Integer>> books = new IdentityHashMap<>();

    @GuardedBy("this")
    private final Map<PeerTables, Map<Export, Integer>> early =
            new IdentityHashMap<>(); // releases before a reply, by peer

    @GuardedBy("this")
    private final Map<PeerTables, Map<Export, Integer>> adrift = new IdentityHashMap<>(); // by broker, part of its book

    /** Creates a table whose numbers come from {@code random}, which must not be predictable. */
    Exports(RandomGenerator random) {
        this.random = requireNonNull(random, "random");
    }

    /** Returns the entry of an object, and creates it if there is none. */
    synchronized Export of(Object object) {
        purge();
        Export known = find(object);
        if (known != null) {
            return known;
        }
        return enter(object, new Reference.Number(random.nextLong(), random.nextLong()));
    }

    /**
     * Returns the entry of an object, and creates it under a number if there is none.
     *
     * @throws IllegalArgumentException if another object has the number
     */
    synchronized Export of(Object object, Reference.Number number) {
        purge();
        Export known = find(object);
        if (known != null) {
            return known;
        }
        if (byNumber.containsKey(number)) {
            throw new IllegalArgumentException("number " + number + " belongs to another object");
        }
        return enter(object, number);
    }

    @GuardedBy("this")
    private Export enter(Object object, Reference.Number number) {
        Export made = new Export(object, number, collected);
        byNumber.put(made.number(), made);
        byHash.computeIfAbsent(made.hash(), h -> new ArrayList<>(1)).add(made);
        return made;
    }

    /** Whether a peer holds an object. */
    synchronized boolean isHeld(Object object) {
        Export export = find(object);
        return export != null && export.isHeld();
    }

    /** Whether the book of a peer has an object that is called through an interface. */
    synchronized boolean holds(PeerTables peer, String service) {
        return books.getOrDefault(peer, Map.of()).keySet().stream().anyMatch(each -> each.contract(service) != null);
    }

    /** The entry of an object, or null if it has none. */
    synchronized @Nullable Export find(Object object) {
        for (Export export : byHash.getOrDefault(System.identityHashCode(object), List.of())) {
            if (export.refersTo(object)) {
                return export;
            }
        }
        return null;
    }

    /** Says whether the program has exported any object. */
    boolean hasPins() {
        return pins > 0;
    }

    /** The entry with a number, or null if there is none. */
    @Nullable
    Export find(Reference.Number number) {
        return byNumber.get(number);
    }

    /** Keeps an object until it is removed. */
    synchronized void pin(Export export, Class<?> type, Object object) {
        pins += export.pinned() == null ? 1 : 0;
        export.pin(type, object);
    }

    /** Removes an object: no peer can call it any more. */
    synchronized void remove(Export export) {
        forget(export);
        pins -= export.pinned() == null ? 0 : 1;
        books.values().forEach(book -> book.remove(export));
        early.values().forEach(book -> book.remove(export));
        adrift.values().forEach(book -> book.remove(export));
        export.offer(null);
        export.drop();
        export.clear();
    }

    /**
     * Enters objects that are about to be sent to a peer.
     *
     * @param objects the entries with their objects, each as often as it is sent
     * @throws WireException if the peer's book is full; no object is entered then
     */
    void sent(PeerTables to, List<Departed> objects) {
        if (enter(to, objects)) {
            to.whenEnded(() -> close(to));
        }
    }

    /** Takes back the entries of objects that the peer has not received. */
    synchronized void unsent(PeerTables to, List<Departed> objects) {
        for (Departed departed : objects) {
            boolean unused = change(to, departed.export(), -1, departed.object());
        }
    }

    /** Moves objects that were sent through a broker to the book of the server that has received them. */
    void received(PeerTables broker, PeerTables by, List<Departed> objects) {
        boolean first = false;
        synchronized (this) {
            for (Departed departed : objects) {
                Export export = departed.export();
                if (times(books, broker, export) > 0) {
                    boolean isReleased = take(early, by, export);
                    boolean unused = change(broker, export, -1, departed.object());
                    if (!isReleased) {
                        first |= !books.containsKey(by);
                        boolean unusedEntry = change(by, export, 1, departed.object());
                    }
                }
            }
        }
        if (first) {
            by.whenEnded(() -> close(by));
        }
    }

    /** Handles that a call through a broker has ended, and it is not known which server has received its objects, if any. */
    synchronized void unanswered(PeerTables broker, List<Departed> objects) {
        for (Departed departed : objects) {
            Export export = departed.export();
            if (times(books, broker, export) <= times(adrift, broker, export)) {
                continue;
            }
            if (takeEarly(broker, export)) {
                boolean unused = change(broker, export, -1, departed.object());
            } else {
                adrift.computeIfAbsent(broker, b -> new IdentityHashMap<>()).merge(export, 1, Integer::sum);
            }
        }
    }

    /**
     * Changes how often a peer holds an object: by 1, or by a negative number. A peer whose book is full does not keep
     * the object.
     */
    void changed(PeerTables by, Reference.Number number, int change) {
        Export export = byNumber.get(number);
        Object object = export == null ? null : export.get();
        if (export == null || object == null) {
            return;
        }
        if (change > 0) {
            try {
                sent(by, List.of(new Departed(export, object)));
            } catch (WireException full) {
                LOG.log(
                        System.Logger.Level.WARNING,
                        "{0}: {1}",
                        by.link().connection().peer(),
                        full.getMessage());
            }
            return;
        }
        if (release(by, export, -(long) change, object)) {
            by.whenEnded(() -> close(by));
        }
    }

    /** Takes entries of a peer away; returns whether this is its first release before a reply. */
    private synchronized boolean release(PeerTables by, Export export, long times, Object object) {
        PeerTables broker = by.link().tables(0);
        long left = times;
        while (left > 0 && change(by, export, -1, object)) {
            left--;
        }
        while (left > 0 && by != broker && take(adrift, broker, export)) {
            boolean unused = change(broker, export, -1, object);
            left--;
        }
        int underWay = by == broker ? 0 : times(books, broker, export) - times(adrift, broker, export);
        int owed = (int) Math.min(underWay, times(early, by, export) + left);
        if (left == 0 || owed <= 0) {
            return false;
        }
        boolean isFirst = !early.containsKey(by);
        early.computeIfAbsent(by, b -> new IdentityHashMap<>()).put(export, owed);
        return isFirst;
    }

    /** The number of objects that peers can call, including weak ones that are still alive. */
    synchronized int size() {
        purge();
        return byNumber.size();
    }

    private synchronized boolean enter(PeerTables to, List<Departed> objects) {
        Map<Export, Integer> book = books.get(to);
        long added = objects.stream()
                .map(Departed::export)
                .distinct()
                .filter(e -> book == null || !book.containsKey(e))
                .count();
        if ((book == null ? 0 : book.size()) + added > MOST) {
            throw new WireException(
                    ErrorCode.OVERLOAD,
                    "the peer holds " + (book == null ? 0 : book.size()) + " objects of this node, and would hold "
                            + added + " more (expected: at most " + MOST + " over one connection)");
        }
        for (Departed departed : objects) {
            boolean unused = change(to, departed.export(), 1, departed.object());
        }
        return book == null;
    }

    /** Changes a book by 1 or -1; false if the book has no entry to take away. */
    @GuardedBy("this")
    private boolean change(PeerTables of, Export export, int change, Object object) {
        Map<Export, Integer> book = books.get(of);
        if (book == null) {
            book = new IdentityHashMap<>();
        }
        int times = book.getOrDefault(export, 0);
        if (times + change < 0) {
            return false;
        }
        books.putIfAbsent(of, book);
        if (times + change == 0) {
            book.remove(export);
            settled(of, export);
        } else {
            book.put(export, times + change);
        }
        export.held(change, object, false);
        return true;
    }

    /** An object that is on its way through no broker any more: nothing is released before its reply. */
    @GuardedBy("this")
    private void settled(PeerTables broker, Export export) {
        Map<Export, Integer> lost = adrift.get(broker);
        if (lost != null) {
            lost.remove(export);
        }
        if (broker.peer() == 0) {
            early.forEach((by, book) -> {
                if (by.link() == broker.link()) {
                    book.remove(export);
                }
            });
        }
    }

    /** Takes a release before its reply, of any peer behind a broker. */
    @GuardedBy("this")
    private boolean takeEarly(PeerTables broker, Export export) {
        for (PeerTables by : early.keySet()) {
            if (by.link() == broker.link() && take(early, by, export)) {
                return true;
            }
        }
        return false;
    }

    private static int times(Map<PeerTables, Map<Export, Integer>> in, PeerTables of, Export export) {
        Map<Export, Integer> book = in.get(of);
        return book == null ? 0 : book.getOrDefault(export, 0);
    }

    /** Takes one away; false if there is none. */
    private static boolean take(Map<PeerTables, Map<Export, Integer>> in, PeerTables of, Export export) {
        Map<Export, Integer> book = in.get(of);
        int times = book == null ? 0 : book.getOrDefault(export, 0);
        if (book == null || times == 0) {
            return false;
        }
        if (times == 1) {
            book.remove(export);
        } else {
            book.put(export, times - 1);
        }
        return true;
    }

    private synchronized void close(PeerTables peer) {
        early.remove(peer);
        adrift.remove(peer);
        Map<Export, Integer> book = books.remove(peer);
        if (book != null) {
            book.forEach((export, times) -> export.held(-(long) times, null, true));
        }
    }

    @GuardedBy("this")
    private void purge() {
        for (Object gone = collected.poll(); gone != null; gone = collected.poll()) {
            forget((Export) gone);
        }
    }

    @GuardedBy("this")
    private void forget(Export export) {
        byNumber.remove(export.number(), export);
        List<Export> same = byHash.get(export.hash());
        if (same != null && same.remove(export) && same.isEmpty()) {
            byHash.remove(export.hash());
        }
    }

    /**
     * An object on its way to a peer.
     *
     * @param object the object itself, so that it stays alive until the peer holds it
     */
    record Departed(Export export, Object object) {}
}
