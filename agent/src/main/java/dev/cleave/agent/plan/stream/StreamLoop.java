package dev.cleave.agent.plan.stream;

import static java.util.Objects.requireNonNull;

import dev.cleave.agent.ir.InsnOp;
import dev.cleave.agent.plan.method.Function;
import dev.cleave.agent.plan.method.Method;
import dev.cleave.agent.plan.placement.StreamNest;
import dev.cleave.agent.plan.strand.FlattenedCall;
import dev.cleave.agent.plan.strand.LoopCode;
import dev.cleave.agent.plan.verdict.Refused;
import dev.cleave.agent.rule.Rule;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * A stream as the loop that does the same (R69): it gives each element of the source to the functions, one after the
 * other, up to the last one that calls. It never runs; strands are planned in it. Its parameters are the source and the
 * values with which the functions were made.
 */
final class StreamLoop {

    private static final Type OBJECT = Type.getType(Object.class);

    private final Method method;
    private final StreamFunctions functions;
    private final Pipeline pipeline;
    private final List<StreamNest.Given> given = new ArrayList<>();
    private final StringBuilder parameters = new StringBuilder("(");
    private final Map<Integer, MethodInsnNode> calls = new HashMap<>(); // by the op that makes the function
    private final Map<Integer, Integer> first = new HashMap<>(); // the local of the first value, by the function's op
    private final InsnList code = new InsnList();
    private final Deque<LoopCode> loops = new ArrayDeque<>();
    private int locals;

    StreamLoop(Method method, StreamFunctions functions, Pipeline pipeline) {
        this.method = method;
        this.functions = functions;
        this.pipeline = pipeline;
    }

    /** The values of its parameters. */
    List<StreamNest.Given> given() {
        return given;
    }

    /** The call of the function that an op makes. */
    MethodInsnNode callOf(int made) {
        MethodInsnNode call = calls.get(made);
        if (call == null) {
            throw new IllegalArgumentException("made: " + made + " (expected: a function of the loop)");
        }
        return call;
    }

    /**
     * Writes the loop.
     *
     * @param last the last stage whose function it calls
     */
    MethodNode write(Pipeline.Stage last) throws Refused {
        InsnOp source = (InsnOp) method.op(pipeline.source());
        MethodInsnNode made = source.method();
        if (made == null) {
            throw refused(pipeline.source(), "its source is not known");
        }
        int[] held = new int[source.uses().size()];
        boolean isLoop = pipeline.source() == pipeline.end().op();
        Type[] arguments = Type.getArgumentTypes(made.desc);
        boolean isRange = !isLoop && arguments.length == 2;
        boolean isArray = !isLoop && arguments.length == 1 && arguments[0].getSort() == Type.ARRAY;
        boolean isMade = made.getOpcode() != Opcodes.INVOKESTATIC && (isLoop ? made.name.equals("forEach") : true);
        boolean ofMap = isLoop && made.desc.contains("BiConsumer");
        if (ofMap || !isRange && !isArray && !isMade || isRange && made.name.equals("rangeClosed")) {
            throw refused(pipeline.source(), "its source is a map, or numbers that include the last one");
        }
        for (int i = 0; i < (isLoop ? 1 : held.length); i++) {
            Type type = isRange || isArray ? arguments[i] : Type.getType("Ljava/util/Collection;");
            held[i] = parameter(type, new StreamNest.Given(pipeline.source(), i, 0));
        }
        int counter = isArray ? parameter(Type.INT_TYPE, new StreamNest.Given(-1, -1, 0)) : held[0];
        declare();
        MethodNode node = new MethodNode(
                Opcodes.ASM9,
                Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC | Opcodes.ACC_SYNTHETIC,
                "stream$" + pipeline.source(),
                parameters + ")V",
                null,
                null);
        LoopCode loop = begin();
        Type element = isRange
                ? loop.range(arguments[0], counter, held[1])
                : isArray ? loop.array(arguments[0], held[0], counter) : loop.collection(held[0], local(OBJECT));
        writeStages(last, element);
        for (LoopCode each : loops) { // the innermost one first
            each.close();
        }
        code.add(new InsnNode(Opcodes.RETURN));
        node.instructions = code;
        node.maxLocals = locals;
        node.maxStack = 16;
        return node;
    }

    /** Declares the values that the functions were made with, as parameters; all others are locals behind them. */
    private void declare() throws Refused {
        for (Pipeline.Stage stage : pipeline.stages()) {
            for (int made : stage.functions()) {
                Function function = functions.of(made);
                if (function != null) {
                    first.put(made, locals);
                    Type[] types = Type.getArgumentTypes(function.site().desc);
                    for (int i = 0; i < types.length; i++) {
                        parameter(types[i], new StreamNest.Given(made, i, 0));
                    }
                }
            }
        }
    }

    private int parameter(Type type, StreamNest.Given value) {
        given.add(value.at(locals));
        parameters.append(type.getDescriptor());
        return local(type);
    }

    private int local(Type type) {
        int at = locals;
        locals += type.getSize();
        return at;
    }

    private void writeStages(Pipeline.Stage last, Type from) throws Refused {
        Type type = from;
        for (Pipeline.Stage stage : pipeline.stages()) {
            if (stage.name().equals("boxed")) {
                box(type, stage);
                type = OBJECT;
                continue;
            }
            boolean isFilter = stage.name().equals("filter");
            boolean isMapping = StreamNames.MAPPING.contains(stage.name());
            boolean isLast = stage.equals(last);
            boolean isEnd = isLast && stage.name().startsWith("forEach");
            boolean isFlat = stage.name().equals("flatMap");
            if (!isFilter && !isMapping && !isEnd && !isFlat
                    || stage.functions().size() != 1) {
                throw refused(stage.op(), stage.name() + " stands before the call");
            }
            int made = stage.functions().get(0);
            Function function = functions.of(made);
            if (function == null || function.isNew()) {
                throw functions.unknown(stage);
            }
            int element = local(type);
            code.add(new VarInsnNode(type.getOpcode(Opcodes.ISTORE), element));
            if (isFlat) {
                int collection = writeCollection(stage, made, function, type, element);
                if (isLast) {
                    return;
                }
                type = begin().collection(collection, local(OBJECT));
                continue;
            }
            Type result = writeCall(stage, made, function, type, element);
            if (isEnd) {
                loop().drop(result);
                return;
            }
            if (isFilter) {
                if (result.getSort() != Type.BOOLEAN) {
                    throw refused(stage.op(), "the function of filter gives an object");
                }
                loop().filter(type, element);
            } else {
                Type mapped = loop().map(function, result);
                if (mapped == null) {
                    throw refused(stage.op(), stage.name() + " converts values");
                }
                type = mapped;
            }
            if (isLast) {
                loop().drop(type);
                return;
            }
        }
    }

    /** Writes what gives the collection whose stream a function makes of an element; returns the local that holds it. */
    private int writeCollection(Pipeline.Stage stage, int made, Function function, Type type, int element)
            throws Refused {
        int collection = local(OBJECT);
        if (FlattenedCall.isOfElement(function)) {
            code.add(new VarInsnNode(Opcodes.ALOAD, element));
        } else if (method.helpers().hidesRemote(function.target())) {
            writeCall(stage, made, function, type, element);
        } else {
            writeCode(stage, made, function, type, element);
        }
        code.add(new VarInsnNode(Opcodes.ASTORE, collection));
        return collection;
    }

    /** Writes the code of a function that only gives a collection, in the place of its call. */
    private void writeCode(Pipeline.Stage stage, int made, Function function, Type type, int element) throws Refused {
        MethodNode target = method.helpers().targetOf(function.target());
        Set<AbstractInsnNode> streams = target == null ? null : FlattenedCall.streams(target);
        if (target == null || streams == null || streams.size() > 1 || !target.tryCatchBlocks.isEmpty()) {
            throw refused(
                    stage.op(),
                    "the function of " + stage.name() + " does not return the stream of a collection as it is");
        }
        if (!loop().load(function, requireNonNull(first.get(made), "local"), type, element)) {
            throw functions.unknown(stage);
        }
        List<Type> operands = new ArrayList<>(List.of(Type.getArgumentTypes(target.desc)));
        if ((target.access & Opcodes.ACC_STATIC) == 0) {
            operands.add(0, OBJECT);
        }
        int base = locals;
        locals += target.maxLocals;
        int slot = base + operands.stream().mapToInt(Type::getSize).sum();
        for (int i = operands.size() - 1; i >= 0; i--) {
            slot -= operands.get(i).getSize();
            code.add(new VarInsnNode(operands.get(i).getOpcode(Opcodes.ISTORE), slot));
        }
        for (AbstractInsnNode insn : target.instructions) {
            if (insn.getOpcode() < 0 || insn.getOpcode() == Opcodes.ARETURN || streams.contains(insn)) {
                continue;
            }
            if (insn instanceof JumpInsnNode) {
                throw refused(stage.op(), "the function of " + stage.name() + " has branches");
            }
            AbstractInsnNode copy = insn.clone(Map.of());
            if (copy instanceof VarInsnNode variable) {
                variable.var += base;
            }
            code.add(copy);
        }
    }

    /** Writes the call of a function; returns the type of its result. */
    private Type writeCall(Pipeline.Stage stage, int made, Function function, Type type, int element) throws Refused {
        MethodInsnNode target = function.target();
        if (!loop().load(function, requireNonNull(first.get(made), "local"), type, element)) {
            throw functions.unknown(stage);
        }
        MethodInsnNode call =
                stage.name().equals("flatMap") ? new FlattenedCall(target) : (MethodInsnNode) target.clone(Map.of());
        calls.put(made, call);
        code.add(call);
        return Type.getReturnType(target.desc);
    }

    private void box(Type from, Pipeline.Stage stage) throws Refused {
        if (!loop().box(from)) {
            throw refused(stage.op(), stage.name() + " converts values");
        }
    }

    private LoopCode begin() {
        loops.push(new LoopCode(code, new LabelNode(), new LabelNode()));
        return loops.element();
    }

    /** The innermost loop. */
    private LoopCode loop() {
        return loops.element();
    }

    private Refused refused(int index, String reason) {
        return method.refused(Rule.R69, index, reason, "write a loop");
    }
}
