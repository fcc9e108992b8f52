package dev.cleave.config;

/**
 * How much memory a node takes for what its peers send, or do not read: the bounds that are no properties of a single
 * call. Those that depend on the heap follow the greatest heap of the process ({@code -Xmx}). Thread-safe.
 */
public final class MemoryBounds {

    /** The system property that sets {@link #arriving}, in MiB; half of the heap unless it is given. */
    public static final String ARRIVING_PROPERTY = "cleave.arriving.mib";

    /**
     * The bytes that a peer has not read, above which nothing more is read from it unless something is awaited of it: it
     * is read again when it has taken what was written.
     */
    public static final long UNREAD_PER_PEER = 4L << 20;

    private MemoryBounds() {}

    /** The bytes of large values that may be on their way to the process, from all peers together. */
    public static long arriving() {
        Long mib = Long.getLong(ARRIVING_PROPERTY);
        return mib == null ? Math.max(1, heap() / 2) : mib << 20;
    }

    /** The bytes that the names of types and methods may take that all peers behind one broker have announced. */
    public static long namesBehindBroker() {
        return Math.max(16L << 20, heap() / 4);
    }

    /** The bytes that frames may take of which a part has come, from all connections of a transport together. */
    public static long unfinishedFrames() {
        return Math.max(128L << 20, heap() / 2); // one of the greatest must have room
    }

    /**
     * Says whether a peer may take more of a bound that it has in common with others: its first part if there is room, and
     * then up to half of what the others leave.
     *
     * @param bound what all may take together
     * @param taken what all have taken
     * @param own what the peer has taken of that
     * @param more what it would take
     */
    public static boolean isShare(long bound, long taken, long own, long more) {
        return more <= bound - taken && (own == 0 || own + more <= (bound - taken + own) / 2);
    }

    private static long heap() {
        return Runtime.getRuntime().maxMemory();
    }
}
