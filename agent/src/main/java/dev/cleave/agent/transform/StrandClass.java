package dev.cleave.agent.transform;

import static java.util.Objects.requireNonNull;

import dev.cleave.agent.ir.BranchOp;
import dev.cleave.agent.ir.CatchOp;
import dev.cleave.agent.ir.ClassEmitter;
import dev.cleave.agent.ir.ConstOp;
import dev.cleave.agent.ir.GotoOp;
import dev.cleave.agent.ir.Handler;
import dev.cleave.agent.ir.InsnOp;
import dev.cleave.agent.ir.IrEmitter;
import dev.cleave.agent.ir.LabelOp;
import dev.cleave.agent.ir.MethodBody;
import dev.cleave.agent.ir.MoveOp;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.ir.Register;
import dev.cleave.agent.ir.RegisterKind;
import dev.cleave.agent.ir.ReturnOp;
import dev.cleave.agent.ir.SwitchOp;
import dev.cleave.agent.ir.Unsupported;
import dev.cleave.agent.plan.analysis.OpGraph;
import dev.cleave.agent.plan.placement.StrandPlan;
import dev.cleave.agent.scan.ClassHierarchy;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.FieldNode;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.IntInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TypeInsnNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * Writes the class of a strand: a copy of its slice as a method that goes on where it stopped, with fields for the
 * registers that it keeps meanwhile. It becomes a nestmate of the class that it is copied from.
 */
final class StrandClass {

    private final List<Op> original;
    private final StrandPlan plan;
    private final List<StrandPlan.Strand> strands;
    private final String name;
    private final MethodBody step;
    private final Register self;
    private final RegisterCopies bank;
    private final Map<Register, String> fields = new LinkedHashMap<>(); // by register of the program
    private final Map<Register, Type> captures = new LinkedHashMap<>();
    private final List<Integer> keys = new ArrayList<>();
    private final List<LabelOp> cases = new ArrayList<>();
    private final List<Op> resumes = new ArrayList<>();

    private StrandPlan.Strand strand; // that is being written

    /**
     * Prepares it.
     *
     * @param strands a strand; or the guide, and the strands that it makes for each pass
     */
    StrandClass(String owner, StrandPlan plan, List<StrandPlan.Strand> strands) {
        this.original = original(plan);
        this.plan = plan;
        this.strands = strands;
        this.strand = strands.get(0);
        this.name = owner + "$Strand";
        this.step = MethodBody.empty(
                name, new MethodNode(Opcodes.ASM9, Opcodes.ACC_PROTECTED, "step", "()V", null, new String[] {
                    "java/lang/Throwable"
                }));
        this.self = step.parameters().get(0);
        this.bank = RegisterCopies.ofAll(step);
        Set<Register> handed = strands.size() == 1 ? Set.of() : strand.slice().banked();
        for (StrandPlan.Strand each : strands) {
            Map<Register, Type> read = new LinkedHashMap<>(each.fixed());
            each.keptAt(each.slice().region().entry()).forEach((register, type) -> {
                if (each.slice().copiedIn().contains(register)) {
                    read.put(register, type);
                }
            });
            read.forEach((register, type) -> {
                if (each == strand || !handed.contains(register)) {
                    captures.putIfAbsent(register, type);
                }
            });
            each.fixed().keySet().forEach(this::field);
            each.kept().values().forEach(kept -> kept.keySet().forEach(this::field));
        }
    }

    private static List<Op> original(StrandPlan plan) {
        OpGraph graph = plan.region().graph();
        return IntStream.range(0, graph.size())
                .mapToObj(
                        i -> plan.sends().containsKey(i) ? graph.op(i) : ElsewhereOps.of(graph.op(i), plan.elsewhere()))
                .toList();
    }

    /**
     * Returns the registers of the program whose values the constructor of the strand takes, with the types of objects.
     */
    Map<Register, Type> captures() {
        return captures;
    }

    /**
     * The class file.
     *
     * @throws IllegalStateException if it cannot be written: the method is planned without strands
     */
    byte[] write(ClassHierarchy hierarchy) {
        ClassNode node = new ClassNode(Opcodes.ASM9);
        node.version = Opcodes.V17;
        node.access = Opcodes.ACC_FINAL | Opcodes.ACC_SUPER | Opcodes.ACC_SYNTHETIC;
        node.name = name;
        node.superName = CoreNames.STRAND;
        writeStep();
        node.methods.add(constructor());
        if (plan.recursion() != null) {
            node.methods.add(fresh(plan.recursion()));
            if (plan.recursion().returns().stream().anyMatch(strand.slice().sends()::contains)) {
                node.methods.add(giver());
            }
        }
        try {
            node.methods.add(IrEmitter.emit(step));
        } catch (Unsupported e) {
            throw new IllegalStateException(e.getMessage(), e);
        }
        fields.forEach((register, field) ->
                node.fields.add(new FieldNode(Opcodes.ACC_PRIVATE, field, descriptor(register), null, null)));
        try {
            return ClassEmitter.write(node, hierarchy);
        } catch (Unsupported e) {
            throw new IllegalStateException(e.getMessage(), e);
        }
    }

    private String field(Register register) {
        return fields.computeIfAbsent(register, key -> "r" + fields.size());
    }

    private static String descriptor(Register register) {
        return switch (register.kind()) {
            case INT -> "I";
            case LONG -> "J";
            case FLOAT -> "F";
            case DOUBLE -> "D";
            case REFERENCE -> CoreNames.OBJECT;
        };
    }

    private MethodNode constructor() {
        StringBuilder descriptor = new StringBuilder("(");
        captures.values().forEach(type -> descriptor.append(type.getDescriptor()));
        MethodNode method = new MethodNode(Opcodes.ASM9, 0, "<init>", descriptor + ")V", null, null);
        method.instructions.add(new VarInsnNode(Opcodes.ALOAD, 0));
        method.instructions.add(new MethodInsnNode(Opcodes.INVOKESPECIAL, CoreNames.STRAND, "<init>", "()V", false));
        int slot = 1;
        for (Map.Entry<Register, Type> capture : captures.entrySet()) {
            method.instructions.add(new VarInsnNode(Opcodes.ALOAD, 0));
            method.instructions.add(new VarInsnNode(capture.getValue().getOpcode(Opcodes.ILOAD), slot));
            method.instructions.add(
                    new FieldInsnNode(Opcodes.PUTFIELD, name, field(capture.getKey()), descriptor(capture.getKey())));
            slot += capture.getValue().getSize();
        }
        method.instructions.add(new InsnNode(Opcodes.RETURN));
        return method;
    }

    /** Writes the method that makes the same strand for another activation. */
    private MethodNode fresh(StrandPlan.Recursion recursion) {
        String object = CoreNames.OBJECT;
        MethodNode method = new MethodNode(
                Opcodes.ASM9,
                Opcodes.ACC_PROTECTED,
                "fresh",
                "([" + object + ")L" + CoreNames.STRAND + ";",
                null,
                null);
        method.instructions.add(new TypeInsnNode(Opcodes.NEW, name));
        method.instructions.add(new InsnNode(Opcodes.DUP));
        StringBuilder descriptor = new StringBuilder("(");
        List<Register> parameters = plan.region().graph().body().parameters();
        captures.forEach((register, type) -> {
            descriptor.append(type.getDescriptor());
            method.instructions.add(new VarInsnNode(Opcodes.ALOAD, 1));
            int at = recursion.values().indexOf(parameters.indexOf(register));
            method.instructions.add(new IntInsnNode(Opcodes.SIPUSH, at));
            method.instructions.add(new InsnNode(Opcodes.AALOAD));
            Type boxed = Boxes.of(register.kind());
            String wanted = boxed == null ? type.getInternalName() : boxed.getInternalName();
            method.instructions.add(new TypeInsnNode(Opcodes.CHECKCAST, wanted));
            if (boxed != null) {
                method.instructions.add(new MethodInsnNode(
                        Opcodes.INVOKEVIRTUAL,
                        wanted,
                        type.getClassName() + "Value",
                        "()" + type.getDescriptor(),
                        false));
            }
        });
        method.instructions.add(new MethodInsnNode(Opcodes.INVOKESPECIAL, name, "<init>", descriptor + ")V", false));
        method.instructions.add(new InsnNode(Opcodes.ARETURN));
        return method;
    }

    private static MethodNode giver() {
        MethodNode method = new MethodNode(Opcodes.ASM9, Opcodes.ACC_PROTECTED, "isGiver", "()Z", null, null);
        method.instructions.add(new InsnNode(Opcodes.ICONST_1));
        method.instructions.add(new InsnNode(Opcodes.IRETURN));
        return method;
    }

    private void writeStep() {
        for (int i = 1; i < strands.size(); i++) {
            keys.add(i);
        }
        List<Op> copies = new ArrayList<>();
        LabelOp out = step.label();
        LabelOp first = write(strands.get(0), out, copies);
        for (int i = 1; i < strands.size(); i++) {
            cases.add(i - 1, write(strands.get(i), out, copies));
        }
        List<Op> ops = new ArrayList<>();
        Register at = step.fresh(RegisterKind.INT);
        ops.add(new InsnOp(new FieldInsnNode(Opcodes.GETFIELD, CoreNames.STRAND, "at", "I"), at, List.of(self)));
        keys.add(0, 0);
        cases.add(0, first);
        ops.add(new SwitchOp(at, first, keys, cases));
        ops.addAll(resumes);
        ops.addAll(copies);
        ops.add(out);
        ops.add(call("end", "()V", null));
        ops.add(new ReturnOp(null));
        step.setOps(ops);
    }

    /** Writes the copy of a strand; returns where it begins. */
    private LabelOp write(StrandPlan.Strand written, LabelOp out, List<Op> ops) {
        strand = written;
        int entry = written.slice().region().entry();
        boolean goesOnFromPassToPass = written == strands.get(0)
                && plan.recursion() == null
                && written.slice().region().repeats();
        LabelOp again = step.label();
        SliceWriter.Ends ends = new SliceWriter.Ends(goesOnFromPassToPass ? again : out, out, out);
        SliceWriter writer = new SliceWriter(step, original, written.slice(), bank, ends);
        ops.addAll(writer.write(List.of(entry), new Calls()));
        LabelOp first = resume(entry, writer.begin(entry));
        if (goesOnFromPassToPass) {
            Register goesOn = step.fresh(RegisterKind.INT);
            ops.add(again);
            ops.add(call("pass", "()Z", goesOn));
            ops.add(new BranchOp(Opcodes.IFNE, List.of(goesOn), writer.begin(entry)));
            ops.addAll(stop(entry, 0));
        }
        return first;
    }

    /**
     * Writes a place where the strand goes on: it restores the registers that it kept for an op, and goes to a label.
     */
    private LabelOp resume(int index, LabelOp to) {
        LabelOp label = step.label();
        resumes.add(label);
        strand.fixed().forEach((register, type) -> resumes.addAll(load(register, type)));
        strand.keptAt(index).forEach((register, type) -> resumes.addAll(load(register, type)));
        resumes.add(new GotoOp(to));
        return label;
    }

    private List<Op> stop(int index, int key) {
        List<Op> ops = new ArrayList<>();
        strand.keptAt(index).keySet().forEach(register -> ops.add(store(register)));
        Register at = step.fresh(RegisterKind.INT);
        ops.add(new ConstOp(at, key));
        ops.add(new InsnOp(new FieldInsnNode(Opcodes.PUTFIELD, CoreNames.STRAND, "at", "I"), null, List.of(self, at)));
        ops.add(new ReturnOp(null));
        return ops;
    }

    private Op store(Register register) {
        FieldInsnNode field = new FieldInsnNode(Opcodes.PUTFIELD, name, field(register), descriptor(register));
        return new InsnOp(field, null, List.of(self, bank.of(register)));
    }

    private List<Op> load(Register register, Type type) {
        FieldInsnNode field = new FieldInsnNode(Opcodes.GETFIELD, name, field(register), descriptor(register));
        if (register.kind() != RegisterKind.REFERENCE) {
            return List.of(new InsnOp(field, bank.of(register), List.of(self)));
        }
        Register object = step.fresh(RegisterKind.REFERENCE);
        Op get = new InsnOp(field, object, List.of(self));
        return type.getDescriptor().equals(CoreNames.OBJECT)
                ? List.of(get, new MoveOp(bank.of(register), object))
                : List.of(get, InsnOp.checkCast(type.getInternalName(), bank.of(register), object));
    }

    private Op call(String method, String descriptor, @Nullable Register result, Register... arguments) {
        List<Register> uses = new ArrayList<>(List.of(self));
        uses.addAll(List.of(arguments));
        return InsnOp.invokeVirtual(CoreNames.STRAND, method, descriptor, result, uses);
    }

    /** Writes the sends and looks of the copy in place of the calls. */
    private final class Calls implements SliceWriter.Sender {

        @Override
        public List<Op> send(int position, LabelOp away) {
            int index = strand.slice().sends().get(position);
            if (plan.guide() != null && strand == plan.guide().strand()) {
                return fork(plan.guide());
            }
            StrandPlan.Recursion recursion = plan.recursion();
            if (recursion != null && recursion.returns().contains(index)) {
                return give(index);
            }
            InsnOp call = (InsnOp) original.get(index);
            StrandPlan.Walk walk = plan.walks().get(index);
            if (walk != null) {
                return begin(index, call, walk.row(), walk.recursion().values());
            }
            if (recursion != null && recursion.rows().containsKey(index)) {
                return begin(index, call, requireNonNull(recursion.rows().get(index)), recursion.values());
            }
            Register hasRoom = step.fresh(RegisterKind.INT);
            Register sent = step.fresh(RegisterKind.REFERENCE);
            Register row = step.fresh(RegisterKind.INT);
            Register isKept = step.fresh(RegisterKind.INT);
            List<Op> ops = waiting(index, call("hasRoom", "(I)Z", hasRoom, row), hasRoom);
            ops.add(1, new ConstOp(row, plan.send(index).row()));
            StrandPlan.Call at = plan.send(index);
            ops.add(new RtOps(step, at.owner(), at.method())
                    .send(
                            call,
                            at.line(),
                            sent,
                            call.uses().stream().map(bank::of).toList()));
            Register again = step.fresh(RegisterKind.INT);
            ops.add(new ConstOp(again, plan.send(index).row()));
            ops.add(call(at.isKeyed() ? "putKeyed" : "put", "(" + CoreNames.OBJECT + "I)Z", isKept, sent, again));
            ops.add(new BranchOp(Opcodes.IFEQ, List.of(isKept), away));
            return ops;
        }

        /** Lets the strands of the next activation begin. */
        private List<Op> begin(int index, InsnOp call, int number, List<Integer> begun) {
            Register hasRoom = step.fresh(RegisterKind.INT);
            Register row = step.fresh(RegisterKind.INT);
            Register again = step.fresh(RegisterKind.INT);
            Register values = step.fresh(RegisterKind.REFERENCE);
            List<Op> ops = waiting(index, call("hasRoom", "(I)Z", hasRoom, row), hasRoom);
            ops.add(1, new ConstOp(row, number));
            ops.addAll(new Boxes(step)
                    .array(
                            values,
                            begun.stream()
                                    .map(value -> bank.of(call.uses().get(value)))
                                    .toList()));
            ops.add(new ConstOp(again, number));
            ops.add(call("begin", "([" + CoreNames.OBJECT + "I)V", null, values, again));
            return ops;
        }

        /** Gives the value that the activation returns. */
        private List<Op> give(int index) {
            List<Op> ops = new ArrayList<>();
            Register value =
                    new Boxes(step).boxed(bank.of(original.get(index).uses().get(0)), ops);
            ops.add(call("give", "(" + CoreNames.OBJECT + ")V", null, value));
            ops.addAll(ended());
            return ops;
        }

        /** Hands what it has computed to the strands of the pass that begins, and has them made. */
        private List<Op> fork(StrandPlan.Guide guide) {
            Register isMade = step.fresh(RegisterKind.INT);
            List<Op> ops = waiting(guide.place(), call("fork", "()Z", isMade), isMade);
            List<Op> hands = new ArrayList<>();
            guide.handed().keySet().forEach(register -> hands.add(store(register)));
            ops.addAll(1, hands);
            return ops;
        }

        @Override
        public List<Op> instead(int index) {
            if (!strand.held().contains(index)) {
                return List.of();
            }
            InsnOp get = (InsnOp) original.get(index);
            Register value = requireNonNull(get.def(), "value");
            boolean isFlag = value.kind() == RegisterKind.INT; // of containsKey
            return List.of(call(
                    isFlag ? "holds" : "held",
                    "(" + CoreNames.OBJECT + CoreNames.OBJECT + ")" + (isFlag ? "Z" : CoreNames.OBJECT),
                    bank.of(value),
                    bank.of(get.uses().get(0)),
                    bank.of(get.uses().get(1))));
        }

        @Override
        public List<Op> before(int index, LabelOp away) {
            StrandPlan.Queue queue = plan.queue();
            if (queue == null
                    || plan.strands().get(queue.reader()) != strand
                    || !queue.asks().get(index)) {
                return List.of();
            }
            Register isTold = step.fresh(RegisterKind.INT);
            return waiting(index, call("isTold", "()Z", isTold), isTold);
        }

        @Override
        public List<Op> look(int index, IntFunction<LabelOp> ways) {
            InsnOp call = (InsnOp) original.get(index);
            Integer self =
                    plan.recursion() == null ? null : plan.recursion().rows().get(index);
            Register isHere = step.fresh(RegisterKind.INT);
            Register row = step.fresh(RegisterKind.INT);
            List<Op> ops = waiting(index, call(self == null ? "look" : "lookAtValue", "(I)Z", isHere, row), isHere);
            ops.add(1, new ConstOp(row, self == null ? plan.send(index).row() : self));
            Register result = call.def();
            if (self != null) {
                ops.addAll(given(call));
                return ops;
            }
            ops.addAll(caught(index, ways));
            if (result != null) {
                ops.addAll(seen(Type.getReturnType(RtOps.methodOf(call).desc), bank.of(result)));
            }
            return ops;
        }

        private List<Op> given(InsnOp call) {
            Register result = call.def();
            if (result == null) {
                return List.of();
            }
            Register object = step.fresh(RegisterKind.REFERENCE);
            List<Op> ops = new ArrayList<>(List.of(call("given", "()" + CoreNames.OBJECT, object)));
            Type type = Type.getReturnType(RtOps.methodOf(call).desc);
            ops.addAll(new Boxes(step).unboxed(object, bank.of(result), type));
            return ops;
        }

        /** Goes where the program's handlers go if the call has failed; the strand ends if none of the nest handles it. */
        private List<Op> caught(int index, IntFunction<LabelOp> ways) {
            OpGraph graph = strand.slice().region().graph();
            List<Op> ops = new ArrayList<>();
            boolean isHandled = false;
            for (int next : graph.next(index)) {
                isHandled |= graph.isThrown(index, next);
            }
            if (!isHandled) {
                return ops;
            }
            LabelOp behind = step.label();
            Register failure = step.fresh(RegisterKind.REFERENCE);
            ops.add(call("failure", "()Ljava/lang/Throwable;", failure));
            ops.add(new BranchOp(Opcodes.IFNULL, List.of(failure), behind));
            boolean isAll = false;
            for (Handler handler : graph.body().handlersOf(original.get(index))) {
                LabelOp other = step.label();
                isAll = handler.type() == null || handler.type().equals("java/lang/Throwable");
                if (!isAll) {
                    Register isOf = step.fresh(RegisterKind.INT);
                    ops.add(new InsnOp(new TypeInsnNode(Opcodes.INSTANCEOF, handler.type()), isOf, List.of(failure)));
                    ops.add(new BranchOp(Opcodes.IFEQ, List.of(isOf), other));
                }
                ops.addAll(toHandler(graph, index, handler, failure, ways));
                if (isAll) {
                    break;
                }
                ops.add(other);
            }
            if (!isAll) {
                ops.addAll(ended());
            }
            ops.add(behind);
            return ops;
        }

        private List<Op> toHandler(
                OpGraph graph, int index, Handler handler, Register failure, IntFunction<LabelOp> ways) {
            int target = graph.body().indexOf(handler.target());
            boolean isFollowed = false;
            for (int next : graph.next(index)) {
                isFollowed |= next == target;
            }
            if (!isFollowed) {
                return ended();
            }
            List<Op> ops = new ArrayList<>();
            for (int i = target; i < original.size() && !original.get(i).isExecutable(); i++) {
                if (original.get(i) instanceof CatchOp caught
                        && strand.slice().executed().get(i)) {
                    String type = handler.type() == null ? "java/lang/Throwable" : handler.type();
                    ops.add(InsnOp.checkCast(type, bank.of(caught.def()), failure));
                }
            }
            ops.add(new GotoOp(ways.apply(target)));
            return ops;
        }

        private List<Op> ended() {
            return List.of(call("end", "()V", null), new ReturnOp(null));
        }

        /** Writes a question; if the answer is no, the strand stops, and asks again when it is resumed. */
        private List<Op> waiting(int index, Op asks, Register answer) {
            LabelOp ask = step.label();
            LabelOp behind = step.label();
            int key = keys.size() + 1;
            keys.add(key);
            cases.add(resume(index, ask));
            List<Op> ops = new ArrayList<>(List.of(ask, asks));
            ops.add(new BranchOp(Opcodes.IFNE, List.of(answer), behind));
            ops.addAll(stop(index, key));
            ops.add(behind);
            return ops;
        }

        private List<Op> seen(Type type, Register result) {
            return switch (RegisterKind.of(type)) {
                case INT -> List.of(call("seenInt", "()I", result));
                case LONG -> List.of(call("seenLong", "()J", result));
                case FLOAT -> List.of(call("seenFloat", "()F", result));
                case DOUBLE -> List.of(call("seenDouble", "()D", result));
                case REFERENCE -> {
                    Register object = step.fresh(RegisterKind.REFERENCE);
                    yield List.of(
                            call("seen", "()" + CoreNames.OBJECT, object),
                            InsnOp.checkCast(type.getInternalName(), result, object));
                }
            };
        }
    }

    /** The call sites of a program keep class files as strings, a byte in each char. */
    static List<String> text(byte[] classFile, int most) {
        List<String> parts = new ArrayList<>();
        for (int from = 0; from < classFile.length; from += most) {
            StringBuilder part = new StringBuilder();
            for (int i = from; i < Math.min(classFile.length, from + most); i++) {
                part.append((char) (classFile[i] & 0xFF));
            }
            parts.add(part.toString());
        }
        return parts;
    }
}
