package dev.cleave.agent.plan.sink;

import dev.cleave.agent.effect.Access;
import dev.cleave.agent.effect.Effect;
import dev.cleave.agent.effect.Guard;
import dev.cleave.agent.effect.HeapRegion;
import dev.cleave.agent.ir.CatchOp;
import dev.cleave.agent.ir.InsnOp;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.ir.Register;
import dev.cleave.agent.ir.ReturnOp;
import dev.cleave.agent.ir.ThrowOp;
import dev.cleave.agent.plan.analysis.Definitions;
import dev.cleave.agent.plan.method.Method;
import dev.cleave.agent.plan.order.SendOrder;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.TypeInsnNode;

/**
 * Decides which ops may run before the failure of a call that stands above them: the crossing table of the awaits (R17,
 * R18).
 *
 * <p>These may, writes to registers aside: pure code, which may throw, since a landing pad awaits the call then; reads;
 * writes to objects that were made behind the call and that no code reaches once it has failed; other calls that may
 * move.
 */
final class SinkLegality {

    /** Classes whose methods touch nothing but the object, wherever it was made. */
    private static final Set<String> PLAIN = Set.of(
            "java/util/ArrayList",
            "java/util/LinkedList",
            "java/util/ArrayDeque",
            "java/util/HashMap",
            "java/util/HashSet",
            "java/util/LinkedHashSet");

    private final Method method;
    private final int call;
    private final RestoredUses uses;
    private final Map<Integer, List<Guard>> tests = new HashMap<>();

    SinkLegality(Method method, int call) {
        this.method = method;
        this.call = call;
        this.uses = new RestoredUses(method, call);
    }

    /**
     * Returns the tests that stand in front of the ops that were let by; the await comes first if one does not hold.
     */
    Map<Integer, List<Guard>> tests() {
        return tests;
    }

    /**
     * Whether an op may run before the call is known to have succeeded.
     *
     * @param passed the ops behind the call that were let by so far
     */
    boolean mayPass(int index, BitSet passed) {
        Op op = method.op(index);
        if (op instanceof ReturnOp || op instanceof ThrowOp || op instanceof CatchOp || index == call) {
            return false;
        }
        if (method.helper(index) != null) { // it is code of the program, and runs at its place
            return false;
        }
        if (uses.includes(index, passed)) {
            return false;
        }
        if (method.isCandidate(index)) {
            return !new SendOrder(method).conflict(call, index)
                    && method.restored(index).stream().allMatch(write -> isUnknownToOthers(index, write, passed));
        }
        Effect effect = method.effects().of(op);
        if (effect.barrier() != null || effect.output()) {
            return false;
        }
        for (Access write : effect.writes()) {
            if (!isUnknownToOthers(index, write, passed)) {
                return false;
            }
        }
        List<Guard> open = effect.guards().stream()
                .filter(guard -> !holds(index, guard, passed))
                .toList();
        if (!open.isEmpty()) {
            tests.put(index, open);
        }
        return true;
    }

    /** Whether a write goes to an object that was made behind the call: when the call fails there is no such object. */
    private boolean isUnknownToOthers(int index, Access write, BitSet passed) {
        Register base = write.base();
        int made = base == null ? -1 : method.whole().origin(index, base);
        if (made == call) { // uses that wait for elements as they arrive
            return true;
        }
        if (made < 0 || !passed.get(made)) {
            return false;
        }
        return Definitions.isAllocation(method.op(made))
                || write.place() instanceof HeapRegion.Cursor && Definitions.makesIterator(method.op(made));
    }

    private boolean holds(int index, Guard guard, BitSet passed) {
        int made = method.whole().origin(index, guard.object());
        if (made < 0 || !(method.op(made) instanceof InsnOp insn)) {
            return false;
        }
        if (insn.opcode() == Opcodes.NEW) {
            String type = ((TypeInsnNode) insn.insn()).desc;
            return guard.kind() == Guard.Kind.PLAIN
                    ? PLAIN.contains(type)
                    : guard.type().equals(type);
        }
        // the op that made the iterator has a guard of its own, on the collection
        return guard.kind() == Guard.Kind.PLAIN && Definitions.makesIterator(insn) && passed.get(made);
    }
}
