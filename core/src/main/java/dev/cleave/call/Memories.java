package dev.cleave.call;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.cleave.concurrent.Timer;
import dev.cleave.transport.Peer;
import dev.cleave.wire.ConnectionName;
import dev.cleave.wire.Execution;
import dev.cleave.wire.Recall;
import java.time.Duration;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the outcomes of the calls that came to one node, by connection. Outcomes of a broken connection are kept for
 * {@link #KEPT} more, within bounds of number and bytes. A peer that opens connections, or asks for such that never were, takes no
 * room from peers of other identities. Thread-safe.
 */
public final class Memories {

    /** The time for which a caller can ask for outcomes after its connection has broken. */
    static final Duration KEPT = Duration.ofSeconds(60);

    /** The most broken connections of one identity whose outcomes are kept. */
    static final int MOST_BROKEN = 1024;

    /** The most connections of one identity for which the node has answered that nothing came over them. */
    static final int MOST_UNHEARD = 1024;

    /**
     * The time after which the node forgets that it has answered so. A first frame of such a connection that comes later would be
     * taken: no frame is on its way for so long, since the kernel gives up resending it after some 15 minutes.
     */
    static final Duration UNHEARD = Duration.ofHours(1);

    /** The step in which that time is counted: a process that was stopped for hours takes what has waited for it within one step. */
    private static final Duration TURN = Duration.ofMinutes(1);

    /** The most bytes of kept replies of broken connections. */
    static final long MOST_BYTES_BROKEN = 16L << 20;

    private final Timer timer;
    private final AtomicLong bytes = new AtomicLong();

    @GuardedBy("this")
    private final Map<Key, Open> open = new HashMap<>();

    @GuardedBy("this")
    private final Map<String, BrokenConnections> broken = new HashMap<>(); // by identity

    @GuardedBy("this")
    private long bytesBroken;

    @GuardedBy("this")
    private final Map<String, Map<Key, Long>> unheard =
            new HashMap<>(); // by identity: connections that were asked for before their callers named them, with the
    // turn of the last answer; their calls never begin

    @GuardedBy("this")
    private long turn; // goes on while there are unheard connections

    @GuardedBy("this")
    private final ForgottenNames forgotten = new ForgottenNames();

    private record Key(@Nullable String identity, String node, long incarnation, ConnectionName connection) {

        static Key of(Peer peer, ConnectionName connection) {
            return new Key(peer.identity(), peer.node(), peer.incarnation(), connection);
        }

        @Override
        public boolean equals(
                @Nullable Object other) { // a record's own would link call sites in each start of a server
            return other instanceof Key key
                    && incarnation == key.incarnation
                    && Objects.equals(identity, key.identity)
                    && node.equals(key.node)
                    && connection.equals(key.connection);
        }

        @Override
        public int hashCode() {
            int hash = 31 * Objects.hashCode(identity) + node.hashCode();
            return 31 * (31 * hash + Long.hashCode(incarnation)) + connection.hashCode();
        }

        /** The identity; empty for peers that were not asked for one. */
        String owner() {
            return identity == null ? "" : identity;
        }
    }

    private record Open(Runnable end, Remembered memory) {}

    private record Broken(Remembered memory, int bytes) {}

    /** The broken connections of one identity. */
    private static final class BrokenConnections {

        private final Map<Key, Broken> all = new LinkedHashMap<>(); // the oldest first
        private long bytes;
    }

    /**
     * Remembers nothing yet.
     *
     * @param timer says when it is time to forget
     */
    public Memories(Timer timer) {
        this.timer = requireNonNull(timer, "timer");
    }

    /**
     * Begins to keep outcomes for a connection, which its caller names in its first frame. Closes a connection that
     * was asked for before that, and none of its calls begins.
     *
     * @param end closes the connection
     */
    public Remembered opened(Peer peer, Runnable end, ConnectionName connection) {
        Remembered memory = new Remembered(new ReplyRing(bytes));
        Key key = Key.of(peer, connection);
        boolean isTooLate;
        synchronized (this) {
            Open before = open.put(key, new Open(end, memory));
            if (before != null) {
                before.memory().shut();
                before.memory().forget();
            }
            isTooLate = unheard.getOrDefault(key.owner(), Map.of()).containsKey(key);
            if (isTooLate) {
                memory.shut();
            }
        }
        if (isTooLate) {
            end.run();
        }
        return memory;
    }

    /** Handles that a connection of a caller has broken. */
    public void closed(Peer peer, ConnectionName connection, Remembered memory) {
        memory.shut();
        Key key = Key.of(peer, connection);
        synchronized (this) {
            Open known = open.get(key);
            if (known == null || known.memory() != memory) {
                return;
            }
            open.remove(key);
            Broken now = new Broken(memory, memory.bytes());
            BrokenConnections own = broken.computeIfAbsent(key.owner(), owner -> new BrokenConnections());
            own.all.put(key, now);
            own.bytes += now.bytes();
            bytesBroken += now.bytes();
            if (own.all.size() > MOST_BROKEN) {
                forgetOldest(own);
            }
            while (bytesBroken > MOST_BYTES_BROKEN) {
                forgetOldest(Collections.max(broken.values(), Comparator.comparingLong(each -> each.bytes)));
            }
            broken.values().removeIf(each -> each.all.isEmpty());
        }
        timer.schedule(KEPT, () -> forgetIfBroken(key, memory));
    }

    /**
     * Answers a caller that asks for the outcome of a call of an earlier connection and knows the connection's name.
     * If no connection named itself so, nothing came over it, and the call was not executed.
     */
    public void recall(Peer peer, Recall said, Remembered.Asker asker) {
        Key key = Key.of(peer, said.connection());
        Open known;
        Remembered memory;
        boolean isUnheard;
        synchronized (this) {
            known = open.get(key);
            BrokenConnections own = broken.get(key.owner());
            Broken gone = own == null ? null : own.all.get(key);
            memory = known != null ? known.memory() : gone != null ? gone.memory() : null;
            isUnheard = memory == null && isUnheard(key);
        }
        if (known != null) { // this node has not noticed yet that the connection is broken
            known.memory().shut();
            known.end().run();
        }
        if (memory == null) {
            asker.failed(
                    isUnheard ? Execution.NOT : Execution.MAYBE,
                    isUnheard
                            ? "not executed: nothing came over the connection that broke"
                            : "nothing is known of the connection that broke");
        } else {
            memory.recall(said.call(), asker);
        }
    }

    /** Whether nothing came over an unknown connection, and nothing will. */
    @GuardedBy("this")
    private boolean isUnheard(Key key) {
        if (key.connection().isNone() || forgotten.mayContain(key.connection())) {
            return false;
        }
        if (unheard.isEmpty()) {
            scheduleTurn();
        }
        Map<Key, Long> own = unheard.computeIfAbsent(key.owner(), owner -> new HashMap<>());
        if (!own.containsKey(key) && own.size() >= MOST_UNHEARD) {
            return false;
        }
        own.put(key, turn);
        return true;
    }

    private void scheduleTurn() {
        timer.schedule(TURN, this::nextTurn);
    }

    /** Forgets connections of which nothing was asked for {@link #UNHEARD}. */
    private synchronized void nextTurn() {
        turn++;
        long oldest = turn - UNHEARD.dividedBy(TURN);
        unheard.values().forEach(own -> own.values().removeIf(last -> last < oldest));
        unheard.values().removeIf(Map::isEmpty);
        if (!unheard.isEmpty()) {
            scheduleTurn();
        }
    }

    private synchronized void forgetIfBroken(Key key, Remembered memory) {
        BrokenConnections own = broken.get(key.owner());
        Broken known = own == null ? null : own.all.get(key);
        if (own != null && known != null && known.memory() == memory) {
            own.all.remove(key);
            forget(own, key, known);
            if (own.all.isEmpty()) {
                broken.remove(key.owner());
            }
        }
    }

    @GuardedBy("this")
    private void forgetOldest(BrokenConnections of) {
        Iterator<Map.Entry<Key, Broken>> all = of.all.entrySet().iterator();
        Map.Entry<Key, Broken> oldest = all.next();
        all.remove();
        forget(of, oldest.getKey(), oldest.getValue());
    }

    @GuardedBy("this")
    private void forget(BrokenConnections of, Key key, Broken gone) {
        if (gone.memory().hasBegun()) { // else it is true for ever that no call was executed
            forgotten.add(key.connection());
        }
        of.bytes -= gone.bytes();
        bytesBroken -= gone.bytes();
        gone.memory().forget();
    }
}
