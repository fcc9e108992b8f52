package dev.cleave.agent.plan.prefetch;

import dev.cleave.agent.effect.Access;
import dev.cleave.agent.effect.Effect;
import dev.cleave.agent.effect.HeapRegion;
import dev.cleave.agent.ir.InsnOp;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.ir.Register;
import dev.cleave.agent.plan.analysis.Definitions;
import dev.cleave.agent.plan.analysis.OpGraph;
import dev.cleave.agent.plan.analysis.Region;
import dev.cleave.agent.plan.method.Method;
import dev.cleave.agent.plan.slice.Slicer;
import dev.cleave.agent.plan.verdict.Refused;
import dev.cleave.agent.rule.Rule;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds the branches that a run-ahead cannot compute, because they depend on results or on code that the agent does not
 * know, and guesses where they go (R56): on with the loop, and to the call. A branch that decides about an argument is
 * not guessed.
 */
public final class BranchPrediction {

    private final Method method;
    private final int entry;
    private final BitSet ops;
    private final List<Integer> sends;
    private final boolean repeats;
    private final Map<Integer, Integer> guesses = new HashMap<>();
    private Region region;
    private boolean leaves;

    /**
     * Makes guesses for the calls of a region.
     *
     * @param repeats whether the run-ahead goes through the region again and again
     * @throws Refused if an argument of a call cannot be computed ahead
     */
    public BranchPrediction(Method method, int entry, BitSet ops, List<Integer> sends, boolean repeats) throws Refused {
        this.method = method;
        this.entry = entry;
        this.ops = ops;
        this.sends = sends;
        this.repeats = repeats;
        this.region = pruned();
        for (int opaque = next(); opaque >= 0; opaque = next()) {
            guess(opaque);
            region = pruned();
        }
    }

    /** The region as it runs when all guesses are right and nothing is thrown. */
    public Region region() {
        return region;
    }

    /** Whether the region may be left although it was guessed that it goes on. */
    boolean leaves() {
        return leaves;
    }

    private Region pruned() throws Refused {
        OpGraph graph = method.graph().guessing(guesses);
        Region made = Region.ordinary(graph, entry, ops);
        for (int send : sends) {
            if (!made.ordinary().get(send)) {
                throw method.refused(Rule.R41, send, "the call is in an exception handler");
            }
        }
        return made;
    }

    /** A branch that decides about the sends and cannot be computed, -1 if there is none. */
    private int next() throws Refused {
        BitSet seen = new BitSet();
        Deque<Integer> branches = new ArrayDeque<>();
        if (repeats) {
            addDeciders(region.again(), branches);
            addDeciders(region.out(), branches);
        }
        for (int send : sends) {
            addDeciders(send, branches);
            BitSet data = new BitSet();
            Integer obstacle = closure(send, data);
            if (obstacle != null) {
                throw refusal(obstacle);
            }
            addDeciders(data, branches);
        }
        while (!branches.isEmpty()) {
            int branch = branches.remove();
            if (seen.get(branch)) {
                continue;
            }
            seen.set(branch);
            BitSet data = new BitSet();
            if (closure(branch, data) != null) {
                return branch;
            }
            addDeciders(data, branches);
        }
        return seen.stream().filter(branch -> !isComputable(branch)).findFirst().orElse(-1);
    }

    private boolean isComputable(int branch) {
        try {
            Slicer trial = new Slicer(method, region, Set.of(), ops);
            trial.addBranch(branch);
            trial.slice(List.of(), List.of());
            return true;
        } catch (Refused refused) {
            return false;
        }
    }

    private void addDeciders(BitSet data, Deque<Integer> branches) {
        data.stream().forEach(op -> addDeciders(op, branches));
    }

    private void addDeciders(int place, Deque<Integer> branches) {
        for (int decider : region.deciders(place)) {
            branches.add(decider);
        }
    }

    /** Collects the ops that compute what an op uses; returns one that cannot run ahead, null if all can. */
    private @Nullable Integer closure(int from, BitSet data) {
        Deque<Integer> work = new ArrayDeque<>(List.of(from));
        while (!work.isEmpty()) {
            int index = work.remove();
            for (Register use : method.op(index).uses()) {
                BitSet definitions = region.definitions(index, use);
                for (int i = definitions.nextSetBit(0);
                        i >= 0 && i < method.graph().size();
                        i = definitions.nextSetBit(i + 1)) {
                    if (data.get(i)) {
                        continue;
                    }
                    if (!mayRunAhead(i)) {
                        return i;
                    }
                    data.set(i);
                    work.add(i);
                }
            }
        }
        return null;
    }

    private boolean mayRunAhead(int index) {
        Op op = method.op(index);
        Effect effect = method.effects().of(op);
        if (!region.ordinary().get(index)
                || method.effects().settingOf(op) != null
                || effect.barrier() != null
                || effect.output()) {
            return false;
        }
        for (Access write : effect.writes()) {
            boolean isOwn = write.place() instanceof HeapRegion.Cursor
                    || write.base() != null && isMadeHere(index, write.base());
            if (!isOwn) {
                return false;
            }
        }
        return true;
    }

    private boolean isMadeHere(int index, Register register) {
        int origin = region.origin(index, register);
        return origin >= 0 && Definitions.isAllocation(method.op(origin));
    }

    private Refused refusal(int obstacle) {
        boolean isRemote = method.effects().settingOf(method.op(obstacle)) != null;
        if (isRemote || method.prefetchHelper(obstacle) != null) {
            return method.refused(Rule.R30, obstacle, "it depends on the result of " + method.nameOf(obstacle));
        }
        Effect effect = method.effects().of(method.op(obstacle));
        if (effect.barrier() != null) {
            return method.refused(obstacle, effect.barrier());
        }
        return method.refused(Rule.R56, obstacle, "the call depends on code with effects");
    }

    private void guess(int branch) throws Refused {
        List<Integer> stays = new ArrayList<>();
        List<Integer> reaches = new ArrayList<>();
        for (int successor : method.graph().next(branch)) {
            boolean isAgain = successor == entry;
            if (!isAgain && !ops.get(successor)) {
                leaves = true;
                continue;
            }
            stays.add(successor);
            if (!isAgain
                    && sends.stream().anyMatch(send -> region.after(successor).get(send))) {
                reaches.add(successor);
            }
        }
        if (stays.isEmpty()) {
            throw method.refused(Rule.R37, branch, "whether the loop goes on is open", Slicer.NEEDS_RESULT);
        }
        if (stays.size() == 1) {
            guesses.put(branch, stays.get(0));
            return;
        }
        if (reaches.size() == 1) {
            guesses.put(branch, reaches.get(0));
            return;
        }
        reaches.removeIf(successor -> sends.stream().anyMatch(send -> !region.leadsTo(successor, send)));
        if (reaches.size() == 1) {
            guesses.put(branch, reaches.get(0));
            return;
        }
        throw method.refused(
                Rule.R30,
                branch,
                "an argument depends on a decision that cannot be made ahead",
                "decide with values that are known before");
    }

    static boolean isCallOf(Op op, List<String> names) {
        return op instanceof InsnOp insn && insn.method() != null && names.contains(insn.method().name);
    }
}
