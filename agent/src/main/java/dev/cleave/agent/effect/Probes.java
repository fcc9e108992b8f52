package dev.cleave.agent.effect;

import dev.cleave.agent.ir.ConstOp;
import dev.cleave.agent.ir.InsnOp;
import dev.cleave.agent.ir.LabelOp;
import dev.cleave.agent.ir.MethodBody;
import dev.cleave.agent.ir.MoveOp;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.ir.Register;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ConstantDynamic;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;

/**
 * Recognises the probes that coverage tools insert into code before the agent (R55): they read and write an array of
 * the tool, which no code of the program sees. Knows the probes of JaCoCo and of IntelliJ IDEA.
 */
final class Probes {

    private static final List<String> ARRAYS = List.of("$jacocoData", "$jacocoInit", "__$hits$__", "__$hitsMask$__");
    private static final List<String> RUNTIMES = List.of(
            "com/intellij/rt/coverage/util/CoverageRuntime",
            "com/intellij/rt/coverage/instrumentation/CoverageRuntime");

    private final MethodBody body;
    private final Map<Register, Boolean> known = new HashMap<>();

    Probes(MethodBody body) {
        this.body = body;
    }

    /** Whether an op loads the array of a coverage tool. */
    static boolean isSource(Op op) {
        if (op instanceof ConstOp constant) {
            return isArray(constant.value());
        }
        return op instanceof InsnOp insn && isSource(insn.insn());
    }

    /** Whether an instruction loads the array of a coverage tool. */
    static boolean isSource(AbstractInsnNode insn) {
        if (insn instanceof LdcInsnNode constant) {
            return isArray(constant.cst);
        }
        if (insn instanceof MethodInsnNode call) {
            boolean isHits = call.name.startsWith("getHits") && RUNTIMES.contains(call.owner);
            return isHits || call.getOpcode() == Opcodes.INVOKESTATIC && ARRAYS.contains(call.name);
        }
        return insn instanceof FieldInsnNode field
                && field.getOpcode() == Opcodes.GETSTATIC
                && ARRAYS.contains(field.name);
    }

    private static boolean isArray(@Nullable Object constant) {
        return constant instanceof ConstantDynamic dynamic && ARRAYS.contains(dynamic.getName());
    }

    /** Whether an array instruction reads or writes the array of a coverage tool. */
    boolean isProbe(InsnOp access) {
        return isProbes(access, access.uses().get(0), true);
    }

    /** Whether a register holds such an array before an op; follows one move. */
    private boolean isProbes(Op user, Register register, boolean throughMoves) {
        Op definition = nearest(user, register);
        if (definition == null) {
            return throughMoves && isAlwaysProbes(register);
        }
        if (definition instanceof MoveOp move) {
            return throughMoves && isAlwaysProbes(move.use());
        }
        return makesProbes(definition);
    }

    /** Whether an op loads such an array, or casts one: the constant of JaCoCo has the type {@code Object}. */
    private boolean makesProbes(Op op) {
        return isSource(op)
                || op instanceof InsnOp cast
                        && cast.opcode() == Opcodes.CHECKCAST
                        && isProbes(cast, cast.uses().get(0), false);
    }

    /** Whether every value of a register is such an array. */
    private boolean isAlwaysProbes(Register register) {
        return known.computeIfAbsent(register, key -> {
            List<Op> definitions =
                    body.ops().stream().filter(op -> op.def() == key).toList();
            return !definitions.isEmpty()
                    && !body.parameters().contains(key)
                    && definitions.stream()
                            .allMatch(op ->
                                    makesProbes(op) || op instanceof MoveOp move && isProbes(op, move.use(), false));
        });
    }

    /** The op that defines a register for another op, if it comes right before it, without a label between them. */
    private @Nullable Op nearest(Op user, Register register) {
        for (int i = body.indexOf(user) - 1; i >= 0; i--) {
            Op op = body.ops().get(i);
            if (op.def() == register) {
                return op;
            }
            if (op instanceof LabelOp) {
                return null;
            }
        }
        return null;
    }
}
