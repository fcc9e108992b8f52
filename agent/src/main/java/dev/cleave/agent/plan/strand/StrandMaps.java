package dev.cleave.agent.plan.strand;

import dev.cleave.agent.effect.Guard;
import dev.cleave.agent.ir.BranchOp;
import dev.cleave.agent.ir.InsnOp;
import dev.cleave.agent.ir.MoveOp;
import dev.cleave.agent.plan.analysis.Region;
import dev.cleave.agent.plan.method.EntryTest;
import dev.cleave.agent.plan.method.Method;
import dev.cleave.agent.plan.method.SendSlice;
import dev.cleave.agent.plan.order.ReorderingCheck;
import dev.cleave.agent.plan.slice.OwnCollections;
import dev.cleave.agent.plan.slice.Slicer;
import dev.cleave.agent.plan.verdict.Refused;
import dev.cleave.agent.rule.Rule;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.tree.AbstractInsnNode;

/**
 * Slices that ask maps of the program for keys, and send a call for each key that is missing (R71).
 *
 * <p>In the program a call for a key puts the key into the map. The copy keeps in mind for which keys it has sent a call,
 * and asks the map for no other purpose. So what the program puts there meanwhile makes no difference to it: it puts the
 * keys for which the copy has sent a call. All other writes are checked as for any slice.
 */
final class StrandMaps {

    private final Method method;
    private final Region region;
    private final Map<AbstractInsnNode, MapCalls.Code> mappings;

    /**
     * Looks at the maps that a nest fills.
     *
     * @param mappings what fills them, by the calls that do
     */
    StrandMaps(Method method, Region region, Map<AbstractInsnNode, MapCalls.Code> mappings) {
        this.method = method;
        this.region = region;
        this.mappings = mappings;
    }

    /**
     * Checks a slice against what the nest does, and returns it with its tests.
     *
     * @param filling the calls whose results the program puts into maps and which the copy sends, too
     * @param own the collections of which the copy has copies of its own, null if it has none
     */
    SendSlice slice(
            Slicer slicer,
            List<Integer> calls,
            SendSlice pure,
            Collection<Integer> filling,
            @Nullable OwnCollections own)
            throws Refused {
        Set<Integer> gets = new LinkedHashSet<>();
        BitSet puts = new BitSet();
        for (int call : filling) {
            MapCalls.Code code = mappings.get(insn(call));
            if (code != null) {
                gets.add(getOf(code, call));
                int put = indexOf(code.put());
                if (put >= 0) { // a straight line may end before the program puts the result into the map
                    puts.set(put);
                }
            }
        }
        checkHeld(pure, calls, gets);
        BitSet others = (BitSet) region.ops().clone();
        others.andNot(puts);
        Set<EntryTest> tests =
                new LinkedHashSet<>(crossing(pure, pure.executed(), calls, own).check(others));
        if (!puts.isEmpty()) {
            BitSet rest = (BitSet) pure.executed().clone();
            gets.forEach(rest::clear);
            tests.addAll(crossing(pure, rest, calls, own).check(puts));
        }
        SendSlice slice = slicer.slice(calls, List.copyOf(tests));
        Map<Integer, List<Guard>> checks = new HashMap<>(slice.checks());
        gets.forEach(checks::remove); // the strand checks the map and the key itself
        return new SendSlice(
                slice.region(),
                slice.executed(),
                slice.looks(),
                slice.sends(),
                checks,
                slice.banked(),
                slice.copiedIn(),
                slice.iterators(),
                slice.tests());
    }

    private int getOf(MapCalls.Code code, int call) throws Refused {
        int get = indexOf(code.get());
        if (get < 0) {
            throw method.refused(
                    Rule.R71,
                    call,
                    "the map is asked for its key before the strands begin",
                    "ask the map beside the call");
        }
        return get;
    }

    private ReorderingCheck crossing(
            SendSlice pure, BitSet executed, List<Integer> calls, @Nullable OwnCollections own) {
        ReorderingCheck crossing = ReorderingCheck.strict(method, region, executed, calls, pure.iterators());
        if (own != null) {
            crossing.copyCollections(own);
        }
        return crossing;
    }

    /** The ops of a slice that ask maps for keys. */
    Set<Integer> held(SendSlice slice) {
        Set<Integer> held = new LinkedHashSet<>();
        for (int send : mappings.isEmpty() ? List.<Integer>of() : slice.sends()) {
            MapCalls.Code code = mappings.get(insn(send));
            if (code != null) {
                held.add(indexOf(code.get()));
            }
        }
        return held;
    }

    /** Refuses a slice that needs more of a map than whether a key is missing for which it sends the call. */
    private void checkHeld(SendSlice slice, List<Integer> calls, Set<Integer> own) throws Refused {
        for (MapCalls.Code code : mappings.values()) {
            int get = indexOf(code.get());
            if (get < 0 || !slice.executed().get(get)) {
                continue;
            }
            BitSet held = new BitSet(); // where the value is that the map gives
            held.set(get);
            List<Integer> users = new ArrayList<>();
            for (int from = 0; from < held.cardinality(); ) {
                from = held.cardinality();
                users.clear();
                for (int i = 0; i < method.graph().size(); i++) {
                    if ((slice.executed().get(i) || calls.contains(i)) && uses(i, held)) {
                        users.add(i);
                        if (method.op(i) instanceof MoveOp) {
                            held.set(i);
                        }
                    }
                }
            }
            boolean isOwnBranchAlone = users.stream()
                    .allMatch(i ->
                            method.op(i) instanceof MoveOp || method.op(i) instanceof BranchOp && i == branch(get));
            if (!own.contains(get) || !isOwnBranchAlone) {
                throw method.refused(
                        Rule.R71, get, "it needs the value that a map has for a key", "pass it what is known before");
            }
        }
    }

    private boolean uses(int index, BitSet definitions) {
        return method.op(index).uses().stream()
                .anyMatch(use -> method.whole().definitions(index, use).intersects(definitions));
    }

    /** The branch on what a map gives. */
    private int branch(int get) {
        int at = get + 1;
        while (!(method.op(at) instanceof BranchOp)) {
            at++;
        }
        return at;
    }

    private @Nullable AbstractInsnNode insn(int call) {
        return method.op(call) instanceof InsnOp op ? op.insn() : null;
    }

    private int indexOf(AbstractInsnNode insn) {
        for (int i = region.ops().nextSetBit(0); i >= 0; i = region.ops().nextSetBit(i + 1)) {
            if (method.op(i) instanceof InsnOp op && op.insn() == insn) {
                return i;
            }
        }
        return -1; // in another nest
    }
}
