package dev.cleave.config;

import dev.cleave.metrics.Meter;

/**
 * Bounds the memory that a node takes for data that its peers send or do not read, apart from bounds of single calls,
 * and meters how much of each bound is in use. Bounds that depend on the heap follow the greatest heap of the process
 * ({@code -Xmx}). Thread-safe.
 */
public final class MemoryBounds {

    /** The system property that sets {@link #arriving}, in MiB; half of the heap unless it is given. */
    public static final String ARRIVING_PROPERTY = "cleave.arriving.mib";

    /**
     * The unread bytes above which a node stops reading from a peer, unless it awaits replies from that peer. It reads
     * again when the peer has read everything.
     */
    public static final long UNREAD_PER_PEER = 4L << 20;

    /** The unread bytes above which a broker stops reading from a node. */
    public static final long UNREAD_AT_BROKER = 256L << 10;

    /**
     * The bytes of frames of another broker that may wait for the registry of this one, which then reads no more of them until few
     * wait.
     */
    public static final long FROM_BROKER = 512L << 10;

    /** The bytes of each peer's type and method names that are not counted. */
    public static final long FREE_NAMES = 64L << 10;

    /** The bytes of an incomplete frame of each connection that are not counted. */
    public static final int FREE_UNFINISHED = 4 << 10;

    /**
     * The bytes of answers to a broker's own questions that it may leave unread. A node goes on reading from a broker that does not
     * read, and closes the connection if it asks for more.
     */
    public static final int UNREAD_ANSWERS = 64 << 10;

    /** Meters the use of {@link #arriving}. */
    public static final Meter ARRIVING = Meter.of("arriving.bytes", MemoryBounds::arriving);

    /** Meters the use of {@link #ahead}: bytes of calls that were sent before their callers had reached them. */
    public static final Meter AHEAD = Meter.of("ahead.bytes", () -> ahead(arriving()));

    /** Meters the use of {@link #unfinishedFrames}. */
    public static final Meter UNFINISHED = Meter.of("unfinished-frames.bytes", MemoryBounds::unfinishedFrames);

    /** Meters the use of {@link #names}, including the names of peers behind brokers. */
    public static final Meter NAMES = Meter.of("names.bytes", MemoryBounds::names);

    /** Meters the use of {@link #unread}: bytes that peers of nodes have not read. */
    public static final Meter UNREAD = Meter.of("unread.bytes", MemoryBounds::unread);

    /** Meters the use of {@link #stored}: bytes of values that peers have put in nodes. */
    public static final Meter STORED = Meter.of("stored.bytes", MemoryBounds::stored);

    /**
     * Meters the bytes that the brokers that this one has dialled make it keep: answers that they have not read, and frames that wait
     * for its registry. The limit is that of one broker.
     */
    public static final Meter BROKER_LINKS = Meter.of("broker.links.bytes", () -> FROM_BROKER);

    /**
     * Meters the use of {@link #process}: the sum of the meters above, but for {@link #AHEAD}, whose bytes belong to calls of the
     * program.
     */
    public static final Meter PROCESS = Meter.of("process.bytes", MemoryBounds::process);

    static {
        PROCESS.watch(MemoryBounds::ofPeers);
    }

    private MemoryBounds() {}

    /**
     * The bytes that all peers of the process may make it keep, in whatever way: three quarters of the heap, and at least {@link
     * #arriving} and 128 MiB. One bound holds for each way besides. A broker has further bounds for the frames that it forwards.
     */
    public static long process() {
        return Math.max(arriving() + (128L << 20), heap() / 4 * 3);
    }

    private static long ofPeers() {
        return ARRIVING.used() + UNFINISHED.used() + NAMES.used() + UNREAD.used() + STORED.used() + BROKER_LINKS.used();
    }

    /** The bytes of large values that may be on their way to the process, from all peers together. */
    public static long arriving() {
        Long mib = Long.getLong(ARRIVING_PROPERTY);
        return mib == null ? Math.max(1, heap() / 2) : mib << 20;
    }

    /**
     * The bytes of arguments and results of calls that were sent before their callers had reached them, in addition to
     * {@link #arriving}: a quarter of that.
     *
     * @param arriving the bound {@link #arriving} of the node
     */
    public static long ahead(long arriving) {
        return Math.max(1, arriving / 4);
    }

    /**
     * The bytes that announced names of types and methods may take: for all peers behind one broker together, and for
     * all other peers together, not counting the first {@link #FREE_NAMES} of each of these.
     */
    public static long names() {
        return Math.max(16L << 20, heap() / 4);
    }

    /**
     * The bytes of values that peers may put in a node, all together: half of the heap. Each peer may take half of what the others
     * leave.
     */
    public static long stored() {
        return Math.max(32L << 20, heap() / 2);
    }

    /** The bytes that all peers together may leave unread, besides 256 KiB for each connection. */
    public static long unread() {
        return Math.max(64L << 20, heap() / 4);
    }

    /**
     * The bytes that a peer may leave unread now: {@code most}, or half of the room that the others leave, if that is
     * less.
     *
     * @param most the bytes that it may leave unread if there are no others
     * @param others the bytes that the others have left unread
     */
    public static long unreadOf(long most, long others) {
        return Math.max(0, Math.min(most, room(unread(), others) / 2));
    }

    /** The bytes that incomplete frames may take, for all connections of the process together. */
    public static long unfinishedFrames() {
        return Math.max(128L << 20, heap() / 2); // there must be room for one frame of the greatest length
    }

    /**
     * Says whether a peer may take more of a bound that it shares with others: its first bytes if there is room, and
     * further ones up to half of the room that the others leave. There is room only while all that peers have taken, in whatever
     * way, is less than {@link #process}.
     *
     * @param bound the bytes that all may take together
     * @param taken the bytes that all have taken
     * @param own the bytes that this peer has taken of them
     * @param more the bytes that it would take
     */
    public static boolean isShare(long bound, long taken, long own, long more) {
        long room = room(bound, taken);
        return more <= room && (own == 0 || own + more <= (room + own) / 2);
    }

    /**
     * The bytes that peers may take of a bound now.
     *
     * @param bound the bytes that all may take together
     * @param taken the bytes that all have taken
     */
    public static long room(long bound, long taken) {
        return Math.min(bound - taken, process() - ofPeers());
    }

    private static long heap() {
        return Runtime.getRuntime().maxMemory();
    }
}
