package dev.cleave.rt;

import static java.util.Objects.requireNonNull;

import dev.cleave.DeadlineException;
import dev.cleave.call.Handle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A copy of what decides about some calls of a nest of loops: it runs ahead of the program, sends, and stops where it
 * needs a result that is not here yet, or room for one more call, to go on from there later (R71).
 *
 * <p>The agent generates a subclass for each strand. Its {@link #step} begins at the position {@link #at} with the
 * registers that it kept in fields, and returns when it can not go on. Whatever it throws ends it. Runs on the thread
 * of the program only.
 */
public abstract class Strand implements Cloneable {

    /** The most elements of one copy of a collection: about 1 MiB with what holds them. */
    static final int MOST_ELEMENTS = 16_384;

    static final int NOTHING = -1;
    static final int ROOM = -2;
    static final int PASS = -3;
    static final int FEED = -4;
    static final int FORK = -5;
    static final int VALUE = -6;

    private static final boolean IS_OFF = "off".equals(System.getProperty("cleave.strands"));

    private static final Error CHANGED = new Changed();

    /** Where the next step goes on; 0 at first. */
    protected int at;

    private @Nullable StrandNest nest;
    private int number;
    private long[] looked = {};
    private long passes;
    private boolean ended;
    private boolean running;
    private int wanted; // the row that it wants room in
    private int waitsFor = NOTHING; // a row, or one of the constants
    private @Nullable Handle seen;
    private @Nullable Object kept; // of the same call
    private @Nullable Object given; // by an activation
    private @Nullable SeenKeys keys;
    private @Nullable Object key; // the last one that no map holds
    private @Nullable Handle woken; // the one that it made wake the program's thread last
    private boolean isQueued; // in a tree, for its turn
    private @Nullable StrandFeed feed;
    private final List<IntSupplier> copies = new ArrayList<>(); // sizes of its copies of the program's collections

    /** Ends a strand that cannot know how a call ends for the program. */
    private static final class Changed extends Error {

        private static final long serialVersionUID = 1L;

        Changed() {
            super("", null, false, false);
        }
    }

    /**
     * The keys that maps of the program will hold once the program has come to where a strand is: those that they hold
     * now, and those for which the strand has sent a call (R71). Confined to one thread.
     */
    private static final class SeenKeys {

        private final Map<Object, Set<Object>> sent = new IdentityHashMap<>();

        /**
         * Whether a map will hold a key; if not, it is taken as held from now on.
         *
         * @throws IllegalStateException if asking the map or the key may run code of the program
         */
        boolean holds(@Nullable Object map, @Nullable Object key) {
            if (!(map instanceof Map<?, ?> asked) || !isPlain(asked) || key == null || !PlainClasses.isValue(key)) {
                throw new IllegalStateException("a map or key of the program's own class");
            }
            return asked.containsKey(key)
                    || !sent.computeIfAbsent(map, each -> new HashSet<>()).add(key);
        }

        private static boolean isPlain(Map<?, ?> map) {
            return PlainClasses.isPlainMap(map) && (!(map instanceof TreeMap<?, ?> tree) || tree.comparator() == null);
        }
    }

    /** Made by generated code. */
    protected Strand() {}

    /** Whether {@code -Dcleave.strands=off} is given. */
    static boolean isOff() {
        return IS_OFF;
    }

    /** Goes on as far as possible. */
    protected abstract void step() throws Throwable;

    /** Joins a nest of as many rows, in which it has a number. */
    void joins(StrandNest aNest, int itsNumber, int rows) {
        nest = aNest;
        number = itsNumber;
        looked = new long[rows];
    }

    /**
     * Makes the strand that does the same for another activation of a method that calls itself.
     *
     * @param values what it begins with, as that activation's caller has computed them
     */
    protected Strand fresh(Object[] values) {
        throw new UnsupportedOperationException("a strand of a nest of loops");
    }

    /** Lets the strands of the next activation begin, where a method is called that calls itself. */
    protected final void begin(Object[] values, int row) {
        nest().begins(values, row, passes);
    }

    /** Whether it computes the value that an activation of a method returns which calls itself. */
    protected boolean isGiver() {
        return false;
    }

    /** The value that the activation returns is known. */
    protected final void give(@Nullable Object value) {
        nest().gives(value);
    }

    /**
     * Looks at the value of the next activation that was begun at a row, which can then be had from {@link #given}. False
     * if it is not known yet, in which case the step returns; an activation whose value will not be known ends the strand.
     */
    protected final boolean lookAtValue(int row) {
        long ordinal = looked[row];
        if (!nest().isKnown(row, ordinal)) {
            wanted = row;
            waitsFor = VALUE;
            return false;
        }
        StrandValue value = nest().valueOf(row, ordinal);
        if (value == null) {
            end();
            return false;
        }
        given = value.get();
        looked[row]++;
        nest().looked(row);
        return true;
    }

    /** The value of the activation looked at; numbers are boxed. */
    protected final @Nullable Object given() {
        return given;
    }

    /** Whether it was not queued for its turn; it is from now on. */
    boolean queues() {
        boolean isNew = !isQueued;
        isQueued = true;
        return isNew;
    }

    /** Has its turn. */
    void unqueues() {
        isQueued = false;
    }

    /** Whether it can go on only when an activation has given its value. */
    boolean waitsForValue() {
        return waitsFor == VALUE;
    }

    /** Whether it can go on only when a result has come. */
    boolean waitsForResult() {
        return waitsFor >= 0;
    }

    /** Whether a call is to wake the thread of the program: not if it was the last one asked about. */
    boolean isWokenBy(Handle handle) {
        boolean isNew = handle != woken;
        woken = handle;
        return isNew;
    }

    /** Has a copy of a collection, of some size. */
    void keeps(IntSupplier copy) {
        copies.add(copy);
    }

    /** Takes from a queue what another strand adds. */
    void isFedBy(StrandFeed aFeed) {
        feed = aFeed;
    }

    /** Returns a strand that begins at a position with the registers that this one keeps, for the same pass. */
    Strand copy(int position, StrandNest aNest, int itsNumber, int rows) {
        try {
            Strand copy = (Strand) clone();
            copy.at = position;
            copy.ended = false;
            copy.running = false;
            copy.waitsFor = NOTHING;
            copy.seen = null;
            copy.joins(aNest, itsNumber, rows);
            return copy;
        } catch (CloneNotSupportedException e) {
            throw new AssertionError(e);
        }
    }

    boolean waitsForRoom() {
        return !ended && waitsFor == ROOM;
    }

    /** How many passes of the outermost loop it has completed. */
    long passes() {
        return passes;
    }

    boolean hasEnded() {
        return ended;
    }

    /** How many results of a row it has looked at. */
    long looked(int row) {
        return looked[row];
    }

    /** Runs it, unless it has ended, or is running. */
    void run() {
        if (ended || running) {
            return;
        }
        running = true;
        waitsFor = NOTHING;
        try {
            step();
        } catch (Throwable e) { // the program meets its own exception at its own place
            end();
            if (e instanceof AssertionError || e instanceof LinkageError) {
                StrandCounts.BROKEN.increment();
            }
        } finally {
            running = false;
        }
    }

    /** Whether a step would get further than the last one. */
    boolean mayGoOn() {
        StrandNest in = nest();
        return !ended
                && switch (waitsFor) {
                    case NOTHING -> true;
                    case ROOM -> in.hasRoom(number, wanted);
                    case PASS -> in.mayPass(number, passes);
                    case FEED -> feed == null || feed.isKnown(passes) || feed.isOver(passes);
                    case FORK -> in.mayFork(passes);
                    case VALUE -> in.isKnown(wanted, looked[wanted]);
                    default -> in.isKnown(waitsFor, looked[waitsFor]);
                };
    }

    /** The call whose end would let it go on, null if there is none or that has ended. */
    @Nullable
    Handle waited() {
        if (ended || waitsFor < 0 && waitsFor != ROOM) {
            return null;
        }
        Handle handle = waitsFor == ROOM ? nest().oldestInFlight(wanted) : nest().sentFor(waitsFor, looked[waitsFor]);
        return handle == null || handle.isDone() ? null : handle;
    }

    /**
     * Looks at the next result of a row, which can then be had from {@link #seen} and its like, and still be taken by
     * the program. False if it is not here yet, in which case the step returns; a call that failed ends the strand.
     */
    protected final boolean look(int row) {
        long ordinal = looked[row];
        if (!nest().isKnown(row, ordinal)) {
            waitsFor = row;
            return false;
        }
        Handle handle = nest().resultOf(row, ordinal, passes);
        if (handle == null) {
            end();
            return false;
        }
        seen = handle;
        kept = nest().kept(row, ordinal);
        looked[row]++;
        nest().looked(row);
        return true;
    }

    /** The result looked at, of type int, short, char, byte or boolean. */
    protected final int seenInt() throws Throwable {
        return result().awaitInt();
    }

    /** The result looked at, a long. */
    protected final long seenLong() throws Throwable {
        return result().awaitLong();
    }

    /** The result looked at, a float. */
    protected final float seenFloat() throws Throwable {
        return result().awaitFloat();
    }

    /** The result looked at, a double. */
    protected final double seenDouble() throws Throwable {
        return result().awaitDouble();
    }

    /** The result looked at, the very object that the program is given, or a copy if the program may have changed it since. */
    protected final @Nullable Object seen() throws Throwable {
        Object copy = kept;
        return copy == null ? result().await() : copy;
    }

    /** Whether one more call of a row may be sent; if not, the step returns. */
    protected final boolean hasRoom(int row) {
        if (nest().hasRoom(number, row)) {
            return true;
        }
        wanted = row;
        waitsFor = ROOM;
        return false;
    }

    /** Keeps what was sent; false, and the end of the strand, if that was declined. */
    protected final boolean put(@Nullable Object sent, int row) {
        if (sent == null) {
            end();
            return false;
        }
        nest().sent((SentCall) sent, row, passes);
        return true;
    }

    /**
     * Whether a map will hold a key once the program has come here: an object if so, else null, and the call that is kept
     * next is the one whose result becomes its value.
     */
    protected final @Nullable Object held(@Nullable Object map, @Nullable Object asked) {
        if (keys == null) {
            keys = new SeenKeys();
        }
        key = asked;
        return keys.holds(map, asked) ? Boolean.TRUE : null;
    }

    /** Whether a map will hold a key once the program has come here; if not, the call that is kept next is for that key. */
    protected final boolean holds(@Nullable Object map, @Nullable Object asked) {
        return held(map, asked) != null;
    }

    /** Keeps what was sent for the key that no map holds; false, and the end of the strand, if that was declined. */
    protected final boolean putKeyed(@Nullable Object sent, int row) {
        if (!put(sent, row)) {
            return false;
        }
        nest().keyed(row, requireNonNull(key, "key"));
        return true;
    }

    /**
     * Whether it is known with what the queue begins to which another strand adds, or that the queue is empty. If not,
     * the step returns.
     */
    protected final boolean isTold() {
        StrandFeed from = feed;
        if (from == null || from.isOver(passes)) {
            end();
            return false;
        }
        if (!from.isKnown(passes)) {
            waitsFor = FEED;
            return false;
        }
        from.move(passes);
        return true;
    }

    /**
     * A pass of the outermost loop is complete; whether the next one may begin. If not, the step returns: for good if
     * its copies have become too large.
     */
    protected final boolean pass() {
        passes++;
        for (IntSupplier copy : copies) {
            if (copy.getAsInt() > MOST_ELEMENTS) {
                end();
                return false;
            }
        }
        if (nest().mayPass(number, passes)) {
            return true;
        }
        waitsFor = PASS;
        return false;
    }

    /** Makes the strands of the pass that begins here; false if there is no room, in which case the step returns. */
    protected final boolean fork() {
        if (nest().mayFork(passes)) {
            Arrays.fill(looked, 0);
            nest().fork(this);
            return true;
        }
        waitsFor = FORK;
        return false;
    }

    /**
     * Returns the exception that the call looked at has thrown; null if it has a result. Throws something if the program may yet see another
     * end of the call: where it was lost, refused, or not decoded in time.
     */
    protected final @Nullable Throwable failure() throws Throwable {
        Handle handle = result();
        if (handle.isUnanswered()) {
            throw CHANGED;
        }
        try {
            handle.awaitVoid();
            return null;
        } catch (DeadlineException | VirtualMachineError e) {
            throw CHANGED;
        } catch (Throwable e) { // decoded for this await alone
            return e;
        }
    }

    /** It sends nothing more. */
    protected final void end() {
        if (!ended) {
            ended = true;
            seen = null;
            kept = null;
            nest().ended();
        }
    }

    private Handle result() {
        return requireNonNull(seen, "no result was looked at");
    }

    private StrandNest nest() {
        return requireNonNull(nest, "the strand is part of no nest");
    }
}
