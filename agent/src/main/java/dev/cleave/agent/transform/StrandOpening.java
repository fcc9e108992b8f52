package dev.cleave.agent.transform;

import static java.util.Objects.requireNonNull;

import dev.cleave.agent.ir.BranchOp;
import dev.cleave.agent.ir.ConstOp;
import dev.cleave.agent.ir.InsnOp;
import dev.cleave.agent.ir.LabelOp;
import dev.cleave.agent.ir.MethodBody;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.ir.Register;
import dev.cleave.agent.ir.RegisterKind;
import dev.cleave.agent.plan.placement.StrandPlan;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;

/** Writes the code that makes a nest and its strands, each from its class file in the constant pool. */
final class StrandOpening {

    /** The most calls of one place in flight, whatever the window. */
    static final int MOST_IN_FLIGHT = 1_024;

    /** In the number of a row: the strand needs results as they have arrived ({@code Strands.AS_ARRIVED}). */
    private static final int AS_ARRIVED = 1 << 14;

    /** The most bytes of a class file in one string of the constant pool: two bytes each, at worst. */
    static final int MOST_BYTES = 20_000;

    private final Editing editing;
    private final MethodBody body;
    private final StrandPlan plan;
    private final UnaryOperator<Register> named;
    private final List<StrandClass> strands = new ArrayList<>();
    private final List<byte[]> classFiles = new ArrayList<>();

    /**
     * Prepares it.
     *
     * @param named the register of the program that a register of the planned code stands for
     */
    StrandOpening(Editing editing, StrandPlan plan, UnaryOperator<Register> named) {
        this.editing = editing;
        this.body = editing.body();
        this.plan = plan;
        this.named = named;
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

    /** The strands that have iterators of their own, in the order of their iterators. */
    List<StrandPlan.Strand> withIterators() {
        StrandPlan.Guide guide = plan.guide();
        return guide == null ? plan.strands() : List.of(guide.strand());
    }

    /**
     * {@code nest = a nest with the strands}.
     *
     * @param iterators the iterators of each strand, by those of the planned code
     * @param shut where to go if a collection cannot be copied
     */
    List<Op> open(Register nest, List<Map<Register, Register>> iterators, LabelOp shut) {
        List<Op> ops = new ArrayList<>();
        ops.add(dynamic(
                plan.guide() == null ? "open" : "fork",
                "()" + CoreNames.STRANDS_TYPE,
                CoreNames.OPEN_STRANDS,
                nest,
                List.of(),
                List.of(plan.rows())));
        for (StrandPlan.Walk walk : plan.walks().values()) {
            for (StrandPlan.Strand strand : walk.strands().strands()) {
                ops.addAll(addWalk(nest, walk, strand));
            }
        }
        Map<Integer, Register> queues = new HashMap<>();
        Map<Integer, Register> made = new HashMap<>();
        for (int i = 0; i < strands.size(); i++) {
            ops.addAll(add(i, nest, iterators, shut, made, queues));
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
                        List.of(named.apply(register))),
                new BranchOp(Opcodes.IFNULL, List.of(object), shut),
                InsnOp.checkCast(type.getInternalName(), copy, object));
    }

    private List<Op> add(
            int number,
            Register nest,
            List<Map<Register, Register>> iterators,
            LabelOp shut,
            Map<Integer, Register> all,
            Map<Integer, Register> queues) {
        StrandPlan.Guide guide = plan.guide();
        StrandPlan.Strand strand = guide == null ? plan.strands().get(number) : guide.strand();
        StringBuilder descriptor = new StringBuilder("(");
        List<Register> captured = new ArrayList<>();
        List<Op> ops = new ArrayList<>();
        List<Register> copies = new ArrayList<>();
        strands.get(number).captures().forEach((register, type) -> {
            descriptor.append(type.getDescriptor());
            Register iterator = iterators.get(number).get(register);
            Register value = iterator == null ? named.apply(register) : iterator;
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
        LabelOp without = guide == null ? body.label() : shut; // a guide goes with all its strands, or not at all
        for (StrandPlan.Strand each : guide == null ? List.of(strand) : plan.all()) {
            ops.addAll(doors(each, without));
        }
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
            ops.addAll(add(made, nest, strand, true));
        } else {
            ops.addAll(add(made, nest, strand, false));
            plan.strands().forEach(each -> ops.addAll(add(made, nest, each, true)));
        }
        if (guide == null) {
            ops.add(without);
        }
        return ops;
    }

    /** Goes to a label if another class does not take what a strand sends. */
    private List<Op> doors(StrandPlan.Strand strand, LabelOp otherwise) {
        List<Op> ops = new ArrayList<>();
        EntryTests tests = new EntryTests(body, named, plan.elsewhere());
        for (StrandPlan.Door door : strand.doors()) {
            Register isOpen = body.fresh(RegisterKind.INT);
            Register object = tests.evaluate(door.object(), ops);
            ops.add(ElsewhereOps.takes(object, door.type(), door.contract(), isOpen));
            ops.add(new BranchOp(Opcodes.IFEQ, List.of(isOpen), otherwise));
        }
        return ops;
    }

    /** The row of a call whose result a strand needs, with a mark if the strand needs it as it has arrived. */
    private static char look(StrandPlan.Call call) {
        return (char) (call.isChanged() ? call.row() | AS_ARRIVED : call.row());
    }

    private List<Op> add(Register made, Register nest, StrandPlan.Strand strand, boolean isSender) {
        StringBuilder sends = new StringBuilder();
        StringBuilder windows = new StringBuilder();
        StringBuilder looks = new StringBuilder();
        StringBuilder begins = new StringBuilder();
        for (int send : isSender ? strand.slice().sends() : List.<Integer>of()) {
            StrandPlan.Walk walk = plan.walks().get(send);
            if (walk != null) {
                begins.append((char) walk.row());
                continue;
            }
            StrandPlan.Call call = plan.send(send);
            sends.append((char) call.row());
            windows.append((char) Math.min(call.window(), MOST_IN_FLIGHT)); // an automatic window is larger
        }
        strand.slice().looks().stream().forEach(call -> looks.append(look(plan.send(call))));
        List<Op> ops = new ArrayList<>();
        List<Register> operands = new ArrayList<>(List.of(nest, made));
        for (StringBuilder text : List.of(sends, windows, looks)) {
            Register constant = body.fresh(RegisterKind.REFERENCE);
            ops.add(new ConstOp(constant, text.toString()));
            operands.add(constant);
        }
        ops.add(StrandWriter.call("add", CoreNames.ADD_STRAND, nest, operands.toArray(Register[]::new)));
        if (!begins.isEmpty()) {
            Register constant = body.fresh(RegisterKind.REFERENCE);
            ops.add(new ConstOp(constant, begins.toString()));
            ops.add(StrandWriter.call(
                    "walk",
                    "(" + CoreNames.STRANDS_TYPE + CoreNames.OBJECT + "Ljava/lang/String;)V",
                    null,
                    nest,
                    made,
                    constant));
        }
        return ops;
    }

    /** Adds a strand of the activations of a method that calls itself; what such a strand begins with its caller's strand computes. */
    private List<Op> addWalk(Register nest, StrandPlan.Walk walk, StrandPlan.Strand strand) {
        StrandClass written = new StrandClass(body.owner(), walk.strands(), List.of(strand));
        byte[] classFile = written.write(editing.hierarchy());
        List<Op> ops = new ArrayList<>();
        StringBuilder descriptor = new StringBuilder("(");
        List<Register> nothing = new ArrayList<>();
        written.captures().forEach((register, type) -> {
            descriptor.append(type.getDescriptor());
            Register value = body.fresh(register.kind());
            ops.add(RtOps.nothing(value));
            nothing.add(value);
        });
        Register example = body.fresh(RegisterKind.REFERENCE);
        ops.add(dynamic(
                "strand",
                descriptor + ")" + CoreNames.OBJECT,
                CoreNames.LINK_STRAND,
                example,
                nothing,
                List.copyOf(StrandClass.text(classFile, MOST_BYTES))));
        List<Register> operands = new ArrayList<>(List.of(nest, example));
        List<Object> constants =
                new ArrayList<>(List.of(walk.row(), walk.strands().rows()));
        constants.addAll(RecursionWriter.rows(walk.strands(), walk.recursion(), strand));
        for (Object constant : constants) {
            Register value = body.fresh(constant instanceof Integer ? RegisterKind.INT : RegisterKind.REFERENCE);
            ops.add(new ConstOp(value, constant));
            operands.add(value);
        }
        ops.add(StrandWriter.call("addWalk", CoreNames.ADD_WALK, nest, operands.toArray(Register[]::new)));
        return ops;
    }

    /** Writes a call site that {@code StrandLinks} links. */
    static Op dynamic(
            String name,
            String descriptor,
            String bootstrap,
            Register result,
            List<Register> operands,
            List<?> constants) {
        org.objectweb.asm.Handle handle =
                new org.objectweb.asm.Handle(Opcodes.H_INVOKESTATIC, CoreNames.STRAND_LINKS, name, bootstrap, false);
        return new InsnOp(new InvokeDynamicInsnNode(name, descriptor, handle, constants.toArray()), result, operands);
    }
}
