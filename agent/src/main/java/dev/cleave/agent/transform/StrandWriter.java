package dev.cleave.agent.transform;

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
import dev.cleave.agent.ir.Unsupported;
import dev.cleave.agent.plan.OwnIterator;
import dev.cleave.agent.plan.StrandPlan;
import dev.cleave.agent.scan.ClassHierarchy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;

/** Writes a nest of loops whose calls are sent by strands: it makes these at the entry, and takes at each call what they sent. */
final class StrandWriter {

    private static final String ON_NEST = "(" + CoreNames.STRANDS_TYPE + ")V";

    /** The most bytes of a class file in one string of the constant pool: two bytes each, at worst. */
    private static final int MOST_BYTES = 20_000;

    private final Editing editing;
    private final MethodBody body;
    private final StrandPlan plan;
    private final RtOps rt;
    private final LoopGates gates;
    private final Register nest;
    private final List<StrandClass> strands = new ArrayList<>();
    private final List<byte[]> classFiles = new ArrayList<>();
    private final List<Map<Register, Register>> iterators = new ArrayList<>(); // of each strand, by the program's

    StrandWriter(Editing editing, StrandPlan plan, ClassHierarchy hierarchy) throws Unsupported {
        this.editing = editing;
        this.body = editing.body();
        this.plan = plan;
        this.rt = new RtOps(body);
        this.gates = new LoopGates(editing, plan.region());
        this.nest = body.fresh(RegisterKind.REFERENCE);
        for (StrandPlan.Strand strand : plan.strands()) {
            StrandClass written = new StrandClass(editing, plan, strand);
            strands.add(written);
            classFiles.add(written.write(hierarchy));
        }
    }

    /** Writes what makes the strands, and the claims. */
    void write() {
        gates.leave(this::close);
        List<Integer> sends = plan.sends();
        for (int row = 0; row < sends.size(); row++) {
            writeClaim(sends.get(row), row);
        }
        body.insertAfter(gates.header(), List.of(call("begin", ON_NEST, null, nest)));
        writeEntry();
    }

    /** Writes what happens when an exception leaves the nest. */
    void settle() {
        gates.settle(this::close);
    }

    private List<Op> close() {
        return List.of(call("close", ON_NEST, null, nest));
    }

    private static Op call(String name, String descriptor, @Nullable Register result, Register... operands) {
        return InsnOp.invokeStatic(CoreNames.STRANDS, name, descriptor, result, List.of(operands));
    }

    private void writeClaim(int call, int row) {
        Register taken = body.fresh(RegisterKind.REFERENCE);
        Register number = body.fresh(RegisterKind.INT);
        List<Op> take = List.of(
                new ConstOp(number, row),
                call("take", "(" + CoreNames.STRANDS_TYPE + "I)" + CoreNames.OBJECT, taken, nest, number));
        editing.replace(editing.original(call), editing.claim(call, taken, take, List.of()), List.of());
    }

    private void writeEntry() {
        LabelOp entry = body.label();
        LabelOp start = body.label();
        LabelOp end = body.label();
        LabelOp shut = body.label();
        LabelOp ready = body.label();
        LabelOp failed = body.label();
        List<Op> ops = new ArrayList<>(List.of(entry, start));
        ops.addAll(new EntryTests(body).write(plan.tests(), shut));
        ops.addAll(ownIterators(shut));
        ops.add(dynamic("open", "()" + CoreNames.STRANDS_TYPE, CoreNames.OPEN_STRANDS, nest, List.of(), List.of(
                plan.sends().size())));
        int row = 0;
        for (int i = 0; i < strands.size(); i++) {
            ops.addAll(add(i, row));
            row += plan.strands().get(i).slice().sends().size();
        }
        ops.add(new GotoOp(ready));
        ops.add(end);
        ops.add(shut);
        ops.add(new ConstOp(nest, null));
        ops.add(ready);
        gates.enter(entry, ops);
        Register thrown = body.fresh(RegisterKind.REFERENCE);
        body.append(List.of(failed, new CatchOp(thrown), new GotoOp(shut)));
        body.addHandlerFirst(new Handler(start, end, failed, null));
    }

    /** Iterators for each strand, made right behind the program's. */
    private List<Op> ownIterators(LabelOp shut) {
        List<Op> ops = new ArrayList<>();
        for (StrandPlan.Strand strand : plan.strands()) {
            Map<Register, Register> made = new HashMap<>();
            for (OwnIterator own : strand.slice().iterators()) {
                if (!plan.region().ops().get(own.made())) {
                    Register iterator = body.fresh(RegisterKind.REFERENCE);
                    body.insertAfter(
                            editing.original(own.made()),
                            List.of(rt.call(
                                    "iterator",
                                    "(Ljava/lang/Object;)Ljava/util/Iterator;",
                                    iterator,
                                    own.collection())));
                    ops.add(new BranchOp(Opcodes.IFNULL, List.of(iterator), shut));
                    made.put(own.iterator(), iterator);
                }
            }
            iterators.add(made);
        }
        return ops;
    }

    private List<Op> add(int number, int firstRow) {
        StrandPlan.Strand strand = plan.strands().get(number);
        StringBuilder sends = new StringBuilder();
        StringBuilder windows = new StringBuilder();
        StringBuilder looks = new StringBuilder();
        for (int i = 0; i < strand.slice().sends().size(); i++) {
            sends.append((char) (firstRow + i));
            windows.append((char) Math.min(plan.windows().get(firstRow + i), Character.MAX_VALUE));
        }
        strand.slice().looks().stream().forEach(call -> looks.append((char) plan.sends().indexOf(call)));
        StringBuilder descriptor = new StringBuilder("(");
        List<Register> captured = new ArrayList<>();
        strands.get(number).captures().forEach((register, type) -> {
            descriptor.append(type.getDescriptor());
            captured.add(iterators.get(number).getOrDefault(register, register));
        });
        descriptor.append(')').append(CoreNames.OBJECT);
        Register made = body.fresh(RegisterKind.REFERENCE);
        List<Op> ops = new ArrayList<>();
        ops.add(dynamic("strand", descriptor.toString(), CoreNames.LINK_STRAND, made, captured, List.copyOf(
                StrandClass.text(classFiles.get(number), MOST_BYTES))));
        List<Register> operands = new ArrayList<>(List.of(nest, made));
        for (StringBuilder text : List.of(sends, windows, looks)) {
            Register constant = body.fresh(RegisterKind.REFERENCE);
            ops.add(new ConstOp(constant, text.toString()));
            operands.add(constant);
        }
        ops.add(call("add", CoreNames.ADD_STRAND, nest, operands.toArray(Register[]::new)));
        return ops;
    }

    private static Op dynamic(
            String name,
            String descriptor,
            String bootstrap,
            Register result,
            List<Register> operands,
            List<?> constants) {
        org.objectweb.asm.Handle handle =
                new org.objectweb.asm.Handle(Opcodes.H_INVOKESTATIC, CoreNames.STRANDS, name, bootstrap, false);
        return new InsnOp(
                new InvokeDynamicInsnNode(name, descriptor, handle, constants.toArray()), result, operands);
    }
}
