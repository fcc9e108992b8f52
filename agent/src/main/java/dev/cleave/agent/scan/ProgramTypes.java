package dev.cleave.agent.scan;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LineNumberNode;
import org.objectweb.asm.tree.LookupSwitchInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TableSwitchInsnNode;

/**
 * The supertypes of the classes of a program, and the overridable methods that they call in loops. For advice only: the
 * code between a backward jump and its target counts as a loop. Confined to one thread.
 */
public final class ProgramTypes {

    /** The most calls of one method that are kept; the report names one. */
    private static final int MOST = 8;

    private final Map<String, List<String>> above = new HashMap<>();
    private final Map<String, List<LoopCall>> calls = new HashMap<>(); // by owner and method

    /** Creates an empty one. */
    public ProgramTypes() {}

    /** Adds a class file; one that cannot be read is left out. */
    public void add(byte[] classFile) {
        ClassNode type = new ClassNode();
        try {
            ClassReader reader = new ClassReader(classFile);
            if (!ProgramClasses.isProgram(reader.getClassName())) {
                return;
            }
            reader.accept(type, ClassReader.SKIP_FRAMES);
        } catch (RuntimeException e) { // a broken class file: advice does without it, and its own verdict reports it
            return;
        }
        List<String> supertypes = new ArrayList<>(type.interfaces);
        if (type.superName != null) {
            supertypes.add(type.superName);
        }
        supertypes.removeIf(name -> !ProgramClasses.isProgram(name));
        above.put(type.name, supertypes);
        type.methods.forEach(method -> addLoops(type, method));
    }

    /** A call in a loop of a method of a class, by the name of one of its supertypes; null if none was seen. */
    public @Nullable LoopCall callInLoop(String internalName, String method) {
        for (String type : supertypes(internalName)) {
            List<LoopCall> found = calls.get(type + '.' + method);
            if (found != null) {
                return Collections.min(found, Comparator.comparing(LoopCall::place));
            }
        }
        return null;
    }

    private Set<String> supertypes(String internalName) {
        Set<String> seen = new TreeSet<>();
        Deque<String> open = new ArrayDeque<>(List.of(internalName));
        while (!open.isEmpty()) {
            for (String type : above.getOrDefault(open.pop(), List.of())) {
                if (seen.add(type)) {
                    open.push(type);
                }
            }
        }
        return seen;
    }

    private void addLoops(ClassNode type, MethodNode method) {
        InsnList code = method.instructions;
        // the number of loops around an instruction, less that of the instruction before it
        int[] depth = new int[code.size() + 1];
        for (AbstractInsnNode insn : code) {
            for (AbstractInsnNode target : targets(insn)) {
                if (code.indexOf(target) <= code.indexOf(insn)) {
                    depth[code.indexOf(target)]++;
                    depth[code.indexOf(insn) + 1]--;
                }
            }
        }
        int loops = 0;
        int line = -1;
        for (AbstractInsnNode insn : code) {
            loops += depth[code.indexOf(insn)];
            if (insn instanceof LineNumberNode number) {
                line = number.line;
            }
            if (loops > 0 && insn instanceof MethodInsnNode call && mayBeOverridden(call)) {
                String name =
                        type.name.substring(type.name.lastIndexOf('/') + 1).replace('$', '.');
                String file = type.sourceFile == null || line < 0 ? "" : " (" + type.sourceFile + ":" + line + ")";
                List<LoopCall> found =
                        calls.computeIfAbsent(call.owner + '.' + call.name + call.desc, key -> new ArrayList<>());
                if (found.size() < MOST) {
                    found.add(new LoopCall(name + "." + method.name + file, call.owner, call.name + call.desc));
                }
            }
        }
    }

    private static boolean mayBeOverridden(MethodInsnNode call) {
        boolean isVirtual = call.getOpcode() == Opcodes.INVOKEINTERFACE || call.getOpcode() == Opcodes.INVOKEVIRTUAL;
        return isVirtual && !call.owner.startsWith("[") && ProgramClasses.isProgram(call.owner);
    }

    private static List<? extends AbstractInsnNode> targets(AbstractInsnNode insn) {
        if (insn instanceof JumpInsnNode jump) {
            return List.of(jump.label);
        }
        if (insn instanceof TableSwitchInsnNode table) {
            return table.labels;
        }
        return insn instanceof LookupSwitchInsnNode lookup ? lookup.labels : List.of();
    }
}
