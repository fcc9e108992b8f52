package dev.cleave.agent.plan.order;

import static java.util.Objects.requireNonNull;

import dev.cleave.agent.ir.InsnOp;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.ir.Register;
import dev.cleave.agent.ir.RegisterKind;
import dev.cleave.agent.plan.analysis.Definitions;
import dev.cleave.agent.plan.analysis.Region;
import dev.cleave.agent.plan.method.Method;
import dev.cleave.agent.plan.slice.Aliases;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.TypeInsnNode;

/** Lists that a method makes and fills with values of the JDK alone (R43): what compares their elements runs no code of the program. */
final class OwnElements {

    private static final Set<String> TYPES = Set.of("java/util/ArrayList", "java/util/LinkedList");
    private static final String COLLECTION = "(Ljava/util/Collection;)V";
    private static final Set<String> ADDS =
            Set.of("add", "addAll", "addFirst", "addLast", "offer", "offerFirst", "offerLast", "push", "set");

    /** Methods that put no element into the list. */
    private static final Set<String> OTHERS = Set.of(
            "size",
            "isEmpty",
            "get",
            "getFirst",
            "getLast",
            "peek",
            "peekFirst",
            "peekLast",
            "poll",
            "pollFirst",
            "pollLast",
            "pop",
            "remove",
            "removeFirst",
            "removeLast",
            "removeIf",
            "sort",
            "contains",
            "indexOf",
            "clear",
            "iterator",
            "stream",
            "toString",
            "hashCode",
            "equals",
            "forEach");

    private static final Set<String> STATIC = Set.of("sort", "reverse", "swap", "shuffle", "max", "min");

    private final Method method;
    private final Aliases aliases;

    OwnElements(Method method, Region region) {
        this.method = method;
        this.aliases = new Aliases(method, region);
    }

    /** Whether a register holds, before an op, a list that the method has made, and to which it adds nothing but values. */
    boolean areValues(int index, Register register) {
        int made = method.whole().origin(index, register);
        return isList(made) && leaves(made, this::addsValues);
    }

    /**
     * The op that makes a list of the elements of a collection, where the method adds no others; -1 if an op makes something else.
     *
     * @param made what makes the list
     */
    int copyingOf(int made) {
        if (!isList(made) || !leaves(made, op -> isConstructor(op.method(), COLLECTION))) {
            return -1;
        }
        for (int i = 0; i < method.graph().size(); i++) {
            if (method.op(i) instanceof InsnOp op
                    && isConstructor(op.method(), COLLECTION)
                    && method.whole().origin(i, op.uses().get(0)) == made) {
                return i;
            }
        }
        return -1;
    }

    private boolean isList(int made) {
        return made >= 0
                && method.op(made) instanceof InsnOp op
                && op.opcode() == Opcodes.NEW
                && TYPES.contains(((TypeInsnNode) op.insn()).desc);
    }

    /** Whether all ops leave a list as it is, but for those that add something that is expected. */
    private boolean leaves(int made, Predicate<InsnOp> adds) {
        for (int i = 0; i < method.graph().size(); i++) {
            Op use = method.op(i);
            for (int operand = 0; operand < use.uses().size(); operand++) {
                Register object = use.uses().get(operand);
                if (object.kind() == RegisterKind.REFERENCE
                        && aliases.mayBe(i, object, made)
                        && !leaves(use, operand, adds)) {
                    return false;
                }
            }
        }
        return true;
    }

    private boolean leaves(Op use, int operand, Predicate<InsnOp> adds) {
        if (!(use instanceof InsnOp insn) || Definitions.passesOn(use)) {
            return true; // moves and comparisons; what is returned is lost
        }
        MethodInsnNode call = insn.method();
        if (call == null) {
            return false;
        }
        if (call.owner.equals("java/util/Collections")) {
            return STATIC.contains(call.name);
        }
        if (operand != 0 || insn.opcode() == Opcodes.INVOKESTATIC || !call.owner.startsWith("java/util/")) {
            return false;
        }
        boolean isCopy = isConstructor(call, COLLECTION);
        return OTHERS.contains(call.name)
                || isConstructor(call, "()V")
                || isConstructor(call, "(I)V")
                || (isCopy || ADDS.contains(call.name)) && adds.test(insn);
    }

    private static boolean isConstructor(@Nullable MethodInsnNode call, String descriptor) {
        return call != null && call.name.equals("<init>") && call.desc.equals(descriptor);
    }

    /** Whether what an op adds to a list is a value, or are elements of a remote call's result that are values. */
    private boolean addsValues(InsnOp op) {
        Register added = op.uses().get(op.uses().size() - 1);
        return requireNonNull(op.method(), "method").desc.startsWith("(Ljava/util/Collection;)")
                ? new ResultElements(method).areQuiet(method.graph().body().indexOf(op), added)
                : method.effects().isValue(op, added);
    }
}
