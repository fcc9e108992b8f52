package dev.cleave.agent.plan.analysis;

import dev.cleave.agent.flow.Loop;
import dev.cleave.agent.ir.Handler;
import dev.cleave.agent.ir.LabelOp;
import dev.cleave.agent.ir.MethodBody;
import dev.cleave.agent.ir.Op;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The successors of each op of a body. Ops are named by their index in the body as it was when the graph was made. */
public final class OpGraph {

    private static final int[] NONE = new int[0];

    private final MethodBody body;
    private final Op[] ops;
    private final int[][] next;
    private final int[][] handlers;
    private final int[][] all;
    private final int[][] previous;
    private final int[][] throwers;
    private final Map<Integer, Integer> guesses;
    private final boolean throwsNothing;
    private final Map<Integer, BitSet> reached = new HashMap<>();

    /** Makes the graph of a body as it is now. */
    public OpGraph(MethodBody body) {
        this.body = body;
        this.ops = body.ops().toArray(Op[]::new);
        this.guesses = Map.of();
        this.throwsNothing = false;
        this.next = new int[ops.length][];
        this.handlers = new int[ops.length][];
        this.all = new int[ops.length][];
        for (int i = 0; i < ops.length; i++) {
            Op op = ops[i];
            List<Integer> successors = new ArrayList<>(2);
            if (op.fallsThrough() && i + 1 < ops.length) {
                successors.add(i + 1);
            }
            for (LabelOp target : op.targets()) {
                int index = body.indexOf(target);
                if (!successors.contains(index)) {
                    successors.add(index);
                }
            }
            next[i] = array(successors);
            handlers[i] = op.mayThrow() ? handlerTargets(op) : NONE;
            all[i] = joined(next[i], handlers[i]);
        }
        previous = reversed(next);
        throwers = reversed(handlers);
    }

    /** Shares all data with the whole graph, as each attempt to guess makes a graph. */
    private OpGraph(OpGraph whole, Map<Integer, Integer> guesses) {
        this.body = whole.body;
        this.ops = whole.ops;
        this.next = whole.next;
        this.handlers = whole.handlers;
        this.all = whole.all;
        this.previous = whole.previous;
        this.throwers = whole.throwers;
        this.guesses = InOrder.copyOf(guesses);
        this.throwsNothing = true;
    }

    /** The graph of runs in which nothing is thrown, and each of some branches goes where it is guessed to go. */
    public OpGraph guessing(Map<Integer, Integer> guesses) {
        return new OpGraph(this, guesses);
    }

    /** Shares all data but where control goes. */
    private OpGraph(OpGraph whole, int[][] next) {
        this.body = whole.body;
        this.ops = whole.ops;
        this.next = next;
        this.handlers = whole.handlers;
        this.all = whole.all;
        this.previous = whole.previous;
        this.throwers = whole.throwers;
        this.guesses = Map.of();
        this.throwsNothing = false;
    }

    /**
     * The graph in which some ops go where they are said to, to handlers for example: a view of what decides about what. What
     * reaches what, and with which values, is as in the whole graph.
     */
    public OpGraph going(Map<Integer, int[]> ways) {
        int[][] changed = next.clone();
        ways.forEach((op, targets) -> changed[op] = targets);
        return new OpGraph(this, changed);
    }

    /** Whether control goes from an op to another one only by an exception. */
    public boolean isThrown(int from, int to) {
        for (int handler : handlers[from]) {
            if (handler == to) {
                return true;
            }
        }
        return false;
    }

    private static int[][] reversed(int[][] edges) {
        int[] counts = new int[edges.length];
        for (int[] targets : edges) {
            for (int to : targets) {
                counts[to]++;
            }
        }
        int[][] reversed = new int[edges.length][];
        for (int i = 0; i < edges.length; i++) {
            reversed[i] = counts[i] == 0 ? NONE : new int[counts[i]];
        }
        for (int from = edges.length - 1; from >= 0; from--) {
            for (int to : edges[from]) {
                reversed[to][--counts[to]] = from;
            }
        }
        return reversed;
    }

    private static int[] joined(int[] a, int[] b) {
        if (b.length == 0) {
            return a;
        }
        int[] both = Arrays.copyOf(a, a.length + b.length);
        System.arraycopy(b, 0, both, a.length, b.length);
        return both;
    }

    private int[] handlerTargets(Op op) {
        List<Integer> targets = new ArrayList<>();
        for (Handler handler : body.handlersOf(op)) {
            int index = body.indexOf(handler.target());
            if (!targets.contains(index)) {
                targets.add(index);
            }
        }
        return array(targets);
    }

    /** Returns the body. */
    public MethodBody body() {
        return body;
    }

    /** Returns the ops of a loop. */
    public BitSet opsOf(Loop loop) {
        BitSet found = new BitSet();
        loop.blocks().forEach(block -> block.ops().forEach(op -> found.set(body.indexOf(op))));
        return found;
    }

    /** Returns the number of ops. */
    public int size() {
        return ops.length;
    }

    /** Returns the op of an index. */
    public Op op(int index) {
        return ops[index];
    }

    /** Where control goes when nothing is thrown. */
    public int[] next(int index) {
        Integer guess = guesses.isEmpty() || next[index].length < 2 ? null : guesses.get(index);
        return guess == null ? next[index] : new int[] {guess};
    }

    /** Where control goes when something is thrown, the labels of handlers. */
    public int[] handlers(int index) {
        return throwsNothing ? NONE : handlers[index];
    }

    /** The ops that may run right after an op, handlers of its exceptions included. */
    public int[] all(int index) {
        return throwsNothing ? next(index) : all[index];
    }

    /** From where control comes to an op when nothing is thrown. */
    public int[] previous(int index) {
        int[] found = previous[index];
        if (guesses.isEmpty()) {
            return found;
        }
        int count = 0;
        int[] left = new int[found.length];
        for (int from : found) {
            Integer guess = next[from].length < 2 ? null : guesses.get(from);
            if (guess == null || guess == index) {
                left[count++] = from;
            }
        }
        return count == found.length ? found : Arrays.copyOf(left, count);
    }

    /** The ops whose exceptions lead to an op, the label of a handler. */
    public int[] throwers(int index) {
        return throwsNothing ? NONE : throwers[index];
    }

    /** All ops that may run at or after one; not to be changed. */
    public BitSet reachable(int from) {
        return reached.computeIfAbsent(from, start -> reachable(start, new BitSet()));
    }

    /** All ops that may run at or after one, not going on from the ops given. */
    public BitSet reachable(int from, BitSet stops) {
        BitSet seen = new BitSet(ops.length);
        Worklist work = new Worklist(from);
        while (!work.isEmpty()) {
            int index = work.pop();
            if (seen.get(index)) {
                continue;
            }
            seen.set(index);
            if (!stops.get(index)) {
                for (int successor : all(index)) {
                    if (!seen.get(successor)) {
                        work.push(successor);
                    }
                }
            }
        }
        return seen;
    }

    private static int[] array(List<Integer> list) {
        return list.stream().mapToInt(Integer::intValue).toArray();
    }
}
