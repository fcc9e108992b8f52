package dev.cleave.agent.plan.strand;

import dev.cleave.agent.ir.MethodBody;
import dev.cleave.agent.ir.Unsupported;
import dev.cleave.agent.plan.method.Callee;
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

/**
 * A method with its helpers written in the places where it calls them. Strands are planned in it; it never runs.
 * Helpers are methods of the class that no class can override, that call remote methods and handle nothing. What its
 * locals hold keeps its slot.
 */
final class FlatMethod {

    private static final int MOST_INSTRUCTIONS = 3_000;
    private static final int DEPTH = 4;

    private final Callees helpers;
    private final MethodNode whole;
    private final Map<AbstractInsnNode, Origin> origins = new IdentityHashMap<>();
    private final Map<AbstractInsnNode, String> receivers = new IdentityHashMap<>();
    private final Map<MethodNode, StrandHelper> tables = new HashMap<>();
    private int locals;
    private int stack;
    private int inlined;

    /**
     * Where an instruction comes from.
     *
     * @param path the calls of helpers that lead to its method, none for the method itself
     * @param insn the instruction there
     * @param elsewhere internal name of the class of its method, null if that is the class that is planned
     */
    record Origin(
            List<MethodInsnNode> path,
            MethodNode method,
            AbstractInsnNode insn,
            int line,
            @Nullable String elsewhere) {}

    /** The code of a class that is written in the method. */
    private record Source(Callees in, @Nullable String elsewhere) {}

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
        copy(real, new Source(helpers, null), List.of(), 0, null, -1);
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

    /**
     * The classes that objects must be of exactly, by the instruction in front of the code of the other class that takes the
     * object.
     */
    Map<AbstractInsnNode, String> receivers() {
        return receivers;
    }

    /** The classes of the instructions that come from other classes, by their internal names. */
    Map<AbstractInsnNode, String> elsewhere() {
        Map<AbstractInsnNode, String> found = new IdentityHashMap<>();
        origins.forEach((insn, origin) -> {
            if (origin.elsewhere() != null) {
                found.put(insn, origin.elsewhere());
            }
        });
        return found;
    }

    /** Whether a call stays with the program, although its method can be sent ahead. */
    boolean stays(AbstractInsnNode insn) {
        Origin origin = origins.get(insn);
        return origin != null && (origin.elsewhere() != null || MapCalls.isMapping(origin.insn()));
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
        return target(helpers, call);
    }

    private static @Nullable MethodNode target(Callees in, MethodInsnNode call) {
        MethodNode target = in.targetOf(call);
        if (target == null || !in.hidesRemote(call) || in.isExcluded(target)) {
            return null;
        }
        boolean isFixed = (target.access & (Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC | Opcodes.ACC_FINAL)) != 0;
        return isFixed && isPlain(target) ? target : null;
    }

    private static boolean isPlain(MethodNode target) {
        return (target.access & (Opcodes.ACC_SYNCHRONIZED | Opcodes.ACC_BRIDGE)) == 0
                && target.tryCatchBlocks.isEmpty()
                && target.instructions.size() <= MOST_INSTRUCTIONS;
    }

    /** The method of another class that is written in the place of a call, null if none is. */
    private static @Nullable Callee elsewhere(Callees in, MethodInsnNode call) {
        Callee callee = in.targetOf(call) == null ? in.elsewhere(call) : null;
        return callee != null && isPlain(callee.code()) ? callee : null;
    }

    /** Whether other code stands in the place of an instruction of a method. */
    static boolean isWritten(Callees in, MethodInsnNode call) {
        return target(in, call) != null || elsewhere(in, call) != null || MapCalls.of(call, in) != null;
    }

    private void copy(
            MethodNode from,
            Source source,
            List<MethodInsnNode> path,
            int offset,
            @Nullable LabelNode end,
            int result)
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
            if (insn instanceof MethodInsnNode call && write(call, source, path)) {
                continue;
            }
            MapCalls.Mapping mapping = insn instanceof MethodInsnNode call ? MapCalls.of(call, source.in()) : null;
            if (mapping != null) {
                inlined++;
                for (AbstractInsnNode each : mapping.code(locals)) {
                    origins.put(each, new Origin(path, from, insn, line, source.elsewhere()));
                    to.add(each);
                }
                locals += MapCalls.LOCALS;
                stack += MapCalls.LOCALS;
                continue;
            }
            if (MapCalls.isFunctionOfMapping(insn, source.in())) {
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
            origins.put(clone, new Origin(path, from, insn, line, source.elsewhere()));
            to.add(clone);
        }
        for (TryCatchBlockNode handler : from.tryCatchBlocks) {
            whole.tryCatchBlocks.add(new TryCatchBlockNode(
                    labels.get(handler.start), labels.get(handler.end), labels.get(handler.handler), handler.type));
        }
    }

    /** Writes the method that a call calls in the place of the call, if it is one that can be written there. */
    private boolean write(MethodInsnNode call, Source source, List<MethodInsnNode> path) throws NotFlat {
        MethodNode own = target(source.in(), call);
        if (own != null) {
            write(own, source, null, call, path);
            return true;
        }
        Callee callee = elsewhere(source.in(), call);
        if (callee != null) {
            write(callee.code(), new Source(source.in().calleesOf(callee), callee.owner()), callee.exact(), call, path);
        }
        return callee != null;
    }

    private void write(
            MethodNode target, Source source, @Nullable String exact, MethodInsnNode call, List<MethodInsnNode> path)
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
        if (exact != null) {
            whole.instructions.add(new VarInsnNode(Opcodes.ALOAD, base));
            MethodInsnNode receives = new MethodInsnNode(
                    Opcodes.INVOKESTATIC,
                    "java/util/Objects",
                    "requireNonNull",
                    "(Ljava/lang/Object;)Ljava/lang/Object;",
                    false);
            receivers.put(receives, exact);
            whole.instructions.add(receives);
            whole.instructions.add(new InsnNode(Opcodes.POP));
            stack++;
        }
        List<MethodInsnNode> longer = new ArrayList<>(path);
        longer.add(call);
        LabelNode end = new LabelNode();
        copy(target, source, longer, base, end, result);
        whole.instructions.add(end);
        if (result >= 0) {
            whole.instructions.add(new VarInsnNode(type.getOpcode(Opcodes.ILOAD), result));
        } else {
            whole.instructions.add(new InsnNode(Opcodes.NOP));
        }
    }
}
