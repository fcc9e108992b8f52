package dev.cleave.agent.plan.strand;

import dev.cleave.agent.plan.method.Callees;
import dev.cleave.agent.plan.method.Function;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.TypeInsnNode;
import org.objectweb.asm.tree.VarInsnNode;

/** Finds {@code map.computeIfAbsent(key, service::method)}, and writes what it does with {@code get} and {@code put}. */
final class MapCalls {

    private static final String OBJECT = "Ljava/lang/Object;";
    private static final Set<String> MAPS =
            Set.of("java/util/Map", "java/util/HashMap", "java/util/LinkedHashMap", "java/util/TreeMap");

    /** How many locals that code needs, and how much of the stack. */
    static final int LOCALS = 4;

    private MapCalls() {}

    /** Such a call, whose function is made right in front of it. */
    record Mapping(MethodInsnNode call, Function function) {

        /**
         * The same with {@code get} and {@code put}; the service is on the stack in place of the function.
         *
         * @param map the first of {@value #LOCALS} locals that are free
         */
        Code code(int map) {
            int key = map + 1;
            int service = map + 2;
            int value = map + 3;
            MethodInsnNode target = function.target();
            boolean isInterface = call.itf;
            LabelNode end = new LabelNode();
            List<AbstractInsnNode> code = new ArrayList<>();
            code.add(new VarInsnNode(Opcodes.ASTORE, service));
            code.add(new VarInsnNode(Opcodes.ASTORE, key));
            code.add(new VarInsnNode(Opcodes.ASTORE, map));
            code.add(new VarInsnNode(Opcodes.ALOAD, map));
            code.add(new VarInsnNode(Opcodes.ALOAD, key));
            MethodInsnNode get =
                    new MethodInsnNode(call.getOpcode(), call.owner, "get", "(" + OBJECT + ")" + OBJECT, isInterface);
            code.add(get);
            code.add(new VarInsnNode(Opcodes.ASTORE, value));
            code.add(new VarInsnNode(Opcodes.ALOAD, value));
            code.add(new JumpInsnNode(Opcodes.IFNONNULL, end));
            code.add(new VarInsnNode(Opcodes.ALOAD, service));
            code.add(new VarInsnNode(Opcodes.ALOAD, key));
            code.addAll(converted(Type.getArgumentTypes(target.desc)[0]));
            MethodInsnNode sent =
                    new MethodInsnNode(target.getOpcode(), target.owner, target.name, target.desc, target.itf);
            code.add(sent);
            code.addAll(boxed(Type.getReturnType(target.desc)));
            code.add(new VarInsnNode(Opcodes.ASTORE, value));
            code.add(new VarInsnNode(Opcodes.ALOAD, map));
            code.add(new VarInsnNode(Opcodes.ALOAD, key));
            code.add(new VarInsnNode(Opcodes.ALOAD, value));
            MethodInsnNode put = new MethodInsnNode(
                    call.getOpcode(), call.owner, "put", "(" + OBJECT + OBJECT + ")" + OBJECT, isInterface);
            code.add(put);
            code.add(new InsnNode(Opcodes.POP));
            code.add(end);
            code.add(new VarInsnNode(Opcodes.ALOAD, value));
            return new Code(code, get, sent, put);
        }

        /** How the descriptor of the result of the remote method begins. */
        char result() {
            return Type.getReturnType(function.target().desc).getDescriptor().charAt(0);
        }
    }

    /**
     * What stands in the place of such a call.
     *
     * @param get asks the map for the key
     * @param sent makes the call if the map has no value
     * @param put keeps the result
     */
    record Code(List<AbstractInsnNode> all, MethodInsnNode get, MethodInsnNode sent, MethodInsnNode put) {}

    /** The mapping that a call makes, null if it makes none. */
    static @Nullable Mapping of(MethodInsnNode call, Callees in) {
        boolean isCompute = MAPS.contains(call.owner) && call.name.equals("computeIfAbsent");
        Function function =
                isCompute && previous(call) instanceof InvokeDynamicInsnNode site ? Function.of(site) : null;
        if (function == null || !function.isBoundToService()) {
            return null;
        }
        MethodInsnNode target = function.target();
        return target.getOpcode() == Opcodes.INVOKEINTERFACE && in.isRemote(target)
                ? new Mapping(call, function)
                : null;
    }

    /** Whether an instruction makes the function of a mapping. */
    static boolean isFunctionOfMapping(AbstractInsnNode insn, Callees in) {
        return insn instanceof InvokeDynamicInsnNode
                && next(insn) instanceof MethodInsnNode call
                && of(call, in) != null;
    }

    /** Whether an instruction calls {@code computeIfAbsent}. */
    static boolean isMapping(AbstractInsnNode insn) {
        return insn instanceof MethodInsnNode call && MAPS.contains(call.owner) && call.name.equals("computeIfAbsent");
    }

    private static @Nullable AbstractInsnNode previous(AbstractInsnNode insn) {
        AbstractInsnNode at = insn.getPrevious();
        while (at != null && at.getOpcode() < 0) {
            at = at.getPrevious();
        }
        return at;
    }

    private static @Nullable AbstractInsnNode next(AbstractInsnNode insn) {
        AbstractInsnNode at = insn.getNext();
        while (at != null && at.getOpcode() < 0) {
            at = at.getNext();
        }
        return at;
    }

    private static List<AbstractInsnNode> converted(Type parameter) {
        if (parameter.getSort() == Type.OBJECT || parameter.getSort() == Type.ARRAY) {
            return List.of(new TypeInsnNode(Opcodes.CHECKCAST, parameter.getInternalName()));
        }
        String box = box(parameter);
        return List.of(
                new TypeInsnNode(Opcodes.CHECKCAST, box),
                new MethodInsnNode(
                        Opcodes.INVOKEVIRTUAL,
                        box,
                        parameter.getClassName() + "Value",
                        "()" + parameter.getDescriptor(),
                        false));
    }

    private static List<AbstractInsnNode> boxed(Type result) {
        if (result.getSort() == Type.OBJECT || result.getSort() == Type.ARRAY) {
            return List.of();
        }
        String box = box(result);
        return List.of(new MethodInsnNode(
                Opcodes.INVOKESTATIC, box, "valueOf", "(" + result.getDescriptor() + ")L" + box + ";", false));
    }

    private static String box(Type primitive) {
        return switch (primitive.getSort()) {
            case Type.BOOLEAN -> "java/lang/Boolean";
            case Type.CHAR -> "java/lang/Character";
            case Type.BYTE -> "java/lang/Byte";
            case Type.SHORT -> "java/lang/Short";
            case Type.INT -> "java/lang/Integer";
            case Type.LONG -> "java/lang/Long";
            case Type.FLOAT -> "java/lang/Float";
            default -> "java/lang/Double";
        };
    }
}
