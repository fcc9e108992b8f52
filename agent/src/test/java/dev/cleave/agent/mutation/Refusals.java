package dev.cleave.agent.mutation;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Pattern;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * Takes the refusals of one rule out of the planners. Where a planner writes {@code throw method.refused("R33", ...)} it goes
 * on behind that statement; where it returns a refusal it returns null. A place whose class then does not verify stays.
 */
final class Refusals {

    private static final Pattern RULE = Pattern.compile("R[0-9]+");
    private static final String PLANNERS = "dev.cleave.agent.plan.";
    private static final String REFUSED = "Ldev/cleave/agent/plan/Refused;";
    private static final String REFUSAL = "Ldev/cleave/agent/plan/Refusal;";

    private Refusals() {}

    static byte[] remove(String rule, String className, byte[] classFile) {
        if (!className.startsWith(PLANNERS)) {
            return classFile;
        }
        byte[] changed = classFile;
        for (int place = places(rule, classFile) - 1; place >= 0; place--) {
            for (boolean returnsNull : new boolean[] {false, true}) {
                byte[] without = without(rule, place, returnsNull, changed);
                if (without != changed && verifies(className, without)) {
                    changed = without;
                    break;
                }
            }
        }
        return changed;
    }

    private static int places(String rule, byte[] classFile) {
        Finder finder = new Finder(rule, -1, false);
        finder.visit(read(classFile));
        return finder.found;
    }

    private static byte[] without(String rule, int place, boolean returnsNull, byte[] classFile) {
        ClassNode node = read(classFile);
        Finder finder = new Finder(rule, place, returnsNull);
        finder.visit(node);
        if (!finder.isChanged) {
            return classFile;
        }
        ClassWriter writer = new ClassWriter(0);
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

    /** Visits the places of a rule in their order, and takes one away. */
    private static final class Finder {

        private final String rule;
        private final int wanted;
        private final boolean returnsNull;
        private int found;
        private boolean isChanged;

        Finder(String rule, int wanted, boolean returnsNull) {
            this.rule = rule;
            this.wanted = wanted;
            this.returnsNull = returnsNull;
        }

        void visit(ClassNode node) {
            Set<String> makers = new HashSet<>();
            for (MethodNode method : node.methods) {
                if (method.desc.endsWith(")" + REFUSED) && mentions(method)) {
                    makers.add(method.name + method.desc);
                }
            }
            for (MethodNode method : node.methods) {
                if (!method.desc.endsWith(")" + REFUSED)) {
                    visit(node.name, method, makers);
                }
            }
        }

        private void visit(String owner, MethodNode method, Set<String> makers) {
            String current = null;
            for (AbstractInsnNode insn : method.instructions.toArray()) {
                if (insn instanceof LdcInsnNode constant
                        && constant.cst instanceof String text
                        && RULE.matcher(text).matches()) {
                    current = text;
                } else if (insn instanceof MethodInsnNode call
                        && call.owner.equals(owner)
                        && makers.contains(call.name + call.desc)) {
                    current = rule;
                }
                int opcode = insn.getOpcode();
                if (opcode == Opcodes.ATHROW || opcode == Opcodes.ARETURN) {
                    if (rule.equals(current) && found++ == wanted) {
                        take(method, insn);
                    }
                    current = null;
                } else if (opcode == Opcodes.POP || opcode == Opcodes.PUTFIELD || opcode == Opcodes.IRETURN) {
                    current = null;
                }
            }
        }

        private void take(MethodNode method, AbstractInsnNode end) {
            if (!returnsNull) {
                method.instructions.set(end, new InsnNode(Opcodes.POP));
                isChanged = true;
            } else if (Type.getReturnType(method.desc).getDescriptor().equals(REFUSAL)) {
                method.instructions.insertBefore(end, new InsnNode(Opcodes.POP));
                method.instructions.insertBefore(end, new InsnNode(Opcodes.ACONST_NULL));
                isChanged = true;
            }
        }

        private boolean mentions(MethodNode method) {
            for (AbstractInsnNode insn : method.instructions) {
                if (insn instanceof LdcInsnNode constant && rule.equals(constant.cst)) {
                    return true;
                }
            }
            return false;
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
