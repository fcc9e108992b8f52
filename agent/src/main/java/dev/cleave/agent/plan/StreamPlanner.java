package dev.cleave.agent.plan;

import dev.cleave.agent.effect.Access;
import dev.cleave.agent.effect.Barrier;
import dev.cleave.agent.effect.Effect;
import dev.cleave.agent.effect.Guard;
import dev.cleave.agent.effect.Place;
import dev.cleave.agent.ir.InsnOp;
import dev.cleave.agent.ir.MoveOp;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.scan.CallSetting;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * Plans the streams of a method (R69): those whose one function calls, whose stages before it are pure, and whose other
 * stages keep the order, end nothing early, and change nothing that the calls depend on.
 */
final class StreamPlanner {

    private static final String STREAMS = "java/util/stream/";

    /** Stages and ends that give each element to their function, in order. */
    private static final Set<String> CALLING = Set.of(
            "map",
            "mapToInt",
            "mapToLong",
            "mapToDouble",
            "mapToObj",
            "filter",
            "flatMap",
            "flatMapToInt",
            "flatMapToLong",
            "flatMapToDouble",
            "forEach",
            "forEachOrdered");

    private static final Set<String> MAPPING = Set.of("map", "mapToInt", "mapToLong", "mapToDouble", "mapToObj");
    private static final Set<String> AFTER = Set.of(
            "map",
            "mapToInt",
            "mapToLong",
            "mapToDouble",
            "mapToObj",
            "filter",
            "flatMap",
            "flatMapToInt",
            "flatMapToLong",
            "flatMapToDouble",
            "peek",
            "boxed",
            "asLongStream",
            "asDoubleStream");
    private static final Set<String> ENDS = Set.of(
            "forEach",
            "forEachOrdered",
            "toList",
            "toArray",
            "collect",
            "reduce",
            "sum",
            "average",
            "min",
            "max",
            "count",
            "summaryStatistics");
    private static final Set<String> EARLY =
            Set.of("anyMatch", "allMatch", "noneMatch", "findFirst", "findAny", "limit", "takeWhile");
    private static final Set<String> COLLECTORS = Set.of("toList", "toUnmodifiableList", "counting");

    private final Method method;
    private final Map<Integer, Refusal> refusals = new TreeMap<>();
    private final List<StreamPlan.Filled> filled = new ArrayList<>();

    StreamPlanner(Method method) {
        this.method = method;
    }

    /** What becomes of the references to remote methods. */
    List<Verdict> verdicts(List<StreamPlan> plans) {
        List<Verdict> verdicts = new ArrayList<>();
        for (StreamPlan plan : plans) {
            if (plan.helper() == null) {
                verdicts.add(verdict(plan.reference(), Verdict.Outcome.PIPELINED, plan.window(), null));
            }
        }
        refusals.forEach((made, why) -> verdicts.add(verdict(made, Verdict.Outcome.SEQUENTIAL, 1, why)));
        return verdicts;
    }

    private Verdict verdict(int made, Verdict.Outcome outcome, int window, @Nullable Refusal why) {
        Function function = functionOf(made);
        String name = function == null ? "" : Method.nameOf(function.target());
        return new Verdict(method.line(made), name, outcome, window, why);
    }

    List<StreamPlan> plan() {
        List<StreamPlan> plans = new ArrayList<>();
        for (int i = 0; i < method.graph().size(); i++) {
            Function function = functionOf(i);
            if (function == null) {
                continue;
            }
            Helper helper = method.helper(function.target());
            CallSetting setting = helper == null ? method.effects().settingOf(function.target()) : helper.setting();
            if (setting == null || setting.style() != CallSetting.Style.ASYNC) {
                method.noteRefusal(function.target());
                continue;
            }
            try {
                plans.add(plan(i, function, helper, setting));
            } catch (Refused refused) {
                if (helper == null) {
                    refusals.put(i, refused.refusal());
                } else {
                    method.note(function.target(), refused.refusal());
                }
            }
        }
        return plans;
    }

    private StreamPlan plan(int made, Function function, @Nullable Helper helper, CallSetting setting) throws Refused {
        filled.clear();
        int call = user(made);
        MethodInsnNode stage = call < 0 ? null : stageOf(call);
        if (stage == null || method.op(call).uses().size() != 2 || origin(call, 1) != made) {
            throw refused(
                    made, "the function is not given to a stage of a stream", "call it in a loop, or in a stream");
        }
        if (EARLY.contains(stage.name)) {
            throw early(call, stage);
        }
        if (!CALLING.contains(stage.name)) {
            throw refused(call, stage.name + " does not give each element to its function in order", "use map");
        }
        List<Access> reads = new ArrayList<>();
        if (helper != null) {
            reads.addAll(helper.reads());
        } else {
            checkReference(made, function, setting);
            addSerialised(function, reads);
        }
        List<StreamPlan.Stage> before = new ArrayList<>();
        int source = walkUp(call, before, reads);
        List<Access> writes = new ArrayList<>(helper == null ? List.of() : helper.writes());
        int end = walkDown(call, writes);
        for (Access write : writes) {
            if (reads.stream().anyMatch(read -> write.place().meets(read.place()))) {
                throw method.refused(
                        "R33",
                        end,
                        "the stream changes " + write.place() + ", which a call sent ahead may need as it was",
                        "collect the results, and use them afterwards");
            }
        }
        boolean readsContents =
                reads.stream().skip(1).anyMatch(read -> read.place().meets(new Place.Contents()));
        if (!filled.isEmpty() && readsContents) {
            throw method.refused(
                    "R33", end, "the stream changes a collection, and a call needs one", "collect to a list");
        }
        return new StreamPlan(source, before, call, end, filled, helper, made, setting.window());
    }

    private void checkReference(int made, Function function, CallSetting setting) throws Refused {
        boolean isBound = function.captured() == 1 && Type.getArgumentTypes(function.target().desc).length == 1;
        if (!isBound || !function.site().desc.contains(")Ljava/util/function/")) {
            throw refused(made, "the reference is not bound to a service, or has other parameters", "use a lambda");
        }
        if (!setting.group().isEmpty()) {
            throw refused(made, "its call belongs to a group", "call it in a loop");
        }
    }

    private void addSerialised(Function function, List<Access> reads) {
        Type type = Type.getArgumentTypes(function.type().getDescriptor())[0];
        if (!method.effects().isValue(type)) {
            reads.add(new Access(new Place.Anything(), null, null));
        }
    }

    /** Follows the stream up to its source. */
    private int walkUp(int call, List<StreamPlan.Stage> before, List<Access> reads) throws Refused {
        int at = call;
        while (true) {
            int made = origin(at, 0);
            if (made < 0 || user(made) != at) {
                throw refused(at, "where the stream comes from is not plain", "write the stream in one expression");
            }
            Place source = sourceOf(made);
            if (source != null) {
                reads.add(0, new Access(source, null, null));
                return made;
            }
            MethodInsnNode stage = stageOf(made);
            if (stage == null) {
                throw refused(
                        made, method.nameOf(made) + " is no source of a known class", "stream a list or an array");
            }
            if (EARLY.contains(stage.name)) {
                throw early(made, stage);
            }
            boolean isFilter = stage.name.equals("filter");
            if (isFilter || MAPPING.contains(stage.name)) {
                reads.addAll(pure(made, stage));
                before.add(0, new StreamPlan.Stage(made, isFilter));
            } else if (stage.name.equals("boxed")) {
                at = made;
                continue;
            } else {
                throw refused(made, stage.name + " stands before the call", "move it behind the call");
            }
            at = made;
        }
    }

    /** What a pure stage reads. */
    private List<Access> pure(int index, MethodInsnNode stage) throws Refused {
        Effect effect = effectOf(index, origin(index, 1));
        if (!effect.isPure() || !effect.guards().isEmpty()) {
            throw refused(index, stage.name + " before the call has effects", "make the function free of effects");
        }
        return effect.reads();
    }

    /** Follows the stream to the op that runs it. */
    private int walkDown(int call, List<Access> writes) throws Refused {
        int at = call;
        MethodInsnNode stage = stageOf(at);
        while (stage != null && !ENDS.contains(stage.name)) {
            int next = user(at);
            stage = next < 0 || origin(next, 0) != at ? null : stageOf(next);
            if (stage == null) {
                throw refused(at, "where the stream ends is not plain", "write the stream in one expression");
            }
            if (EARLY.contains(stage.name)) {
                throw early(next, stage);
            }
            if (!AFTER.contains(stage.name) && !ENDS.contains(stage.name)) {
                throw refused(next, stage.name + " may not keep the order of the elements", "do it afterwards");
            }
            for (int operand = 1; operand < method.op(next).uses().size(); operand++) {
                addOperand(next, operand, writes);
            }
            at = next;
        }
        return at;
    }

    private void addOperand(int index, int operand, List<Access> writes) throws Refused {
        MethodInsnNode stage = stageOf(index);
        int made = origin(index, operand);
        boolean isCollect = stage != null && stage.name.equals("collect");
        if (isCollect && method.op(index).uses().size() == 2) {
            if (made < 0 || !isKnownCollector(method.op(made))) {
                throw refused(index, "the collector may call code that the agent does not know", "collect to a list");
            }
            return;
        }
        boolean isFunction = made >= 0 && functionOf(made) != null;
        boolean isIdentity = stage != null
                && stage.name.equals("reduce")
                && operand == 1
                && method.op(index).uses().size() > 2;
        if (!isFunction && isIdentity) {
            return;
        }
        if (!isFunction) {
            throw refused(index, "the function of " + nameOf(stage) + " is not known", "use a lambda");
        }
        FunctionEffect effect = functionEffect(index, made, functionOf(made));
        writes.addAll(effect.writes());
        for (int captured : effect.filled()) {
            filled.add(new StreamPlan.Filled(index, made, method.op(made).uses().get(captured)));
        }
    }

    private FunctionEffect functionEffect(int index, int maker, @Nullable Function function) throws Refused {
        if (function == null || function.isNew()) {
            throw refused(index, "a function of the stream is not known", "use a lambda");
        }
        MethodNode own = method.functionCode(function.target());
        if (own != null) {
            Barrier barrier = method.effects().ofCall(function.target()).barrier();
            if (barrier != null && barrier.kind() == Barrier.Kind.MAY_NOT_RETURN) {
                throw method.refused(index, barrier);
            }
            return FunctionEffect.of(function, own, method.helpers());
        }
        boolean isBound = function.captured() == 1;
        Effect effect = isBound
                ? method.effects()
                        .ofCall(function.target(), method.op(maker).uses().get(0))
                : effectOf(index, maker);
        if (effect.barrier() != null) {
            throw method.refused(index, effect.barrier());
        }
        boolean isFilled = isBound
                && effect.guards().stream().allMatch(guard -> guard.kind() == Guard.Kind.PLAIN)
                && effect.writes().stream().allMatch(write -> write.place() instanceof Place.Contents);
        if (!effect.guards().isEmpty() && !isFilled) {
            throw refused(
                    index,
                    "the function may call code that the agent does not know",
                    "collect the results, and use them afterwards");
        }
        return isFilled && !effect.writes().isEmpty()
                ? new FunctionEffect(List.of(), Set.of(0))
                : new FunctionEffect(effect.writes(), Set.of());
    }

    private static String nameOf(@Nullable MethodInsnNode stage) {
        return stage == null ? "a stage" : stage.name;
    }

    private static boolean isKnownCollector(Op op) {
        return op instanceof InsnOp insn
                && insn.method() != null
                && insn.method().owner.equals("java/util/stream/Collectors")
                && insn.method().desc.startsWith("()")
                && COLLECTORS.contains(insn.method().name);
    }

    /** What a function does. */
    private Effect effectOf(int index, int made) throws Refused {
        Function function = made < 0 ? null : functionOf(made);
        if (function == null || function.isNew() && !function.target().owner.startsWith("java/")) {
            throw refused(index, "a function of the stream is not known", "use a lambda");
        }
        return method.effects().ofCall(function.target());
    }

    /** What a source reads of its elements; a cursor if nothing that could change; null if it is none. */
    private @Nullable Place sourceOf(int index) {
        if (!(method.op(index) instanceof InsnOp op) || op.method() == null) {
            return null;
        }
        MethodInsnNode call = op.method();
        if (call.name.equals("stream") && call.desc.equals("()Ljava/util/stream/Stream;")) {
            return call.owner.startsWith("java/util/") ? new Place.Contents() : null;
        }
        Type[] arguments = Type.getArgumentTypes(call.desc);
        boolean isArray = arguments.length == 1 && arguments[0].getSort() == Type.ARRAY;
        boolean ofArray = call.owner.equals("java/util/Arrays") && call.name.equals("stream")
                || call.owner.equals(STREAMS + "Stream") && call.name.equals("of")
                || call.owner.equals(STREAMS + "IntStream") && call.name.equals("of");
        if (isArray && ofArray) {
            char kind = arguments[0].getDescriptor().charAt(1);
            return new Place.Elements(kind == 'L' || kind == '[' ? 'A' : kind);
        }
        boolean isRange = call.owner.equals(STREAMS + "IntStream")
                && (call.name.equals("range") || call.name.equals("rangeClosed"));
        return isRange ? new Place.Cursor() : null;
    }

    private @Nullable MethodInsnNode stageOf(int index) {
        boolean isStage = method.op(index) instanceof InsnOp op
                && op.opcode() == Opcodes.INVOKEINTERFACE
                && op.method() != null
                && op.method().owner.startsWith(STREAMS)
                && op.method().owner.endsWith("Stream");
        return isStage ? ((InsnOp) method.op(index)).method() : null;
    }

    private @Nullable Function functionOf(int index) {
        return method.op(index) instanceof InsnOp op ? Function.of(op) : null;
    }

    private int origin(int index, int operand) {
        return method.origin(method.whole(), index, method.op(index).uses().get(operand));
    }

    /** The one op that uses what an op makes; -1 if there are several, or none. */
    private int user(int made) {
        int user = -1;
        for (int i = 0; i < method.graph().size(); i++) {
            Op op = method.op(i);
            if (op instanceof MoveOp || Aliases.isCast(op)) {
                continue;
            }
            for (int operand = 0; operand < op.uses().size(); operand++) {
                if (origin(i, operand) == made) {
                    if (user >= 0) {
                        return -1;
                    }
                    user = i;
                }
            }
        }
        return user;
    }

    private Refused early(int index, MethodInsnNode stage) {
        return method.refused(
                "R37", index, stage.name + " may end the stream early", "mark the method @ReadOnly or @Pure");
    }

    private Refused refused(int index, String reason, String advice) {
        return method.refused("R69", index, reason, advice);
    }
}
