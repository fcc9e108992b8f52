package dev.cleave.agent.transform;

import static java.util.Objects.requireNonNull;

import dev.cleave.agent.ir.BranchOp;
import dev.cleave.agent.ir.ConstOp;
import dev.cleave.agent.ir.GotoOp;
import dev.cleave.agent.ir.InsnOp;
import dev.cleave.agent.ir.LabelOp;
import dev.cleave.agent.ir.MethodBody;
import dev.cleave.agent.ir.MoveOp;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.ir.Register;
import dev.cleave.agent.ir.RegisterKind;
import dev.cleave.agent.plan.later.LaterPlan;
import dev.cleave.agent.plan.later.LaterPlan.Parameter;
import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * The ops that wait for the parameters of one plan. Each parameter has a register for its value and one for its mark:
 * how many elements are known to be there, {@link #NOTHING} before the array itself is, {@link #ALL} when nothing is
 * missing.
 */
final class LaterOps {

    static final int NOTHING = Integer.MIN_VALUE;
    static final int ALL = Integer.MAX_VALUE;

    private static final String OWNER = CoreNames.LATER_ARGUMENTS;

    private final MethodBody body;
    private final List<Parameter> parameters;
    private final Register taken;
    private final List<Register> values = new ArrayList<>();
    private final List<Register> marks = new ArrayList<>();
    private final List<Register> owners = new ArrayList<>(); // of what is asked for each

    LaterOps(MethodBody body, LaterPlan plan, Register taken) {
        this.body = body;
        this.parameters = plan.parameters();
        this.taken = taken;
        for (Parameter parameter : parameters) {
            values.add(parameter.isOverwritten() ? body.fresh(RegisterKind.REFERENCE) : parameter.register());
            marks.add(body.fresh(RegisterKind.INT));
            owners.add(parameter.call() == null ? taken : body.fresh(RegisterKind.REFERENCE));
        }
    }

    boolean isResult(int parameter) {
        return parameters.get(parameter).call() != null;
    }

    /** Writes the first marks of a run in which nothing is missing: all parameters are there in whole. */
    void beginWhole(List<Op> ops) {
        for (int i = 0; i < parameters.size(); i++) {
            set(ops, marks.get(i), ALL);
            if (isResult(i)) {
                ops.add(new ConstOp(owners.get(i), null));
                ops.add(new ConstOp(value(i), null));
            } else if (parameters.get(i).isOverwritten()) {
                ops.add(new MoveOp(value(i), parameters.get(i).register()));
            }
        }
    }

    /** Makes a call whose result is used while it arrives, if that can be. */
    void call(List<Op> ops, int parameter, InsnOp call, int line) {
        Register owner = owners.get(parameter);
        Register value = value(parameter);
        Register result = requireNonNull(call.def());
        Register asked = body.fresh(RegisterKind.REFERENCE);
        Register array = body.fresh(RegisterKind.REFERENCE);
        LabelOp whole = body.label();
        LabelOp next = body.label();
        List<Register> first = List.of(owner, constant(ops, 0));
        ops.add(new RtOps(body).later(call, line, asked));
        ops.add(new BranchOp(Opcodes.IFNULL, List.of(asked), whole));
        ops.add(InsnOp.checkCast(OWNER, owner, asked));
        ops.add(InsnOp.invokeVirtual(OWNER, "begun", "(I)" + CoreNames.OBJECT, array, first));
        ops.add(InsnOp.checkCast(parameters.get(parameter).type().getInternalName(), value, array));
        ops.add(InsnOp.invokeVirtual(OWNER, "received", "(I)I", marks.get(parameter), first));
        ops.add(new MoveOp(result, value));
        ops.add(new GotoOp(next));
        ops.add(whole);
        ops.add(call);
        ops.add(new MoveOp(value, result));
        set(ops, marks.get(parameter), ALL);
        ops.add(next);
    }

    /**
     * Waits for all of a parameter unless the receiver of the call that follows is a stub.
     *
     * @param passes whether missing elements are forwarded to that server as they arrive
     */
    void awaitUnlessSent(List<Op> ops, int parameter, Register receiver, boolean passes) {
        LabelOp whole = body.label();
        LabelOp next = body.label();
        Register isStub = body.fresh(RegisterKind.INT);
        awaitLength(ops, parameter);
        ops.add(new BranchOp(Opcodes.IF_ICMPEQ, List.of(marks.get(parameter), constant(ops, ALL)), next));
        ops.add(InsnOp.invokeStatic(CoreNames.RT, "isStub", "(" + CoreNames.OBJECT + ")Z", isStub, List.of(receiver)));
        ops.add(new BranchOp(Opcodes.IFEQ, List.of(isStub), whole));
        if (passes) {
            Register number = constant(ops, parameters.get(parameter).number());
            ops.add(InsnOp.invokeVirtual(OWNER, "passOn", "(I)V", null, List.of(owners.get(parameter), number)));
        }
        ops.add(new GotoOp(next));
        ops.add(whole);
        awaitWhole(ops, parameter);
        ops.add(next);
    }

    /** Where the value of a parameter is once it has been waited for. */
    Register value(int parameter) {
        return values.get(parameter);
    }

    /** Writes the first marks of the parameters: a parameter that does not arrive later is there in whole. */
    void begin(List<Op> ops) {
        for (int i = 0; i < parameters.size(); i++) {
            if (isResult(i)) {
                continue;
            }
            if (parameters.get(i).isOverwritten()) {
                ops.add(new MoveOp(value(i), parameters.get(i).register()));
            }
            LabelOp next = body.label();
            set(ops, marks.get(i), NOTHING);
            ask(ops, "isLater", "(I)Z", RegisterKind.INT, parameters.get(i).number(), next, Opcodes.IFNE);
            set(ops, marks.get(i), ALL);
            ops.add(next);
        }
    }

    /** Waits for the parameters that the plan does not name: a caller may send any parameter later. */
    void takeOthers(List<Op> ops) {
        Type[] types = Type.getArgumentTypes(body.original().desc);
        int first = body.parameters().size() - types.length;
        for (int i = 0; i < types.length; i++) {
            int number = i;
            boolean isPlanned = parameters.stream().anyMatch(p -> p.call() == null && p.number() == number);
            if (types[i].getSort() >= Type.ARRAY && !isPlanned) {
                LabelOp next = body.label();
                ask(ops, "isLater", "(I)Z", RegisterKind.INT, i, next, Opcodes.IFEQ);
                fetch(ops, taken, "whole", i, types[i], body.parameters().get(first + i));
                ops.add(next);
            }
        }
    }

    private void ask(
            List<Op> ops, String name, String descriptor, RegisterKind kind, int number, LabelOp target, int opcode) {
        Register answer = body.fresh(kind);
        ops.add(InsnOp.invokeVirtual(OWNER, name, descriptor, answer, List.of(taken, constant(ops, number))));
        ops.add(new BranchOp(opcode, List.of(answer), target));
    }

    /** Goes to a label if the array of a parameter is not there, or is null. */
    void unlessBegun(List<Op> ops, int parameter, LabelOp target) {
        ops.add(new BranchOp(Opcodes.IF_ICMPEQ, List.of(marks.get(parameter), constant(ops, NOTHING)), target));
    }

    /** Goes to a label if an element is not known to be there. */
    void unlessThere(List<Op> ops, int parameter, Register index, LabelOp target) {
        ops.add(new BranchOp(Opcodes.IF_ICMPGE, List.of(index, marks.get(parameter)), target));
    }

    /** Goes to a label unless a parameter is whole. */
    void unlessWhole(List<Op> ops, int parameter, LabelOp target) {
        ops.add(new BranchOp(Opcodes.IF_ICMPNE, List.of(marks.get(parameter), constant(ops, ALL)), target));
    }

    /** Goes to a label unless a parameter is whole; marks an array so whose last element is there. */
    void unlessAll(List<Op> ops, int parameter, LabelOp target) {
        Register mark = marks.get(parameter);
        if (!parameters.get(parameter).isElementwise()) {
            unlessWhole(ops, parameter, target);
            return;
        }
        LabelOp all = body.label();
        Register length = body.fresh(RegisterKind.INT);
        ops.add(new BranchOp(Opcodes.IF_ICMPEQ, List.of(mark, constant(ops, ALL)), all));
        unlessBegun(ops, parameter, target);
        ops.add(InsnOp.simple(Opcodes.ARRAYLENGTH, length, value(parameter)));
        ops.add(new BranchOp(Opcodes.IF_ICMPLT, List.of(mark, length), target));
        set(ops, mark, ALL);
        ops.add(all);
    }

    void awaitWhole(List<Op> ops, int parameter) {
        LabelOp there = body.label();
        ops.add(new BranchOp(Opcodes.IF_ICMPEQ, List.of(marks.get(parameter), constant(ops, ALL)), there));
        fetch(ops, "whole", parameter);
        set(ops, marks.get(parameter), ALL);
        ops.add(there);
    }

    void awaitLength(List<Op> ops, int parameter) {
        if (isResult(parameter)) {
            return;
        }
        LabelOp there = body.label();
        ops.add(new BranchOp(Opcodes.IF_ICMPNE, List.of(marks.get(parameter), constant(ops, NOTHING)), there));
        fetch(ops, "begun", parameter);
        ops.add(new BranchOp(Opcodes.IFNULL, List.of(value(parameter)), there));
        ops.add(InsnOp.invokeVirtual(
                OWNER,
                "received",
                "(I)I",
                marks.get(parameter),
                List.of(
                        owners.get(parameter),
                        constant(ops, parameters.get(parameter).number()))));
        ops.add(there);
    }

    void awaitElement(List<Op> ops, int parameter, Register index) {
        LabelOp there = body.label();
        ops.add(new BranchOp(Opcodes.IF_ICMPLT, List.of(index, marks.get(parameter)), there));
        ops.add(new BranchOp(Opcodes.IF_ICMPEQ, List.of(marks.get(parameter), constant(ops, ALL)), there));
        if (!isResult(parameter)) {
            fetch(ops, "begun", parameter);
            ops.add(new BranchOp(Opcodes.IFNULL, List.of(value(parameter)), there));
        }
        Register number = constant(ops, parameters.get(parameter).number());
        List<Register> element = List.of(owners.get(parameter), number, index);
        ops.add(InsnOp.invokeVirtual(OWNER, "await", "(II)I", marks.get(parameter), element));
        ops.add(there);
    }

    private void fetch(List<Op> ops, String name, int parameter) {
        Parameter fetched = parameters.get(parameter);
        fetch(ops, owners.get(parameter), name, fetched.number(), fetched.type(), value(parameter));
    }

    private void fetch(List<Op> ops, Register owner, String name, int number, Type type, Register value) {
        Register object = body.fresh(RegisterKind.REFERENCE);
        List<Register> uses = List.of(owner, constant(ops, number));
        ops.add(InsnOp.invokeVirtual(OWNER, name, "(I)" + CoreNames.OBJECT, object, uses));
        ops.add(InsnOp.checkCast(type.getInternalName(), value, object));
    }

    /** A register that holds a constant. */
    Register constant(List<Op> ops, int value) {
        Register constant = body.fresh(RegisterKind.INT);
        set(ops, constant, value);
        return constant;
    }

    static void set(List<Op> ops, Register register, int value) {
        ops.add(new ConstOp(register, value));
    }
}
