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
import dev.cleave.agent.plan.method.Helper;
import dev.cleave.agent.plan.method.OwnIterator;
import dev.cleave.agent.plan.placement.StrandPlan;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;

/**
 * Writes a nest of loops whose calls are sent by strands: code at the entry makes the strands, and each call takes the
 * call that a strand has sent.
 */
final class StrandWriter implements PlacementWriter {

    private static final String ON_NEST = "(" + CoreNames.STRANDS_TYPE + ")V";

    /** The most calls of one place in flight, whatever the window. */
    static final int MOST_IN_FLIGHT = 1_024;

    /** The most bytes of a class file in one string of the constant pool: two bytes each, at worst. */
    static final int MOST_BYTES = 20_000;

    private final Editing editing;
    private final MethodBody body;
    private final StrandPlan plan;
    private final RtOps rt;
    private final LoopGates gates;
    private final Register nest;
    private final List<StrandClass> strands = new ArrayList<>();
    private final List<byte[]> classFiles = new ArrayList<>();
    private final List<Map<Register, Register>> iterators = new ArrayList<>(); // of each strand, by the program's

    StrandWriter(Editing editing, StrandPlan plan) {
        this.editing = editing;
        this.body = editing.body();
        this.plan = plan;
        this.rt = new RtOps(body);
        this.gates = new LoopGates(body, editing.original(), plan.own(), editing::throwing);
        this.nest = body.fresh(RegisterKind.REFERENCE);
        if (plan.guide() == null) {
            plan.strands().forEach(strand -> write(List.of(strand)));
        } else {
            write(plan.all());
        }
    }

    private void write(List<StrandPlan.Strand> roles) {
        StrandClass written = new StrandClass(body.owner(), plan, roles);
        strands.add(written);
        classFiles.add(written.write(editing.hierarchy()));
    }

    /** Writes the code that makes the strands, and the claims. */
    @Override
    public void write() {
        gates.leave(this::close);
        plan.claims().forEach(this::writeClaim);
        plan.hands().forEach((call, hand) -> writeHand(call, hand));
        plan.mappings().forEach(this::writeMapping);
        body.insertAfter(gates.header(), List.of(call("begin", ON_NEST, null, nest)));
        writeEntry();
    }

    /** Writes what happens when an exception leaves the nest. */
    @Override
    public void settle() {
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

    /** Writes the code that gives a helper the nest and the first row of the helper's calls. */
    private void writeHand(int index, StrandPlan.Hand hand) {
        InsnOp original = (InsnOp) editing.original(index);
        Register row = body.fresh(RegisterKind.INT);
        List<Op> ops = new ArrayList<>(List.of(new ConstOp(row, hand.row())));
        String key = Helper.key(
                hand.helper().owner(), hand.helper().method().name, hand.helper().method().desc);
        ops.addAll(editing.passages().handNest(key, nest, row));
        for (Op op : editing.claim(index).written()) {
            ops.add(op);
            if (op instanceof InsnOp call && call.insn() == original.insn()) {
                ops.addAll(editing.passages().handedNest(call));
            }
        }
        editing.replace(original, ops, List.of());
    }

    private void writeMapping(int index, StrandPlan.Mapping mapping) {
        InsnOp call = (InsnOp) editing.original(index);
        Register row = body.fresh(RegisterKind.INT);
        List<Op> ops = new ArrayList<>(List.of(new ConstOp(row, mapping.row())));
        ops.addAll(ElsewhereOps.mapping(body, call, nest, row, mapping.result()));
        editing.replace(call, ops, List.of());
    }

    /** The register of the program that a register of the planned code stands for. */
    private Register named(Register register) {
        return plan.region() == plan.own() ? register : body.local(register.position(), register.kind());
    }

    private void writeEntry() {
        LabelOp entry = body.label();
        LabelOp start = body.label();
        LabelOp end = body.label();
        LabelOp shut = body.label();
        LabelOp ready = body.label();
        LabelOp failed = body.label();
        List<Op> ops = new ArrayList<>(List.of(entry, start));
        List<Integer> calls = new ArrayList<>(plan.claims().keySet());
        calls.addAll(plan.hands().keySet());
        ops.addAll(editing.unlessHandedOver(calls, shut));
        ops.addAll(new EntryTests(body, this::named, plan.elsewhere()).write(plan.tests(), shut));
        ops.addAll(ownIterators(shut));
        ops.add(dynamic(
                plan.guide() == null ? "open" : "fork",
                "()" + CoreNames.STRANDS_TYPE,
                CoreNames.OPEN_STRANDS,
                nest,
                List.of(),
                List.of(plan.rows())));
        Map<Integer, Register> queues = new HashMap<>();
        Map<Integer, Register> made = new HashMap<>();
        for (int i = 0; i < strands.size(); i++) {
            ops.addAll(add(i, shut, made, queues));
        }
        StrandPlan.Queue queue = plan.queue();
        if (queue != null) {
            Register behind = body.fresh(RegisterKind.INT);
            ops.add(new ConstOp(behind, queue.isReadBehind() ? 1 : 0));
            ops.add(InsnOp.invokeStatic(
                    CoreNames.STRAND_COPIES,
                    "connect",
                    CoreNames.CONNECT_STRANDS,
                    null,
                    List.of(
                            requireNonNull(made.get(queue.reader())),
                            requireNonNull(queues.get(queue.reader())),
                            requireNonNull(made.get(queue.writer())),
                            requireNonNull(queues.get(queue.writer())),
                            behind)));
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

    /** Writes the making of iterators for each strand, right behind the making of the program's. */
    private List<Op> ownIterators(LabelOp shut) {
        List<Op> ops = new ArrayList<>();
        for (StrandPlan.Strand strand :
                plan.guide() == null ? plan.strands() : List.of(plan.guide().strand())) {
            Map<Register, Register> made = new HashMap<>();
            for (OwnIterator own : strand.slice().iterators()) {
                if (!plan.region().ops().get(own.made())) {
                    Register iterator = body.fresh(RegisterKind.REFERENCE);
                    Op program =
                            editing.original(requireNonNull(plan.iterators().get(own.made()), "iterator"));
                    body.insertAfter(
                            program,
                            List.of(rt.call(
                                    "iterator",
                                    "(Ljava/lang/Object;)Ljava/util/Iterator;",
                                    iterator,
                                    program.uses().get(0))));
                    ops.add(new BranchOp(Opcodes.IFNULL, List.of(iterator), shut));
                    made.put(own.iterator(), iterator);
                }
            }
            iterators.add(made);
        }
        return ops;
    }

    /**
     * Makes a copy of a collection for a strand.
     *
     * @param queues gets the copy if it is a queue between strands
     */
    private List<Op> copy(
            int number, Register register, Type type, Register copy, LabelOp shut, Map<Integer, Register> queues) {
        StrandPlan.Queue queue = plan.queue();
        boolean isWritten = queue != null && number == queue.writer() && register == queue.written();
        boolean isRead = queue != null && number == queue.reader() && register == queue.read();
        Register object = body.fresh(RegisterKind.REFERENCE);
        if (isWritten || isRead) {
            queues.put(number, object);
        }
        return List.of(
                InsnOp.invokeStatic(
                        CoreNames.STRAND_COPIES,
                        isWritten ? "queue" : "copy",
                        "(" + CoreNames.OBJECT + ")" + CoreNames.OBJECT,
                        object,
                        List.of(named(register))),
                new BranchOp(Opcodes.IFNULL, List.of(object), shut),
                InsnOp.checkCast(type.getInternalName(), copy, object));
    }

    private List<Op> add(int number, LabelOp shut, Map<Integer, Register> all, Map<Integer, Register> queues) {
        StrandPlan.Guide guide = plan.guide();
        StrandPlan.Strand strand = guide == null ? plan.strands().get(number) : guide.strand();
        StringBuilder descriptor = new StringBuilder("(");
        List<Register> captured = new ArrayList<>();
        List<Op> ops = new ArrayList<>();
        List<Register> copies = new ArrayList<>();
        strands.get(number).captures().forEach((register, type) -> {
            descriptor.append(type.getDescriptor());
            Register iterator = iterators.get(number).get(register);
            Register value = iterator == null ? named(register) : iterator;
            if (strand.copies().contains(register)) {
                value = body.fresh(RegisterKind.REFERENCE);
                copies.add(value);
                ops.addAll(copy(number, register, type, value, shut, queues));
            }
            captured.add(value);
        });
        descriptor.append(')').append(CoreNames.OBJECT);
        Register made = body.fresh(RegisterKind.REFERENCE);
        all.put(number, made);
        LabelOp without = body.label();
        ops.addAll(doors(strand, without));
        ops.add(dynamic(
                "strand",
                descriptor.toString(),
                CoreNames.LINK_STRAND,
                made,
                captured,
                List.copyOf(StrandClass.text(classFiles.get(number), MOST_BYTES))));
        for (Register copy : copies) {
            ops.add(InsnOp.invokeStatic(
                    CoreNames.STRAND_COPIES,
                    "keep",
                    "(" + CoreNames.OBJECT + CoreNames.OBJECT + ")V",
                    null,
                    List.of(made, copy)));
        }
        if (guide == null) {
            ops.addAll(add(made, strand, true));
        } else {
            ops.addAll(add(made, strand, false));
            plan.strands().forEach(each -> ops.addAll(add(made, each, true)));
        }
        ops.add(without);
        return ops;
    }

    private List<Op> add(Register made, StrandPlan.Strand strand, boolean isSender) {
        StringBuilder sends = new StringBuilder();
        StringBuilder windows = new StringBuilder();
        StringBuilder looks = new StringBuilder();
        for (int send : isSender ? strand.slice().sends() : List.<Integer>of()) {
            StrandPlan.Call call = plan.send(send);
            sends.append((char) call.row());
            windows.append((char) Math.min(call.window(), MOST_IN_FLIGHT)); // an automatic window is larger
        }
        strand.slice().looks().stream()
                .forEach(call -> looks.append((char) plan.send(call).row()));
        List<Op> ops = new ArrayList<>();
        List<Register> operands = new ArrayList<>(List.of(nest, made));
        for (StringBuilder text : List.of(sends, windows, looks)) {
            Register constant = body.fresh(RegisterKind.REFERENCE);
            ops.add(new ConstOp(constant, text.toString()));
            operands.add(constant);
        }
        ops.add(call("add", CoreNames.ADD_STRAND, nest, operands.toArray(Register[]::new)));
        return ops;
    }

    /** Goes to a label if another class does not take what a strand sends. */
    private List<Op> doors(StrandPlan.Strand strand, LabelOp otherwise) {
        List<Op> ops = new ArrayList<>();
        EntryTests tests = new EntryTests(body, this::named, plan.elsewhere());
        for (StrandPlan.Door door : strand.doors()) {
            Register isOpen = body.fresh(RegisterKind.INT);
            Register object = tests.evaluate(door.object(), ops);
            ops.add(ElsewhereOps.takes(object, door.type(), door.contract(), isOpen));
            ops.add(new BranchOp(Opcodes.IFEQ, List.of(isOpen), otherwise));
        }
        return ops;
    }

    /** Writes a call site that {@code Strands} links. */
    static Op dynamic(
            String name,
            String descriptor,
            String bootstrap,
            Register result,
            List<Register> operands,
            List<?> constants) {
        org.objectweb.asm.Handle handle =
                new org.objectweb.asm.Handle(Opcodes.H_INVOKESTATIC, CoreNames.STRANDS, name, bootstrap, false);
        return new InsnOp(new InvokeDynamicInsnNode(name, descriptor, handle, constants.toArray()), result, operands);
    }
}
