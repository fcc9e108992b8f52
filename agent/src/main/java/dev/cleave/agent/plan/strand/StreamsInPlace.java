package dev.cleave.agent.plan.strand;

import static java.util.Objects.requireNonNull;

import dev.cleave.agent.effect.OpaqueValue;
import dev.cleave.agent.plan.method.Callees;
import dev.cleave.agent.plan.method.Function;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * Writes loops in the places of the streams of a method, in the code in which strands are planned (R69, R71). What makes a stream
 * and its functions only keeps its operands; the loop stands where the stream is run. The result is a value that
 * no copy can compute.
 */
final class StreamsInPlace {

    /** The code in which the loops are written. */
    interface Target {

        /** Returns a new local. */
        int local(Type type);

        /**
         * Writes the code of a lambda expression, whose operands are on the stack.
         *
         * @param end what runs the stream
         * @param call what calls the function
         * @return whether it can stand there
         */
        boolean write(MethodNode code, MethodInsnNode end, MethodInsnNode call, int operands);
    }

    private final Map<AbstractInsnNode, StreamCode> ends;
    private final Map<AbstractInsnNode, Integer> held =
            new IdentityHashMap<>(); // the first local, by what makes a source or function
    private final Set<AbstractInsnNode> dropped =
            Collections.newSetFromMap(new IdentityHashMap<>()); // stages in between

    /**
     * Finds the streams of a method.
     *
     * @param left instructions that stay as they are
     */
    StreamsInPlace(String owner, MethodNode method, Callees in, Set<AbstractInsnNode> left, Target target) {
        this.ends = StreamCode.of(owner, method, in);
        ends.keySet().removeIf(left::contains);
        ends.forEach((end, stream) -> {
            if (stream.source() != end) {
                hold(stream.source(), operands(stream.source()), target);
            }
            if (stream.collector() != null) {
                hold(stream.collector(), List.of(), target);
            }
            for (StreamCode.Stage stage : stream.stages()) {
                if (stage.function() != null) {
                    hold(
                            stage.function().site(),
                            List.of(Type.getArgumentTypes(stage.function().site().desc)),
                            target);
                }
                if (stage.call() != end) {
                    dropped.add(stage.call());
                }
            }
        });
    }

    private void hold(AbstractInsnNode insn, List<Type> types, Target target) {
        int first = -1;
        for (Type type : types) {
            int local = target.local(type);
            first = first < 0 ? local : first;
        }
        held.put(insn, Math.max(first, 0));
    }

    private static List<Type> operands(MethodInsnNode call) {
        List<Type> types = new ArrayList<>();
        if (call.getOpcode() != Opcodes.INVOKESTATIC) {
            types.add(Type.getObjectType(call.owner));
        }
        types.addAll(List.of(Type.getArgumentTypes(call.desc)));
        return types;
    }

    /** The stream that a call runs, null if it runs none that is written in place. */
    @Nullable
    StreamCode of(MethodInsnNode end) {
        return ends.get(end);
    }

    boolean isEmpty() {
        return ends.isEmpty();
    }

    /**
     * Writes what stands in the place of an instruction.
     *
     * @return whether it is part of a stream
     * @throws Unwritten if the loop cannot be written
     */
    boolean write(AbstractInsnNode insn, InsnList code, Target target) throws Unwritten {
        StreamCode stream = ends.get(insn);
        if (stream != null) {
            end(stream, code, target);
            return true;
        }
        if (dropped.contains(insn)) {
            for (int i = 0; i < Type.getArgumentTypes(((MethodInsnNode) insn).desc).length; i++) {
                code.add(new InsnNode(Opcodes.POP));
            }
            return true;
        }
        Integer first = held.get(insn);
        if (first == null) {
            return false;
        }
        List<Type> types = insn instanceof MethodInsnNode call
                ? operands(call)
                : List.of(Type.getArgumentTypes(((InvokeDynamicInsnNode) insn).desc));
        store(types, first, code);
        code.add(new LdcInsnNode("")); // in place of the stream, or the function
        return true;
    }

    /** Says that a loop cannot be written in the place of a stream. */
    static final class Unwritten extends Exception {

        private static final long serialVersionUID = 1L;

        Unwritten() {
            super("", null, false, false);
        }
    }

    private static void store(List<Type> types, int first, InsnList code) {
        int slot = first + types.stream().mapToInt(Type::getSize).sum();
        for (int i = types.size() - 1; i >= 0; i--) {
            slot -= types.get(i).getSize();
            code.add(new VarInsnNode(types.get(i).getOpcode(Opcodes.ISTORE), slot));
        }
    }

    private void end(StreamCode stream, InsnList code, Target target) throws Unwritten {
        MethodInsnNode end = stream.end();
        for (int i = 0; i < Type.getArgumentTypes(end.desc).length; i++) {
            code.add(new InsnNode(Opcodes.POP));
        }
        Type object = Type.getType(Object.class);
        LabelNode head = new LabelNode();
        LabelNode out = new LabelNode();
        LoopCode loop = new LoopCode(code, head, out);
        Type element;
        if (stream.source() == end) {
            int collection = target.local(object);
            code.add(new VarInsnNode(Opcodes.ASTORE, collection));
            element = loop.collection(collection, target.local(object));
        } else {
            code.add(new InsnNode(Opcodes.POP));
            int first = requireNonNull(held.get(stream.source()), "source");
            Type[] arguments = Type.getArgumentTypes(stream.source().desc);
            if (arguments.length == 2) {
                element = loop.range(arguments[0], first, first + arguments[0].getSize());
            } else if (arguments.length == 1) {
                int counter = target.local(Type.INT_TYPE);
                code.add(new InsnNode(Opcodes.ICONST_0));
                code.add(new VarInsnNode(Opcodes.ISTORE, counter));
                element = loop.array(arguments[0], first, counter);
            } else {
                element = loop.collection(first, target.local(object));
            }
        }
        stages(stream, element, head, loop, code, target);
        code.add(new JumpInsnNode(Opcodes.GOTO, head));
        code.add(out);
        Type result = Type.getReturnType(end.desc);
        if (result.getSort() != Type.VOID) {
            code.add(stream.makesCollection() ? OpaqueValue.collection(result) : OpaqueValue.of(result));
        } else {
            code.add(new InsnNode(Opcodes.NOP));
        }
    }

    private void stages(StreamCode stream, Type from, LabelNode head, LoopCode loop, InsnList code, Target target)
            throws Unwritten {
        Type object = Type.getType(Object.class);
        Type type = from.getSort() >= Type.ARRAY ? object : from;
        for (StreamCode.Stage stage : stream.stages()) {
            Function function = stage.function();
            if (function == null) {
                boolean isBoxed = stage.call().name.equals("boxed");
                check(!isBoxed || loop.box(type));
                if (!isBoxed) {
                    loop.drop(type);
                    return;
                }
                type = object;
                continue;
            }
            int element = target.local(type);
            code.add(new VarInsnNode(type.getOpcode(Opcodes.ISTORE), element));
            Type result = call(stream, stage, function, type, element, loop, code, target);
            switch (stage.call().name) {
                case "forEach", "forEachOrdered" -> {
                    loop.drop(result);
                    return;
                }
                case "peek" -> {
                    loop.drop(result);
                    code.add(new VarInsnNode(type.getOpcode(Opcodes.ILOAD), element));
                }
                case "filter" -> {
                    check(result.getSort() == Type.BOOLEAN);
                    code.add(new JumpInsnNode(Opcodes.IFEQ, head));
                    code.add(new VarInsnNode(type.getOpcode(Opcodes.ILOAD), element));
                }
                default -> {
                    Type gives = function.type().getReturnType();
                    check(loop.convert(result, gives));
                    type = gives.getSort() >= Type.ARRAY ? object : gives;
                }
            }
        }
    }

    /** Calls a function with an element; returns the type of its result. */
    private Type call(
            StreamCode stream,
            StreamCode.Stage stage,
            Function function,
            Type type,
            int element,
            LoopCode loop,
            InsnList code,
            Target target)
            throws Unwritten {
        MethodInsnNode called = function.target();
        List<Type> wanted = operands(called);
        Type[] captured = Type.getArgumentTypes(function.site().desc);
        check(wanted.size() == captured.length + 1);
        int at = requireNonNull(held.get(function.site()), "function");
        for (Type value : captured) {
            code.add(new VarInsnNode(value.getOpcode(Opcodes.ILOAD), at));
            at += value.getSize();
        }
        code.add(new VarInsnNode(type.getOpcode(Opcodes.ILOAD), element));
        check(loop.convert(type, wanted.get(captured.length)));
        MethodInsnNode calls = requireNonNull(stage.calls(), "call");
        MethodNode written = stage.code();
        if (written == null) {
            code.add(calls.clone(Map.of()));
        } else {
            check(target.write(written, stream.end(), calls, wanted.size()));
        }
        return Type.getReturnType(called.desc);
    }

    private static void check(boolean isWritten) throws Unwritten {
        if (!isWritten) {
            throw new Unwritten();
        }
    }
}
