package dev.cleave.agent.plan.slice;

import dev.cleave.agent.effect.Access;
import dev.cleave.agent.effect.Effect;
import dev.cleave.agent.effect.OpaqueValue;
import dev.cleave.agent.ir.InsnOp;
import dev.cleave.agent.ir.MoveOp;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.ir.Register;
import dev.cleave.agent.ir.RegisterKind;
import dev.cleave.agent.ir.ReturnOp;
import dev.cleave.agent.plan.analysis.Definitions;
import dev.cleave.agent.plan.analysis.Region;
import dev.cleave.agent.plan.method.Method;
import dev.cleave.agent.plan.method.Value;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.MethodInsnNode;

/** Finds the objects that registers may hold, as seen from the entry of a region. */
public final class Aliases {

    private static final Set<String> TEXTS = Set.of("java/lang/StringBuilder", "java/lang/StringBuffer");

    private final Method method;
    private final Region region;
    private @Nullable List<Integer> unfinished;

    /** Looks at the objects of a region. */
    public Aliases(Method method, Region region) {
        this.method = method;
        this.region = region;
    }

    /** The ops that made the objects whose constructors run in the region, but which were made before it. */
    private List<Integer> unfinished() {
        List<Integer> found = unfinished;
        if (found == null) {
            found = new ArrayList<>();
            for (int i = region.ops().nextSetBit(0); i >= 0; i = region.ops().nextSetBit(i + 1)) {
                if (method.op(i) instanceof InsnOp op
                        && op.method() != null
                        && op.method().name.equals("<init>")) {
                    int made = method.whole().origin(i, op.uses().get(0));
                    if (made >= 0 && !region.ops().get(made)) {
                        found.add(made);
                    }
                }
            }
            unfinished = found;
        }
        return found;
    }

    /** Whether a register may hold an object that exists at the entry, but whose constructor runs in the region. */
    boolean isUnfinished(int index, Register register) {
        return register.kind() == RegisterKind.REFERENCE
                && unfinished().stream().anyMatch(made -> mayHold(index, register, made));
    }

    /** The object in a register before an op, as it can be named at the entry; null if it cannot. */
    @Nullable
    public Value atEntry(int index, Register register) {
        int at = index;
        Register object = register;
        int appended = appended(at, object);
        while (appended >= 0) {
            at = appended;
            object = method.op(at).uses().get(0);
            appended = appended(at, object);
        }
        List<Op> ops = new ArrayList<>();
        return collect(at, object, ops) ? new Value(ops, object) : null;
    }

    /** The op that has appended to the text in a register and has returned it, -1 if there is none. */
    private int appended(int index, Register register) {
        int at = index;
        Register object = register;
        for (int steps = 0; steps < method.graph().size(); steps++) {
            BitSet definitions = region.definitions(at, object);
            at = definitions.nextSetBit(0);
            if (definitions.cardinality() != 1 || at >= method.graph().size()) {
                return -1;
            }
            Op op = method.op(at);
            MethodInsnNode call = op instanceof InsnOp insn ? insn.method() : null;
            if (call != null) {
                return TEXTS.contains(call.owner) && Definitions.passesOn(op) ? at : -1;
            }
            if (!Definitions.passesOn(op)) {
                return -1;
            }
            object = op.uses().get(0);
        }
        return -1;
    }

    private boolean collect(int index, Register register, List<Op> ops) {
        BitSet definitions = region.definitions(index, register);
        int definition = definitions.nextSetBit(0);
        if (definitions.cardinality() != 1) {
            return false;
        }
        if (definition >= method.graph().size()) {
            return !isUnfinished(index, register);
        }
        Op op = method.op(definition);
        boolean isRead = op instanceof InsnOp insn
                && (insn.opcode() == Opcodes.GETFIELD || insn.opcode() == Opcodes.GETSTATIC)
                && isUnchanged(op);
        if (!(op instanceof MoveOp) && !isRead && !Definitions.isCast(op)) {
            return false;
        }
        for (Register use : op.uses()) {
            if (!collect(definition, use, ops)) {
                return false;
            }
        }
        ops.add(op);
        return true;
    }

    private boolean isUnchanged(Op read) {
        Effect effect = method.effects().of(read);
        if (effect.barrier() != null) {
            return false;
        }
        for (int i = region.ops().nextSetBit(0); i >= 0; i = region.ops().nextSetBit(i + 1)) {
            for (Access write : method.writes(i)) {
                for (Access access : effect.reads()) {
                    if (write.place().meets(access.place())) {
                        return false;
                    }
                }
            }
        }
        return true;
    }

    /** The op that made the object in a register, if it made it for this method alone; else -1. */
    public int ownObject(int index, Register register) {
        int made = method.whole().origin(index, register);
        return made >= 0 && isOwn(made) ? made : -1;
    }

    /** The ops one of which made the object in a register, if each made it for this method alone; else none. */
    public BitSet ownObjects(int index, Register register) {
        BitSet made = method.whole().origins(index, register);
        return made.stream().allMatch(this::isOwn) ? made : new BitSet();
    }

    private boolean isOwn(int made) {
        boolean isMade = Definitions.isAllocation(method.op(made)) || OpaqueValue.isCollection(method.op(made));
        return isMade && !escapes(made);
    }

    /** The op that made the object in a register for this method alone, or the call whose result that is; else -1. */
    public int ownOrResult(int index, Register register) {
        int made = method.whole().origin(index, register);
        boolean isResult = made >= 0 && method.isCandidate(made) && method.helper(made) == null;
        return isResult && !escapes(made) ? made : ownObject(index, register);
    }

    /**
     * Whether registers certainly hold different arrays or objects, each in front of an op: made by different ops of the method,
     * or one made by the method and the other a parameter.
     */
    public static boolean areApart(Method method, int index, Register register, int otherIndex, Register other) {
        int made = method.whole().origin(index, register);
        int otherMade = method.whole().origin(otherIndex, other);
        boolean isNew = made >= 0 && Definitions.isAllocation(method.op(made));
        boolean isOtherNew = otherMade >= 0 && Definitions.isAllocation(method.op(otherMade));
        if (isNew && isOtherNew) {
            return made != otherMade;
        }
        return isNew && isParameter(method, otherIndex, other) || isOtherNew && isParameter(method, index, register);
    }

    private static boolean isParameter(Method method, int index, Register register) {
        int at = index;
        Register wanted = register;
        for (int steps = 0; steps < method.graph().size(); steps++) {
            BitSet definitions = method.whole().definitions(at, wanted);
            int definition = definitions.nextSetBit(0);
            if (definitions.cardinality() != 1) {
                return false;
            }
            if (definition >= method.graph().size()) {
                return true;
            }
            if (!Definitions.passesOn(method.op(definition))) {
                return false;
            }
            at = definition;
            wanted = method.op(definition).uses().get(0);
        }
        return false;
    }

    /** Whether a register may hold what an op made, or part of it, provided that registers only know that object. */
    public boolean mayHold(int index, Register register, int made) {
        return mayHold(index, register, made, new HashSet<>());
    }

    private boolean mayHold(int index, Register register, int made, Set<Integer> seen) {
        BitSet definitions = method.whole().definitions(index, register);
        for (int i = definitions.nextSetBit(0); i >= 0; i = definitions.nextSetBit(i + 1)) {
            if (i == made) {
                return true;
            }
            if (i < method.graph().size() && seen.add(i)) {
                Op op = method.op(i);
                for (Register use : op.uses()) {
                    if (use.kind() == RegisterKind.REFERENCE && mayHold(i, use, made, seen)) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    /**
     * Whether code outside of this method may know what an op makes, or gives, when the region runs.
     *
     * @param kept ops that keep it in an object that only the method knows
     */
    public boolean isGivenAway(int made, IntPredicate kept) {
        return escapes(made, kept);
    }

    /** Whether a register may hold the very object that an op made, provided that registers only know that object. */
    public boolean mayBe(int index, Register register, int made) {
        return mayBe(index, register, made, new HashSet<>());
    }

    private boolean mayBe(int index, Register register, int made, Set<Integer> seen) {
        BitSet definitions = method.whole().definitions(index, register);
        for (int i = definitions.nextSetBit(0); i >= 0; i = definitions.nextSetBit(i + 1)) {
            boolean isPassed = i < method.graph().size()
                    && i != made
                    && seen.add(i)
                    && Definitions.passesOn(method.op(i))
                    && mayBe(i, method.op(i).uses().get(0), made, seen);
            if (i == made || isPassed) {
                return true;
            }
        }
        return false;
    }

    private boolean escapes(int made) {
        return escapes(made, op -> false);
    }

    /** Whether code outside of this method may know an object when the region runs. */
    private boolean escapes(int made, IntPredicate kept) {
        Set<Register> holders = new HashSet<>();
        Register first = method.op(made).def();
        if (first != null) {
            holders.add(first);
        }
        boolean grown = true;
        while (grown) {
            grown = false;
            for (Op op : method.graph().body().ops()) {
                Register def = op.def();
                if (def != null
                        && Definitions.passesOn(op)
                        && holders.contains(op.uses().get(0))) {
                    grown |= holders.add(def);
                }
            }
        }
        for (int i = 0; i < method.graph().size(); i++) {
            if (givesAway(i, holders) && matters(i) && !kept.test(i)) {
                return true;
            }
        }
        return false;
    }

    private boolean matters(int index) {
        return region.ops().get(index) || method.graph().reachable(index).get(region.entry());
    }

    private boolean givesAway(int index, Set<Register> holders) {
        Op op = method.op(index);
        List<Register> uses = op.uses();
        if (Definitions.passesOn(op) && uses.size() == 1 || op instanceof ReturnOp) {
            return false;
        }
        for (int i = 0; i < uses.size(); i++) {
            if (holders.contains(uses.get(i)) && !isHarmless(op, i)) {
                return true;
            }
        }
        return false;
    }

    private boolean isHarmless(Op op, int operand) {
        if (!(op instanceof InsnOp insn)) {
            return true; // comparisons; what throws it lets it go
        }
        if (operand != 0 || insn.dynamic() != null) {
            return false;
        }
        if (insn.method() != null) {
            boolean isJdk = insn.method().owner.startsWith("java/") && insn.opcode() != Opcodes.INVOKESTATIC;
            return isJdk && method.effects().of(op).barrier() == null;
        }
        return insn.opcode() != Opcodes.PUTSTATIC
                && insn.opcode() != Opcodes.MONITORENTER
                && insn.opcode() != Opcodes.MONITOREXIT;
    }
}
