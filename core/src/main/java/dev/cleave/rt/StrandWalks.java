package dev.cleave.rt;

import dev.cleave.call.Handle;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The walks of a nest: the calls in it of methods that call themselves, whose first activations a strand of the nest begins before the
 * program comes to them (R72). Confined to one thread.
 */
final class StrandWalks {

    /** An activation that the program has not come to, and the pass of the nest that it is for. */
    private record First(StrandNode node, long pass) {}

    /** The walks of one call of the program's text. */
    private static final class Row {

        private final StrandTree tree;
        private final Deque<First> begun = new ArrayDeque<>();
        private @Nullable Strand beginner;
        private @Nullable StrandNode entered; // last
        private int order;

        Row(StrandTree tree) {
            this.tree = tree;
        }
    }

    private final @Nullable Row[] rows;
    private final List<StrandTree> trees = new ArrayList<>(2);

    StrandWalks(int rows) {
        this.rows = new Row[rows];
    }

    /** Makes the tree of a row, if it has none yet. */
    StrandTree tree(int number, int calls, StrandTree.Around nest) {
        Row row = rows[number];
        if (row == null) {
            row = new Row(new StrandTree(calls, nest));
            rows[number] = row;
            trees.add(row.tree);
        }
        return row.tree;
    }

    /** A strand of the nest begins the walks of a row. */
    void isBegunBy(int number, Strand beginner) {
        Row row = rows[number];
        if (row != null) {
            row.beginner = beginner;
        }
    }

    /** The strand that begins the walks of a row, null if none does. */
    @Nullable
    Strand beginner(int number) {
        Row row = rows[number];
        return row == null ? null : row.beginner;
    }

    /** Whether no walk has begun where the program comes next. */
    boolean isBehind(int number) {
        Row row = rows[number];
        return row == null || row.begun.isEmpty();
    }

    boolean hasRoom(int number) {
        Row row = rows[number];
        return row != null && row.tree.hasRoomForNode();
    }

    /** Begins the strands of a walk. */
    void begin(int number, Object[] values, long pass) {
        Row row = rows[number];
        if (row != null) {
            StrandNode node = StrandNode.first(row.tree, row.order++);
            row.begun.add(new First(node, pass));
            row.tree.begin(node, values);
        }
    }

    /** The program comes to a walk: returns its first activation; null if it has not begun, or is that of another pass. */
    @Nullable
    StrandNode enter(int number, long pass) {
        Row row = rows[number];
        First first = row == null ? null : row.begun.peek();
        if (row == null || first == null || first.pass() != pass) {
            return null;
        }
        row.begun.remove();
        row.entered = first.node();
        return row.entered;
    }

    /** Lets the strands of walks go on, those of calls that stand first in the text first. */
    void goOn() {
        for (StrandTree tree : trees) {
            tree.goOn();
        }
    }

    void flush() {
        for (StrandTree tree : trees) {
            tree.flush();
        }
    }

    /** Whether a strand of a walk waits for anything. */
    boolean isWaiting() {
        for (StrandTree tree : trees) {
            if (tree.isWaiting()) {
                return true;
            }
        }
        return false;
    }

    /** The most calls whose end can let a strand of a walk go on. */
    int mostAwaited() {
        return trees.size() * StrandTree.MOST_AWAITED;
    }

    /** Adds these calls; returns how many there are then. */
    int addAwaited(Thread me, @Nullable Handle[] handles, int found) {
        int all = found;
        for (StrandTree tree : trees) {
            all = tree.addAwaited(me, handles, all);
        }
        return all;
    }

    /** Gives up what was sent and not taken. */
    void close() {
        for (Row row : rows) {
            if (row != null) {
                if (row.entered != null) {
                    row.entered.leave();
                }
                row.begun.forEach(first -> first.node().leave());
                row.begun.clear();
                row.entered = null;
            }
        }
    }
}
