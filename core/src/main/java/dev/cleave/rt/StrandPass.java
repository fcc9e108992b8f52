package dev.cleave.rt;

import dev.cleave.call.Handle;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The strands of one pass of the outermost loop of a nest, and what they have sent. */
final class StrandPass implements StrandNest {

    private final PassStrands nest;
    private final long number;
    private final @Nullable StrandRow[] rows;
    private final List<Strand> strands = new ArrayList<>();
    private final List<Handle> watched = new ArrayList<>();

    StrandPass(PassStrands nest, long number, int rows) {
        this.nest = nest;
        this.number = number;
        this.rows = new StrandRow[rows];
    }

    /** Adds a strand that sends the calls of some rows. */
    void add(Strand strand, String sends, String windows) {
        strands.add(strand);
        for (int i = 0; i < sends.length(); i++) {
            rows[sends.charAt(i)] = new StrandRow(sends.charAt(i), windows.charAt(i), strand);
        }
    }

    /** A strand needs the results of some rows. */
    void addLooker(Strand strand, String looks) {
        for (int i = 0; i < looks.length(); i++) {
            row(looks.charAt(i)).addLooker(strand, false);
        }
    }

    long number() {
        return number;
    }

    Strand strand(int index) {
        return strands.get(index);
    }

    @Override
    public StrandRow row(int row) {
        StrandRow found = rows[row];
        if (found == null) {
            throw new IllegalArgumentException("row: " + row + " (expected: that of a strand)");
        }
        return found;
    }

    /** Lets the strands go on that can; whether one of them wants room that is not there. */
    boolean run() {
        boolean wantsRoom = false;
        for (Strand strand : strands) {
            if (strand.mayGoOn()) {
                strand.run();
            }
            wantsRoom |= strand.waitsForRoom();
        }
        return wantsRoom;
    }

    /**
     * Puts the calls whose ends would let its strands go on into an array, as far as that has room, and lets them wake
     * a thread; returns how many elements of the array are used.
     */
    int watch(Thread thread, Handle[] into, int used) {
        int found = used;
        for (Strand strand : strands) {
            Handle handle = strand.waited();
            if (handle != null && found < into.length) {
                if (!watched.contains(handle)) {
                    handle.wakes(thread);
                    watched.add(handle);
                }
                into[found++] = handle;
            }
        }
        return found;
    }

    /** Returns how many calls wait for the program. */
    long unclaimed() {
        long count = 0;
        for (StrandRow row : rows) {
            count += row == null ? 0 : row.unclaimed();
        }
        return count;
    }

    /** Asks the servers not to begin the calls that were not taken, the last ones first. */
    void withdraw() {
        for (int i = rows.length - 1; i >= 0; i--) {
            if (rows[i] != null) {
                row(i).withdraw();
            }
        }
    }

    /** Ends the strands, and gives up the calls that were not taken; returns how many. */
    long close() {
        strands.forEach(Strand::end);
        withdraw();
        long left = 0;
        for (StrandRow row : rows) {
            left += row == null ? 0 : row.discard();
        }
        return left;
    }

    @Override
    public @Nullable Handle oldestInFlight(int row) {
        return nest.oldestInFlight(row);
    }

    @Override
    public boolean hasRoom(int strand, int row) {
        return nest.hasRoom(row(row), row);
    }

    @Override
    public boolean mayPass(int strand, long pass) {
        return true;
    }

    @Override
    public void sent(SentCall call, int row, long pass) {
        row(row).add(call, pass);
        nest.sent(call, row);
    }

    @Override
    public void ended() {
        nest.ended();
    }
}
