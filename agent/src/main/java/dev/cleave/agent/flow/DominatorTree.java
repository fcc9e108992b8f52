package dev.cleave.agent.flow;

import java.util.Arrays;

/**
 * Which nodes lie on every path from a root; a node dominates itself.
 *
 * <p>The algorithm is that of Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm" (2001).
 */
public final class DominatorTree {

    private static final int NONE = -1;

    private final int root;
    private final int[] parent;
    private final int[] rank;

    private DominatorTree(int root, int[] parent, int[] rank) {
        this.root = root;
        this.parent = parent;
        this.rank = rank;
    }

    /** The dominators of a graph that is entered at a root. */
    public static DominatorTree of(DirectedGraph graph, int root) {
        int[] order = graph.reversePostOrder(root);
        int[] rank = new int[graph.size()];
        Arrays.fill(rank, NONE);
        for (int i = 0; i < order.length; i++) {
            rank[order[i]] = i;
        }
        int[] parent = new int[graph.size()];
        Arrays.fill(parent, NONE);
        parent[root] = root;
        boolean changed = true;
        while (changed) {
            changed = false;
            for (int i = 1; i < order.length; i++) {
                int found = NONE;
                for (int predecessor : graph.predecessors(order[i])) {
                    if (rank[predecessor] != NONE && parent[predecessor] != NONE) {
                        found = found == NONE ? predecessor : common(predecessor, found, parent, rank);
                    }
                }
                changed |= parent[order[i]] != found;
                parent[order[i]] = found;
            }
        }
        return new DominatorTree(root, parent, rank);
    }

    /** Whether a node can be reached from the root at all. */
    public boolean isReachable(int node) {
        return rank[node] != NONE;
    }

    /** The nearest other node that dominates a node; -1 for the root and what cannot be reached. */
    public int immediateDominator(int node) {
        return node == root ? NONE : parent[node];
    }

    /** Whether every path from the root to a node passes through another; false if the node cannot be reached. */
    public boolean dominates(int dominator, int node) {
        if (!isReachable(node) || !isReachable(dominator)) {
            return false;
        }
        int at = node;
        while (rank[at] > rank[dominator]) {
            at = parent[at];
        }
        return at == dominator;
    }

    private static int common(int first, int second, int[] parent, int[] rank) {
        int left = first;
        int right = second;
        while (left != right) {
            while (rank[left] > rank[right]) {
                left = parent[left];
            }
            while (rank[right] > rank[left]) {
                right = parent[right];
            }
        }
        return left;
    }
}
