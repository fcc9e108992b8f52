package dev.cleave.agent.effect;

import java.io.IOException;
import java.io.InputStream;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * Counts the calls of JDK methods that stand in loops of jars, and those of them that the effect table knows: a program to
 * be run by hand when the table is extended. Prints a line a jar, the sum, and the most frequent unknown methods.
 */
final class LoopCallCensus {

    private static final int SHOWN = 150;

    private final JdkTable table = JdkTable.load();
    private final Map<String, Integer> unknown = new HashMap<>();
    private int calls;
    private int known;

    private LoopCallCensus() {}

    /** Takes the jars as arguments. */
    public static void main(String[] jars) throws IOException {
        Map<String, String> lines = new TreeMap<>();
        LoopCallCensus all = new LoopCallCensus();
        for (String name : jars) {
            int callsBefore = all.calls;
            int knownBefore = all.known;
            try (JarFile jar = new JarFile(name)) {
                for (JarEntry entry : (Iterable<JarEntry>) jar.stream()::iterator) {
                    if (entry.getName().endsWith(".class") && !entry.getName().startsWith("META-INF")) {
                        try (InputStream in = jar.getInputStream(entry)) {
                            all.count(in.readAllBytes());
                        }
                    }
                }
            }
            lines.put(
                    name.substring(name.lastIndexOf('/') + 1), share(all.known - knownBefore, all.calls - callsBefore));
        }
        lines.forEach((jar, share) -> System.out.println(jar + "  " + share));
        System.out.println("all  " + share(all.known, all.calls));
        all.unknown.entrySet().stream()
                .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
                .limit(SHOWN)
                .forEach(entry -> System.out.println(entry.getValue() + "  " + entry.getKey()));
    }

    private static String share(int known, int calls) {
        return known + " of " + calls + String.format(" (%.1f %%)", calls == 0 ? 0 : 100.0 * known / calls);
    }

    private void count(byte[] classFile) {
        ClassNode node = new ClassNode();
        new ClassReader(classFile).accept(node, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
        for (MethodNode method : node.methods) {
            boolean[] isInLoop = inLoops(method);
            for (int i = 0; i < isInLoop.length; i++) {
                AbstractInsnNode insn = method.instructions.get(i);
                if (isInLoop[i] && insn instanceof MethodInsnNode call && call.owner.startsWith("java/")) {
                    count(call);
                }
            }
        }
    }

    private void count(MethodInsnNode call) {
        calls++;
        if (table.flags(call.owner, call.name, call.desc) != null) {
            known++;
        } else {
            unknown.merge(call.owner + " " + call.name + " " + call.desc, 1, Integer::sum);
        }
    }

    /** What stands between a jump back and its target. */
    private static boolean[] inLoops(MethodNode method) {
        boolean[] isInLoop = new boolean[method.instructions.size()];
        for (AbstractInsnNode insn : List.of(method.instructions.toArray())) {
            if (insn instanceof JumpInsnNode jump && jump.getOpcode() != Opcodes.JSR) {
                int to = method.instructions.indexOf(jump.label);
                int from = method.instructions.indexOf(jump);
                for (int i = to; i < from; i++) {
                    isInLoop[i] = true;
                }
            }
        }
        return isInLoop;
    }
}
