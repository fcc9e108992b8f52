package dev.cleave.agent.transform;

import dev.cleave.agent.ir.ConstOp;
import dev.cleave.agent.ir.InsnOp;
import dev.cleave.agent.ir.MethodBody;
import dev.cleave.agent.ir.MoveOp;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.ir.Register;
import dev.cleave.agent.ir.RegisterKind;
import dev.cleave.agent.plan.Helper;
import dev.cleave.agent.plan.StreamPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;

/**
 * Writes a stream that sends ahead (R69): right in front of the stage that calls stands what runs ahead; it is made from
 * the source of the stream and the functions in front.
 */
final class StreamWriter {

    private static final String AHEAD = "L" + CoreNames.STREAM_AHEAD + ";";
    private static final String SOURCE = "L" + CoreNames.STREAM_SOURCE + ";";

    private final Editing editing;
    private final MethodBody body;
    private final StreamPlan plan;
    private final Register source;
    private final Register ahead;
    private final List<Register> functions = new ArrayList<>();
    private final List<Op> start = new ArrayList<>();
    private final StringBuilder stages = new StringBuilder();
    private final StringBuilder types = new StringBuilder();
    private Op end;

    StreamWriter(Editing editing, StreamPlan plan) {
        this.editing = editing;
        this.body = editing.body();
        this.plan = plan;
        this.source = body.fresh(RegisterKind.REFERENCE);
        this.ahead = body.fresh(RegisterKind.REFERENCE);
        this.end = editing.original(plan.end());
    }

    /** Writes what runs ahead. */
    void write() {
        start.add(new ConstOp(source, null));
        start.add(new ConstOp(ahead, null));
        InsnOp made = (InsnOp) editing.original(plan.source());
        body.insertBefore(made, List.of(source(made)));
        for (StreamPlan.Stage stage : plan.before()) {
            InsnOp op = (InsnOp) editing.original(stage.op());
            Register copy = body.fresh(RegisterKind.REFERENCE);
            functions.add(copy);
            start.add(new ConstOp(copy, null));
            stages.append(stage.isFilter() ? 'f' : 'm');
            types.append(functionType(op));
            body.insertBefore(op, List.of(new MoveOp(copy, op.uses().get(1))));
        }
        if (plan.helper() == null) {
            writeReference();
        }
        for (StreamPlan.Filled filled : plan.filled()) {
            writeTest(filled);
        }
        writeCall((InsnOp) editing.original(plan.call()));
        body.insertAtStart(start);
    }

    /** Writes what happens when the stream ends, or throws. */
    void settle() {
        body.insertAfter(end, close());
        new Settling(body, Set.of(end), Set.of()).add(this::close);
        editing.passages().cover(end);
    }

    /** Remembers what the function writes to where it is made, and tests it behind. */
    private void writeTest(StreamPlan.Filled filled) {
        Register copy = body.fresh(RegisterKind.REFERENCE);
        start.add(new ConstOp(copy, null));
        body.insertBefore(editing.original(filled.made()), List.of(new MoveOp(copy, filled.object())));
        body.insertBefore(
                editing.original(filled.op()),
                List.of(InsnOp.invokeStatic(
                        CoreNames.STREAM_AHEAD,
                        "fills",
                        "(" + AHEAD + CoreNames.OBJECT + ")V",
                        null,
                        List.of(ahead, copy))));
    }

    private Op source(InsnOp made) {
        MethodInsnNode method = RtOps.methodOf(made);
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

    private static String functionType(InsnOp stage) {
        return Type.getArgumentTypes(RtOps.methodOf(stage).desc)[0].getDescriptor();
    }

    private void writeCall(InsnOp call) {
        String stream = "L" + RtOps.methodOf(call).owner + ";";
        Register with = body.fresh(RegisterKind.REFERENCE);
        List<Register> operands = new ArrayList<>(List.of(source));
        operands.addAll(functions);
        operands.add(call.uses().get(1));
        types.append(functionType(call));
        Handle bootstrap = new Handle(Opcodes.H_INVOKESTATIC, CoreNames.RT, "stream", CoreNames.STREAM, false);
        InvokeDynamicInsnNode site = new InvokeDynamicInsnNode(
                "stream", "(" + SOURCE + types + ")" + AHEAD, bootstrap, key(), stages.toString(), plan.window());
        Op stage = call.copy(
                register -> register == call.uses().get(0) ? with : register,
                UnaryOperator.identity(),
                UnaryOperator.identity());
        end = plan.end() == plan.call() ? stage : end;
        body.replace(
                call,
                List.of(
                        new InsnOp(site, ahead, operands),
                        InsnOp.invokeStatic(
                                CoreNames.STREAM_AHEAD,
                                "attach",
                                "(" + stream + AHEAD + ")" + stream,
                                with,
                                List.of(call.uses().get(0), ahead)),
                        stage));
    }

    private String key() {
        Helper helper = plan.helper();
        return helper != null ? helper.key() : place() + "#" + plan.reference();
    }

    private String place() {
        return body.owner().replace('/', '.') + '.' + body.original().name;
    }

    /** A reference to the remote method itself becomes one that can be asked to send. */
    private void writeReference() {
        InsnOp made = (InsnOp) editing.original(plan.reference());
        InvokeDynamicInsnNode old = made.dynamic();
        if (old == null) {
            throw new IllegalStateException("op: " + made + " (expected: a method reference)");
        }
        Handle bootstrap = new Handle(Opcodes.H_INVOKESTATIC, CoreNames.RT, "reference", CoreNames.REFERENCE, false);
        InvokeDynamicInsnNode site = new InvokeDynamicInsnNode(
                old.name,
                old.desc,
                bootstrap,
                old.bsmArgs[0],
                old.bsmArgs[1],
                old.bsmArgs[2],
                place(),
                editing.line(plan.reference()),
                key());
        body.replace(made, List.of(new InsnOp(site, made.def(), made.uses())));
    }

    private List<Op> close() {
        return List.of(InsnOp.invokeStatic(CoreNames.STREAM_AHEAD, "close", "(" + AHEAD + ")V", null, List.of(ahead)));
    }
}
