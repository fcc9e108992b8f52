package dev.cleave.agent.plan.order;

import dev.cleave.agent.effect.Access;
import dev.cleave.agent.effect.Effect;
import dev.cleave.agent.ir.ConstOp;
import dev.cleave.agent.ir.InsnOp;
import dev.cleave.agent.ir.MethodBody;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.ir.Register;
import dev.cleave.agent.plan.analysis.Definitions;
import dev.cleave.agent.plan.analysis.Region;
import dev.cleave.agent.plan.method.Method;
import dev.cleave.agent.plan.slice.Aliases;
import dev.cleave.agent.plan.verdict.Refused;
import dev.cleave.agent.rule.Rule;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.TypeInsnNode;

/**
 * Decides what may stand between calls of one chain (R49): the crossing table of chained sends, on top of
 * {@link ReorderingCheck}.
 *
 * <p>The server executes nothing behind a call that failed, so a failing call needs no care. But the program itself
 * must come to each call that was sent, and no other code may see that a call was sent early.
 *
 * <table>
 * <caption>Code between two calls</caption>
 * <tr><td>ops that the copied slice holds, too</td>
 * <td>yes: where they throw or leave, the copy did, and sent nothing more</td></tr>
 * <tr><td>any op in a handler inside the loop</td>
 * <td>yes: a call has failed, and none behind it is executed</td></tr>
 * <tr><td>code that certainly does not throw and changes locals or new objects only, elements of new arrays {@linkplain
 * BoundsCheckElimination within their bounds}</td><td>yes</td></tr>
 * <tr><td>code that may throw, and is not in the slice</td><td>no: the next call would not be reached</td></tr>
 * <tr><td>output, writes to objects that other code may know</td>
 * <td>no: a call-back of the next call could see them missing</td></tr>
 * <tr><td>a call of any other style, or of another chain</td><td>no</td></tr>
 * </table>
 *
 * <p>The result must be one whose arrival cannot fail: the server would not know of the failure if
 * the caller could not decode an object.
 */
public final class ChainReorderingCheck {

    /** Methods that do not throw on a new object of these classes, whatever values they are given. */
    private static final Map<String, Set<String>> SAFE = Map.of(
            "java/util/ArrayList", Set.of("add", "size", "isEmpty"),
            "java/util/LinkedList", Set.of("add", "addLast", "addFirst", "size", "isEmpty"),
            "java/util/HashSet", Set.of("add", "size", "isEmpty"),
            "java/util/LinkedHashSet", Set.of("add", "size", "isEmpty"),
            "java/util/HashMap", Set.of("put", "size", "isEmpty"),
            "java/util/LinkedHashMap", Set.of("put", "size", "isEmpty"),
            "java/lang/StringBuilder", Set.of("append", "length"));

    /** Final classes of the JDK whose objects every node can read. */
    private static final Set<String> CERTAIN = Set.of(
            "java/lang/String",
            "java/lang/Boolean",
            "java/lang/Byte",
            "java/lang/Character",
            "java/lang/Short",
            "java/lang/Integer",
            "java/lang/Long",
            "java/lang/Float",
            "java/lang/Double");

    private final Method method;
    private final Region region;
    private final BitSet executed;
    private final List<Integer> sends;
    private final Aliases aliases;

    /** Prepares to judge chained calls that are sent ahead. */
    public ChainReorderingCheck(Method method, Region region, BitSet executed, List<Integer> sends) {
        this.method = method;
        this.region = region;
        this.executed = executed;
        this.sends = sends;
        this.aliases = new Aliases(method, region);
    }

    /** Checks the calls, and what stands between them. */
    public void check(BitSet between) throws Refused {
        for (int send : sends) {
            checkResult(send);
            if (aliases.atEntry(send, method.op(send).uses().get(0)) == null) {
                throw method.refused(
                        Rule.R49,
                        send,
                        "the calls of a chain go to one stub, and this one may change",
                        "keep the stub in a variable that does not change here");
            }
        }
        for (int i = between.nextSetBit(0); i >= 0; i = between.nextSetBit(i + 1)) {
            if (!executed.get(i) && !sends.contains(i) && region.ordinary().get(i)) {
                cross(i);
            }
        }
    }

    /** Refuses a call whose result may not arrive though the server has sent it. */
    public void checkResult(int send) throws Refused {
        MethodInsnNode call = ((InsnOp) method.op(send)).method();
        Type result = call == null ? Type.VOID_TYPE : Type.getReturnType(call.desc);
        Type value = result.getSort() == Type.ARRAY
                ? Type.getType(result.getDescriptor().substring(1))
                : result;
        boolean isPlain = value.getSort() < Type.ARRAY || CERTAIN.contains(result.getInternalName());
        if (!isPlain) {
            throw method.refused(
                    Rule.R49,
                    send,
                    "its result is an object, which may fail to arrive when the next call has run",
                    "return a primitive, its box, a String, an array of primitives, or nothing");
        }
    }

    private void cross(int index) throws Refused {
        Op op = method.op(index);
        if (method.isCandidate(index)) {
            throw method.refused(
                    Rule.R49, index, method.nameOf(index) + " stands between and cannot be sent ahead", "move it away");
        }
        Effect effect = method.effects().of(op);
        if (effect.barrier() != null) {
            throw method.refused(index, effect.barrier());
        }
        if (effect.output()) {
            throw method.refused(
                    Rule.R49,
                    index,
                    method.nameOf(index) + " prints between two calls of a chain",
                    "print behind them");
        }
        for (Access write : effect.writes()) {
            if (write.base() == null || aliases.ownObject(index, write.base()) < 0) {
                throw method.refused(
                        Rule.R49,
                        index,
                        "it changes " + write.place() + " between two calls of a chain, where others may look",
                        "keep it in a local variable until the calls have ended");
            }
        }
        if (!isCertain(index, op, effect)) {
            throw method.refused(
                    Rule.R49,
                    index,
                    "an exception here would keep the program from calls of the chain that were sent",
                    "do it behind the calls");
        }
    }

    /** Whether an op certainly does not throw. */
    private boolean isCertain(int index, Op op, Effect effect) {
        if (!(op instanceof InsnOp insn)) {
            return !effect.mayThrow();
        }
        MethodInsnNode call = insn.method();
        if (call != null) {
            return call.getOpcode() == Opcodes.INVOKESTATIC
                    ? call.owner.startsWith("java/") && !effect.mayThrow()
                    : isSafe(index, insn, call);
        }
        if (insn.dynamic() != null) {
            return false;
        }
        return switch (insn.opcode()) {
            case Opcodes.GETFIELD, Opcodes.PUTFIELD ->
                isThere(index, insn.uses().get(0));
            case Opcodes.ARRAYLENGTH -> isThere(index, insn.uses().get(0));
            case Opcodes.IDIV, Opcodes.IREM, Opcodes.LDIV, Opcodes.LREM ->
                isNotZero(index, insn.uses().get(1));
            case Opcodes.IASTORE,
                    Opcodes.LASTORE,
                    Opcodes.FASTORE,
                    Opcodes.DASTORE,
                    Opcodes.AASTORE,
                    Opcodes.BASTORE,
                    Opcodes.CASTORE,
                    Opcodes.SASTORE -> new BoundsCheckElimination(method, region).holds(index);
            default -> !effect.mayThrow();
        };
    }

    private boolean isSafe(int index, InsnOp op, MethodInsnNode call) {
        int made = aliases.ownObject(index, op.uses().get(0));
        if (made < 0 || !(method.op(made) instanceof InsnOp insn) || insn.opcode() != Opcodes.NEW) {
            return false;
        }
        boolean isByIndex = call.name.equals("add") && call.desc.startsWith("(I");
        return !isByIndex
                && SAFE.getOrDefault(((TypeInsnNode) insn.insn()).desc, Set.of())
                        .contains(call.name)
                && !call.desc.contains("[");
    }

    /** Whether a register certainly does not hold null: it is {@code this}, or was made here. */
    private boolean isThere(int index, Register register) {
        MethodBody body = method.graph().body();
        boolean isStatic = (body.original().access & Opcodes.ACC_STATIC) != 0;
        Register root = method.whole().root(index, register);
        if (!isStatic && root == body.parameters().get(0) && !method.whole().writes(root)) {
            return true;
        }
        int made = method.whole().origin(index, register);
        return made >= 0 && Definitions.isAllocation(method.op(made));
    }

    private boolean isNotZero(int index, Register divisor) {
        int made = method.whole().origin(index, divisor);
        return made >= 0
                && method.op(made) instanceof ConstOp constant
                && constant.value() instanceof Number number
                && number.longValue() != 0;
    }
}
