package dev.cleave.agent.plan.analysis;

import dev.cleave.agent.ir.MoveOp;
import dev.cleave.agent.ir.Register;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A part of a method with one entry, seen as one pass through it: a loop body for one iteration, or the code behind a
 * call.
 *
 * <p>A pass ends at one of two virtual places, {@link #again()} (back to the entry) and {@link #out()}. Some branches
 * may be assumed to go one way only; then the ops on their other ways are not {@linkplain #ordinary ordinary}, though
 * their definitions still count.
 */
public final class Region {

    private static final int[] NONE = new int[0];

    private final OpGraph graph;
    private final int entry;
    private final BitSet ops;
    private final BitSet ordinary;
    private final Map<Integer, Integer> assumed;
    private final int[][] successors;
    private final Definitions definitions;
    private final Map<Integer, BitSet> reached = new HashMap<>();
    private final Map<Integer, BitSet> preceding = new HashMap<>();
    private @Nullable PostDominators postDominators;

    /**
     * Makes a region.
     *
     * @param entry the first op, part of {@code ops}
     * @param ops all ops, those of handlers included
     */
    public Region(OpGraph graph, int entry, BitSet ops) {
        this(graph, entry, ops, Map.of(), new Definitions(graph, entry, ops));
    }

    private Region(OpGraph graph, int entry, BitSet ops, Map<Integer, Integer> assumed, Definitions definitions) {
        this.graph = graph;
        this.entry = entry;
        this.ops = ops;
        this.assumed = InOrder.copyOf(assumed);
        this.definitions = definitions;
        this.successors = new int[graph.size() + 3][];
        this.ordinary = new BitSet(graph.size());
        Worklist work = new Worklist(entry);
        while (!work.isEmpty()) {
            int index = work.pop();
            if (!ordinary.get(index)) {
                ordinary.set(index);
                for (int successor : next(index)) {
                    if (successor < graph.size() && !ordinary.get(successor)) {
                        work.push(successor);
                    }
                }
            }
        }
    }

    /** One pass alone: what passes before it have defined counts as defined outside. */
    public static Region onePass(OpGraph graph, int entry, BitSet ops) {
        return new Region(graph, entry, ops, Map.of(), new Definitions(graph, entry, ops, true));
    }

    /** The part of some ops that runs when nothing is thrown, as a region of its own. */
    public static Region ordinary(OpGraph graph, int entry, BitSet ops) {
        BitSet seen = new BitSet(graph.size());
        Worklist work = new Worklist(entry);
        while (!work.isEmpty()) {
            int index = work.pop();
            if (!seen.get(index)) {
                seen.set(index);
                for (int successor : graph.next(index)) {
                    if (successor != entry && ops.get(successor) && !seen.get(successor)) {
                        work.push(successor);
                    }
                }
            }
        }
        return new Region(graph, entry, seen);
    }

    /**
     * Returns the same region, in which some branches go one way only.
     *
     * @param ways for the index of each such branch the place that it goes to
     */
    public Region assuming(Map<Integer, Integer> ways) {
        return ways.isEmpty() ? this : new Region(graph, entry, ops, ways, definitions);
    }

    /** Returns the graph of the whole method. */
    public OpGraph graph() {
        return graph;
    }

    /** Returns the op that all ways into the region lead to. */
    public int entry() {
        return entry;
    }

    /** All ops of the region. */
    public BitSet ops() {
        return ops;
    }

    /** The ops that run when nothing is thrown. */
    public BitSet ordinary() {
        return ordinary;
    }

    /** Whether the region itself has a handler for what an op throws. */
    public boolean handles(int index) {
        for (int handler : graph.handlers(index)) {
            if (ops.get(handler)) {
                return true;
            }
        }
        return false;
    }

    /** The virtual place behind a pass that is followed by another one. */
    public int again() {
        return graph.size();
    }

    /** The virtual place outside. */
    public int out() {
        return graph.size() + 1;
    }

    /** Both virtual places meet here. */
    private int end() {
        return graph.size() + 2;
    }

    /** Whether one pass may follow another. */
    public boolean repeats() {
        return ordinary.stream().flatMap(op -> Arrays.stream(next(op))).anyMatch(successor -> successor == again());
    }

    /** Where control goes from an op when nothing is thrown, in this view. */
    public List<Integer> successors(int index) {
        List<Integer> list = new ArrayList<>();
        for (int successor : next(index)) {
            list.add(successor);
        }
        return list;
    }

    private int[] next(int index) {
        int[] found = successors[index];
        if (found == null) {
            found = computeNext(index);
            successors[index] = found;
        }
        return found;
    }

    private int[] computeNext(int index) {
        if (index >= graph.size()) {
            return index == end() ? new int[0] : new int[] {end()};
        }
        Integer way = assumed.get(index);
        if (way != null) {
            return new int[] {way};
        }
        int[] next = graph.next(index);
        if (next.length == 0) {
            return new int[] {out()};
        }
        int[] places = new int[next.length];
        int count = 0;
        for (int successor : next) {
            int place = placeOf(successor);
            boolean isNew = true;
            for (int i = 0; i < count; i++) {
                isNew &= places[i] != place;
            }
            if (isNew) {
                places[count++] = place;
            }
        }
        return Arrays.copyOf(places, count);
    }

    /** Returns the place of an op in this view: its own index, or one of the virtual places. */
    int placeOf(int index) {
        return index == entry ? again() : ops.get(index) ? index : out();
    }

    /** The place where all ways from an op meet first, possibly virtual, -1 if they do not. */
    public int postDominator(int index) {
        return postDominators().of(index);
    }

    /** Whether all ways that throw nothing lead from one place through another. */
    public boolean leadsTo(int from, int to) {
        return postDominators().leadsTo(from, to);
    }

    /** Whether control is certain to leave every inner loop. */
    public boolean allEnd() {
        return ordinary.stream().noneMatch(i -> postDominators().of(i) < 0);
    }

    /** The branches that decide whether a place is reached. */
    public int[] deciders(int place) {
        return postDominators().deciders(place);
    }

    private PostDominators postDominators() {
        PostDominators found = postDominators;
        if (found == null) {
            int[][] all = new int[end() + 1][];
            for (int i = 0; i <= end(); i++) {
                all[i] = i >= graph.size() || ordinary.get(i) ? next(i) : NONE;
            }
            found = new PostDominators(all, end());
            postDominators = found;
        }
        return found;
    }

    /**
     * The definitions of a register that may be its value before an op: indices of ops of the region, or {@link
     * #outside}. Not to be changed.
     */
    public BitSet definitions(int index, Register register) {
        return definitions.of(index, register);
    }

    /** The definition of a register before the region is entered. */
    public int outside(Register register) {
        return definitions.outside(register);
    }

    /** Whether a register is written in the region. */
    public boolean writes(Register register) {
        return definitions.writes(register);
    }

    /**
     * All ops of the region from which an op can be reached in the same pass, exceptions and itself included; not to be
     * changed.
     */
    public BitSet before(int target) {
        BitSet known = preceding.get(target);
        if (known == null) {
            known = walkBack(target);
            preceding.put(target, known);
        }
        return known;
    }

    private BitSet walkBack(int target) {
        BitSet seen = new BitSet(graph.size());
        Worklist work = new Worklist(target);
        while (!work.isEmpty()) {
            int index = work.pop();
            if (seen.get(index)) {
                continue;
            }
            seen.set(index);
            if (index == entry) {
                continue;
            }
            for (int from : graph.previous(index)) {
                if (ops.get(from) && !seen.get(from)) {
                    work.push(from);
                }
            }
            for (int from : graph.throwers(index)) {
                if (ops.get(from) && !seen.get(from)) {
                    work.push(from);
                }
            }
        }
        return seen;
    }

    /**
     * All ops of the region that may run at or after an op in the same pass, exceptions included; not to be changed.
     */
    public BitSet after(int from) {
        BitSet known = reached.get(from);
        if (known == null) {
            known = walk(from, new BitSet());
            reached.put(from, known);
        }
        return known;
    }

    /**
     * Returns the ops of the region that may run at or after an op in the same pass, before any of the {@code stops}.
     */
    public BitSet afterUpTo(int from, BitSet stops) {
        return walk(from, stops);
    }

    private BitSet walk(int from, BitSet stops) {
        BitSet seen = new BitSet(graph.size());
        Worklist work = new Worklist(from);
        while (!work.isEmpty()) {
            int index = work.pop();
            if (seen.get(index)) {
                continue;
            }
            seen.set(index);
            for (int successor : graph.all(index)) {
                if (ops.get(successor) && successor != entry && !stops.get(successor) && !seen.get(successor)) {
                    work.push(successor);
                }
            }
        }
        return seen;
    }

    /** The register that holds the value of a register, as it was before the moves that lead to an op. */
    public Register root(int index, Register register) {
        int at = index;
        Register wanted = register;
        for (int steps = 0; steps < graph.size(); steps++) {
            BitSet definitions = definitions(at, wanted);
            int definition = definitions.nextSetBit(0);
            if (definitions.cardinality() != 1
                    || definition >= graph.size()
                    || !(graph.op(definition) instanceof MoveOp move)) {
                return wanted;
            }
            at = definition;
            wanted = move.use();
        }
        return wanted;
    }

    /**
     * The op that made the value of a register before an op, looking through moves and casts; -1 if there is not just
     * one, or if it is a parameter.
     */
    public int origin(int index, Register register) {
        int at = index;
        Register wanted = register;
        for (int steps = 0; steps < graph.size(); steps++) {
            BitSet definitions = definitions(at, wanted);
            int definition = definitions.nextSetBit(0);
            if (definitions.cardinality() != 1 || definition >= graph.size()) {
                return -1;
            }
            if (Definitions.passesOn(graph.op(definition))) {
                wanted = graph.op(definition).uses().get(0);
            } else {
                return definition;
            }
            at = definition;
        }
        return -1;
    }

    /** The ops one of which made the object in a register before an op; empty if it may be a parameter. */
    public BitSet origins(int index, Register register) {
        BitSet sources = new BitSet();
        return collect(index, register, sources, new BitSet()) ? sources : new BitSet();
    }

    private boolean collect(int index, Register register, BitSet sources, BitSet seen) {
        BitSet definitions = definitions(index, register);
        for (int i = definitions.nextSetBit(0); i >= 0; i = definitions.nextSetBit(i + 1)) {
            if (i >= graph.size()) {
                return false;
            }
            boolean isPassed = Definitions.passesOn(graph.op(i));
            if (!isPassed) {
                sources.set(i);
            } else if (!seen.get(i)) {
                seen.set(i);
                if (!collect(i, graph.op(i).uses().get(0), sources, seen)) {
                    return false;
                }
            }
        }
        return true;
    }
}
