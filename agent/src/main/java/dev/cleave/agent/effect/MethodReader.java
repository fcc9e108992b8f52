package dev.cleave.agent.effect;

import dev.cleave.agent.dataflow.CertainEnd;
import dev.cleave.agent.ir.IrBuilder;
import dev.cleave.agent.ir.Unsupported;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.IntInsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.LookupSwitchInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TableSwitchInsnNode;
import org.objectweb.asm.tree.TryCatchBlockNode;
import org.objectweb.asm.tree.TypeInsnNode;
import org.objectweb.asm.tree.VarInsnNode;
import org.objectweb.asm.tree.analysis.Analyzer;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.Frame;
import org.objectweb.asm.tree.analysis.SourceInterpreter;
import org.objectweb.asm.tree.analysis.SourceValue;

/** Reads one method of the program and sums up the effects of its instructions. */
final class MethodReader {

    private final ClassNode owner;
    private final MethodNode method;
    private final Fields fields;
    private final Calls calls;
    private final int depth;
    private Frame<SourceValue>[] frames = newFrames();
    private final Set<String> allocated = new HashSet<>();

    /** Sources of values, parameters and caught exceptions among them. */
    private static final class KnownSources extends SourceInterpreter {

        static final AbstractInsnNode OUTSIDE = new InsnNode(Opcodes.NOP);

        KnownSources() {
            super(Opcodes.ASM9);
        }

        @Override
        public SourceValue newParameterValue(boolean isInstanceMethod, int local, Type type) {
            return new SourceValue(type.getSize(), OUTSIDE);
        }

        @Override
        public SourceValue newExceptionValue(
                TryCatchBlockNode tryCatch, Frame<SourceValue> handler, Type exceptionType) {
            return new SourceValue(1, OUTSIDE);
        }
    }

    MethodReader(ClassNode owner, MethodNode method, Fields fields, Calls calls, int depth) {
        this.owner = owner;
        this.method = method;
        this.fields = fields;
        this.calls = calls;
        this.depth = depth;
    }

    /** The sum of the effects of all instructions. */
    Effect read() {
        if ((method.access & Opcodes.ACC_SYNCHRONIZED) != 0) {
            return Effect.barrier(Barrier.Kind.SYNCHRONISATION, method.name);
        }
        if (!certainlyEnds()) {
            return Effect.barrier(Barrier.Kind.MAY_NOT_RETURN, method.name);
        }
        try {
            frames = new Analyzer<>(new KnownSources()).analyze(owner.name, method);
        } catch (AnalyzerException e) {
            return Effect.barrier(Barrier.Kind.UNKNOWN_CALL, method.name);
        }
        Effect sum = Effect.NONE;
        for (AbstractInsnNode insn : method.instructions) {
            if (insn.getOpcode() >= 0 && frameAt(insn) != null) {
                sum = sum.and(of(insn));
                if (sum.barrier() != null) {
                    return sum;
                }
            }
        }
        return sum;
    }

    private boolean certainlyEnds() {
        if (!mayGoBack()) {
            return true;
        }
        try {
            return CertainEnd.isOfAll(IrBuilder.build(owner.name, owner.version, method));
        } catch (Unsupported e) {
            return false;
        }
    }

    /** Whether some jump goes back, or a handler precedes the code that it covers. */
    private boolean mayGoBack() {
        for (AbstractInsnNode insn : method.instructions) {
            boolean isSwitch = insn instanceof TableSwitchInsnNode || insn instanceof LookupSwitchInsnNode;
            if (isSwitch || insn instanceof JumpInsnNode jump && isBefore(jump.label, jump)) {
                return true;
            }
        }
        return method.tryCatchBlocks.stream().anyMatch(covered -> isBefore(covered.handler, covered.start));
    }

    private boolean isBefore(AbstractInsnNode one, AbstractInsnNode other) {
        return method.instructions.indexOf(one) < method.instructions.indexOf(other);
    }

    private Effect of(AbstractInsnNode insn) {
        if (Probes.isSource(insn)) {
            return Effect.NONE;
        }
        if (insn instanceof FieldInsnNode field) {
            return field(field);
        }
        if (insn instanceof MethodInsnNode call) {
            return call(call);
        }
        if (insn instanceof InvokeDynamicInsnNode dynamic) {
            return DynamicSites.effectOf(dynamic);
        }
        if (insn instanceof LdcInsnNode ldc) {
            return ldc.cst instanceof Type || ldc.cst instanceof String || ldc.cst instanceof Number
                    ? Effect.NONE
                    : Effect.barrier(Barrier.Kind.UNKNOWN_CALL, "a dynamic constant");
        }
        int opcode = insn.getOpcode();
        if (opcode == Opcodes.NEW) {
            return calls.initialising(((TypeInsnNode) insn).desc, owner.name);
        }
        if (opcode == Opcodes.MONITORENTER || opcode == Opcodes.MONITOREXIT) {
            return Effect.barrier(Barrier.Kind.SYNCHRONISATION, "synchronized");
        }
        if ((opcode == Opcodes.NEWARRAY || opcode == Opcodes.ANEWARRAY) && isLength(insn.getPrevious())) {
            return Effect.NONE;
        }
        return ArrayAccess.isLoad(opcode) || ArrayAccess.isStore(opcode) ? element(insn) : SimpleOps.effectOf(opcode);
    }

    private Effect element(AbstractInsnNode insn) {
        int opcode = insn.getOpcode();
        Access access = Access.of(new HeapRegion.Elements(ArrayAccess.kindOf(opcode)));
        if (ArrayAccess.isLoad(opcode)) {
            return Effect.THROWS.reading(access);
        }
        if (!isNew(insn, 2)) {
            return Effect.THROWS.writing(access);
        }
        return isInitialiser(insn) ? Effect.NONE : Effect.THROWS;
    }

    /** Whether an instruction pushes a constant that is the length of an array. */
    private static boolean isLength(@Nullable AbstractInsnNode insn) {
        if (insn instanceof IntInsnNode push) {
            return push.getOpcode() != Opcodes.NEWARRAY && push.operand >= 0;
        }
        return insn != null && insn.getOpcode() >= Opcodes.ICONST_0 && insn.getOpcode() <= Opcodes.ICONST_5;
    }

    /**
     * Whether a store is part of the code that compilers generate for <code>{a, b, c}</code>, with indices within the
     * array.
     */
    private boolean isInitialiser(AbstractInsnNode store) {
        Frame<SourceValue> frame = frameAt(store);
        if (frame == null) {
            return false;
        }
        Set<AbstractInsnNode> sources = frame.getStack(frame.getStackSize() - 3).insns;
        return sources.size() == 1 && sources.iterator().next().getOpcode() == Opcodes.DUP;
    }

    private Effect field(FieldInsnNode insn) {
        Effect effect = fields.access(insn, Access.of(new HeapRegion.Field(insn.name, insn.desc)));
        int opcode = insn.getOpcode();
        if (opcode == Opcodes.GETSTATIC || opcode == Opcodes.PUTSTATIC) {
            return calls.initialising(insn.owner, owner.name).and(effect);
        }
        boolean writesNew = opcode == Opcodes.PUTFIELD && effect.barrier() == null && isNew(insn, 1);
        return writesNew ? Effect.NONE : effect;
    }

    private Effect call(MethodInsnNode call) {
        int words = Type.getArgumentTypes(call.desc).length;
        boolean hasReceiver = call.getOpcode() != Opcodes.INVOKESTATIC && !call.name.equals("<init>");
        return hasReceiver && isNewPlain(call, words)
                ? calls.onNewObject(call, owner.name, depth + 1)
                : calls.nested(call, owner.name, depth + 1);
    }

    /** Whether the value this far below the top of the stack is certainly an object made by this method. */
    private boolean isNew(AbstractInsnNode insn, int below) {
        Frame<SourceValue> frame = frameAt(insn);
        return frame != null
                && frame.getStackSize() > below
                && isNewFrom(frame.getStack(frame.getStackSize() - 1 - below));
    }

    private boolean isNewFrom(SourceValue value) {
        allocated.clear();
        return isNew(value, new HashSet<>());
    }

    /** Whether that value is certainly such an object, of a class of the JDK. */
    private boolean isNewPlain(AbstractInsnNode insn, int below) {
        return isNew(insn, below) && allocated.stream().allMatch(type -> type.startsWith("java/"));
    }

    private boolean isNew(SourceValue value, Set<AbstractInsnNode> seen) {
        if (value.insns.isEmpty()) {
            return false;
        }
        for (AbstractInsnNode source : value.insns) {
            if (seen.add(source) && !isNewAt(source, seen)) {
                return false;
            }
        }
        return true;
    }

    private boolean isNewAt(AbstractInsnNode source, Set<AbstractInsnNode> seen) {
        if (source == KnownSources.OUTSIDE) {
            return false;
        }
        Frame<SourceValue> frame = frameAt(source);
        if (frame == null) {
            return false;
        }
        switch (source.getOpcode()) {
            case Opcodes.NEW -> {
                allocated.add(((TypeInsnNode) source).desc);
                return true;
            }
            case Opcodes.NEWARRAY, Opcodes.ANEWARRAY, Opcodes.MULTIANEWARRAY -> {
                return true;
            }
            case Opcodes.LDC, Opcodes.INVOKESTATIC, Opcodes.GETSTATIC -> {
                return Probes.isSource(source); // no code of the program sees that array
            }
            case Opcodes.ALOAD -> {
                int slot = ((VarInsnNode) source).var;
                boolean isThis = slot == 0
                        && method.name.equals("<init>")
                        && frame.getLocal(0).insns.equals(Set.of(KnownSources.OUTSIDE));
                if (isThis) {
                    allocated.add(owner.name);
                }
                return isThis || isNew(frame.getLocal(slot), seen);
            }
            case Opcodes.DUP, Opcodes.ASTORE, Opcodes.CHECKCAST -> {
                return isNew(frame.getStack(frame.getStackSize() - 1), seen);
            }
            default -> {
                return false;
            }
        }
    }

    private @Nullable Frame<SourceValue> frameAt(AbstractInsnNode insn) {
        return frames[method.instructions.indexOf(insn)];
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // no arrays of generic types
    private static Frame<SourceValue>[] newFrames() {
        return new Frame[0];
    }
}
