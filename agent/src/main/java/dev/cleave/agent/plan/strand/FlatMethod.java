package dev.cleave.agent.plan.strand;

import dev.cleave.agent.ir.MethodBody;
import dev.cleave.agent.ir.Unsupported;
import dev.cleave.agent.plan.method.Callees;
import dev.cleave.agent.plan.placement.StrandHelper;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.IincInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LineNumberNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TryCatchBlockNode;
import org.objectweb.asm.tree.VarInsnNode;
import org.objectweb.asm.tree.analysis.Analyzer;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.BasicInterpreter;
import org.objectweb.asm.tree.analysis.BasicValue;
import org.objectweb.asm.tree.analysis.Frame;

/**
 * A method with its helpers written in the places where it calls them. Strands are planned in it; it never runs.
 * Helpers are methods of the class that no class can override, that call remote methods. What its
 * locals hold keeps its slot.
 */
final class FlatMethod {

    private static final int MOST_INSTRUCTIONS = 3_000;
    private static final int DEPTH = 4;

    private final Callees helpers;
    private final MethodNode whole;
    private final Map<AbstractInsnNode, Origin> origins = new IdentityHashMap<>();
    private final Map<MethodNode, StrandHelper> tables = new HashMap<>();
    private int locals;
    private int stack;
    private int inlined;

    /**
     * Where an instruction comes from.
     *
     * @param path the calls of helpers that lead to its method, none for the method itself
     * @param insn the instruction there
     */
    record Origin(List<MethodInsnNode> path, MethodNode method, AbstractInsnNode insn, int line) {}

    /** Thrown when a helper cannot be written in the place of its call. */
    private static final class NotFlat extends Exception {

        private static final long serialVersionUID = 1L;

        NotFlat() {
            super("", null, false, false);
        }
    }

    private FlatMethod(MethodNode real, Callees helpers) throws NotFlat {
        this.helpers = helpers;
        this.locals = real.maxLocals;
        this.stack = real.maxStack;
        this.whole = new MethodNode(
                Opcodes.ASM9, real.access, real.name, real.desc, null, real.exceptions.toArray(new String[0]));
        copy(real, List.of(), 0, null, -1);
        whole.maxLocals = locals;
        whole.maxStack = stack + 1;
    }

    /** The method with its helpers, null if it calls none, or they are of another kind. */
    static @Nullable FlatMethod of(MethodNode real, Callees helpers) {
        try {
            FlatMethod flat = new FlatMethod(real, helpers);
            return flat.inlined == 0 ? null : flat;
        } catch (NotFlat e) {
            return null;
        }
    }

    /** Returns the code with the helpers in their places. */
    MethodBody body() throws Unsupported {
        return helpers.build(whole);
    }

    /** Where an instruction of its code comes from. */
    @Nullable
    Origin origin(AbstractInsnNode insn) {
        return origins.get(insn);
    }

    /** Returns the rows of the calls of a method of the class, as of a helper whose calls are sent by strands. */
    StrandHelper table(MethodNode helper) {
        StrandHelper known = tables.get(helper);
        if (known != null) {
            return known;
        }
        Map<AbstractInsnNode, Integer> calls = new IdentityHashMap<>();
        Map<AbstractInsnNode, StrandHelper> called = new IdentityHashMap<>();
        int rows = 0;
        for (AbstractInsnNode insn : helper.instructions) {
            if (!(insn instanceof MethodInsnNode call)) {
                continue;
            }
            MethodNode target = target(call);
            if (target != null) {
                calls.put(insn, rows);
                called.put(insn, table(target));
                rows += table(target).rows();
            } else if (helpers.isRemote(call)) {
                calls.put(insn, rows++);
            }
        }
        StrandHelper found = new StrandHelper(helper, calls, called, rows);
        tables.put(helper, found);
        return found;
    }

    /** The helper that is written in the place of a call, null if none is. */
    @Nullable
    MethodNode target(MethodInsnNode call) {
        MethodNode target = helpers.targetOf(call);
        if (target == null || !helpers.hidesRemote(call) || helpers.isExcluded(target)) {
            return null;
        }
        boolean isFixed = (target.access & (Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC | Opcodes.ACC_FINAL)) != 0;
        boolean isPlain = (target.access & (Opcodes.ACC_SYNCHRONIZED | Opcodes.ACC_BRIDGE)) == 0
                && target.instructions.size() <= MOST_INSTRUCTIONS;
        return isFixed && isPlain ? target : null;
    }

    private void copy(MethodNode from, List<MethodInsnNode> path, int offset, @Nullable LabelNode end, int result)
            throws NotFlat {
        Map<LabelNode, LabelNode> labels = new HashMap<>();
        for (AbstractInsnNode insn : from.instructions) {
            if (insn instanceof LabelNode label) {
                labels.put(label, new LabelNode());
            }
        }
        int line = -1;
        InsnList to = whole.instructions;
        for (AbstractInsnNode insn : from.instructions) {
            if (to.size() > MOST_INSTRUCTIONS) {
                throw new NotFlat();
            }
            if (insn instanceof LineNumberNode number) {
                line = number.line;
                continue;
            }
            MethodNode target = insn instanceof MethodInsnNode call ? target(call) : null;
            if (target != null) {
                write(target, (MethodInsnNode) insn, path, from);
                continue;
            }
            boolean isReturn = insn.getOpcode() >= Opcodes.IRETURN && insn.getOpcode() <= Opcodes.RETURN;
            if (isReturn && end != null) {
                if (result >= 0) {
                    to.add(new VarInsnNode(insn.getOpcode() - Opcodes.IRETURN + Opcodes.ISTORE, result));
                }
                to.add(new JumpInsnNode(Opcodes.GOTO, end));
                continue;
            }
            AbstractInsnNode clone = insn.clone(labels);
            if (clone instanceof VarInsnNode variable) {
                variable.var += offset;
            } else if (clone instanceof IincInsnNode counter) {
                counter.var += offset;
            }
            origins.put(clone, new Origin(path, from, insn, line));
            to.add(clone);
        }
        for (TryCatchBlockNode handler : from.tryCatchBlocks) {
            whole.tryCatchBlocks.add(new TryCatchBlockNode(
                    labels.get(handler.start), labels.get(handler.end), labels.get(handler.handler), handler.type));
        }
    }

    private void write(MethodNode target, MethodInsnNode call, List<MethodInsnNode> path, MethodNode from)
            throws NotFlat {
        boolean isRecursive =
                path.stream().anyMatch(caller -> caller.name.equals(target.name) && caller.desc.equals(target.desc));
        boolean callsItself = target.name.equals(whole.name) && target.desc.equals(whole.desc);
        if (isRecursive || callsItself || path.size() >= DEPTH) {
            throw new NotFlat();
        }
        inlined++;
        int base = locals;
        locals += target.maxLocals;
        stack += target.maxStack;
        Type type = Type.getReturnType(target.desc);
        int result = type.getSort() == Type.VOID ? -1 : locals;
        locals += type.getSize();
        List<Type> arguments = new ArrayList<>(List.of(Type.getArgumentTypes(target.desc)));
        if ((target.access & Opcodes.ACC_STATIC) == 0) {
            arguments.add(0, Type.getObjectType("java/lang/Object"));
        }
        int slot = base + arguments.stream().mapToInt(Type::getSize).sum();
        for (int i = arguments.size() - 1; i >= 0; i--) {
            slot -= arguments.get(i).getSize();
            whole.instructions.add(new VarInsnNode(arguments.get(i).getOpcode(Opcodes.ISTORE), slot));
        }
        List<VarInsnNode> kept = target.tryCatchBlocks.isEmpty() ? List.of() : keep(below(from, call, arguments.size()));
        List<MethodInsnNode> longer = new ArrayList<>(path);
        longer.add(call);
        LabelNode end = new LabelNode();
        copy(target, longer, base, end, result);
        whole.instructions.add(end);
        kept.forEach(whole.instructions::add);
        if (result >= 0) {
            whole.instructions.add(new VarInsnNode(type.getOpcode(Opcodes.ILOAD), result));
        } else {
            whole.instructions.add(new InsnNode(Opcodes.NOP));
        }
    }

    /** Moves operands to variables, as a handler finds none on the stack; returns what brings them back. */
    private List<VarInsnNode> keep(List<BasicValue> operands) {
        List<VarInsnNode> back = new ArrayList<>();
        for (int i = operands.size() - 1; i >= 0; i--) {
            Type type = operands.get(i).getType();
            whole.instructions.add(new VarInsnNode(type.getOpcode(Opcodes.ISTORE), locals));
            back.add(0, new VarInsnNode(type.getOpcode(Opcodes.ILOAD), locals));
            locals += type.getSize();
        }
        return back;
    }

    /** Returns the operands on the stack below the arguments of a call. */
    private static List<BasicValue> below(MethodNode from, MethodInsnNode call, int arguments) throws NotFlat {
        try {
            Frame<BasicValue>[] frames = new Analyzer<>(new BasicInterpreter()).analyze("java/lang/Object", from);
            Frame<BasicValue> frame = frames[from.instructions.indexOf(call)];
            if (frame == null) {
                throw new NotFlat(); // nothing leads here
            }
            List<BasicValue> found = new ArrayList<>();
            for (int i = 0; i < frame.getStackSize() - arguments; i++) {
                found.add(frame.getStack(i));
            }
            return found;
        } catch (AnalyzerException e) {
            throw new NotFlat();
        }
    }
}
