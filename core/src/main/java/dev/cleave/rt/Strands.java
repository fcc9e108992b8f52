package dev.cleave.rt;

import dev.cleave.call.Handle;
import dev.cleave.transport.WaitCondition;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One activation of a nest of loops whose calls are sent ahead by {@link Strand}s, and what they have sent: a {@link
 * StrandRow} for each call in the program's text (R71). What rewritten bytecode calls; names never change.
 *
 * <p>The program stays as it is. Where it calls it {@linkplain #take takes} what was sent, in the same order. Before
 * that, strands that can go on do so, those of later calls first, as these are nearest to the program. A strand never
 * falls behind the program: if nothing was sent for the program's next call, the strand that sends it goes on up to
 * there whatever the bounds, and if it cannot, it ends, and the program makes its calls itself.
 *
 * <p>What is bounded is the number of calls in flight, by the window; the number of those that wait for the program;
 * and the bytes of these. Confined to one thread.
 */
public class Strands implements StrandNest, StrandTree.Around {

    /** The most calls that were sent and not taken. */
    static final long MOST_UNCLAIMED = 16_384;

    /** How many passes may be ahead that send nothing, in windows. */
    static final long IDLE_WINDOWS = 16;

    /** In the number of a row that a strand looks at: it needs results as they have arrived, and the program may change them. */
    private static final int AS_ARRIVED = 1 << 14;

    private final @Nullable Trial trial;
    private final @Nullable StrandRow[] rows;
    private final Strand[] strands;
    private final @Nullable Handle[] woken; // by strand, the one that it made wake this thread last
    private int count;
    private int alive;
    private int credit;
    private long begun = -1;
    private int forced = -1; // a row
    private boolean pumping;
    private @Nullable SentCall current;
    private @Nullable StrandRow currentRow;
    private @Nullable StrandWalks walks;

    Strands(int rows, @Nullable Trial trial) {
        this.trial = trial;
        this.rows = new StrandRow[rows];
        this.woken = new Handle[rows + 1];
        this.strands = new Strand[rows + 1]; // each but one sends at least one of the calls
    }

    /**
     * Adds a strand.
     *
     * @param nest null if there is none
     * @param strand null if it could not be made
     * @param sends the rows of the calls that it sends, one a char
     * @param windows the most calls of each of these in flight, one a char
     * @param looks the rows of those whose results it needs, sent by strands added before; with {@code 1 << 14} added if the program may change such a
     *     result
     * @return the nest; null if there is none, or no strand
     */
    public static @Nullable Strands add(
            @Nullable Strands nest, @Nullable Object strand, String sends, String windows, String looks) {
        if (nest == null || strand == null) {
            return null;
        }
        if (nest.isAsWritten()) {
            return nest;
        }
        nest.add((Strand) strand, sends, windows, looks);
        return nest;
    }

    /**
     * Adds a strand of the walks of a row: of each activation of a method that calls itself (R72).
     *
     * @param nest null if there is none
     * @param example the strand of any activation, which makes those of others; null if it could not be made
     * @param row the row of the call of the method
     * @param rows the number of calls in the method's text, of itself included
     * @param sends the rows of the calls that it sends, one a char, among those of the method, like all that follow
     * @param windows the most calls of each of these in flight, one a char
     * @param looks the rows of those whose results it needs
     * @param begins the rows of the calls of the method itself that it runs ahead of
     * @return the nest; null if there is none, or no strand
     */
    public static @Nullable Strands addWalk(
            @Nullable Strands nest,
            @Nullable Object example,
            int row,
            int rows,
            String sends,
            String windows,
            String looks,
            String begins) {
        if (nest == null || example == null) {
            return null;
        }
        if (!nest.isAsWritten()) {
            nest.walks().tree(row, rows, nest).add((Strand) example, sends, windows, looks, begins);
        }
        return nest;
    }

    /**
     * Lets a strand of a nest begin walks.
     *
     * @param begins the rows of the calls of methods that call themselves, one a char
     */
    public static void walk(@Nullable Strands nest, @Nullable Object strand, String begins) {
        if (nest != null && strand != null && !nest.isAsWritten()) {
            for (int i = 0; i < begins.length(); i++) {
                nest.walks().isBegunBy(begins.charAt(i), (Strand) strand);
            }
        }
    }

    /** The node of the activation with which the walk begins that the program has come to, null if it has none. */
    public static @Nullable Object enter(@Nullable Strands nest, int row) {
        return nest == null ? null : nest.enterWalk(row);
    }

    private StrandWalks walks() {
        if (walks == null) {
            walks = new StrandWalks(rows.length);
        }
        return walks;
    }

    private @Nullable StrandNode enterWalk(int number) {
        if (trial != null) {
            trial.reached();
        }
        Strand beginner = walks == null ? null : walks.beginner(number);
        if (walks == null || beginner == null) {
            return null; // as written, or no strand begins it
        }
        passed();
        pump();
        if (walks.isBehind(number) && !beginner.hasEnded()) {
            force(beginner, number);
            pump();
        }
        StrandNode first = walks.enter(number, begun);
        if (first == null) { // it could not begin, or what decides has changed under way
            beginner.end();
            if (!walks.isBehind(number)) {
                close();
            }
            StrandCounts.MISSED.increment();
        }
        return first;
    }

    /** The nest that a helper was handed, null if it was handed something else, or nothing. */
    public static @Nullable Strands nestOf(@Nullable Object entered) {
        return entered instanceof Strands nest ? nest : null;
    }

    /** The program begins a pass of the outermost loop. */
    public static void begin(@Nullable Strands nest) {
        if (nest != null && !nest.isAsWritten()) {
            nest.begin();
        }
    }

    /** The sent call that stands for the call that the program has come to, or null if it was not sent. */
    public static @Nullable Object take(@Nullable Strands nest, int row) {
        return nest == null ? null : nest.reach(row);
    }

    /**
     * The sent call that stands for the call that the program has come to as a map lacks a key, or null if none was sent for that
     * key.
     */
    public static @Nullable Object takeFor(@Nullable Strands nest, int row, @Nullable Object key) {
        return nest == null || !nest.sends(row) ? null : nest.reach(() -> nest.takeFor(row, key));
    }

    /** The nest is left: all that was sent and not taken is given up. */
    public static void close(@Nullable Strands nest) {
        if (nest != null) {
            nest.leave();
        }
    }

    private boolean isAsWritten() {
        return trial != null && trial.isAsWritten();
    }

    private @Nullable SentCall reach(int row) {
        return trial == null ? take(row) : reach(() -> take(row));
    }

    private @Nullable SentCall reach(Supplier<@Nullable SentCall> takes) {
        if (trial == null) {
            return takes.get();
        }
        trial.reached();
        SentCall call = trial.isAsWritten() ? null : takes.get();
        if (call != null) {
            trial.tookAtMost(call, System.nanoTime() - call.sentAt());
        }
        return call;
    }

    private void leave() {
        if (!isAsWritten()) {
            close();
        }
        if (trial != null) {
            trial.ended();
        }
    }

    /** How many calls strands have sent in this process. */
    public static long sent() {
        return StrandCounts.SENT.sum();
    }

    /** How many calls the program has made as written because a strand had ended before it came to them. */
    public static long missed() {
        return StrandCounts.MISSED.sum();
    }

    /** How many times a strand had to be run beyond its bounds, because the program had caught up with it. */
    public static long forced() {
        return StrandCounts.FORCED.sum();
    }

    /** How many calls were given up because an exception kept the program from them. */
    public static long unclaimed() {
        return StrandCounts.UNCLAIMED.sum();
    }

    /** How many strands could not be linked, so that their nests run as written. */
    public static long unlinked() {
        return StrandCounts.UNLINKED.sum();
    }

    /** How many strands have ended with a failed assertion or an error of linkage: a defect of the strand, or of what it called. */
    public static long broken() {
        return StrandCounts.BROKEN.sum();
    }

    void add(Strand strand, String sends, String windows, String looks) {
        strand.joins(this, count, rows.length);
        for (int i = 0; i < sends.length(); i++) {
            rows[sends.charAt(i)] = new StrandRow(sends.charAt(i), windows.charAt(i), strand);
            credit += windows.charAt(i);
        }
        for (int i = 0; i < looks.length(); i++) {
            char look = looks.charAt(i);
            row(look & ~AS_ARRIVED).addLooker(strand, (look & AS_ARRIVED) != 0);
        }
        strands[count++] = strand;
        alive++;
    }

    @Override
    public StrandRow row(int number) {
        StrandRow row = rows[number];
        if (row == null) {
            throw new IllegalArgumentException("row: " + number + " (expected: that of a strand)");
        }
        return row;
    }

    @Override
    public void ended() {
        alive--;
    }

    @Override
    public @Nullable Handle oldestInFlight(int row) {
        return rows[row] == null ? null : row(row).oldestInFlight(); // walks wait for the program to leave one
    }

    @Override
    public boolean hasRoom(int strand, int number) {
        if (isForced(strand)) {
            return true;
        }
        if (rows[number] == null) {
            return walks().hasRoom(number);
        }
        long inFlight = 0;
        long unclaimed = 0;
        for (StrandRow row : rows) {
            if (row != null) {
                inFlight += row.inFlight();
                unclaimed += row.unclaimed();
            }
        }
        return inFlight < credit
                && row(number).inFlight() < row(number).window()
                && unclaimed < MOST_UNCLAIMED
                && fits();
    }

    private boolean fits() {
        for (StrandRow row : rows) {
            if (row != null && !row.fits()) {
                return false;
            }
        }
        return true;
    }

    @Override
    public boolean mayPass(int strand, long pass) {
        long idle = Math.max(IDLE_WINDOWS * credit, walks == null ? 0 : StrandTree.MOST_NODES);
        return isForced(strand) || pass - begun <= idle;
    }

    private boolean isForced(int strand) {
        if (forced < 0) {
            return false;
        }
        return rows[forced] == null
                ? walks().beginner(forced) == strands[strand] && walks().isBehind(forced)
                : row(forced).sender() == strands[strand] && row(forced).isBehind();
    }

    @Override
    public void begins(Object[] values, int row, long pass) {
        walks().begin(row, values, pass);
    }

    @Override
    public void sent(SentCall call, int row, long pass) {
        row(row).add(call, pass);
        StrandCounts.SENT.increment();
    }

    void begin() {
        passed();
        begun++;
        pump();
    }

    @Nullable
    SentCall take(int number) {
        passed();
        StrandRow row = rows[number];
        pump();
        if (row == null) {
            return null; // no strand sends this call
        }
        if (row.isBehind() && !row.sender().hasEnded()) {
            force(row.sender(), number);
        }
        if (row.isBehind()) {
            row.sender().end();
            StrandCounts.MISSED.increment();
            return null;
        }
        if (!row.isFor(begun)) {
            // what decides has changed under way, as another thread can make it: nothing that was sent counts any more
            close();
            StrandCounts.MISSED.increment();
            return null;
        }
        return taken(row);
    }

    /** Whether a strand sends the calls of a row. */
    boolean sends(int number) {
        return rows[number] != null;
    }

    /** The call that was sent for a key for which the program makes a call now, null if none was. */
    @Nullable
    SentCall takeFor(int number, @Nullable Object key) {
        passed();
        StrandRow row = row(number);
        pump();
        if (row.isBehind() && !row.sender().hasEnded()) {
            force(row.sender(), number);
        }
        if (!row.isForKey(key)) { // the call for that key was made before, and gave null
            StrandCounts.MISSED.increment();
            return null;
        }
        return taken(row);
    }

    private SentCall taken(StrandRow row) {
        SentCall call = row.take();
        current = call;
        currentRow = row;
        if (!call.isDone()) {
            await(call);
        }
        return call;
    }

    @Override
    public void keyed(int row, Object key) {
        row(row).addKey(key);
    }

    /** Waits for a call, and lets strands go on as what they need arrives. */
    @Override
    public void await(SentCall call) {
        Thread me = Thread.currentThread();
        call.handle().wakes(me);
        boolean isOver;
        do {
            pump();
            for (StrandRow row : rows) {
                if (row != null) {
                    row.flush();
                }
            }
            if (walks != null) {
                walks.flush();
            }
            isOver = call.awaitOr(awaited(me));
        } while (!isOver && (alive > 0 || walks != null && walks.isWaiting()));
    }

    /** The end of any call that a strand waits for. */
    private WaitCondition awaited(Thread me) {
        @Nullable Handle[] handles = new Handle[count + (walks == null ? 0 : walks.mostAwaited())];
        int found = 0;
        for (int i = 0; i < count; i++) {
            Handle handle = strands[i].waited();
            if (handle != null) {
                if (handle != woken[i]) {
                    handle.wakes(me);
                    woken[i] = handle;
                }
                handles[found++] = handle;
            }
        }
        return StrandTree.anyOf(handles, walks == null ? found : walks.addAwaited(me, handles, found));
    }

    /** The program has gone on behind the call that it took last. */
    private void passed() {
        SentCall last = current;
        if (last == null || currentRow == null) {
            return;
        }
        if (last.handle().wasOverload()) {
            credit = Math.max(1, credit / 2);
        }
        currentRow.passed();
        current = null;
        currentRow = null;
    }

    /** The program is where the strand of a row has not yet sent: that one goes on up to there. */
    private void force(Strand strand, int number) {
        StrandCounts.FORCED.increment();
        forced = number;
        try {
            strand.run();
        } finally {
            forced = -1;
        }
    }

    /** Lets all strands go on that can, those of later calls first. */
    @Override
    public void pump() {
        if (pumping || alive == 0 && walks == null) {
            return;
        }
        pumping = true;
        try {
            for (int i = count - 1; i >= 0; i--) {
                if (strands[i].mayGoOn()) {
                    strands[i].run();
                }
            }
            if (walks != null) {
                walks.goOn();
            }
        } finally {
            pumping = false;
        }
    }

    void close() {
        for (int i = 0; i < count; i++) {
            strands[i].end();
        }
        if (walks != null) {
            walks.close();
        }
        for (int i = rows.length - 1; i >= 0; i--) {
            if (rows[i] != null) {
                row(i).withdraw();
            }
        }
        for (StrandRow row : rows) {
            if (row != null) {
                StrandCounts.UNCLAIMED.add(row.discard());
            }
        }
    }
}
