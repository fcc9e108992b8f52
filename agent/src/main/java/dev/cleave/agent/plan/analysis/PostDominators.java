package dev.cleave.agent.plan.analysis;

import java.util.Arrays;
import java.util.BitSet;

/**
 * Computes where all ways from each place of a region meet, and the branches that decide whether a place is reached.
 */
final class PostDominators {

    private static final int[] NONE = new int[0];

    private final int[][] successors;
    private final int end;
    private final int[] immediate;
    private int[][] deciders = new int[0][];

    /**
     * Computes them.
     *
     * @param successors of each place, empty for places that do not count
     * @param end the place where all ways end
     */
    PostDominators(int[][] successors, int end) {
        this.successors = successors;
        this.end = end;
        this.immediate = compute();
    }

    /** The place where all ways from a place meet first, -1 if they do not. */
    int of(int place) {
        return immediate[place];
    }

    /** Whether all ways lead from one place through another. */
    boolean leadsTo(int from, int to) {
        for (int place = from; place >= 0; place = place == end ? -1 : immediate[place]) {
            if (place == to) {
                return true;
            }
        }
        return false;
    }

    /** The branches that decide whether a place is reached, in order. */
    int[] deciders(int place) {
        if (deciders.length == 0) {
            deciders = computeDeciders();
        }
        return deciders[place];
    }

    /** Each branch decides about what stands between its successors and the place where they meet. */
    private int[][] computeDeciders() {
        int[][] found = new int[end + 1][];
        Arrays.fill(found, NONE);
        BitSet seen = new BitSet();
        for (int branch = 0; branch <= end; branch++) {
            if (successors[branch].length < 2) {
                continue;
            }
            seen.clear();
            int meeting = immediate[branch];
            for (int successor : successors[branch]) {
                for (int place = successor;
                        place >= 0 && place != meeting && !seen.get(place);
                        place = place == end ? -1 : immediate[place]) {
                    seen.set(place);
                    found[place] = Arrays.copyOf(found[place], found[place].length + 1);
                    found[place][found[place].length - 1] = branch;
                }
            }
        }
        return found;
    }

    private int[] compute() {
        int count = end + 1;
        int[] order = new int[count];
        int[] position = new int[count];
        int reached = reversePostOrder(predecessors(), order);
        for (int i = 0; i < reached; i++) {
            position[order[i]] = i;
        }
        int[] result = new int[count];
        Arrays.fill(result, -1);
        result[end] = end;
        boolean changed = true;
        while (changed) {
            changed = false;
            for (int i = 0; i < reached; i++) {
                int node = order[i];
                if (node == end) {
                    continue;
                }
                int common = -1;
                for (int successor : successors[node]) {
                    if (result[successor] >= 0) {
                        common = common < 0 ? successor : intersect(common, successor, result, position);
                    }
                }
                if (common >= 0 && result[node] != common) {
                    result[node] = common;
                    changed = true;
                }
            }
        }
        return result;
    }

    private static int intersect(int a, int b, int[] immediate, int[] position) {
        int x = a;
        int y = b;
        while (x != y) {
            while (position[x] > position[y]) {
                x = immediate[x];
            }
            while (position[y] > position[x]) {
                y = immediate[y];
            }
        }
        return x;
    }

    private int[][] predecessors() {
        int[] counts = new int[end + 1];
        for (int[] targets : successors) {
            for (int to : targets) {
                counts[to]++;
            }
        }
        int[][] predecessors = new int[end + 1][];
        for (int i = 0; i <= end; i++) {
            predecessors[i] = counts[i] == 0 ? NONE : new int[counts[i]];
        }
        for (int i = end; i >= 0; i--) {
            for (int to : successors[i]) {
                predecessors[to][--counts[to]] = i;
            }
        }
        return predecessors;
    }

    /** Orders the places that lead to the end; returns their number. */
    private int reversePostOrder(int[][] edges, int[] order) {
        BitSet seen = new BitSet(end + 1);
        int[] path = new int[end + 1];
        int[] tried = new int[end + 1];
        int depth = 1;
        path[0] = end;
        seen.set(end);
        int free = order.length;
        while (depth > 0) {
            int top = path[depth - 1];
            int[] targets = edges[top];
            if (tried[top] < targets.length) {
                int target = targets[tried[top]++];
                if (!seen.get(target)) {
                    seen.set(target);
                    path[depth++] = target;
                }
            } else {
                depth--;
                order[--free] = top;
            }
        }
        System.arraycopy(order, free, order, 0, order.length - free);
        return order.length - free;
    }
}
