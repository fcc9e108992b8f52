package dev.cleave.agent.mutation;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.IntInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TypeInsnNode;

/**
 * Takes the refusals of rules out of the planners while their mutants are {@linkplain ActiveMutant active}. Where a planner
 * writes {@code throw method.refused(Rule.R33, ...)} it goes on behind that statement; where it returns a refusal it returns
 * null. A place whose class then does not verify stays.
 */
final class Refusals {

    private static final String RULE = "dev/cleave/agent/rule/Rule";
    private static final String PLANNERS = "dev.cleave.agent.plan.";
    private static final String REFUSED = "Ldev/cleave/agent/plan/verdict/Refused;";
    private static final String REFUSAL = "Ldev/cleave/agent/plan/verdict/Refusal;";

    private Refusals() {}

    /**
     * Changes a class.
     *
     * @param mutants the numbers of those that take refusals out, by their rules
     */
    static byte[] remove(Map<String, Integer> mutants, String className, byte[] classFile) {
        if (!className.startsWith(PLANNERS)) {
            return classFile;
        }
        int places = new Finder(read(classFile), mutants).places.size();
        BitSet all = new BitSet();
        all.set(0, places);
        byte[] changed = without(all, mutants, classFile);
        if (places == 0 || verifies(className, changed)) {
            return places == 0 ? classFile : changed;
        }
        BitSet some = new BitSet();
        for (int place = 0; place < places; place++) {
            some.set(place);
            some.set(place, verifies(className, without(some, mutants, classFile)));
        }
        return some.isEmpty() ? classFile : without(some, mutants, classFile);
    }

    private static byte[] without(BitSet places, Map<String, Integer> mutants, byte[] classFile) {
        ClassNode node = read(classFile);
        List<Place> found = new Finder(node, mutants).places;
        places.stream().forEach(place -> found.get(place).take());
        ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
        node.accept(writer);
        return writer.toByteArray();
    }

    private static ClassNode read(byte[] classFile) {
        ClassNode node = new ClassNode();
        new ClassReader(classFile).accept(node, 0);
        return node;
    }

    /** Whether the JVM links it; its other classes are as they are. */
    private static boolean verifies(String className, byte[] classFile) {
        try {
            Class.forName(className, true, new OneClass(className, classFile));
            return true;
        } catch (LinkageError e) {
            return false;
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Where a refusal is thrown or returned. */
    private record Place(MethodNode method, AbstractInsnNode end, int mutant) {

        void take() {
            boolean isThrown = end.getOpcode() == Opcodes.ATHROW;
            method.instructions.insertBefore(end, new IntInsnNode(Opcodes.SIPUSH, mutant));
            if (isThrown) {
                method.instructions.set(end, call("raise", "(Ljava/lang/Throwable;I)V"));
            } else {
                method.instructions.insertBefore(end, call("unless", "(Ljava/lang/Object;I)Ljava/lang/Object;"));
                String type = Type.getReturnType(method.desc).getInternalName();
                method.instructions.insertBefore(end, new TypeInsnNode(Opcodes.CHECKCAST, type));
            }
        }

        private static MethodInsnNode call(String name, String descriptor) {
            return new MethodInsnNode(Opcodes.INVOKESTATIC, Bodies.SWITCH, name, descriptor, false);
        }
    }

    /** Finds the places of rules in their order. */
    private static final class Finder {

        private final Map<String, Integer> mutants;
        private final List<Place> places = new ArrayList<>();

        Finder(ClassNode node, Map<String, Integer> mutants) {
            this.mutants = mutants;
            Map<String, String> makers = new HashMap<>();
            for (MethodNode method : node.methods) {
                String rule = method.desc.endsWith(")" + REFUSED) ? mentioned(method) : null;
                if (rule != null) {
                    makers.put(method.name + method.desc, rule);
                }
            }
            for (MethodNode method : node.methods) {
                if (!method.desc.endsWith(")" + REFUSED)) {
                    visit(node.name, method, makers);
                }
            }
        }

        private void visit(String owner, MethodNode method, Map<String, String> makers) {
            String current = null;
            for (AbstractInsnNode insn : method.instructions.toArray()) {
                if (isRule(insn)) {
                    current = ((FieldInsnNode) insn).name;
                } else if (insn instanceof MethodInsnNode call && call.owner.equals(owner)) {
                    current = makers.getOrDefault(call.name + call.desc, current);
                }
                int opcode = insn.getOpcode();
                if (opcode == Opcodes.ATHROW || opcode == Opcodes.ARETURN) {
                    add(current, method, insn);
                    current = null;
                } else if (opcode == Opcodes.POP || opcode == Opcodes.PUTFIELD || opcode == Opcodes.IRETURN) {
                    current = null;
                }
            }
        }

        private void add(String rule, MethodNode method, AbstractInsnNode end) {
            Integer mutant = rule == null ? null : mutants.get(rule);
            boolean isRefusal = end.getOpcode() == Opcodes.ATHROW
                    || Type.getReturnType(method.desc).getDescriptor().equals(REFUSAL);
            if (mutant != null && isRefusal) {
                places.add(new Place(method, end, mutant));
            }
        }

        private static boolean isRule(AbstractInsnNode insn) {
            return insn.getOpcode() == Opcodes.GETSTATIC && ((FieldInsnNode) insn).owner.equals(RULE);
        }

        /** The one rule by which a method refuses, null if there is none. */
        private String mentioned(MethodNode method) {
            for (AbstractInsnNode insn : method.instructions) {
                if (isRule(insn) && mutants.containsKey(((FieldInsnNode) insn).name)) {
                    return ((FieldInsnNode) insn).name;
                }
            }
            return null;
        }
    }

    /** Defines the classes of the planners anew, one of them changed. */
    private static final class OneClass extends ClassLoader {

        private final String changed;
        private final byte[] classFile;

        OneClass(String changed, byte[] classFile) {
            super(Refusals.class.getClassLoader());
            this.changed = changed;
            this.classFile = classFile;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith(PLANNERS)) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
                Class<?> known = findLoadedClass(name);
                return known != null ? known : define(name);
            }
        }

        private Class<?> define(String name) throws ClassNotFoundException {
            try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
                if (in == null) {
                    throw new ClassNotFoundException(name);
                }
                byte[] bytes = name.equals(changed) ? classFile : in.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
