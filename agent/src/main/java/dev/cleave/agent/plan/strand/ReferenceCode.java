package dev.cleave.agent.plan.strand;

import dev.cleave.agent.plan.method.Callees;
import dev.cleave.agent.plan.method.Function;
import dev.cleave.agent.plan.placement.StrandHelper;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LineNumberNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * Writes a method reference that makes remote calls, {@code service::get} or {@code this::price}, as the method of a lambda
 * expression that does the same, so that strands copy it like one (R69, R71). The class gets no such method: where the program
 * makes the function, rewritten code makes one that takes what strands have sent.
 */
public final class ReferenceCode {

    private static final String PREFIX = StrandHelper.REFERENCE;

    private final Map<InvokeDynamicInsnNode, MethodNode> written = new IdentityHashMap<>();

    private ReferenceCode() {}

    /**
     * Returns the code of a method reference: the same each time. Null if it is of a kind that is not written: a constructor, or
     * one with several operands.
     *
     * @param method the method in which the function is made
     */
    public static @Nullable MethodNode of(Function function, MethodNode method, Callees in) {
        if (!isWritten(function)) {
            return null;
        }
        return in.kept(ReferenceCode.class, ReferenceCode::new)
                .written
                .computeIfAbsent(function.site(), site -> write(function, method));
    }

    private static boolean isWritten(Function function) {
        MethodInsnNode target = function.target();
        boolean isPlain = !target.name.startsWith("lambda$") && !function.isNew();
        return isPlain && function.captured() <= 1 && LoopCode.operands(target).size() == function.captured() + 1;
    }

    /** Returns the name of the code of a method reference, by which rewritten code hands over what was sent for it. */
    public static String nameOf(InvokeDynamicInsnNode site, MethodNode method) {
        return PREFIX + method.name + '$' + method.instructions.indexOf(site);
    }

    /** Returns the name of the method that a method belongs to: that of a method reference to the one in which it is made. */
    static String placeOf(String method) {
        return method.startsWith(PREFIX) ? method.substring(PREFIX.length(), method.lastIndexOf('$')) : method;
    }

    /** Returns the descriptor of that code: it takes what the function is made with, and its argument. */
    public static String typeOf(Function function) {
        MethodInsnNode target = function.target();
        return Type.getMethodDescriptor(
                Type.getReturnType(target.desc), LoopCode.operands(target).toArray(new Type[0]));
    }

    /** Returns a call of that code. */
    static MethodInsnNode call(String owner, MethodNode code) {
        return new MethodInsnNode(Opcodes.INVOKESTATIC, owner, code.name, code.desc, false);
    }

    private static MethodNode write(Function function, MethodNode method) {
        MethodInsnNode target = function.target();
        List<Type> operands = LoopCode.operands(target);
        Type result = Type.getReturnType(target.desc);
        MethodNode code = new MethodNode(
                Opcodes.ASM9,
                Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC | Opcodes.ACC_SYNTHETIC,
                nameOf(function.site(), method),
                typeOf(function),
                null,
                null);
        LabelNode start = new LabelNode();
        code.instructions.add(start);
        code.instructions.add(new LineNumberNode(lineOf(function.site()), start));
        for (Type operand : operands) {
            code.instructions.add(new VarInsnNode(operand.getOpcode(Opcodes.ILOAD), code.maxLocals));
            code.maxLocals += operand.getSize();
        }
        code.instructions.add(target.clone(Map.of()));
        code.instructions.add(new InsnNode(result.getOpcode(Opcodes.IRETURN)));
        code.maxStack = Math.max(code.maxLocals, result.getSize());
        return code;
    }

    private static int lineOf(AbstractInsnNode insn) {
        AbstractInsnNode at = insn;
        while (at != null && !(at instanceof LineNumberNode)) {
            at = at.getPrevious();
        }
        return at == null ? 0 : ((LineNumberNode) at).line;
    }
}
