package dev.cleave.agent.ir;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.IincInsnNode;
import org.objectweb.asm.tree.IntInsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.VarInsnNode;
import org.objectweb.asm.tree.analysis.Frame;
import org.objectweb.asm.tree.analysis.Interpreter;

/**
 * Records an op for each instruction that ASM's frame executes.
 *
 * <p>Jumps, switches, returns and throws are not ops yet: the builder must first settle the stack; their operands are
 * kept in {@link #operands()}.
 */
final class OpRecorder extends Interpreter<StackValue> {

    private final MethodBody body;
    private final List<Op> ops;
    private List<Register> operands = new ArrayList<>();

    OpRecorder(MethodBody body, List<Op> ops) {
        super(Opcodes.ASM9);
        this.body = body;
        this.ops = ops;
    }

    /** Forgets the operands of the instruction before. */
    void begin() {
        operands = new ArrayList<>();
    }

    /** The operands of the jump, switch, return or throw just executed. */
    List<Register> operands() {
        return operands;
    }

    void replaceOperands(Map<Register, Register> replacements) {
        operands.replaceAll(operand -> replacements.getOrDefault(operand, operand));
    }

    /** Begins a handler: its exception is the one word on the stack. */
    void caught(Frame<StackValue> frame) {
        Register caught = body.fresh(RegisterKind.REFERENCE);
        ops.add(new CatchOp(caught));
        frame.clearStack();
        frame.push(new StackValue(caught));
    }

    @Override
    public @Nullable StackValue newValue(@Nullable Type type) {
        if (type == null) {
            return StackValue.NOTHING;
        }
        return type == Type.VOID_TYPE ? null : new StackValue(body.fresh(RegisterKind.of(type)));
    }

    @Override
    public StackValue newOperation(AbstractInsnNode insn) {
        int opcode = insn.getOpcode();
        if (insn instanceof FieldInsnNode field) {
            return record(insn, RegisterKind.of(Type.getType(field.desc)), List.of());
        }
        if (opcode == Opcodes.NEW) {
            return record(insn, RegisterKind.REFERENCE, List.of());
        }
        Object value =
                switch (opcode) {
                    case Opcodes.ACONST_NULL -> null;
                    case Opcodes.LCONST_0, Opcodes.LCONST_1 -> (long) (opcode - Opcodes.LCONST_0);
                    case Opcodes.FCONST_0, Opcodes.FCONST_1, Opcodes.FCONST_2 -> (float) (opcode - Opcodes.FCONST_0);
                    case Opcodes.DCONST_0, Opcodes.DCONST_1 -> (double) (opcode - Opcodes.DCONST_0);
                    case Opcodes.BIPUSH, Opcodes.SIPUSH -> ((IntInsnNode) insn).operand;
                    case Opcodes.LDC -> ((LdcInsnNode) insn).cst;
                    default -> opcode - Opcodes.ICONST_0;
                };
        Register def = body.fresh(ConstOp.kindOf(value));
        ops.add(new ConstOp(def, value));
        return new StackValue(def);
    }

    @Override
    public StackValue copyOperation(AbstractInsnNode insn, StackValue value) {
        if (!(insn instanceof VarInsnNode variable)) {
            return value;
        }
        int opcode = insn.getOpcode();
        boolean load = opcode < Opcodes.ISTORE;
        RegisterKind kind = RegisterKind.values()[opcode - (load ? Opcodes.ILOAD : Opcodes.ISTORE)];
        Register local = body.local(variable.var, kind);
        Register def = load ? body.fresh(kind) : local;
        ops.add(new MoveOp(def, load ? local : value.value()));
        return new StackValue(def);
    }

    @Override
    public @Nullable StackValue unaryOperation(AbstractInsnNode insn, StackValue value) {
        int opcode = insn.getOpcode();
        if (insn instanceof IincInsnNode increment) {
            Register local = body.local(increment.var, RegisterKind.INT);
            ops.add(new InsnOp(insn, local, List.of(local)));
            return new StackValue(local);
        }
        if (insn instanceof FieldInsnNode field) {
            RegisterKind kind = RegisterKind.of(Type.getType(field.desc));
            return opcode == Opcodes.GETFIELD ? record(insn, kind, held(value)) : effect(insn, held(value));
        }
        return switch (opcode) {
            case Opcodes.IFEQ, Opcodes.IFNE, Opcodes.IFLT, Opcodes.IFGE, Opcodes.IFGT, Opcodes.IFLE -> operands(value);
            case Opcodes.IFNULL, Opcodes.IFNONNULL, Opcodes.TABLESWITCH, Opcodes.LOOKUPSWITCH -> operands(value);
            case Opcodes.IRETURN, Opcodes.LRETURN, Opcodes.FRETURN, Opcodes.DRETURN, Opcodes.ARETURN -> operands(value);
            case Opcodes.ATHROW -> operands(value);
            case Opcodes.MONITORENTER, Opcodes.MONITOREXIT -> effect(insn, held(value));
            default -> record(insn, Opcode.resultOf(opcode), held(value));
        };
    }

    @Override
    public @Nullable StackValue binaryOperation(AbstractInsnNode insn, StackValue first, StackValue second) {
        int opcode = insn.getOpcode();
        if (opcode >= Opcodes.IF_ICMPEQ && opcode <= Opcodes.IF_ACMPNE) {
            return operands(first, second);
        }
        List<Register> uses = held(first, second);
        return opcode == Opcodes.PUTFIELD ? effect(insn, uses) : record(insn, Opcode.resultOf(opcode), uses);
    }

    @Override
    public @Nullable StackValue ternaryOperation(
            AbstractInsnNode insn, StackValue array, StackValue index, StackValue value) {
        return effect(insn, held(array, index, value));
    }

    @Override
    public @Nullable StackValue naryOperation(AbstractInsnNode insn, List<? extends StackValue> values) {
        List<Register> uses = values.stream().map(StackValue::value).toList();
        if (insn.getOpcode() == Opcodes.MULTIANEWARRAY) {
            return record(insn, RegisterKind.REFERENCE, uses);
        }
        String descriptor = insn instanceof MethodInsnNode method ? method.desc : ((InvokeDynamicInsnNode) insn).desc;
        Type result = Type.getReturnType(descriptor);
        return result == Type.VOID_TYPE ? effect(insn, uses) : record(insn, RegisterKind.of(result), uses);
    }

    @Override
    public void returnOperation(AbstractInsnNode insn, StackValue value, StackValue expected) {
        // The builder makes the op from the operands that unaryOperation has kept.
    }

    @Override
    public StackValue merge(StackValue first, StackValue second) {
        throw new IllegalStateException("blocks are executed one by one, without merging");
    }

    private StackValue record(AbstractInsnNode insn, RegisterKind result, List<Register> uses) {
        Register def = body.fresh(result);
        ops.add(new InsnOp(insn, def, uses));
        return new StackValue(def);
    }

    private @Nullable StackValue effect(AbstractInsnNode insn, List<Register> uses) {
        ops.add(new InsnOp(insn, null, uses));
        return null;
    }

    private @Nullable StackValue operands(StackValue... values) {
        operands.addAll(held(values));
        return null;
    }

    private static List<Register> held(StackValue... values) {
        List<Register> registers = new ArrayList<>(values.length);
        for (StackValue value : values) {
            registers.add(value.value());
        }
        return registers;
    }
}
