package dev.cleave.agent.transform;

import static java.util.Objects.requireNonNull;

import dev.cleave.agent.ir.BranchOp;
import dev.cleave.agent.ir.CatchOp;
import dev.cleave.agent.ir.ConstOp;
import dev.cleave.agent.ir.GotoOp;
import dev.cleave.agent.ir.Handler;
import dev.cleave.agent.ir.InsnOp;
import dev.cleave.agent.ir.LabelOp;
import dev.cleave.agent.ir.MethodBody;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.ir.Register;
import dev.cleave.agent.ir.RegisterKind;
import dev.cleave.agent.ir.ReturnOp;
import dev.cleave.agent.plan.method.Helper;
import dev.cleave.agent.plan.placement.StrandPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.MethodInsnNode;

/**
 * Writes a method that calls itself and whose calls are sent by strands (R71). An activation that was handed a node
 * takes its calls from there; any other one makes a node, and the strands that begin with it.
 */
final class RecursionWriter implements PlacementWriter {

    private static final String NODE = "L" + CoreNames.STRAND_NODE + ";";
    private static final String ON_NODE = "(" + NODE + ")V";

    private final Editing editing;
    private final MethodBody body;
    private final StrandPlan plan;
    private final StrandPlan.Recursion recursion;
    private final Register node;
    private final String key;
    private final List<StrandClass> strands = new ArrayList<>();
    private final List<byte[]> classFiles = new ArrayList<>();

    RecursionWriter(Editing editing, StrandPlan plan, StrandPlan.Recursion recursion) {
        this.editing = editing;
        this.body = editing.body();
        this.plan = plan;
        this.recursion = recursion;
        this.node = body.fresh(RegisterKind.REFERENCE);
        this.key = Helper.key(body.owner(), body.original().name, body.original().desc);
        for (StrandPlan.Strand strand : plan.strands()) {
            StrandClass written = new StrandClass(body.owner(), plan, List.of(strand));
            strands.add(written);
            classFiles.add(written.write(editing.hierarchy()));
        }
    }

    @Override
    public void write() {
        plan.claims().forEach(this::writeClaim);
        recursion.rows().forEach(this::writeNext);
        for (Op op : editing.original()) {
            if (op instanceof ReturnOp) {
                body.insertBefore(op, List.of(call("leave", ON_NODE, null, node)));
            }
        }
        writeEntry();
    }

    @Override
    public void settle() {
        new ExceptionCleanup(body, editing.throwing(plan.own().ops()), Set.of())
                .add(() -> List.of(call("fail", ON_NODE, null, node)));
    }

    private void writeClaim(int call, int row) {
        Register taken = body.fresh(RegisterKind.REFERENCE);
        Register number = body.fresh(RegisterKind.INT);
        List<Op> take = List.of(
                new ConstOp(number, row), call("take", "(" + NODE + "I)" + CoreNames.OBJECT, taken, node, number));
        editing.replace(editing.original(call), editing.claim(call, taken, take, List.of()), List.of());
    }

    /** Writes the code that gives the next activation its node. */
    private void writeNext(int index, int row) {
        Register number = body.fresh(RegisterKind.INT);
        Register next = body.fresh(RegisterKind.REFERENCE);
        Op asks = call("next", "(" + NODE + "I)" + CoreNames.OBJECT, next, node, number);
        hand(editing, index, new ConstOp(number, row), asks, number);
    }

    /**
     * Writes the code that gives the activation which a call of a method that calls itself begins its node.
     *
     * @param row sets a number to the row of the call
     * @param asks sets a register to the node, or null
     * @param number holds the row
     */
    static void hand(Editing editing, int index, Op row, Op asks, Register number) {
        InsnOp original = (InsnOp) editing.original(index);
        MethodInsnNode called = RtOps.methodOf(original);
        String key = Helper.key(editing.body().owner(), called.name, called.desc);
        List<Op> ops = new ArrayList<>(List.of(row, asks));
        ops.addAll(editing.passages().handNest(key, requireNonNull(asks.def(), "node"), number));
        for (Op op : editing.claim(index).written()) {
            ops.add(op);
            if (op instanceof InsnOp call && call.insn() == original.insn()) {
                ops.addAll(editing.passages().handedNest(call));
            }
        }
        editing.replace(original, ops, List.of());
    }

    private void writeEntry() {
        LabelOp start = body.label();
        LabelOp end = body.label();
        LabelOp shut = body.label();
        LabelOp ready = body.label();
        LabelOp failed = body.label();
        Register entered = body.fresh(RegisterKind.REFERENCE);
        Register rows = body.fresh(RegisterKind.INT);
        List<Op> ops = new ArrayList<>(editing.passages().enter(key, Set.of(), entered));
        ops.add(call("of", "(" + CoreNames.OBJECT + ")" + NODE, node, entered));
        ops.add(new BranchOp(Opcodes.IFNONNULL, List.of(node), ready));
        ops.add(start);
        ops.addAll(new EntryTests(body).write(plan.tests(), shut));
        ops.add(new ConstOp(rows, plan.rows()));
        ops.add(call("open", "(I)" + NODE, node, rows));
        ops.add(new BranchOp(Opcodes.IFNULL, List.of(node), ready));
        for (int i = 0; i < strands.size(); i++) {
            ops.addAll(add(i));
        }
        ops.add(call("begin", ON_NODE, null, node));
        ops.add(new GotoOp(ready));
        ops.add(end);
        ops.add(shut);
        ops.add(new ConstOp(node, null));
        ops.add(ready);
        body.insertAtStart(ops);
        Register thrown = body.fresh(RegisterKind.REFERENCE);
        body.append(List.of(failed, new CatchOp(thrown), new GotoOp(shut)));
        body.addHandlerFirst(new Handler(start, end, failed, null));
    }

    private List<Op> add(int number) {
        StrandPlan.Strand strand = plan.strands().get(number);
        StringBuilder descriptor = new StringBuilder("(");
        List<Register> captured = new ArrayList<>();
        for (Map.Entry<Register, Type> capture : strands.get(number).captures().entrySet()) {
            descriptor.append(capture.getValue().getDescriptor());
            captured.add(capture.getKey());
        }
        Register made = body.fresh(RegisterKind.REFERENCE);
        List<Op> ops = new ArrayList<>();
        ops.add(StrandOpening.dynamic(
                "strand",
                descriptor + ")" + CoreNames.OBJECT,
                CoreNames.LINK_STRAND,
                made,
                captured,
                List.copyOf(StrandClass.text(classFiles.get(number), StrandOpening.MOST_BYTES))));
        List<Register> operands = new ArrayList<>(List.of(node, made));
        for (String text : rows(plan, recursion, strand)) {
            Register constant = body.fresh(RegisterKind.REFERENCE);
            ops.add(new ConstOp(constant, text));
            operands.add(constant);
        }
        ops.add(call("add", CoreNames.ADD_TO_NODE, node, operands.toArray(Register[]::new)));
        return ops;
    }

    /**
     * Returns the rows of a strand of such a method, one a char: of the calls that it sends, the most of each of these in flight, of those
     * whose results it needs, and of the calls of the method itself that it runs ahead of.
     */
    static List<String> rows(StrandPlan plan, StrandPlan.Recursion recursion, StrandPlan.Strand strand) {
        StringBuilder sends = new StringBuilder();
        StringBuilder windows = new StringBuilder();
        StringBuilder looks = new StringBuilder();
        StringBuilder begins = new StringBuilder();
        for (int send : strand.slice().sends()) {
            Integer self = recursion.rows().get(send);
            if (recursion.returns().contains(send)) {
                continue; // the strand gives a value there
            }
            if (self == null) {
                sends.append((char) plan.send(send).row());
                windows.append((char) Math.min(plan.send(send).window(), StrandOpening.MOST_IN_FLIGHT));
            } else {
                begins.append((char) self.intValue());
            }
        }
        strand.slice().looks().stream()
                .map(call -> {
                    Integer self = recursion.rows().get(call);
                    return self == null ? plan.send(call).row() : self;
                })
                .forEach(row -> looks.append((char) row));
        return List.of(sends.toString(), windows.toString(), looks.toString(), begins.toString());
    }

    private static Op call(String name, String descriptor, @Nullable Register result, Register... operands) {
        return InsnOp.invokeStatic(CoreNames.STRAND_NODE, name, descriptor, result, List.of(operands));
    }
}
