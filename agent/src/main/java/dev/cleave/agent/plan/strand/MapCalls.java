package dev.cleave.agent.plan.strand;

import dev.cleave.agent.plan.method.Callees;
import dev.cleave.agent.plan.method.Function;
import dev.cleave.agent.plan.placement.MapFilling;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LineNumberNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TypeInsnNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * Finds {@code map.computeIfAbsent(key, service::method)} and {@code map.computeIfAbsent(key, k -> service.method(k))}, and writes what
 * they do with {@code get} and {@code put}.
 */
final class MapCalls {

    private static final String OBJECT = "Ljava/lang/Object;";
    private static final Set<String> BOXES = Set.of(
            "java/lang/Boolean",
            "java/lang/Character",
            "java/lang/Byte",
            "java/lang/Short",
            "java/lang/Integer",
            "java/lang/Long",
            "java/lang/Float",
            "java/lang/Double");
    private static final Set<String> MAPS =
            Set.of("java/util/Map", "java/util/HashMap", "java/util/LinkedHashMap", "java/util/TreeMap");

    private MapCalls() {}

    /**
     * Such a call, whose function is made right in front of it.
     *
     * @param target the remote method
     * @param arguments what brings the service and the arguments onto the stack; the variables are those of the function: what it was
     *     given when it was made, then the key
     * @param frame the method and the line of the call, if the function is a lambda expression; else empty
     */
    record Mapping(
            MethodInsnNode call,
            Function function,
            MethodInsnNode target,
            List<AbstractInsnNode> arguments,
            String frame) {

        private List<Type> captured() {
            return List.of(Type.getArgumentTypes(function.site().desc));
        }

        private int capturedSize() {
            return captured().stream().mapToInt(Type::getSize).sum();
        }

        /** Returns how many locals the code needs. */
        int locals() {
            return capturedSize() + 3;
        }

        /** Returns how much of the stack the code needs. */
        int stack() {
            return arguments.size() + 4;
        }

        /**
         * The same with {@code get} and {@code put}; what the function was given is on the stack in place of the function.
         *
         * @param first the first of {@link #locals()} locals that are free
         */
        Code code(int first) {
            int key = first + capturedSize();
            int map = key + 1;
            int value = key + 2;
            boolean isInterface = call.itf;
            LabelNode end = new LabelNode();
            List<AbstractInsnNode> code = new ArrayList<>();
            int slot = key;
            for (int i = captured().size() - 1; i >= 0; i--) {
                slot -= captured().get(i).getSize();
                code.add(new VarInsnNode(captured().get(i).getOpcode(Opcodes.ISTORE), slot));
            }
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
            for (AbstractInsnNode argument : arguments) {
                AbstractInsnNode copy = argument.clone(Map.of());
                if (copy instanceof VarInsnNode variable) {
                    variable.var += first;
                }
                code.add(copy);
            }
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

        /** Returns how the program itself takes the calls. */
        MapFilling filling() {
            return new MapFilling(
                    Type.getReturnType(target.desc).getDescriptor().charAt(0), frame);
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

    /** Whether an instruction calls a method of a map of the JDK. */
    static boolean isOfMap(MethodInsnNode call) {
        return MAPS.contains(call.owner);
    }

    /** Whether a class is that of the boxes of a primitive type. */
    static boolean isBox(String internalName) {
        return BOXES.contains(internalName);
    }

    /** The mapping that a call makes, null if it makes none. */
    static @Nullable Mapping of(MethodInsnNode call, Callees in) {
        boolean isCompute = MAPS.contains(call.owner) && call.name.equals("computeIfAbsent");
        Function function =
                isCompute && previous(call) instanceof InvokeDynamicInsnNode site ? Function.of(site) : null;
        if (function == null || !function.site().desc.endsWith(")Ljava/util/function/Function;")) {
            return null;
        }
        MethodInsnNode target = function.target();
        if (function.isBoundToService() && target.getOpcode() == Opcodes.INVOKEINTERFACE && in.isRemote(target)) {
            List<AbstractInsnNode> arguments = new ArrayList<>();
            arguments.add(new VarInsnNode(Opcodes.ALOAD, 0));
            arguments.add(new VarInsnNode(Opcodes.ALOAD, 1));
            arguments.addAll(converted(Type.getArgumentTypes(target.desc)[0]));
            return new Mapping(call, function, target, arguments, "");
        }
        MethodNode body = in.targetOf(target);
        return body == null || !body.name.startsWith("lambda$") ? null : ofLambda(call, function, body, in);
    }

    /** The mapping whose function is a lambda expression that makes one call and returns its result, null if it does more. */
    private static @Nullable Mapping ofLambda(MethodInsnNode call, Function function, MethodNode body, Callees in) {
        List<AbstractInsnNode> arguments = new ArrayList<>();
        int parameter = (Type.getArgumentsAndReturnSizes(function.site().desc) >> 2) - 1; // which counts an object
        MethodInsnNode sent = null;
        int line = -1;
        AbstractInsnNode at = body.instructions.getFirst();
        for (; at != null && sent == null; at = at.getNext()) {
            if (at instanceof LineNumberNode number) {
                line = number.line;
            }
            if (at.getOpcode() < 0) {
                continue;
            }
            if (at instanceof MethodInsnNode made && in.isRemote(made)) {
                sent = made;
            } else if (isPlain(at)) {
                arguments.add(at);
                if (at instanceof VarInsnNode variable && variable.var == parameter) {
                    Type[] parameters = Type.getArgumentTypes(body.desc);
                    arguments.add(
                            new TypeInsnNode(Opcodes.CHECKCAST, parameters[parameters.length - 1].getInternalName()));
                }
            } else {
                return null;
            }
        }
        boolean isWhole = sent != null
                && sent.getOpcode() == Opcodes.INVOKEINTERFACE
                && Type.getReturnType(sent.desc) != Type.VOID_TYPE
                && body.tryCatchBlocks.isEmpty()
                && returns(at, boxed(Type.getReturnType(sent.desc)));
        String frame = function.target().owner.replace('/', '.') + "." + body.name + ":" + line;
        return sent != null && isWhole ? new Mapping(call, function, sent, arguments, frame) : null;
    }

    /** Whether an instruction of a lambda expression loads a value, or takes it out of its box. */
    private static boolean isPlain(AbstractInsnNode insn) {
        return insn instanceof VarInsnNode variable && variable.getOpcode() <= Opcodes.ALOAD
                || insn.getOpcode() == Opcodes.GETFIELD
                || insn.getOpcode() == Opcodes.CHECKCAST
                || insn instanceof MethodInsnNode call
                        && call.getOpcode() == Opcodes.INVOKEVIRTUAL
                        && BOXES.contains(call.owner)
                        && call.name.endsWith("Value");
    }

    /** Whether code puts a result into its box, and returns it. */
    private static boolean returns(@Nullable AbstractInsnNode from, List<AbstractInsnNode> boxed) {
        List<AbstractInsnNode> rest = new ArrayList<>();
        for (AbstractInsnNode at = from; at != null; at = at.getNext()) {
            if (at.getOpcode() >= 0) {
                rest.add(at);
            }
        }
        if (rest.size() != boxed.size() + 1 || rest.get(boxed.size()).getOpcode() != Opcodes.ARETURN) {
            return false;
        }
        return boxed.isEmpty()
                || boxed.get(0) instanceof MethodInsnNode wanted
                        && rest.get(0) instanceof MethodInsnNode found
                        && found.owner.equals(wanted.owner)
                        && found.name.equals(wanted.name)
                        && found.desc.equals(wanted.desc);
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

    /** The instruction before another one, marks left out; null if there is none. */
    static @Nullable AbstractInsnNode previous(AbstractInsnNode insn) {
        AbstractInsnNode at = insn.getPrevious();
        while (at != null && at.getOpcode() < 0) {
            at = at.getPrevious();
        }
        return at;
    }

    /** The instruction after another one, marks left out; null if there is none. */
    static @Nullable AbstractInsnNode next(AbstractInsnNode insn) {
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
