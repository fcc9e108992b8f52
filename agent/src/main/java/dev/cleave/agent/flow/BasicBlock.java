package dev.cleave.agent.flow;

import dev.cleave.agent.ir.Op;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Ops that run one after the other: control enters at the first and, unless an exception is thrown in between, leaves
 * after the last. All ops of a block are covered by the same handlers.
 */
public final class BasicBlock {

    private final int number;
    private final List<Op> ops;
    private final List<BasicBlock> successors = new ArrayList<>();
    private final List<BasicBlock> predecessors = new ArrayList<>();
    private final List<BasicBlock> handlers = new ArrayList<>();
    private final List<BasicBlock> throwers = new ArrayList<>();

    BasicBlock(int number, List<Op> ops) {
        this.number = number;
        this.ops = List.copyOf(ops);
    }

    /** The dense number within the graph, in list order from 0, the entry. */
    public int number() {
        return number;
    }

    /** The ops in order; at least one. */
    public List<Op> ops() {
        return ops;
    }

    /** The first op. */
    public Op first() {
        return ops.get(0);
    }

    /** The last op. */
    public Op last() {
        return ops.get(ops.size() - 1);
    }

    /** The blocks that control may enter after the last op, without duplicates; the fall-through first. */
    public List<BasicBlock> successors() {
        return Collections.unmodifiableList(successors);
    }

    /** The handlers that an exception of this block may reach, in the order of the table; empty if nothing here throws. */
    public List<BasicBlock> handlers() {
        return Collections.unmodifiableList(handlers);
    }

    /** Successors and handlers together. */
    public List<BasicBlock> allSuccessors() {
        List<BasicBlock> all = new ArrayList<>(successors);
        handlers.stream().filter(h -> !all.contains(h)).forEach(all::add);
        return all;
    }

    /** Predecessors and throwers together. */
    public List<BasicBlock> allPredecessors() {
        List<BasicBlock> all = new ArrayList<>(predecessors);
        throwers.stream().filter(t -> !all.contains(t)).forEach(all::add);
        return all;
    }

    void linkTo(BasicBlock successor) {
        if (!successors.contains(successor)) {
            successors.add(successor);
            successor.predecessors.add(this);
        }
    }

    void throwTo(BasicBlock handler) {
        if (!handlers.contains(handler)) {
            handlers.add(handler);
            handler.throwers.add(this);
        }
    }

    /** {@code B3}. */
    @Override
    public String toString() {
        return "B" + number;
    }
}
