package dev.cleave.agent.flow;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A natural loop: blocks that can reach the header again without leaving, entered at the header only. */
public final class Loop {

    private final BasicBlock header;
    private final Set<BasicBlock> blocks;
    private final Set<BasicBlock> latches = new LinkedHashSet<>();
    private final List<Loop> inner = new ArrayList<>();
    private @Nullable Loop outer;

    Loop(BasicBlock header) {
        this.header = header;
        this.blocks = new TreeSet<>((a, b) -> Integer.compare(a.number(), b.number()));
        blocks.add(header);
    }

    /** The block at which the loop is entered and each iteration begins. */
    public BasicBlock header() {
        return header;
    }

    /**
     * All blocks, including those of inner loops, in list order. Handler blocks are part of the loop if they can reach
     * the header.
     */
    public Set<BasicBlock> blocks() {
        return Collections.unmodifiableSet(blocks);
    }

    /** The blocks that go back to the header. */
    public Set<BasicBlock> latches() {
        return Collections.unmodifiableSet(latches);
    }

    /** The loops right inside this one. */
    public List<Loop> inner() {
        return Collections.unmodifiableList(inner);
    }

    /** The loop right around this one, if any. */
    public @Nullable Loop outer() {
        return outer;
    }

    /** Whether a block is part of the loop. */
    public boolean contains(BasicBlock block) {
        return blocks.contains(block);
    }

    /** The number of loops around this one. */
    public int depth() {
        int depth = 0;
        for (Loop at = outer; at != null; at = at.outer) {
            depth++;
        }
        return depth;
    }

    /** {@code loop B2 {B2 B3 B4}}. */
    @Override
    public String toString() {
        return "loop " + header + " " + blocks;
    }

    void latch(BasicBlock block) {
        latches.add(block);
    }

    boolean add(BasicBlock block) {
        return blocks.add(block);
    }

    void within(Loop around) {
        outer = around;
        around.inner.add(this);
    }
}
