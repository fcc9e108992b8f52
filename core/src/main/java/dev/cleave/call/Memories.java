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
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What one node remembers of the calls that came to it, by the connection over which they came; those of connections that have
 * broken for {@link #KEPT} more, as long as they are not too many. Thread-safe.
 */
public final class Memories {

    /** How long callers have to come back. */
    static final Duration KEPT = Duration.ofSeconds(60);

    /** The most connections that have broken. */
    static final int MOST_BROKEN = 1024;

    /** The most bytes of the replies of connections that have broken. */
    static final long MOST_BYTES_BROKEN = 16L << 20;

    private final Timer timer;
    private final AtomicLong bytes = new AtomicLong();

    @GuardedBy("this")
    private final Map<Key, Open> open = new HashMap<>();

    @GuardedBy("this")
    private final Map<Key, Broken> broken = new LinkedHashMap<>(); // the oldest first

    @GuardedBy("this")
    private long bytesBroken;

    private record Key(String node, long incarnation, ConnectionName connection) {

        static Key of(Peer peer, ConnectionName connection) {
            return new Key(peer.node(), peer.incarnation(), connection);
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
     * A caller has named its connection.
     *
     * @param end closes the connection
     */
    public synchronized Remembered opened(Peer peer, Runnable end, ConnectionName connection) {
        Remembered memory = new Remembered(new ReplyRing(bytes));
        Open before = open.put(Key.of(peer, connection), new Open(end, memory));
        if (before != null) {
            before.memory().shut();
            before.memory().forget();
        }
        return memory;
    }

    /** A connection of a caller has broken. */
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
            Iterator<Broken> oldest = broken.values().iterator();
            while (broken.size() > MOST_BROKEN || bytesBroken > MOST_BYTES_BROKEN) {
                forget(oldest.next());
                oldest.remove();
            }
        }
        timer.schedule(KEPT, () -> forget(key, memory));
    }

    /** Answers what has become of a call of a connection that a caller has had before, if it knows the connection's name. */
    public void recall(Peer peer, Recall said, Remembered.Asker asker) {
        Key key = Key.of(peer, said.connection());
        Open known;
        Remembered memory;
        synchronized (this) {
            known = open.get(key);
            Broken gone = broken.get(key);
            memory = known != null ? known.memory() : gone != null ? gone.memory() : null;
        }
        if (known != null) { // we have not noticed yet
            known.memory().shut();
            known.end().run();
        }
        if (memory == null) {
            asker.failed(Execution.MAYBE, "nothing is known of the connection that broke");
        } else {
            memory.recall(said.call(), asker);
        }
    }

    private synchronized void forget(Key key, Remembered memory) {
        Broken known = broken.get(key);
        if (known != null && known.memory() == memory) {
            broken.remove(key);
            forget(known);
        }
    }

    @GuardedBy("this")
    private void forget(Broken gone) {
        bytesBroken -= gone.bytes();
        gone.memory().forget();
    }
}
