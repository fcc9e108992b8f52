package dev.cleave.agent.plan.stream;

import dev.cleave.agent.effect.HeapRegion;
import dev.cleave.agent.ir.BranchOp;
import dev.cleave.agent.ir.InsnOp;
import dev.cleave.agent.ir.MoveOp;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.plan.analysis.Definitions;
import dev.cleave.agent.plan.method.Method;
import dev.cleave.agent.plan.verdict.Refused;
import dev.cleave.agent.rule.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.MethodInsnNode;

/** Finds the stream that a function is given to, and follows it in both directions (R69). */
final class PipelineReader {

    private static final String STREAMS = "java/util/stream/";

    private static final Map<String, Set<String>> LOOPS = Map.of(
            "forEach", Set.of("(Ljava/util/function/Consumer;)V", "(Ljava/util/function/BiConsumer;)V"),
            "replaceAll", Set.of("(Ljava/util/function/UnaryOperator;)V", "(Ljava/util/function/BiFunction;)V"),
            "removeIf", Set.of("(Ljava/util/function/Predicate;)Z"));

    private final Method method;

    PipelineReader(Method method) {
        this.method = method;
    }

    /** The stream to one of whose stages a function is given. */
    Pipeline read(int function) throws Refused {
        int stage = user(function);
        int given = function; // or the collector that calls it
        while (isCollector(stage)) {
            given = stage;
            stage = user(stage);
        }
        MethodInsnNode loop = stage < 0 ? null : loopOf(stage);
        if (loop != null && origins(stage).get(1) == function) {
            HeapRegion reads = isFilled(loop) ? new HeapRegion.Cursor() : new HeapRegion.Contents();
            return new Pipeline(stage, reads, List.of(stage(stage, loop)));
        }
        MethodInsnNode to = stage < 0 ? null : stageOf(stage);
        boolean isGiven =
                to != null && origins(stage).contains(given) && (given == function || to.name.equals("collect"));
        if (!isGiven) {
            throw refused(
                    function, "the function is not given to a stage of a stream", "call it in a loop, or in a stream");
        }
        List<Pipeline.Stage> stages = new ArrayList<>();
        int source = walkUp(stage, stages);
        walkDown(stage, stages);
        HeapRegion reads = sourceOf(source);
        if (reads == null) {
            throw new AssertionError(method.op(source));
        }
        return new Pipeline(source, reads, stages);
    }

    private boolean isCollector(int index) {
        return index >= 0
                && method.op(index) instanceof InsnOp op
                && op.method() != null
                && op.method().owner.equals("java/util/stream/Collectors");
    }

    /** Follows the stream up to its source. */
    private int walkUp(int from, List<Pipeline.Stage> stages) throws Refused {
        int at = from;
        while (true) {
            int made = origin(at, 0);
            if (made < 0 || (isArriving(made) ? userBesidesClose(made) : user(made)) != at) {
                throw refused(at, "where the stream comes from is not plain", "write the stream in one expression");
            }
            if (sourceOf(made) != null) {
                return made;
            }
            MethodInsnNode stage = stageOf(made);
            if (stage == null) {
                throw refused(
                        made, method.nameOf(made) + " is no source of a known class", "stream a list or an array");
            }
            stages.add(0, stage(made, stage));
            at = made;
        }
    }

    /** Follows the stream to the op that runs it. */
    private void walkDown(int from, List<Pipeline.Stage> stages) throws Refused {
        int at = from;
        for (MethodInsnNode stage = stageOf(at); stage != null; stage = stageOf(at)) {
            stages.add(stage(at, stage));
            if (!makesStream(stage)) {
                return;
            }
            int next = user(at);
            if (next < 0 || stageOf(next) == null || origin(next, 0) != at) {
                throw refused(at, "where the stream ends is not plain", "write the stream in one expression");
            }
            at = next;
        }
    }

    private Pipeline.Stage stage(int op, MethodInsnNode call) {
        List<Integer> origins = origins(op);
        return new Pipeline.Stage(op, call, origins.subList(1, origins.size()));
    }

    /**
     * Returns the heap region from which a source takes its elements: a cursor for a range, null if it is no source.
     */
    @Nullable
    HeapRegion sourceOf(int index) {
        if (!(method.op(index) instanceof InsnOp op) || op.method() == null) {
            return null;
        }
        MethodInsnNode call = op.method();
        if (isArriving(index)) {
            return new HeapRegion.Cursor();
        }
        if (call.name.equals("stream") && call.desc.equals("()Ljava/util/stream/Stream;")) {
            return call.owner.startsWith("java/util/") ? new HeapRegion.Contents() : null;
        }
        Type[] arguments = Type.getArgumentTypes(call.desc);
        boolean isArray = arguments.length == 1 && arguments[0].getSort() == Type.ARRAY;
        boolean ofArray = call.owner.equals("java/util/Arrays") && call.name.equals("stream")
                || isStream(call.owner) && call.name.equals("of");
        if (isArray && ofArray) {
            char kind = arguments[0].getDescriptor().charAt(1);
            return new HeapRegion.Elements(kind == 'L' || kind == '[' ? 'A' : kind);
        }
        boolean isRange = (call.owner.equals(STREAMS + "IntStream") || call.owner.equals(STREAMS + "LongStream"))
                && (call.name.equals("range") || call.name.equals("rangeClosed"));
        return isRange ? new HeapRegion.Cursor() : null;
    }

    /** Whether an op is a remote call that returns a stream: its elements arrive from another node. */
    boolean isArriving(int index) {
        return method.effects().settingOf(method.op(index)) != null
                && method.callOf(index).desc.endsWith(")Ljava/util/stream/Stream;");
    }

    private @Nullable MethodInsnNode stageOf(int index) {
        boolean isStage = method.op(index) instanceof InsnOp op
                && op.opcode() == Opcodes.INVOKEINTERFACE
                && op.method() != null
                && isStream(op.method().owner);
        return isStage ? ((InsnOp) method.op(index)).method() : null;
    }

    /** Returns the call that gives each element of a collection, map or array to a function; null if the op is none. */
    private @Nullable MethodInsnNode loopOf(int index) {
        MethodInsnNode call = method.op(index) instanceof InsnOp op ? op.method() : null;
        if (call == null || call.getOpcode() == Opcodes.INVOKESPECIAL) {
            return null;
        }
        if (call.getOpcode() == Opcodes.INVOKESTATIC) {
            return isFilled(call) ? call : null;
        }
        boolean isLoop = LOOPS.getOrDefault(call.name, Set.of()).contains(call.desc)
                && (call.owner.equals("java/lang/Iterable") || isCollection(call.owner));
        return isLoop ? call : null;
    }

    /** Whether a call fills an array with what a function gives for each index. */
    private static boolean isFilled(MethodInsnNode call) {
        return call.owner.equals("java/util/Arrays") && call.name.equals("setAll");
    }

    private static boolean isCollection(String owner) {
        return owner.startsWith("java/util/") && owner.indexOf('/', "java/util/".length()) < 0;
    }

    private static boolean makesStream(MethodInsnNode stage) {
        Type made = Type.getReturnType(stage.desc);
        return made.getSort() == Type.OBJECT && isStream(made.getInternalName());
    }

    private static boolean isStream(String type) {
        return type.startsWith(STREAMS) && type.endsWith("Stream");
    }

    /** For each operand the op that makes it, -1 if that is not known. */
    private List<Integer> origins(int index) {
        List<Integer> origins = new ArrayList<>();
        for (int operand = 0; operand < method.op(index).uses().size(); operand++) {
            origins.add(origin(index, operand));
        }
        return origins;
    }

    private int origin(int index, int operand) {
        return method.whole().origin(index, method.op(index).uses().get(operand));
    }

    /** The one op that uses what an op makes; -1 if there are several, or none. */
    private int user(int made) {
        return user(made, op -> false);
    }

    /** The same of a stream that the program closes, or tests for null before it closes it. */
    private int userBesidesClose(int made) {
        return user(
                made,
                op -> op instanceof BranchOp
                        || op instanceof InsnOp insn
                                && insn.method() != null
                                && insn.method().name.equals("close")
                                && insn.method().desc.equals("()V"));
    }

    private int user(int made, Predicate<Op> leftOut) {
        int user = -1;
        for (int i = 0; i < method.graph().size(); i++) {
            Op op = method.op(i);
            if (op instanceof MoveOp || Definitions.isCast(op) || !origins(i).contains(made) || leftOut.test(op)) {
                continue;
            }
            if (user >= 0) {
                return -1;
            }
            user = i;
        }
        return user;
    }

    private Refused refused(int index, String reason, String advice) {
        return method.refused(Rule.R69, index, reason, advice);
    }
}
