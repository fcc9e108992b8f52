package dev.cleave.call;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.cleave.concurrent.Timer;
import dev.cleave.transport.Peer;
import dev.cleave.wire.ConnectionName;
import dev.cleave.wire.Execution;
import dev.cleave.wire.Recall;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the outcomes of the calls that came to one node, by connection. Outcomes of a broken connection are kept for
 * {@link #KEPT} more, within bounds of number and bytes. Thread-safe.
 */
public final class Memories {

    /** The time for which a caller can ask for outcomes after its connection has broken. */
    static final Duration KEPT = Duration.ofSeconds(60);

    /** The most broken connections whose outcomes are kept. */
    static final int MOST_BROKEN = 1024;

    /** The most connections for which the node has answered that nothing came over them. */
    static final int MOST_UNHEARD = 1024;

    /** The most bytes of kept replies of broken connections. */
    static final long MOST_BYTES_BROKEN = 16L << 20;

    private final Timer timer;
    private final AtomicLong bytes = new AtomicLong();

    @GuardedBy("this")
    private final Map<Key, Open> open = new HashMap<>();

    @GuardedBy("this")
    private final Map<Key, Broken> broken = new LinkedHashMap<>(); // the oldest first

    @GuardedBy("this")
    private long bytesBroken;

    @GuardedBy("this")
    private final Set<Key> unheard =
            new HashSet<>(); // connections that were asked for before their callers named them; their calls never begin

    @GuardedBy("this")
    private final ForgottenNames forgotten = new ForgottenNames();

    private record Key(
            @Nullable String identity,
            String node,
            long incarnation,
            ConnectionName connection) {

        static Key of(Peer peer, ConnectionName connection) {
            return new Key(peer.identity(), peer.node(), peer.incarnation(), connection);
        }
    }

    private record Open(Runnable end, Remembered memory) {}

    private record Broken(Remembered memory, int bytes) {}

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
            isTooLate = unheard.contains(key);
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
            broken.put(key, now);
            bytesBroken += now.bytes();
            Iterator<Map.Entry<Key, Broken>> oldest = broken.entrySet().iterator();
            while (broken.size() > MOST_BROKEN || bytesBroken > MOST_BYTES_BROKEN) {
                Map.Entry<Key, Broken> first = oldest.next();
                forget(first.getKey(), first.getValue());
                oldest.remove();
            }
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
            Broken gone = broken.get(key);
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
        return unheard.contains(key) || unheard.size() < MOST_UNHEARD && unheard.add(key);
    }

    private synchronized void forgetIfBroken(Key key, Remembered memory) {
        Broken known = broken.get(key);
        if (known != null && known.memory() == memory) {
            broken.remove(key);
            forget(key, known);
        }
    }

    @GuardedBy("this")
    private void forget(Key key, Broken gone) {
        forgotten.add(key.connection());
        bytesBroken -= gone.bytes();
        gone.memory().forget();
    }
}
