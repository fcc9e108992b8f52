package dev.cleave.agent.transform;

import dev.cleave.agent.ir.ConstOp;
import dev.cleave.agent.ir.InsnOp;
import dev.cleave.agent.ir.MethodBody;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.ir.Register;
import dev.cleave.agent.ir.RegisterKind;
import dev.cleave.agent.plan.placement.StrandPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;

/** Writes the code that makes a nest and its strands, each from its class file in the constant pool. */
final class StrandOpening {

    /** The most calls of one place in flight, whatever the window. */
    private static final int MOST_IN_FLIGHT = 1_024;

    /** The most bytes of a class file in one string of the constant pool: two bytes each, at worst. */
    private static final int MOST_BYTES = 20_000;

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
        this.body = editing.body();
        this.plan = plan;
        this.named = named;
        for (StrandPlan.Strand strand : plan.strands()) {
            StrandClass written = new StrandClass(body.owner(), plan, strand);
            strands.add(written);
            classFiles.add(written.write(editing.hierarchy()));
        }
    }

    /**
     * {@code nest = a nest with the strands}.
     *
     * @param iterators the iterators of each strand, by those of the planned code
     */
    List<Op> open(Register nest, List<Map<Register, Register>> iterators) {
        List<Op> ops = new ArrayList<>();
        ops.add(dynamic(
                "open", "()" + CoreNames.STRANDS_TYPE, CoreNames.OPEN_STRANDS, nest, List.of(), List.of(plan.rows())));
        for (int i = 0; i < strands.size(); i++) {
            ops.addAll(add(i, nest, iterators.get(i)));
        }
        return ops;
    }

    private List<Op> add(int number, Register nest, Map<Register, Register> iterators) {
        StrandPlan.Strand strand = plan.strands().get(number);
        StringBuilder sends = new StringBuilder();
        StringBuilder windows = new StringBuilder();
        StringBuilder looks = new StringBuilder();
        for (int send : strand.slice().sends()) {
            StrandPlan.Call call = plan.send(send);
            sends.append((char) call.row());
            windows.append((char) Math.min(call.window(), MOST_IN_FLIGHT)); // an automatic window is larger
        }
        strand.slice().looks().stream()
                .forEach(call -> looks.append((char) plan.send(call).row()));
        StringBuilder descriptor = new StringBuilder("(");
        List<Register> captured = new ArrayList<>();
        strands.get(number).captures().forEach((register, type) -> {
            descriptor.append(type.getDescriptor());
            Register iterator = iterators.get(register);
            captured.add(iterator == null ? named.apply(register) : iterator);
        });
        descriptor.append(')').append(CoreNames.OBJECT);
        Register made = body.fresh(RegisterKind.REFERENCE);
        List<Op> ops = new ArrayList<>();
        ops.add(dynamic(
                "strand",
                descriptor.toString(),
                CoreNames.LINK_STRAND,
                made,
                captured,
                List.copyOf(StrandClass.text(classFiles.get(number), MOST_BYTES))));
        List<Register> operands = new ArrayList<>(List.of(nest, made));
        for (StringBuilder text : List.of(sends, windows, looks)) {
            Register constant = body.fresh(RegisterKind.REFERENCE);
            ops.add(new ConstOp(constant, text.toString()));
            operands.add(constant);
        }
        ops.add(StrandWriter.call("add", CoreNames.ADD_STRAND, nest, operands.toArray(Register[]::new)));
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
        return new InsnOp(new InvokeDynamicInsnNode(name, descriptor, handle, constants.toArray()), result, operands);
    }
}
