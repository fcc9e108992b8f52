package dev.cleave.agent.flow;

import dev.cleave.agent.ir.Handler;
import dev.cleave.agent.ir.Op;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Ops that control passes one after the other, all covered by the same handlers; compared by identity. */
public final class BasicBlock {

    private final int index;
    private final List<Op> ops;
    private final List<Handler> handlers;
    final List<BasicBlock> successors = new ArrayList<>(2);
    final List<BasicBlock> predecessors = new ArrayList<>(2);
    final List<BasicBlock> catchers = new ArrayList<>(0);
    final List<BasicBlock> throwers = new ArrayList<>(0);

    BasicBlock(int index, List<Op> ops, List<Handler> handlers) {
        this.index = index;
        this.ops = List.copyOf(ops);
        this.handlers = handlers;
    }

    /** The number of the block in its graph: 0 is the entry, which has no ops; the others follow in list order. */
    public int index() {
        return index;
    }

    public List<Op> ops() {
        return ops;
    }

    /** The last op, which may branch; null in a block without ops. */
    public @Nullable Op last() {
        return ops.isEmpty() ? null : ops.get(ops.size() - 1);
    }

    /** Where control may go when no exception is thrown: the next block first, then targets in order. */
    public List<BasicBlock> successors() {
        return Collections.unmodifiableList(successors);
    }

    /** The blocks that this one is a successor of. */
    public List<BasicBlock> predecessors() {
        return Collections.unmodifiableList(predecessors);
    }

    /** The handlers' blocks that an exception thrown here may go to, in table order; none if nothing here may throw. */
    public List<BasicBlock> catchers() {
        return Collections.unmodifiableList(catchers);
    }

    /** The blocks that have this one among their {@link #catchers()}. */
    public List<BasicBlock> throwers() {
        return Collections.unmodifiableList(throwers);
    }

    /** The handlers that cover the block, in table order, up to the first that catches all. */
    public List<Handler> handlers() {
        return handlers;
    }

    /** Whether an exception thrown here may leave the method. */
    public boolean mayThrowOut() {
        boolean caught =
                !handlers.isEmpty() && handlers.get(handlers.size() - 1).type() == null;
        return !caught && ops.stream().anyMatch(Op::mayThrow);
    }

    @Override
    public String toString() {
        return "B" + index;
    }
}
