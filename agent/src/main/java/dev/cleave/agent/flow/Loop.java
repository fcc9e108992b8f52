package dev.cleave.agent.flow;

import dev.cleave.agent.ir.Op;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A natural loop: a header that dominates the blocks from which normal control goes back to it. */
public final class Loop {

    /**
     * An edge out of the loop.
     *
     * @param from a block of the loop
     * @param to a block outside
     */
    public record Exit(BasicBlock from, BasicBlock to) {}

    private final ControlFlowGraph cfg;
    private final BasicBlock header;
    private final BitSet members;
    private final List<BasicBlock> latches;
    private final List<Exit> exits = new ArrayList<>();
    private final List<Exit> throwingExits = new ArrayList<>();
    private final List<Loop> children = new ArrayList<>();
    private @Nullable Loop parent;

    Loop(ControlFlowGraph cfg, BasicBlock header, BitSet members, List<BasicBlock> latches) {
        this.cfg = cfg;
        this.header = header;
        this.members = members;
        this.latches = List.copyOf(latches);
        for (BasicBlock block : blocks()) {
            block.successors().stream().filter(to -> !contains(to)).forEach(to -> exits.add(new Exit(block, to)));
            block.catchers().stream().filter(to -> !contains(to)).forEach(to -> throwingExits.add(new Exit(block, to)));
        }
    }

    public BasicBlock header() {
        return header;
    }

    /** The blocks of the loop, those of inner loops included, in list order. */
    public List<BasicBlock> blocks() {
        return members.stream().mapToObj(cfg.blocks()::get).toList();
    }

    public boolean contains(BasicBlock block) {
        return members.get(block.index());
    }

    /** Whether an op of the method belongs to the loop. */
    public boolean contains(Op op) {
        return contains(cfg.blockOf(op));
    }

    /** The blocks with a normal edge back to the header. */
    public List<BasicBlock> latches() {
        return latches;
    }

    /** The normal edges out of the loop. */
    public List<Exit> exits() {
        return Collections.unmodifiableList(exits);
    }

    /** The edges to handlers outside; exceptions that leave the method are not among them. */
    public List<Exit> throwingExits() {
        return Collections.unmodifiableList(throwingExits);
    }

    /** The next loop around this one, null for an outermost one. */
    public @Nullable Loop parent() {
        return parent;
    }

    /** The loops right inside this one. */
    public List<Loop> children() {
        return Collections.unmodifiableList(children);
    }

    /** 1 for an outermost loop. */
    public int depth() {
        return parent == null ? 1 : parent.depth() + 1;
    }

    void setParent(Loop outer) {
        parent = outer;
        outer.children.add(this);
    }

    int blockCount() {
        return members.cardinality();
    }

    boolean containsAll(Loop other) {
        return other.members.stream().allMatch(members::get);
    }

    @Override
    public String toString() {
        return "loop " + header + " blocks " + blocks() + " latches " + latches + " exits "
                + exits.stream().map(exit -> exit.from() + "->" + exit.to()).toList();
    }
}
