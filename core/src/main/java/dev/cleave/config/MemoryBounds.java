package dev.cleave.config;

import dev.cleave.metrics.Meter;

/**
 * How much memory a node takes for what its peers send, or do not read: the bounds that are no properties of a single
 * call, and what is taken of each now. Those that depend on the heap follow the greatest heap of the process ({@code -Xmx}).
 * Thread-safe.
 */
public final class MemoryBounds {

    /** The system property that sets {@link #arriving}, in MiB; half of the heap unless it is given. */
    public static final String ARRIVING_PROPERTY = "cleave.arriving.mib";

    /**
     * The bytes that a peer has not read, above which nothing more is read from it unless something is awaited of it: it
     * is read again when it has taken what was written.
     */
    public static final long UNREAD_PER_PEER = 4L << 20;

    /** The bytes that a node has not read, above which a broker reads nothing more from it. */
    public static final long UNREAD_AT_BROKER = 256L << 10;

    /** The bytes of a peer's names, of types and methods, that are not counted. */
    public static final long FREE_NAMES = 64L << 10;

    /** What is taken of {@link #arriving}. */
    public static final Meter ARRIVING = Meter.of("arriving.bytes", MemoryBounds::arriving);

    /** What calls take that were sent before their callers had come to their places, of {@link #ahead}. */
    public static final Meter AHEAD = Meter.of("ahead.bytes", () -> ahead(arriving()));

    /** What is taken of {@link #unfinishedFrames}. */
    public static final Meter UNFINISHED = Meter.of("unfinished-frames.bytes", MemoryBounds::unfinishedFrames);

    /** What is taken of {@link #names}, by peers behind brokers included. */
    public static final Meter NAMES = Meter.of("names.bytes", MemoryBounds::names);

    /** What peers of nodes have not read, of {@link #unread}. */
    public static final Meter UNREAD = Meter.of("unread.bytes", MemoryBounds::unread);

    private MemoryBounds() {}

    /** The bytes of large values that may be on their way to the process, from all peers together. */
    public static long arriving() {
        Long mib = Long.getLong(ARRIVING_PROPERTY);
        return mib == null ? Math.max(1, heap() / 2) : mib << 20;
    }

    /**
     * The bytes of arguments and results of calls that were sent before their callers had come to their places, beside {@link
     * #arriving}: a quarter of that.
     *
     * @param arriving that bound at the node
     */
    public static long ahead(long arriving) {
        return Math.max(1, arriving / 4);
    }

    /**
     * The bytes that the names of types and methods may take that peers have announced: all those behind one broker together,
     * and all others together, of each of which the first {@link #FREE_NAMES} are not counted.
     */
    public static long names() {
        return Math.max(16L << 20, heap() / 4);
    }

    /** The bytes that all peers together may leave unread, besides 256 KiB for each connection. */
    public static long unread() {
        return Math.max(64L << 20, heap() / 4);
    }

    /**
     * The bytes that a peer may leave unread now: so many, or half of what the others leave, if that is less.
     *
     * @param most what it may if there are no others
     * @param others what they have left unread
     */
    public static long unreadOf(long most, long others) {
        return Math.max(0, Math.min(most, (unread() - others) / 2));
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
