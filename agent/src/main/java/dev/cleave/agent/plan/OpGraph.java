package dev.cleave.agent.plan;

import dev.cleave.agent.ir.Handler;
import dev.cleave.agent.ir.LabelOp;
import dev.cleave.agent.ir.MethodBody;
import dev.cleave.agent.ir.Op;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;

/** Which op may run after which; ops are named by their index in the body. */
public final class OpGraph {

    private static final int[] NONE = new int[0];

    private final MethodBody body;
    private final List<int[]> next = new ArrayList<>();
    private final List<int[]> handlers = new ArrayList<>();
    private final List<int[]> all = new ArrayList<>();
    private final int[][] previous;
    private final int[][] throwers;

    OpGraph(MethodBody body) {
        this.body = body;
        List<Op> ops = body.ops();
        for (int i = 0; i < ops.size(); i++) {
            Op op = ops.get(i);
            List<Integer> successors = new ArrayList<>();
            if (op.fallsThrough() && i + 1 < ops.size()) {
                successors.add(i + 1);
            }
            for (LabelOp target : op.targets()) {
                int index = body.indexOf(target);
                if (!successors.contains(index)) {
                    successors.add(index);
                }
            }
            next.add(array(successors));
            handlers.add(op.mayThrow() ? handlerTargets(op) : NONE);
            all.add(joined(next.get(i), handlers.get(i)));
        }
        previous = reversed(next);
        throwers = reversed(handlers);
    }

    private OpGraph(OpGraph whole, Map<Integer, Integer> guesses) {
        this.body = whole.body;
        for (int i = 0; i < whole.size(); i++) {
            Integer guess = guesses.get(i);
            next.add(guess == null ? whole.next(i) : new int[] {guess});
            handlers.add(NONE);
            all.add(next.get(i));
        }
        previous = reversed(next);
        throwers = reversed(handlers);
    }

    /** The graph of runs in which nothing is thrown, and each of some branches goes where it is guessed to go. */
    OpGraph guessing(Map<Integer, Integer> guesses) {
        return new OpGraph(this, guesses);
    }

    private static int[][] reversed(List<int[]> edges) {
        int[][] reversed = new int[edges.size()][];
        Arrays.fill(reversed, NONE);
        for (int from = 0; from < edges.size(); from++) {
            for (int to : edges.get(from)) {
                reversed[to] = joined(reversed[to], new int[] {from});
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

    public MethodBody body() {
        return body;
    }

    public int size() {
        return next.size();
    }

    public Op op(int index) {
        return body.ops().get(index);
    }

    /** Where control goes when nothing is thrown. */
    public int[] next(int index) {
        return next.get(index);
    }

    /** Where control goes when something is thrown, the labels of handlers. */
    public int[] handlers(int index) {
        return handlers.get(index);
    }

    /** Whatever may run after an op, exceptions included. */
    public int[] all(int index) {
        return all.get(index);
    }

    /** From where control comes to an op when nothing is thrown. */
    int[] previous(int index) {
        return previous[index];
    }

    /** The ops whose exceptions lead to an op, the label of a handler. */
    int[] throwers(int index) {
        return throwers[index];
    }

    /** All ops that may run at or after one, not going on from the ops given. */
    BitSet reachable(int from, BitSet stops) {
        BitSet seen = new BitSet();
        List<Integer> work = new ArrayList<>(List.of(from));
        while (!work.isEmpty()) {
            int index = work.remove(work.size() - 1);
            if (seen.get(index)) {
                continue;
            }
            seen.set(index);
            if (!stops.get(index)) {
                for (int successor : all(index)) {
                    work.add(successor);
                }
            }
        }
        return seen;
    }

    private static int[] array(List<Integer> list) {
        return list.stream().mapToInt(Integer::intValue).toArray();
    }
}
