package dev.cleave.agent.plan.strand;

import static java.util.Objects.requireNonNull;

import dev.cleave.agent.plan.method.Callees;
import dev.cleave.agent.plan.method.Function;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
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
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TypeInsnNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * Writes loops in the places of the streams of a method, in the code in which strands are planned (R69, R71). What makes a stream
 * and its functions only keeps its operands; the loop stands where the stream is run. The result is a value that
 * no copy can compute.
 */
final class StreamsInPlace {

    private static final Type OBJECT = Type.getType(Object.class);
    private static final String SET = "java/util/HashSet";

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
        this(without(left, StreamCode.of(owner, method, in)), target);
    }

    private static Map<AbstractInsnNode, StreamCode> without(
            Set<AbstractInsnNode> left, Map<AbstractInsnNode, StreamCode> streams) {
        Map<AbstractInsnNode, StreamCode> ends = new IdentityHashMap<>(streams);
        ends.values().removeIf(stream -> !stream.callsRemote() && !canStand(stream));
        ends.keySet().removeIf(left::contains);
        return ends;
    }

    private StreamsInPlace(Map<AbstractInsnNode, StreamCode> ends, Target target) {
        this.ends = ends;
        ends.forEach((end, stream) -> {
            if (stream.source() != end) {
                hold(stream.source(), LoopCode.operands(stream.source()), target);
            }
            if (stream.collector() != null) {
                hold(stream.collector(), LoopCode.operands(stream.collector()), target);
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

    /** The stream that a call runs, null if it runs none that is written in place. */
    @Nullable
    StreamCode of(MethodInsnNode end) {
        return ends.get(end);
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
                ? LoopCode.operands(call)
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
        for (int i = StreamCode.isReduction(end) ? 1 : 0; i < Type.getArgumentTypes(end.desc).length; i++) {
            code.add(new InsnNode(Opcodes.POP));
        }
        StreamResult result = new StreamResult(stream, code, target::local);
        LoopCode loop = new LoopCode(code, new LabelNode(), new LabelNode());
        Type element = begin(stream, loop, code, target);
        stages(stream, element, loop, result, code, target);
        loop.close();
        result.end();
    }

    /** Writes the beginning of the loop; returns the type of the element that is on the stack then. */
    private Type begin(StreamCode stream, LoopCode loop, InsnList code, Target target) {
        if (stream.source() == stream.end()) {
            int collection = target.local(OBJECT);
            code.add(new VarInsnNode(Opcodes.ASTORE, collection));
            return loop.collection(collection, target.local(OBJECT));
        }
        code.add(new InsnNode(Opcodes.POP));
        int first = requireNonNull(held.get(stream.source()), "source");
        Type[] arguments = Type.getArgumentTypes(stream.source().desc);
        if (arguments.length == 2) {
            return loop.range(arguments[0], first, first + arguments[0].getSize());
        }
        if (arguments.length == 0) {
            return loop.collection(first, target.local(OBJECT));
        }
        int counter = target.local(Type.INT_TYPE);
        code.add(new InsnNode(Opcodes.ICONST_0));
        code.add(new VarInsnNode(Opcodes.ISTORE, counter));
        return loop.array(arguments[0], first, counter);
    }

    /**
     * Writes what happens to an element.
     *
     * @param whole the loop over the elements of the source
     */
    private void stages(StreamCode stream, Type from, LoopCode whole, StreamResult result, InsnList code, Target target)
            throws Unwritten {
        Type type = from.getSort() >= Type.ARRAY ? OBJECT : from;
        LoopCode loop = whole;
        Deque<LoopCode> inner = new ArrayDeque<>();
        for (StreamCode.Stage stage : stream.stages()) {
            Function function = stage.function();
            if (function == null) {
                switch (stage.call().name) {
                    case "boxed" -> {
                        check(loop.box(type));
                        type = OBJECT;
                    }
                    case "distinct" -> distinct(whole, loop, code, target);
                    case "sorted" -> {} // only the end may follow
                    default -> check(result.take(type, loop, target::local, whole.end()));
                }
                continue;
            }
            int element = target.local(type);
            code.add(new VarInsnNode(type.getOpcode(Opcodes.ISTORE), element));
            int captured = requireNonNull(held.get(function.site()), "function");
            if (stage.isFlat()) {
                int collection = target.local(OBJECT);
                if (FlattenedCall.isOfElement(function)) {
                    code.add(new VarInsnNode(Opcodes.ALOAD, element));
                } else {
                    check(loop.load(function, captured, type, element));
                    call(stream, stage, code, target);
                }
                code.add(new VarInsnNode(Opcodes.ASTORE, collection));
                loop = new LoopCode(code, new LabelNode(), new LabelNode());
                inner.push(loop);
                type = loop.collection(collection, target.local(OBJECT));
                continue;
            }
            boolean isFolded = StreamCode.isReduction(stage.call());
            check(
                    isFolded
                            ? result.fold(loop, function, captured, type, element)
                            : loop.load(function, captured, type, element));
            call(stream, stage, code, target);
            Type gives = Type.getReturnType(function.target().desc);
            switch (stage.call().name) {
                case "forEach", "forEachOrdered" -> loop.drop(gives);
                case "peek" -> {
                    loop.drop(gives);
                    code.add(new VarInsnNode(type.getOpcode(Opcodes.ILOAD), element));
                }
                case "filter" -> {
                    check(gives.getSort() == Type.BOOLEAN);
                    loop.filter(type, element);
                }
                case "reduce" -> check(result.folded(loop, gives));
                case "anyMatch", "allMatch", "noneMatch" -> {
                    check(gives.getSort() == Type.BOOLEAN);
                    result.match(loop.head(), whole.end());
                }
                default -> {
                    Type mapped = loop.map(function, gives);
                    check(mapped != null);
                    type = requireNonNull(mapped, "type");
                }
            }
        }
        inner.forEach(LoopCode::close); // the innermost one first
    }

    /** Goes on with the element on the stack if it is the first of those that equal it. */
    private static void distinct(LoopCode whole, LoopCode loop, InsnList code, Target target) {
        int element = target.local(OBJECT);
        int seen = target.local(OBJECT);
        InsnList made = new InsnList();
        made.add(new TypeInsnNode(Opcodes.NEW, SET));
        made.add(new InsnNode(Opcodes.DUP));
        made.add(new MethodInsnNode(Opcodes.INVOKESPECIAL, SET, "<init>", "()V", false));
        made.add(new VarInsnNode(Opcodes.ASTORE, seen));
        code.insertBefore(whole.head(), made);
        code.add(new VarInsnNode(Opcodes.ASTORE, element));
        code.add(new VarInsnNode(Opcodes.ALOAD, seen));
        code.add(new VarInsnNode(Opcodes.ALOAD, element));
        code.add(new MethodInsnNode(Opcodes.INVOKEVIRTUAL, SET, "add", "(Ljava/lang/Object;)Z", false));
        loop.filter(OBJECT, element);
    }

    /** Whether a loop can stand in the place of a stream without remote calls. */
    private static boolean canStand(StreamCode stream) {
        Target nowhere = new Target() {

            @Override
            public int local(Type type) {
                return 0;
            }

            @Override
            public boolean write(MethodNode code, MethodInsnNode end, MethodInsnNode call, int operands) {
                return true;
            }
        };
        StreamsInPlace alone = new StreamsInPlace(Map.of(stream.end(), stream), nowhere);
        try {
            alone.end(stream, new InsnList(), nowhere);
            return true;
        } catch (Unwritten e) {
            return false;
        }
    }

    /** Calls a function with the operands on the stack. */
    private static void call(StreamCode stream, StreamCode.Stage stage, InsnList code, Target target) throws Unwritten {
        MethodInsnNode calls = requireNonNull(stage.calls(), "call");
        MethodNode written = stage.code();
        if (written == null) {
            code.add(calls.clone(Map.of()));
        } else {
            check(target.write(
                    written, stream.end(), calls, LoopCode.operands(calls).size()));
        }
    }

    private static void check(boolean isWritten) throws Unwritten {
        if (!isWritten) {
            throw new Unwritten();
        }
    }
}
