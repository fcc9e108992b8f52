package dev.cleave.rt;

import dev.cleave.call.Handle;
import dev.cleave.transport.WaitCondition;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One activation of a nest in which each pass of the outermost loop has strands of its own (R71): how many calls a pass
 * makes is known only as their results come, and the passes behind it do not wait for that.
 *
 * <p>One strand, the first that is added, goes from pass to pass and makes the strands of each. These end with their
 * pass. The program takes calls by place and number within the pass. Strands of near passes go on first, and no pass
 * begins while one before it waits for room.
 */
final class PassStrands extends Strands {

    /** The most strands whose next result makes the waiting program look at them. */
    private static final int MOST_WATCHED = 64;

    /** The passes that are looked at whenever the program takes a call. */
    private static final int NEAR = 8;

    /** The most passes ahead of the program. */
    private static final int MOST_PASSES = 4_096;

    /**
     * The strand of each pass that sends some calls.
     *
     * @param sends the rows of its calls
     * @param windows the most calls of each of these in flight
     * @param looks the rows of those whose results it needs
     */
    private record Part(String sends, String windows, String looks) {}

    private final @Nullable Flight[] flights;
    private final List<Part> parts = new ArrayList<>();
    private final Deque<StrandPass> passes = new ArrayDeque<>();
    private final int size;
    private @Nullable Strand guide;
    private String guideLooks = "";
    private int credit;
    private int alive;
    private long begun = -1;
    private long unclaimed;
    private boolean isFull;
    private boolean isForced; // the guide is
    private @Nullable StrandRow forced;
    private boolean pumping;
    private @Nullable SentCall current;
    private @Nullable StrandRow currentRow;

    PassStrands(int rows, @Nullable Trial trial) {
        super(0, trial);
        this.size = rows;
        this.flights = new Flight[rows];
    }

    /** The calls of one place in the program's text that are in flight, in the order in which they were sent. */
    private static final class Flight {

        private final int window;
        private final Deque<SentCall> sent = new ArrayDeque<>();
        private @Nullable SentCall last;
        private boolean isUnflushed;

        Flight(int window) {
            this.window = window;
        }

        void add(SentCall call) {
            sent.add(call);
            last = call;
            isUnflushed = true;
        }

        int size() {
            while (!sent.isEmpty() && sent.element().isDone()) {
                sent.remove();
            }
            return sent.size();
        }

        boolean fits() {
            return last == null || last.mayBeFollowedBy(1);
        }

        void flush() {
            if (isUnflushed && last != null) {
                last.handle().hurry();
            }
            isUnflushed = false;
        }
    }

    @Override
    void add(Strand strand, String sends, String windows, String looks) {
        if (guide == null) {
            guide = strand;
            guideLooks = looks;
            strand.joins(this, 0, size);
            alive++;
            return;
        }
        for (int i = 0; i < sends.length(); i++) {
            flights[sends.charAt(i)] = new Flight(windows.charAt(i));
            credit += windows.charAt(i);
        }
        parts.add(new Part(sends, windows, looks));
    }

    /** Makes the strands of a pass, and lets them go as far as they can. */
    @Override
    public void fork(Strand from) {
        StrandPass pass = new StrandPass(this, from.passes(), size);
        for (int i = 0; i < parts.size(); i++) {
            Strand strand = from.copy(i + 1, pass, i, size);
            pass.add(strand, parts.get(i).sends(), parts.get(i).windows());
            alive++;
        }
        for (int i = 0; i < parts.size(); i++) {
            pass.addLooker(pass.strand(i), parts.get(i).looks());
        }
        pass.addLooker(from, guideLooks);
        passes.add(pass);
        run(pass);
    }

    @Override
    public boolean mayFork(long pass) {
        return isForced && pass <= begun
                || !isFull && pass - begun <= IDLE_WINDOWS * credit && passes.size() < MOST_PASSES && isOpen();
    }

    /** Whether there is room for one more call, wherever it stands. */
    private boolean isOpen() {
        int inFlight = 0;
        for (Flight flight : flights) {
            if (flight != null) {
                inFlight += flight.size();
                if (unclaimed > 0 && !flight.fits()) {
                    return false;
                }
            }
        }
        return inFlight < credit && unclaimed < MOST_UNCLAIMED;
    }

    /** Whether a row of a pass may grow by a call. */
    boolean hasRoom(StrandRow row, int number) {
        StrandRow wanted = forced;
        if (wanted != null && wanted.isBehind() && wanted.sender() == row.sender()) {
            return true;
        }
        Flight flight = flight(number);
        boolean has = flight.size() < flight.window && isOpen();
        isFull |= !has;
        return has;
    }

    private Flight flight(int number) {
        Flight flight = flights[number];
        if (flight == null) {
            throw new IllegalArgumentException("row: " + number + " (expected: that of a strand)");
        }
        return flight;
    }

    /** A strand of a pass has sent a call. */
    void sent(SentCall call, int number) {
        flight(number).add(call);
        unclaimed++;
        StrandCounts.SENT.increment();
    }

    @Override
    public @Nullable Handle oldestInFlight(int number) {
        Flight flight = flight(number);
        return flight.size() == 0 ? null : flight.sent.element().handle();
    }

    @Override
    public void ended() {
        alive--;
    }

    @Override
    public StrandRow row(int number) {
        return passes.getLast().row(number); // the guide looks at results of the pass that it has made last
    }

    @Override
    public boolean mayPass(int strand, long pass) {
        return true;
    }

    @Override
    void begin() {
        passed();
        begun++;
        for (Iterator<StrandPass> all = passes.iterator(); all.hasNext(); ) {
            StrandPass pass = all.next();
            if (pass.number() >= begun) {
                break;
            }
            unclaimed -= pass.unclaimed();
            StrandCounts.UNCLAIMED.add(pass.close());
            if (guide().hasEnded() || guide().passes() > pass.number()) {
                all.remove();
            }
        }
        pump(NEAR);
    }

    @Override
    @Nullable
    SentCall take(int number) {
        passed();
        pump(NEAR);
        if (flights[number] == null) {
            return null; // no strand sends this call
        }
        StrandPass pass = pass();
        if (pass == null && !guide().hasEnded()) {
            StrandCounts.FORCED.increment();
            isForced = true;
            try {
                guide().run();
            } finally {
                isForced = false;
            }
            pass = pass();
        }
        if (pass == null) {
            StrandCounts.MISSED.increment();
            return null;
        }
        StrandRow row = pass.row(number);
        if (row.isBehind() && !row.sender().hasEnded()) {
            force(row);
        }
        if (row.isBehind()) {
            row.sender().end();
            StrandCounts.MISSED.increment();
            return null;
        }
        SentCall call = row.take();
        unclaimed--;
        current = call;
        currentRow = row;
        if (!call.isDone()) {
            await(call);
        }
        return call;
    }

    /** Returns the strands of the pass that the program is in, null if they were not made. */
    private @Nullable StrandPass pass() {
        for (StrandPass pass : passes) {
            if (pass.number() >= begun) {
                return pass.number() == begun ? pass : null;
            }
        }
        return null;
    }

    private Strand guide() {
        if (guide == null) {
            throw new IllegalStateException("no strand was added");
        }
        return guide;
    }

    private void force(StrandRow row) {
        StrandCounts.FORCED.increment();
        forced = row;
        try {
            row.sender().run();
        } finally {
            forced = null;
        }
    }

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

    @Override
    public void await(SentCall call) {
        Thread me = Thread.currentThread();
        call.handle().wakes(me);
        boolean isOver;
        do {
            pump(Integer.MAX_VALUE);
            for (Flight flight : flights) {
                if (flight != null) {
                    flight.flush();
                }
            }
            isOver = call.awaitOr(awaited(me));
        } while (!isOver && alive > 0);
    }

    /** The end of any call that a near strand waits for. */
    private WaitCondition awaited(Thread me) {
        Handle[] handles = new Handle[MOST_WATCHED];
        int found = 0;
        Handle decides = guide().waited();
        if (decides != null) {
            decides.wakes(me);
            handles[found++] = decides;
        }
        for (Iterator<StrandPass> all = passes.iterator(); all.hasNext() && found < MOST_WATCHED; ) {
            found = all.next().watch(me, handles, found);
        }
        Handle[] watched = Arrays.copyOf(handles, found);
        return () -> {
            for (Handle handle : watched) {
                if (handle.isDone()) {
                    return true;
                }
            }
            return false;
        };
    }

    /** Lets the strands of the nearest passes go on, and then the guide. */
    private void pump(int most) {
        if (pumping || alive == 0) {
            return;
        }
        pumping = true;
        try {
            if (most >= passes.size()) {
                isFull = false;
            }
            if (guide().waitsForResult() && guide().mayGoOn()) {
                guide().run(); // its result decides about the passes to come: the longest path goes through it
            }
            int left = most;
            for (StrandPass pass : passes) {
                if (left-- == 0 || isFull) {
                    break;
                }
                run(pass);
            }
            if (guide().mayGoOn()) {
                guide().run();
            }
        } finally {
            pumping = false;
        }
    }

    private void run(StrandPass pass) {
        isFull |= pass.run();
    }

    @Override
    void close() {
        guide().end();
        for (Iterator<StrandPass> all = passes.descendingIterator(); all.hasNext(); ) {
            all.next().withdraw();
        }
        for (StrandPass pass : passes) {
            StrandCounts.UNCLAIMED.add(pass.close());
        }
        passes.clear();
        unclaimed = 0;
    }
}
