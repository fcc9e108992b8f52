package dev.cleave.agent.conformance;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LookupSwitchInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TableSwitchInsnNode;
import org.objectweb.asm.tree.TryCatchBlockNode;

/**
 * Looks for what keeps the JVM from compiling a method: it counts the locks that are held, and gives up on a method in which an
 * exception may leave with one of them held ({@code GenerateOopMap::do_exception_edge} of HotSpot).
 */
public final class Locking {

    private static final int UNSEEN = -1;

    /** What may throw, beside fields, calls, objects and locks. */
    private static final Set<Integer> THROWING = Set.of(
            Opcodes.LDC,
            Opcodes.IDIV,
            Opcodes.LDIV,
            Opcodes.IREM,
            Opcodes.LREM,
            Opcodes.IALOAD,
            Opcodes.LALOAD,
            Opcodes.FALOAD,
            Opcodes.DALOAD,
            Opcodes.AALOAD,
            Opcodes.BALOAD,
            Opcodes.CALOAD,
            Opcodes.SALOAD,
            Opcodes.IASTORE,
            Opcodes.LASTORE,
            Opcodes.FASTORE,
            Opcodes.DASTORE,
            Opcodes.AASTORE,
            Opcodes.BASTORE,
            Opcodes.CASTORE,
            Opcodes.SASTORE);

    private Locking() {}

    /** The methods of a class that would never be compiled, with the instruction. */
    public static List<String> problems(byte[] classFile) {
        ClassNode read = new ClassNode();
        new ClassReader(classFile).accept(read, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
        List<String> problems = new ArrayList<>();
        for (MethodNode method : read.methods) {
            if (method.instructions.size() > 0) {
                problems.addAll(problems(method));
            }
        }
        return problems;
    }

    private static List<String> problems(MethodNode method) {
        List<String> problems = new ArrayList<>();
        int[] held = new int[method.instructions.size()];
        Arrays.fill(held, UNSEEN);
        Deque<AbstractInsnNode> work = new ArrayDeque<>(List.of(method.instructions.getFirst()));
        held[0] = 0;
        while (!work.isEmpty()) {
            AbstractInsnNode insn = work.pop();
            int at = method.instructions.indexOf(insn);
            int opcode = insn.getOpcode();
            int after = held[at] + (opcode == Opcodes.MONITORENTER ? 1 : opcode == Opcodes.MONITOREXIT ? -1 : 0);
            List<AbstractInsnNode> next = targets(insn);
            boolean ends = opcode == Opcodes.GOTO
                    || opcode == Opcodes.ATHROW
                    || opcode >= Opcodes.TABLESWITCH && opcode <= Opcodes.RETURN;
            if (!ends && insn.getNext() != null) {
                next.add(insn.getNext());
            }
            next.forEach(each -> reach(method, each, after, held, work));
            if (mayThrow(opcode) && !(opcode == Opcodes.MONITOREXIT && held[at] > 0)) {
                boolean isCaught = false;
                for (TryCatchBlockNode block : method.tryCatchBlocks) {
                    if (method.instructions.indexOf(block.start) <= at && at < method.instructions.indexOf(block.end)) {
                        reach(method, block.handler, held[at], held, work);
                        isCaught |= block.type == null;
                    }
                }
                if (held[at] > 0 && !isCaught) {
                    problems.add(method.name + ": instruction " + at + ", opcode " + opcode);
                }
            }
        }
        return problems;
    }

    private static void reach(
            MethodNode method, AbstractInsnNode insn, int locks, int[] held, Deque<AbstractInsnNode> work) {
        int at = method.instructions.indexOf(insn);
        if (held[at] == UNSEEN) {
            held[at] = locks;
            work.push(insn);
        }
    }

    private static boolean mayThrow(int opcode) {
        return THROWING.contains(opcode) || opcode >= Opcodes.GETSTATIC && opcode <= Opcodes.MULTIANEWARRAY;
    }

    private static List<AbstractInsnNode> targets(AbstractInsnNode insn) {
        List<LabelNode> labels = new ArrayList<>();
        if (insn instanceof JumpInsnNode jump) {
            labels.add(jump.label);
        } else if (insn instanceof TableSwitchInsnNode table) {
            labels.add(table.dflt);
            labels.addAll(table.labels);
        } else if (insn instanceof LookupSwitchInsnNode lookup) {
            labels.add(lookup.dflt);
            labels.addAll(lookup.labels);
        }
        return new ArrayList<>(labels);
    }
}
