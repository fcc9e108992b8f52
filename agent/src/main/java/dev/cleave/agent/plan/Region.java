package dev.cleave.agent.plan;

import dev.cleave.agent.ir.Register;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A part of a method with one entry, seen as one pass through it: a loop body for one iteration, or the code behind a
 * call.
 *
 * <p>Leaving it is going to one of two virtual places, {@link #again()} (the entry once more) and {@link #out()}.
 */
public final class Region {

    private final OpGraph graph;
    private final int entry;
    private final BitSet ops;
    private final BitSet ordinary;
    private final Map<Integer, BitSet> reaching = new HashMap<>();
    private final Map<Integer, BitSet> reached = new HashMap<>();
    private int[] postDominator = new int[0];

    /**
     * Makes a region.
     *
     * @param entry the first op, part of {@code ops}
     * @param ops all ops, those of handlers included
     */
    Region(OpGraph graph, int entry, BitSet ops) {
        this.graph = graph;
        this.entry = entry;
        this.ops = ops;
        this.ordinary = new BitSet();
        Deque<Integer> work = new ArrayDeque<>(List.of(entry));
        while (!work.isEmpty()) {
            int index = work.pop();
            if (!ordinary.get(index)) {
                ordinary.set(index);
                for (int successor : successors(index)) {
                    if (successor < graph.size()) {
                        work.push(successor);
                    }
                }
            }
        }
        computeReaching();
        computePostDominators();
    }

    public OpGraph graph() {
        return graph;
    }

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
    boolean repeats() {
        for (int i = ordinary.nextSetBit(0); i >= 0; i = ordinary.nextSetBit(i + 1)) {
            if (successors(i).contains(again())) {
                return true;
            }
        }
        return false;
    }

    /** Where control goes from an op when nothing is thrown, in this view. */
    public List<Integer> successors(int index) {
        List<Integer> successors = new ArrayList<>();
        if (index >= graph.size()) {
            if (index != end()) {
                successors.add(end());
            }
            return successors;
        }
        int[] next = graph.next(index);
        if (next.length == 0) {
            successors.add(out());
        }
        for (int successor : next) {
            int place = successor == entry ? again() : ops.get(successor) ? successor : out();
            if (!successors.contains(place)) {
                successors.add(place);
            }
        }
        return successors;
    }

    /** The place where all ways from an op meet first, possibly virtual, -1 if they do not. */
    public int postDominator(int index) {
        return postDominator[index];
    }

    /** Whether all ways that throw nothing lead from one place through another. */
    boolean leadsTo(int from, int to) {
        for (int place = from; place >= 0; place = place == end() ? -1 : postDominator[place]) {
            if (place == to) {
                return true;
            }
        }
        return false;
    }

    /** Whether control is certain to leave every inner loop. */
    boolean allEnd() {
        for (int i = ordinary.nextSetBit(0); i >= 0; i = ordinary.nextSetBit(i + 1)) {
            if (postDominator[i] < 0) {
                return false;
            }
        }
        return true;
    }

    /** The branches that decide whether a place is reached. */
    List<Integer> deciders(int place) {
        List<Integer> deciders = new ArrayList<>();
        for (int branch = ordinary.nextSetBit(0); branch >= 0; branch = ordinary.nextSetBit(branch + 1)) {
            List<Integer> successors = successors(branch);
            if (successors.size() < 2) {
                continue;
            }
            boolean some = false;
            for (int successor : successors) {
                some |= leadsTo(successor, place);
            }
            boolean strictly = place != branch && leadsTo(branch, place);
            if (some && !strictly) {
                deciders.add(branch);
            }
        }
        return deciders;
    }

    /**
     * The definitions of a register that may be its value before an op: indices of ops of the region, or {@link
     * #outside}.
     */
    BitSet definitions(int index, Register register) {
        BitSet result = new BitSet();
        BitSet in = reaching.get(index);
        if (in == null) {
            return result;
        }
        for (int i = in.nextSetBit(0); i >= 0; i = in.nextSetBit(i + 1)) {
            if (i == outside(register) || i < graph.size() && graph.op(i).def() == register) {
                result.set(i);
            }
        }
        return result;
    }

    /** The definition of a register before the region is entered. */
    int outside(Register register) {
        return graph.size() + register.number();
    }

    /** Whether a register is written in the region. */
    boolean writes(Register register) {
        for (int i = ops.nextSetBit(0); i >= 0; i = ops.nextSetBit(i + 1)) {
            Register def = graph.op(i).def();
            if (def != null && def.overlaps(register)) {
                return true;
            }
        }
        return false;
    }

    /** All ops of the region from which an op can be reached in the same pass, exceptions included; itself included. */
    BitSet before(int target) {
        BitSet seen = new BitSet();
        for (int i = ops.nextSetBit(0); i >= 0; i = ops.nextSetBit(i + 1)) {
            if (reaches(i).get(target)) {
                seen.set(i);
            }
        }
        return seen;
    }

    /** What {@link #after} returns, kept; not to be changed. */
    private BitSet reaches(int from) {
        BitSet known = reached.get(from);
        if (known == null) {
            known = walk(from);
            reached.put(from, known);
        }
        return known;
    }

    /** All ops of the region that may run at or after an op in the same pass, exceptions included. */
    BitSet after(int from) {
        return (BitSet) reaches(from).clone();
    }

    private BitSet walk(int from) {
        BitSet seen = new BitSet();
        Deque<Integer> work = new ArrayDeque<>(List.of(from));
        while (!work.isEmpty()) {
            int index = work.pop();
            if (seen.get(index)) {
                continue;
            }
            seen.set(index);
            for (int successor : graph.all(index)) {
                if (ops.get(successor) && successor != entry) {
                    work.push(successor);
                }
            }
        }
        return seen;
    }

    private void computeReaching() {
        BitSet outside = new BitSet();
        for (Register register : graph.body().registers()) {
            outside.set(outside(register));
        }
        for (int i = ops.nextSetBit(0); i >= 0; i = ops.nextSetBit(i + 1)) {
            reaching.put(i, i == entry ? (BitSet) outside.clone() : new BitSet());
        }
        boolean changed = true;
        while (changed) {
            changed = false;
            for (int i = ops.nextSetBit(0); i >= 0; i = ops.nextSetBit(i + 1)) {
                BitSet in = before(i, reaching);
                BitSet out = flow(i, in);
                for (int successor : graph.next(i)) {
                    changed |= ops.get(successor) && add(successor, out);
                }
                for (int handler : graph.handlers(i)) {
                    changed |= ops.get(handler) && add(handler, in);
                }
            }
        }
    }

    private static BitSet before(int index, Map<Integer, BitSet> sets) {
        BitSet set = sets.get(index);
        return set == null ? new BitSet() : set;
    }

    private boolean add(int index, BitSet added) {
        BitSet set = before(index, reaching);
        int size = set.cardinality();
        set.or(added);
        return set.cardinality() != size;
    }

    private BitSet flow(int index, BitSet in) {
        Register def = graph.op(index).def();
        if (def == null) {
            return in;
        }
        BitSet out = (BitSet) in.clone();
        for (int i = in.nextSetBit(0); i >= 0; i = in.nextSetBit(i + 1)) {
            Register other = i < graph.size()
                    ? graph.op(i).def()
                    : graph.body().registers().get(i - graph.size());
            if (other != null && other.overlaps(def)) {
                out.clear(i);
            }
        }
        out.set(index);
        return out;
    }

    private void computePostDominators() {
        int count = end() + 1;
        List<Integer> order = new ArrayList<>();
        List<List<Integer>> predecessors = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            predecessors.add(new ArrayList<>());
        }
        for (int i = 0; i < count; i++) {
            if (i >= graph.size() || ordinary.get(i)) {
                for (int successor : successors(i)) {
                    predecessors.get(successor).add(i);
                }
            }
        }
        reversePostOrder(end(), predecessors, new BitSet(), order);
        int[] position = new int[count];
        for (int i = 0; i < order.size(); i++) {
            position[order.get(i)] = i;
        }
        postDominator = new int[count];
        Arrays.fill(postDominator, -1);
        postDominator[end()] = end();
        boolean changed = true;
        while (changed) {
            changed = false;
            for (int node : order) {
                if (node == end()) {
                    continue;
                }
                int common = -1;
                for (int successor : successors(node)) {
                    if (postDominator[successor] >= 0) {
                        common = common < 0 ? successor : intersect(common, successor, position);
                    }
                }
                if (common >= 0 && postDominator[node] != common) {
                    postDominator[node] = common;
                    changed = true;
                }
            }
        }
    }

    private int intersect(int a, int b, int[] position) {
        int x = a;
        int y = b;
        while (x != y) {
            while (position[x] > position[y]) {
                x = postDominator[x];
            }
            while (position[y] > position[x]) {
                y = postDominator[y];
            }
        }
        return x;
    }

    private static void reversePostOrder(int root, List<List<Integer>> edges, BitSet seen, List<Integer> order) {
        Deque<int[]> stack = new ArrayDeque<>();
        stack.push(new int[] {root, 0});
        seen.set(root);
        while (!stack.isEmpty()) {
            int[] top = stack.peek();
            List<Integer> targets = edges.get(top[0]);
            if (top[1] < targets.size()) {
                int target = targets.get(top[1]++);
                if (!seen.get(target)) {
                    seen.set(target);
                    stack.push(new int[] {target, 0});
                }
            } else {
                stack.pop();
                order.add(0, top[0]);
            }
        }
    }
}
