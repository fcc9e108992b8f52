package dev.cleave.agent.plan.strand;

import dev.cleave.agent.plan.method.Callees;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.analysis.Analyzer;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.Frame;
import org.objectweb.asm.tree.analysis.SourceInterpreter;
import org.objectweb.asm.tree.analysis.SourceValue;

/**
 * The objects of a method whose constructors are given results of remote calls, as in {@code new ArrayList<>(service.names(i))}. A
 * compiler makes such an object before it makes the call; code that is only planned in makes it right before its constructor runs, as
 * no strand can keep an object whose constructor has not run (R26).
 *
 * @param made what makes the objects, by the calls of their constructors
 */
record Constructions(Map<MethodInsnNode, AbstractInsnNode> made) {

    /** The methods of a class that were read. */
    private static final class Known {

        private final Map<MethodNode, Constructions> constructions = new IdentityHashMap<>();
    }

    /** Returns those of a method: the same ones each time. */
    static Constructions of(MethodNode method, Callees in) {
        return in.kept(Known.class, Known::new).constructions.computeIfAbsent(method, key -> read(key, in));
    }

    private static Constructions read(MethodNode method, Callees in) {
        Map<MethodInsnNode, AbstractInsnNode> found = new IdentityHashMap<>();
        boolean calls = false;
        for (AbstractInsnNode insn : method.instructions) {
            calls |= insn.getOpcode() == Opcodes.NEW && leadsToCall(insn, in);
        }
        if (!calls) {
            return new Constructions(found);
        }
        try {
            Frame<SourceValue>[] frames = new Analyzer<>(new SourceInterpreter()).analyze("java/lang/Object", method);
            for (AbstractInsnNode insn : method.instructions) {
                Frame<SourceValue> frame = frames[method.instructions.indexOf(insn)];
                if (frame != null && insn.getOpcode() == Opcodes.INVOKESPECIAL) {
                    MethodInsnNode call = (MethodInsnNode) insn;
                    AbstractInsnNode made = call.name.equals("<init>") ? made(call, frame) : null;
                    if (made != null && leadsToCall(made, in)) {
                        found.put(call, made);
                    }
                }
            }
        } catch (AnalyzerException e) {
            found.clear();
        }
        return new Constructions(found);
    }

    /** Returns the instruction that makes the object for which a constructor runs, if that is the only one and directly copied; else null. */
    private static @Nullable AbstractInsnNode made(MethodInsnNode call, Frame<SourceValue> frame) {
        int receiver = frame.getStackSize() - 1 - Type.getArgumentTypes(call.desc).length;
        Set<AbstractInsnNode> copies = receiver < 1 ? Set.of() : frame.getStack(receiver).insns;
        AbstractInsnNode copy = copies.size() == 1 ? copies.iterator().next() : null;
        AbstractInsnNode maker = copy == null || copy.getOpcode() != Opcodes.DUP ? null : copy.getPrevious();
        return maker != null && maker.getOpcode() == Opcodes.NEW ? maker : null;
    }

    /** Whether a remote call stands between what makes an object and the next constructor of the class. */
    private static boolean leadsToCall(AbstractInsnNode made, Callees in) {
        int open = 0;
        for (AbstractInsnNode insn = made; insn != null; insn = insn.getNext()) {
            if (insn.getOpcode() == Opcodes.NEW) {
                open++;
            } else if (insn instanceof MethodInsnNode call && call.name.equals("<init>") && --open == 0) {
                return false;
            } else if (insn instanceof MethodInsnNode call && (in.isRemote(call) || in.hidesRemote(call))) {
                return true;
            }
        }
        return false;
    }

    /** Whether an instruction makes such an object, or copies it for the constructor. */
    boolean isLeftOut(AbstractInsnNode insn) {
        return made.containsValue(insn) || insn.getOpcode() == Opcodes.DUP && made.containsValue(insn.getPrevious());
    }
}
