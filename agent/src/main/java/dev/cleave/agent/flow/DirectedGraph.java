package dev.cleave.agent.flow;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/** A graph over the numbers from 0; parallel edges count once, edges keep the order in which they were added. */
public final class DirectedGraph {

    private final List<List<Integer>> successors = new ArrayList<>();
    private final List<List<Integer>> predecessors = new ArrayList<>();

    /** A graph without edges. */
    public DirectedGraph(int size) {
        for (int i = 0; i < size; i++) {
            successors.add(new ArrayList<>(2));
            predecessors.add(new ArrayList<>(2));
        }
    }

    /** Adds an edge if there is none yet. */
    public void addEdge(int from, int to) {
        if (!successors.get(from).contains(to)) {
            successors.get(from).add(to);
            predecessors.get(to).add(from);
        }
    }

    public int size() {
        return successors.size();
    }

    public List<Integer> successors(int node) {
        return successors.get(node);
    }

    public List<Integer> predecessors(int node) {
        return predecessors.get(node);
    }

    /** The same nodes with every edge turned round. */
    public DirectedGraph reversed() {
        DirectedGraph reversed = new DirectedGraph(size());
        for (int from = 0; from < size(); from++) {
            for (int to : successors.get(from)) {
                reversed.addEdge(to, from);
            }
        }
        return reversed;
    }

    /** The nodes that can be reached from a node, itself included. */
    public BitSet reachableFrom(int root) {
        BitSet seen = new BitSet(size());
        for (int node : reversePostOrder(root)) {
            seen.set(node);
        }
        return seen;
    }

    /** The nodes that can be reached from a node, each before its successors except along back edges. */
    public int[] reversePostOrder(int root) {
        int[] order = new int[size()];
        int first = size();
        int[] nextEdge = new int[size()];
        int[] stack = new int[size()];
        BitSet seen = new BitSet(size());
        int depth = 0;
        stack[depth++] = root;
        seen.set(root);
        while (depth > 0) {
            int node = stack[depth - 1];
            if (nextEdge[node] < successors.get(node).size()) {
                int next = successors.get(node).get(nextEdge[node]++);
                if (!seen.get(next)) {
                    seen.set(next);
                    stack[depth++] = next;
                }
            } else {
                order[--first] = node;
                depth--;
            }
        }
        return Arrays.copyOfRange(order, first, order.length);
    }
}
