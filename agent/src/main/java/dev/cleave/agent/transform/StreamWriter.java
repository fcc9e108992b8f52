package dev.cleave.agent.transform;

import dev.cleave.agent.ir.ConstOp;
import dev.cleave.agent.ir.InsnOp;
import dev.cleave.agent.ir.MethodBody;
import dev.cleave.agent.ir.MoveOp;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.ir.Register;
import dev.cleave.agent.ir.RegisterKind;
import dev.cleave.agent.plan.method.CrossClassGuard;
import dev.cleave.agent.plan.method.Helper;
import dev.cleave.agent.plan.method.PrefetchHelper;
import dev.cleave.agent.plan.placement.StreamNest;
import dev.cleave.agent.plan.placement.StreamPlan;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;

/**
 * Writes a stream that sends ahead (R69): what runs ahead is made from the source of the stream and is told the
 * functions of its stages; its hooks stand in front of those that call.
 */
final class StreamWriter implements PlacementWriter {

    private static final String AHEAD = "L" + CoreNames.STREAM_AHEAD + ";";
    private static final String SOURCE = "L" + CoreNames.STREAM_SOURCE + ";";

    private final Editing editing;
    private final MethodBody body;
    private final StreamPlan plan;
    private final Register ahead;
    private final List<Op> start = new ArrayList<>();
    private Op end;

    StreamWriter(Editing editing, StreamPlan plan) {
        this.editing = editing;
        this.body = editing.body();
        this.plan = plan;
        this.ahead = body.fresh(RegisterKind.REFERENCE);
        this.end = editing.original(plan.end());
    }

    /** Writes the code in front of the stream that makes its run-ahead. */
    @Override
    public void write() {
        start.add(new ConstOp(ahead, null));
        StreamNest nest = plan.nest();
        StreamNestWriter strands = nest == null ? null : new StreamNestWriter(editing, plan, nest, ahead);
        if (strands == null) {
            writeOpening((InsnOp) editing.original(plan.source()));
        } else {
            start.addAll(strands.begin(source((InsnOp) editing.original(plan.source()), strands.source())));
        }
        plan.filled().forEach(given -> writeTest("fills", given));
        plan.apart().forEach(given -> writeTest("apart", given));
        plan.served().forEach(given -> writeTest("serves", given));
        for (int i = 0; i < plan.stages().size(); i++) {
            StreamPlan.Stage stage = plan.stages().get(i);
            InsnOp op = (InsnOp) editing.original(stage.op());
            if (stage.hasFunction()) {
                writeBinding(op, i, stage.operand());
            }
            StreamPlan.Callee callee = stage.callee();
            if (callee != null && callee.key() == null) {
                writeReference(callee.made());
            }
            if (callee != null && isElsewhere(callee)) {
                body.insertAfter(
                        editing.original(callee.made()), editing.passages().look(callee.doors()));
            }
        }
        if (plan.isLoop()) {
            writeLoop((InsnOp) editing.original(plan.end()));
        } else {
            writeHooks();
        }
        if (strands != null) {
            body.insertBefore(end, strands.open());
        }
        body.insertAtStart(start);
    }

    private void writeHooks() {
        Map<Integer, List<Integer>> hooks = new LinkedHashMap<>();
        for (StreamPlan.Hook hook : plan.hooks()) {
            hooks.computeIfAbsent(hook.op(), op -> new ArrayList<>()).add(hook.call());
        }
        hooks.forEach((op, numbers) -> writeHooks((InsnOp) editing.original(op), numbers));
    }

    /** Writes what happens when the stream ends, or throws. */
    @Override
    public void settle() {
        body.insertAfter(end, close());
        new ExceptionCleanup(body, Set.of(end), Set.of()).add(this::close);
        editing.passages().cover(end);
    }

    private void writeOpening(InsnOp made) {
        Register source = body.fresh(RegisterKind.REFERENCE);
        StringBuilder types = new StringBuilder("(");
        List<Object> stages = new ArrayList<>();
        for (StreamPlan.Stage stage : plan.stages()) {
            if (stage.hasFunction()) {
                InsnOp op = (InsnOp) editing.original(stage.op());
                types.append(
                        stage.operand() < 0
                                ? functionType(op)
                                : Type.getArgumentTypes(RtOps.methodOf(op).desc)[stage.operand()].getDescriptor());
            }
            StreamPlan.Callee callee = stage.callee();
            stages.add(stage.kind() + (callee == null ? "" : key(callee)));
        }
        Type functions = Type.getMethodType(types.append(")V").toString());
        InvokeDynamicInsnNode site = plan.isPrefetching() ? prefetching(functions, stages) : split(functions, stages);
        List<Op> ops = new ArrayList<>(List.of(source(made, source), new InsnOp(site, ahead, List.of(source))));
        ops.addAll(editing.passages().waitFor(doors(), CoreNames.STREAM_AHEAD, AHEAD, ahead));
        ops.addAll(editing.noneIfHandedOver(plan.end(), ahead));
        body.insertBefore(isArriving(made) ? firstStage() : made, ops);
    }

    /** Whether the stream is what a remote call returns: what runs ahead is made of it, in front of its first stage. */
    private static boolean isArriving(InsnOp made) {
        return !RtOps.methodOf(made).owner.startsWith("java/util/");
    }

    private Op firstStage() {
        return editing.original(plan.stages().get(0).op());
    }

    /** Returns the guards that the functions of the stream have to pass. */
    private Set<CrossClassGuard> doors() {
        Set<CrossClassGuard> doors = new LinkedHashSet<>();
        for (StreamPlan.Callee callee : plan.callees()) {
            doors.addAll(callee.doors());
        }
        return doors;
    }

    /**
     * Whether a function is a method of another class: the stream then looks at its guards when the function is made.
     */
    private boolean isElsewhere(StreamPlan.Callee callee) {
        Helper helper = callee.helper();
        PrefetchHelper ahead = callee.ahead();
        MethodBody called = helper != null ? helper.body() : ahead != null ? ahead.body() : body;
        return !called.owner().equals(body.owner());
    }

    private InvokeDynamicInsnNode split(Type functions, List<Object> stages) {
        List<Object> arguments = new ArrayList<>(List.of(plan.window(), functions));
        arguments.addAll(stages);
        Handle bootstrap = new Handle(Opcodes.H_INVOKESTATIC, CoreNames.RT, "stream", CoreNames.STREAM, false);
        return new InvokeDynamicInsnNode("stream", "(" + SOURCE + ")" + AHEAD, bootstrap, arguments.toArray());
    }

    /** Returns the instruction that tells the core of each call, and of the number of calls of each function. */
    private InvokeDynamicInsnNode prefetching(Type functions, List<Object> stages) {
        int firstPass = plan.mode() == StreamPlan.Mode.GUESSING ? 1 : 0;
        List<Object> arguments = new ArrayList<>(List.of(plan.window(), firstPass, functions, stages.size()));
        arguments.addAll(stages);
        for (StreamPlan.Callee callee : plan.callees()) {
            arguments.add(String.valueOf(callee.reads().size()));
            callee.reads().forEach(read -> arguments.add(PrefetchOps.text(read)));
        }
        Handle bootstrap =
                new Handle(Opcodes.H_INVOKESTATIC, CoreNames.PREFETCH, "stream", CoreNames.PREFETCH_STREAM, false);
        return new InvokeDynamicInsnNode("stream", "(" + SOURCE + ")" + AHEAD, bootstrap, arguments.toArray());
    }

    private Op source(InsnOp made, Register source) {
        MethodInsnNode method = RtOps.methodOf(made);
        if (plan.isLoop()) {
            return InsnOp.invokeStatic(
                    CoreNames.STREAM_SOURCE,
                    method.name.equals("setAll") ? "indices" : "ofLoop",
                    "(" + CoreNames.OBJECT + ")" + SOURCE,
                    source,
                    List.of(made.uses().get(0)));
        }
        if (isArriving(made)) {
            return InsnOp.invokeStatic(
                    CoreNames.STREAM_SOURCE,
                    "arriving",
                    "(" + CoreNames.OBJECT + ")" + SOURCE,
                    source,
                    List.of(firstStage().uses().get(0)));
        }
        boolean isRange = Type.getArgumentTypes(method.desc).length == 2;
        return isRange
                ? InsnOp.invokeStatic(
                        CoreNames.STREAM_SOURCE,
                        method.name,
                        Type.getMethodDescriptor(Type.getType(SOURCE), Type.getArgumentTypes(method.desc)),
                        source,
                        made.uses())
                : InsnOp.invokeStatic(
                        CoreNames.STREAM_SOURCE, "of", "(" + CoreNames.OBJECT + ")" + SOURCE, source, made.uses());
    }

    /**
     * Writes code that keeps an object with which a function is made, and tests it in front of the function's stage.
     */
    private void writeTest(String test, StreamPlan.Given given) {
        Register copy = body.fresh(RegisterKind.REFERENCE);
        start.add(new ConstOp(copy, null));
        Register object = given.object();
        List<Register> holder = object == null ? List.of() : List.of(object);
        Op get = given.field() != null ? new InsnOp(given.field(), copy, holder) : new MoveOp(copy, holder.get(0));
        body.insertBefore(editing.original(given.made()), List.of(get));
        body.insertBefore(
                editing.original(given.op()),
                List.of(call(test, "(" + AHEAD + CoreNames.OBJECT + ")V", List.of(ahead, copy))));
    }

    private void writeBinding(InsnOp op, int stage, int operand) {
        Register number = body.fresh(RegisterKind.INT);
        body.insertBefore(
                op,
                List.of(
                        new ConstOp(number, stage),
                        call(
                                "bind",
                                "(" + AHEAD + "I" + CoreNames.OBJECT + ")V",
                                List.of(ahead, number, op.uses().get(operand < 0 ? 1 : operand)))));
    }

    private void writeHooks(InsnOp op, List<Integer> hooks) {
        String stream = "L" + RtOps.methodOf(op).owner + ";";
        Register given = op.uses().get(0);
        List<Op> ops = new ArrayList<>();
        Register with = given;
        for (int hook : hooks) {
            Register number = body.fresh(RegisterKind.INT);
            Register hooked = body.fresh(RegisterKind.REFERENCE);
            ops.add(new ConstOp(number, hook));
            ops.add(InsnOp.invokeStatic(
                    CoreNames.STREAM_AHEAD,
                    "attach",
                    "(" + stream + AHEAD + "I)" + stream,
                    hooked,
                    List.of(with, ahead, number)));
            with = hooked;
        }
        Register last = with;
        Op stage = op.copy(
                register -> register == given ? last : register, UnaryOperator.identity(), UnaryOperator.identity());
        ops.add(stage);
        boolean isEnd = editing.original(plan.end()) == op;
        end = isEnd ? stage : end;
        editing.replace(op, isEnd ? editing.unlessTaken(plan.end(), stage, ops) : ops, List.of());
    }

    /** Replaces the function of a {@code forEach} by one that runs the hooks first. */
    private void writeLoop(InsnOp loop) {
        Register function = loop.uses().get(1);
        Register hooked = body.fresh(RegisterKind.REFERENCE);
        String type = functionType(loop);
        InsnOp stage = (InsnOp) loop.copy(
                register -> register == function ? hooked : register,
                UnaryOperator.identity(),
                UnaryOperator.identity());
        end = stage;
        List<Op> ops = List.of(
                InsnOp.invokeStatic(
                        CoreNames.STREAM_AHEAD,
                        "attach",
                        "(" + type + AHEAD + ")" + type,
                        hooked,
                        List.of(function, ahead)),
                stage);
        editing.replace(loop, editing.unlessTaken(plan.end(), stage, ops), List.of());
    }

    private static String functionType(InsnOp stage) {
        Type[] arguments = Type.getArgumentTypes(RtOps.methodOf(stage).desc);
        return arguments[stage.opcode() == Opcodes.INVOKESTATIC ? arguments.length - 1 : 0].getDescriptor();
    }

    private String key(StreamPlan.Callee callee) {
        String key = callee.key();
        return key != null ? key : place() + "#" + callee.made();
    }

    private String place() {
        return body.owner().replace('/', '.') + '.' + body.original().name;
    }

    /** Replaces a reference to the remote method itself by one that can be asked to send. */
    private void writeReference(int reference) {
        InsnOp made = (InsnOp) editing.original(reference);
        InvokeDynamicInsnNode old = made.dynamic();
        if (old == null) {
            throw new IllegalStateException("op: " + made + " (expected: a method reference)");
        }
        List<Object> arguments = new ArrayList<>(List.of(old.bsmArgs));
        if (!plan.isPrefetching()) {
            arguments.add(place());
            arguments.add(editing.line(reference));
        }
        arguments.add(place() + "#" + reference);
        arguments.add(ReferenceWriter.key(body, old));
        Handle bootstrap = plan.isPrefetching()
                ? new Handle(Opcodes.H_INVOKESTATIC, CoreNames.PREFETCH, "reference", CoreNames.TAKING_REFERENCE, false)
                : new Handle(Opcodes.H_INVOKESTATIC, CoreNames.RT, "reference", CoreNames.REFERENCE, false);
        InvokeDynamicInsnNode site = new InvokeDynamicInsnNode(old.name, old.desc, bootstrap, arguments.toArray());
        editing.replace(made, List.of(new InsnOp(site, made.def(), made.uses())), List.of());
    }

    private List<Op> close() {
        return List.of(call("close", "(" + AHEAD + ")V", List.of(ahead)));
    }

    private static Op call(String name, String descriptor, List<Register> operands) {
        return InsnOp.invokeStatic(CoreNames.STREAM_AHEAD, name, descriptor, null, operands);
    }
}
