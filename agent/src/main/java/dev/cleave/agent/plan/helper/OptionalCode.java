package dev.cleave.agent.plan.helper;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TypeInsnNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * The methods of {@code Optional} that call a function at most once, as code that strands copy (R71). It does what the JDK's does, by public
 * methods; it never runs.
 */
final class OptionalCode {

    private static final String OPTIONAL = "java/util/Optional";
    private static final String FUNCTIONS = "java/util/function/";
    private static final String TO_OPTIONAL = ")L" + OPTIONAL + ";";

    /** The descriptors of the methods, by their names. */
    private static final Map<String, String> DESCRIPTORS = Map.of(
            "map", "(L" + FUNCTIONS + "Function;" + TO_OPTIONAL,
            "flatMap", "(L" + FUNCTIONS + "Function;" + TO_OPTIONAL,
            "filter", "(L" + FUNCTIONS + "Predicate;" + TO_OPTIONAL,
            "or", "(L" + FUNCTIONS + "Supplier;" + TO_OPTIONAL,
            "orElseGet", "(L" + FUNCTIONS + "Supplier;)Ljava/lang/Object;",
            "ifPresent", "(L" + FUNCTIONS + "Consumer;)V");

    private final Map<String, MethodNode> written = new HashMap<>();

    /** Whether a call calls one of the methods. */
    static boolean isOf(MethodInsnNode call) {
        return call.owner.equals(OPTIONAL) && call.desc.equals(DESCRIPTORS.get(call.name));
    }

    /** The code of the method that a call calls, the same each time; null if it is none of these. */
    @Nullable
    MethodNode of(MethodInsnNode call) {
        return isOf(call) ? written.computeIfAbsent(call.name, name -> new Writing().method(name, call.desc)) : null;
    }

    /** Writes one method. */
    private static final class Writing {

        private final InsnList code = new InsnList();

        MethodNode method(String name, String descriptor) {
            MethodNode method =
                    new MethodNode(Opcodes.ASM9, Opcodes.ACC_PUBLIC | Opcodes.ACC_FINAL, name, descriptor, null, null);
            write(name);
            method.instructions = code;
            method.maxLocals = 2;
            method.maxStack = 3;
            return method;
        }

        private void write(String name) {
            LabelNode none = new LabelNode();
            LabelNode end = new LabelNode();
            load(0);
            call(OPTIONAL, "isPresent", "()Z");
            code.add(new JumpInsnNode(Opcodes.IFEQ, none));
            switch (name) {
                case "map" -> {
                    apply("Function", "apply", "(Ljava/lang/Object;)Ljava/lang/Object;");
                    code.add(new MethodInsnNode(
                            Opcodes.INVOKESTATIC, OPTIONAL, "ofNullable", "(Ljava/lang/Object;" + TO_OPTIONAL, false));
                    code.add(new InsnNode(Opcodes.ARETURN));
                    code.add(none);
                    load(0);
                    code.add(new InsnNode(Opcodes.ARETURN));
                }
                case "flatMap" -> {
                    apply("Function", "apply", "(Ljava/lang/Object;)Ljava/lang/Object;");
                    code.add(new TypeInsnNode(Opcodes.CHECKCAST, OPTIONAL));
                    code.add(new InsnNode(Opcodes.ARETURN));
                    code.add(none);
                    load(0);
                    code.add(new InsnNode(Opcodes.ARETURN));
                }
                case "filter" -> {
                    apply("Predicate", "test", "(Ljava/lang/Object;)Z");
                    code.add(new JumpInsnNode(Opcodes.IFEQ, end));
                    code.add(none);
                    load(0);
                    code.add(new InsnNode(Opcodes.ARETURN));
                    code.add(end);
                    code.add(new MethodInsnNode(Opcodes.INVOKESTATIC, OPTIONAL, "empty", "(" + TO_OPTIONAL, false));
                    code.add(new InsnNode(Opcodes.ARETURN));
                }
                case "ifPresent" -> {
                    apply("Consumer", "accept", "(Ljava/lang/Object;)V");
                    code.add(none);
                    code.add(new InsnNode(Opcodes.RETURN));
                }
                default -> {
                    load(0);
                    if (name.equals("orElseGet")) {
                        call(OPTIONAL, "get", "()Ljava/lang/Object;");
                    }
                    code.add(new InsnNode(Opcodes.ARETURN));
                    code.add(none);
                    load(1);
                    call(FUNCTIONS + "Supplier", "get", "()Ljava/lang/Object;");
                    if (name.equals("or")) {
                        code.add(new TypeInsnNode(Opcodes.CHECKCAST, OPTIONAL));
                    }
                    code.add(new InsnNode(Opcodes.ARETURN));
                }
            }
        }

        private void apply(String function, String name, String descriptor) {
            load(1);
            load(0);
            call(OPTIONAL, "get", "()" + Type.getObjectType("java/lang/Object").getDescriptor());
            call(FUNCTIONS + function, name, descriptor);
        }

        private void load(int local) {
            code.add(new VarInsnNode(Opcodes.ALOAD, local));
        }

        private void call(String owner, String name, String descriptor) {
            boolean isOptional = owner.equals(OPTIONAL);
            code.add(new MethodInsnNode(
                    isOptional ? Opcodes.INVOKEVIRTUAL : Opcodes.INVOKEINTERFACE,
                    owner,
                    name,
                    descriptor,
                    !isOptional));
        }
    }
}
