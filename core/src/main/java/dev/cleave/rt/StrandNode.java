package dev.cleave.rt;

import static java.util.Objects.requireNonNull;

import dev.cleave.call.Handle;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One activation of a method that calls itself, whose calls are sent ahead by strands: what they have sent for it, and
 * the activations that it will begin (R71). Where the method calls itself, it hands the node of the next activation
 * over. What rewritten bytecode calls; names never change. Confined to one thread.
 */
public final class StrandNode implements StrandNest, StrandTree.Activation {

    /** The node of an activation that no strand has begun: it runs as written, and so do the activations that it begins. */
    private static final StrandNode NONE = new StrandNode(new StrandTree(0, null), null, 0);

    private final StrandTree tree;
    private final @Nullable StrandNode parent;
    private final int depth;
    private final int order; // among those of the parent
    private final @Nullable StrandRow[] rows;
    private final StrandValue.@Nullable Row[] begins; // by row
    private final List<Strand> strands = new ArrayList<>(2);
    private @Nullable List<Deque<StrandNode>> children; // by row
    private StrandValue value = StrandValue.NONE;
    private @Nullable StrandNode entered;
    private int begun;
    private int forced = -1; // a row
    private boolean isLeft;

    private StrandNode(StrandTree tree, @Nullable StrandNode parent, int order) {
        this.tree = tree;
        this.parent = parent;
        this.depth = parent == null ? 0 : parent.depth + 1;
        this.order = order;
        this.rows = new StrandRow[tree.rows()];
        this.begins = new StrandValue.Row[tree.rows()];
    }

    /** Makes the node of an activation that the strand of a nest begins, in some order. */
    static StrandNode first(StrandTree tree, int order) {
        return new StrandNode(tree, null, order);
    }

    /** The node that an activation was handed, null if it was handed something else, or nothing. */
    public static @Nullable StrandNode of(@Nullable Object entered) {
        return entered instanceof StrandNode node ? node : null;
    }

    /**
     * Makes the node of an activation that was handed none; null where {@code -Dcleave.strands=off} is given.
     *
     * @param rows the number of calls in the method's text, of itself included
     */
    public static @Nullable StrandNode open(int rows) {
        return Strand.isOff() ? null : new StrandNode(new StrandTree(rows, null), null, 0);
    }

    /**
     * Adds a strand to the first node, and strands like it to all others.
     *
     * @param node null if there is none
     * @param strand null if it could not be made
     * @param sends the rows of the calls that it sends, one a char
     * @param windows the most calls of each of these in flight, one a char
     * @param looks the rows of those whose results it needs
     * @param begins the rows of the calls of the method itself that it runs ahead of
     * @return the node; null if there is none, or no strand
     */
    public static @Nullable StrandNode add(
            @Nullable StrandNode node,
            @Nullable Object strand,
            String sends,
            String windows,
            String looks,
            String begins) {
        if (node == null || strand == null) {
            return null;
        }
        node.tree.add((Strand) strand, sends, windows, looks, begins);
        return node;
    }

    /** All strands are added: they begin. */
    public static void begin(@Nullable StrandNode node) {
        if (node != null) {
            node.tree.begin(node, null);
            node.tree.pump();
        }
    }

    /** The sent call that stands for the call that the program has come to, or null if it was not sent. */
    public static @Nullable Object take(@Nullable StrandNode node, int row) {
        return node == null ? null : node.take(row);
    }

    /** The node of the activation that the program begins next, null if the activation has none itself. */
    public static @Nullable Object next(@Nullable StrandNode node, int row) {
        return node == null ? null : node.next(row);
    }

    /** The activation returns. */
    public static void leave(@Nullable StrandNode node) {
        if (node != null && node != NONE) {
            node.leave();
        }
    }

    /** An exception leaves the activation: the first one gives up all that was sent and not taken. */
    public static void fail(@Nullable StrandNode node) {
        if (node != null && node != NONE && node.parent == null) {
            node.leave();
        }
    }

    @Override
    public void add(Strand strand, String sends, String windows, String looks, String begins) {
        strand.joins(this, strands.size(), rows.length);
        strands.add(strand);
        for (int i = 0; i < sends.length(); i++) {
            rows[sends.charAt(i)] = new StrandRow(sends.charAt(i), windows.charAt(i), strand);
        }
        for (int i = 0; i < begins.length(); i++) {
            this.begins[begins.charAt(i)] = new StrandValue.Row(strand);
        }
        for (int i = 0; i < looks.length(); i++) {
            StrandValue.Row values = this.begins[looks.charAt(i)];
            if (values == null) {
                row(looks.charAt(i)).addLooker(strand, false);
            } else {
                values.addLooker(strand);
            }
        }
        if (strand.isGiver()) {
            value = new StrandValue(strand);
        }
    }

    @Override
    public StrandRow row(int number) {
        StrandRow row = rows[number];
        if (row == null) {
            throw new IllegalArgumentException("row: " + number + " (expected: that of a strand)");
        }
        return row;
    }

    private Deque<StrandNode> children(int row) {
        List<Deque<StrandNode>> all = children;
        if (all == null) {
            all = new ArrayList<>(rows.length);
            for (int i = 0; i < rows.length; i++) {
                all.add(new ArrayDeque<>(begins[i] == null ? 0 : 4));
            }
            children = all;
        }
        return all.get(row);
    }

    private @Nullable SentCall take(int number) {
        if (this == NONE) {
            return null;
        }
        tree.passed();
        tree.pump();
        StrandRow row = rows[number];
        if (row == null) {
            return null;
        }
        if (row.isBehind() && !row.sender().hasEnded()) {
            force(number, row.sender());
        }
        if (row.isBehind()) {
            row.sender().end();
            StrandCounts.MISSED.increment();
            return null;
        }
        SentCall call = row.take();
        tree.taken(call, row);
        return call;
    }

    private StrandNode next(int number) {
        if (this == NONE) {
            return NONE;
        }
        tree.passed();
        tree.pump();
        StrandValue.Row begun = begins[number];
        if (begun == null) {
            return NONE;
        }
        Strand beginner = begun.beginner();
        if (children(number).isEmpty() && !beginner.hasEnded()) {
            force(number, beginner);
            tree.pump();
        }
        StrandNode next = children(number).poll();
        if (next == null) {
            beginner.end();
            return NONE;
        }
        entered = next;
        return next;
    }

    private void force(int number, Strand strand) {
        forced = number;
        try {
            tree.force(this, strand);
        } finally {
            forced = -1;
        }
    }

    void leave() {
        tree.passed();
        Strand giver = value.open();
        if (giver != null && parent != null) {
            tree.goOn(this, giver); // all its results are here: those above may need the value
        }
        List<StrandNode> all = new ArrayList<>(List.of(this));
        for (int i = 0; i < all.size(); i++) {
            all.get(i).addChildren(all);
        }
        for (int i = all.size() - 1; i >= 0; i--) {
            all.get(i).withdraw();
        }
        for (StrandNode node : all) {
            node.discard();
        }
        if (parent != null) {
            parent.entered = null;
        }
    }

    private void addChildren(List<StrandNode> all) {
        if (entered != null) {
            all.add(entered);
            entered = null;
        }
        if (children != null) {
            for (Deque<StrandNode> row : children) {
                all.addAll(row);
                row.clear();
            }
        }
    }

    private void withdraw() {
        strands.forEach(Strand::end);
        for (StrandRow row : rows) {
            if (row != null) {
                row.withdraw();
            }
        }
    }

    private void discard() {
        if (isLeft) {
            return;
        }
        isLeft = true;
        tree.left();
        for (StrandRow row : rows) {
            if (row != null) {
                tree.givenUp(row.discard());
            }
        }
    }

    /** The order in which the program comes to what strands of activations have not done yet. */
    @Override
    public int compareTo(StrandTree.Activation activation) {
        StrandNode other = (StrandNode) activation;
        StrandNode mine = this;
        StrandNode others = other;
        while (mine.depth > others.depth && mine.parent != null) {
            mine = mine.parent;
        }
        while (others.depth > mine.depth && others.parent != null) {
            others = others.parent;
        }
        if (mine == others) {
            return Integer.compare(other.depth, depth); // what an activation has begun comes before what it will begin
        }
        while (mine.parent != others.parent && mine.parent != null && others.parent != null) {
            mine = mine.parent;
            others = others.parent;
        }
        return Integer.compare(mine.order, others.order);
    }

    @Override
    public @Nullable Handle oldestInFlight(int row) {
        return tree.oldestInFlight(row);
    }

    @Override
    public boolean hasRoom(int strand, int row) {
        return isForced(strand) || (begins[row] == null ? tree.hasRoom(row) : tree.hasRoomForNode());
    }

    /** Whether the program waits for what a strand has not done yet. */
    private boolean isForced(int strand) {
        if (forced < 0) {
            return false;
        }
        Strand missing = strands.get(strand);
        StrandValue.Row begun = begins[forced];
        return begun == null
                ? row(forced).sender() == missing && row(forced).isBehind()
                : begun.beginner() == missing && children(forced).isEmpty();
    }

    @Override
    public boolean mayPass(int strand, long pass) {
        return false; // an activation has one pass
    }

    @Override
    public void sent(SentCall call, int row, long pass) {
        row(row).add(call, pass);
        tree.sent(call, row);
    }

    @Override
    public void begins(Object[] values, int row, long pass) {
        StrandNode child = new StrandNode(tree, this, begun++);
        children(row).add(child);
        tree.begin(child, values);
        begunAt(row).add(child.value);
    }

    private StrandValue.Row begunAt(int number) {
        return requireNonNull(begins[number], "no strand begins activations here");
    }

    @Override
    public boolean isKnown(int row, long ordinal) {
        return begins[row] == null
                ? StrandNest.super.isKnown(row, ordinal)
                : begunAt(row).isKnown(ordinal);
    }

    @Override
    public @Nullable StrandValue valueOf(int row, long ordinal) {
        return begunAt(row).of(ordinal);
    }

    @Override
    public void looked(int row) {
        if (begins[row] == null) {
            StrandNest.super.looked(row);
        } else {
            begunAt(row).release(row);
        }
    }

    @Override
    public void gives(@Nullable Object given) {
        value.give(given);
        if (parent != null) {
            parent.wake();
        }
    }

    /** Strands that wait for the value of an activation ask again. */
    private void wake() {
        for (Strand strand : strands) {
            if (strand.waitsForValue()) {
                tree.wake(this, strand);
            }
        }
    }

    @Override
    public void ended() {
        wake();
        if (parent != null && value.open() == null) {
            parent.wake();
        }
    }
}
