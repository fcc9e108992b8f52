package dev.cleave.agent.plan;

import dev.cleave.agent.effect.Access;
import dev.cleave.agent.effect.Place;
import dev.cleave.agent.ir.InsnOp;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.scan.CallSetting;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Type;

/**
 * Plans a stream whose one function calls an {@code @Async} method (R69): the stages before it are pure, and the others
 * keep the order, end nothing early, and change nothing that the calls depend on.
 */
final class SplitStreamPlanner {

    private static final Set<String> COLLECTORS = Set.of("toList", "toUnmodifiableList", "counting");

    private final Method method;
    private final StreamFunctions functions;
    private final Pipeline pipeline;
    private final List<Access> reads = new ArrayList<>();
    private final List<Access> writes = new ArrayList<>();
    private final List<StreamPlan.Filled> filled = new ArrayList<>();

    SplitStreamPlanner(Method method, StreamFunctions functions, Pipeline pipeline) {
        this.method = method;
        this.functions = functions;
        this.pipeline = pipeline;
    }

    /**
     * Plans it.
     *
     * @param made the op that makes the function
     * @param helper the function, if it is one of the class
     */
    StreamPlan plan(int made, @Nullable Helper helper, CallSetting setting) throws Refused {
        Pipeline.Stage call = calling(made);
        reads.add(new Access(pipeline.reads(), null, null));
        if (helper != null) {
            reads.addAll(helper.reads());
            writes.addAll(helper.writes());
        } else {
            addReference(made, functions.of(made), setting);
        }
        List<StreamPlan.Stage> before = new ArrayList<>();
        for (Pipeline.Stage stage : pipeline.before(call)) {
            addBefore(stage, before);
        }
        for (Pipeline.Stage stage : pipeline.after(call)) {
            addAfter(stage);
        }
        checkWrites();
        return new StreamPlan(
                pipeline.source(), before, call.op(), pipeline.end().op(), filled, helper, made, setting.window());
    }

    private Pipeline.Stage calling(int made) throws Refused {
        for (Pipeline.Stage stage : pipeline.stages()) {
            if (!stage.functions().contains(made)) {
                continue;
            }
            checkEarly(stage);
            if (!StreamNames.isCalling(stage.name()) || stage.functions().size() != 1) {
                throw refused(
                        stage.op(), stage.name() + " does not give each element to its function in order", "use map");
            }
            return stage;
        }
        throw new AssertionError(made);
    }

    private void addReference(int made, @Nullable Function function, CallSetting setting) throws Refused {
        if (function == null || !function.isBoundToService()) {
            throw refused(made, "the reference is not bound to a service, or has other parameters", "use a lambda");
        }
        if (!setting.group().isEmpty()) {
            throw refused(made, "its call belongs to a group", "call it in a loop");
        }
        Type type = Type.getArgumentTypes(function.type().getDescriptor())[0];
        if (!method.effects().isValue(type)) {
            reads.add(new Access(new Place.Anything(), null, null));
        }
    }

    private void addBefore(Pipeline.Stage stage, List<StreamPlan.Stage> before) throws Refused {
        checkEarly(stage);
        boolean isFilter = stage.name().equals("filter");
        if (isFilter || StreamNames.MAPPING.contains(stage.name())) {
            reads.addAll(functions.pure(stage).reads());
            before.add(new StreamPlan.Stage(stage.op(), isFilter));
        } else if (!stage.name().equals("boxed")) {
            throw refused(stage.op(), stage.name() + " stands before the call", "move it behind the call");
        }
    }

    private void addAfter(Pipeline.Stage stage) throws Refused {
        checkEarly(stage);
        if (!StreamNames.keepsAll(stage.name())) {
            throw refused(stage.op(), stage.name() + " may not keep the order of the elements", "do it afterwards");
        }
        int arguments = stage.functions().size();
        boolean isIdentity = stage.name().equals("reduce") && arguments > 1;
        for (int i = 0; i < arguments; i++) {
            int made = stage.functions().get(i);
            if (stage.name().equals("collect") && arguments == 1) {
                checkCollector(stage, made);
            } else if (i > 0 || !isIdentity || functions.of(made) != null) {
                addFunction(stage, made);
            }
        }
    }

    private void checkCollector(Pipeline.Stage stage, int made) throws Refused {
        if (made < 0 || !isKnownCollector(method.op(made))) {
            throw refused(stage.op(), "the collector may call code that the agent does not know", "collect to a list");
        }
    }

    private static boolean isKnownCollector(Op op) {
        return op instanceof InsnOp insn
                && insn.method() != null
                && insn.method().owner.equals("java/util/stream/Collectors")
                && insn.method().desc.startsWith("()")
                && COLLECTORS.contains(insn.method().name);
    }

    private void addFunction(Pipeline.Stage stage, int made) throws Refused {
        FunctionEffect effect = functions.effect(stage, made);
        writes.addAll(effect.writes());
        for (int captured : effect.filled()) {
            filled.add(new StreamPlan.Filled(
                    stage.op(), made, method.op(made).uses().get(captured)));
        }
    }

    private void checkWrites() throws Refused {
        int end = pipeline.end().op();
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
    }

    private void checkEarly(Pipeline.Stage stage) throws Refused {
        if (StreamNames.EARLY.contains(stage.name())) {
            throw method.refused(
                    "R37",
                    stage.op(),
                    stage.name() + " may end the stream early",
                    "mark the method @ReadOnly or @Pure");
        }
    }

    private Refused refused(int index, String reason, String advice) {
        return method.refused("R69", index, reason, advice);
    }
}
