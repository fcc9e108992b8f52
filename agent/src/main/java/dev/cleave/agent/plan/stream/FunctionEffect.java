package dev.cleave.agent.plan.stream;

import dev.cleave.agent.effect.Access;
import dev.cleave.agent.effect.Effect;
import dev.cleave.agent.effect.Guard;
import dev.cleave.agent.effect.HeapRegion;
import dev.cleave.agent.ir.InsnOp;
import dev.cleave.agent.ir.MethodBody;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.ir.Register;
import dev.cleave.agent.ir.Unsupported;
import dev.cleave.agent.plan.analysis.Definitions;
import dev.cleave.agent.plan.analysis.InOrder;
import dev.cleave.agent.plan.method.Callees;
import dev.cleave.agent.plan.method.Function;
import dev.cleave.agent.plan.method.Helper;
import dev.cleave.agent.plan.method.Method;
import dev.cleave.agent.plan.slice.Aliases;
import dev.cleave.agent.plan.slice.OwnArrays;
import dev.cleave.agent.plan.verdict.Refusal;
import dev.cleave.agent.plan.verdict.Refused;
import dev.cleave.agent.rule.Rule;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * The effects of a function of a stream on an element, in terms of the values that the function was made with.
 *
 * @param writes what it writes that other code may read
 * @param filled those of the values that it was made with, by their position, that it writes to as to a plain
 *     collection
 *     or text buffer of the JDK; to be tested when the stream is made
 */
record FunctionEffect(List<Access> writes, Set<Integer> filled) {

    /** Reads the code of a function of the class, which makes no calls that could be sent. */
    static FunctionEffect of(Function function, MethodNode target, Callees helpers) throws Refused {
        try {
            MethodBody body = helpers.body(target);
            return new Reading(helpers.method(body), function).read();
        } catch (Unsupported e) {
            throw new Refused(
                    new Refusal(Rule.R1, -1, String.valueOf(e.getMessage()), "call the remote method directly"));
        }
    }

    /** Returns the effects of a function without its calls and without the code that decides about them. */
    static FunctionEffect besides(Function function, Helper helper, Callees helpers) {
        FunctionEffect effect = new Reading(helpers.method(helper.body()), function).besides(helper);
        List<Access> writes = new ArrayList<>(effect.writes());
        helper.called().values().forEach(called -> writes.addAll(called.writes()));
        return new FunctionEffect(List.copyOf(writes), effect.filled());
    }

    /**
     * The values that a function was made with, by their position, which are all the arrays whose elements of some kind decide
     * about its call; none if it may read others.
     */
    static Set<Integer> arrays(Function function, Helper helper, Callees helpers, HeapRegion kind) {
        Method method = helpers.method(helper.body());
        Reading reading = new Reading(method, function);
        Set<Integer> arrays = new TreeSet<>();
        if (!helper.called().isEmpty()) {
            return Set.of();
        }
        for (int send : helper.slice().sends()) {
            for (Type type : Type.getArgumentTypes(method.callOf(send).desc)) {
                if (!method.effects().isValue(type)) {
                    return Set.of();
                }
            }
        }
        for (int i = 0; i < method.graph().size(); i++) {
            for (Access read : method.effects().of(method.op(i)).reads()) {
                if (!helper.slice().executed().get(i) || !kind.meets(read.place())) {
                    continue;
                }
                Register base = read.base();
                int captured = base == null ? -1 : reading.capturedAt(i, base);
                if (captured < 0 || !(read.place() instanceof HeapRegion.Elements)) {
                    return Set.of();
                }
                arrays.add(captured);
            }
        }
        return arrays;
    }

    private static final class Reading {

        private final Method method;
        private final Function function;
        private final Aliases aliases;
        private final List<Access> writes = new ArrayList<>();
        private final Set<Integer> filled = new TreeSet<>();

        Reading(Method method, Function function) {
            this.method = method;
            this.function = function;
            this.aliases = new Aliases(method, method.whole());
        }

        FunctionEffect read() throws Refused {
            if ((method.graph().body().original().access & Opcodes.ACC_SYNCHRONIZED) != 0) {
                throw method.refused(Rule.R69, 0, "the function is synchronized");
            }
            for (int i = 0; i < method.graph().size(); i++) {
                Effect effect = method.effects().of(method.op(i));
                if (effect.barrier() != null) {
                    throw method.refused(i, effect.barrier());
                }
                for (Guard guard : effect.guards()) {
                    check(i, guard);
                }
                for (Access write : effect.writes()) {
                    add(i, write);
                }
            }
            return new FunctionEffect(List.copyOf(writes), InOrder.copyOf(filled));
        }

        FunctionEffect besides(Helper helper) {
            for (int i = 0; i < method.graph().size(); i++) {
                if (!helper.slice().executed().get(i) && !helper.slice().sends().contains(i)) {
                    for (Access write : method.effects().of(method.op(i)).writes()) {
                        add(i, write);
                    }
                }
            }
            return new FunctionEffect(List.copyOf(writes), InOrder.copyOf(filled));
        }

        private void check(int index, Guard guard) throws Refused {
            int captured = capturedAt(index, guard.object());
            if (guard.type().equals(Guard.ELEMENTS)
                    && new OwnArrays(method, method.whole()).holdValues(index, guard.object())) {
                return;
            }
            if (guard.kind() == Guard.Kind.PLAIN && captured >= 0) {
                filled.add(captured);
            } else if (guard.kind() != Guard.Kind.PLAIN || !isConsole(index, guard.object())) {
                throw method.refused(
                        Rule.R43,
                        index,
                        method.nameOf(index) + " may call code that the agent does not know",
                        "collect the results, and use them afterwards");
            }
        }

        private void add(int index, Access write) {
            Register base = write.base();
            int made = base == null ? -1 : method.whole().origin(index, base);
            boolean isNew =
                    made >= 0 && Definitions.isAllocation(method.op(made)); // others know it by other writes alone
            if (isNew
                    || base != null && aliases.ownObject(index, base) >= 0
                    || write.place() instanceof HeapRegion.Cursor) {
                return;
            }
            int captured = base == null ? -1 : capturedAt(index, base);
            if (write.place() instanceof HeapRegion.Contents && captured >= 0) {
                filled.add(captured);
            } else {
                writes.add(new Access(write.place(), null, null));
            }
        }

        /** The position of the value that a register holds among those that the function was made with, -1 if none. */
        private int capturedAt(int index, Register register) {
            int at = index;
            Register wanted = register;
            for (int steps = 0; steps < method.graph().size(); steps++) {
                BitSet definitions = method.whole().definitions(at, wanted);
                int definition = definitions.nextSetBit(0);
                if (definitions.cardinality() != 1) {
                    return -1;
                }
                if (definition >= method.graph().size()) {
                    int position = method.graph().body().parameters().indexOf(wanted);
                    return position < function.captured() ? position : -1;
                }
                if (!Definitions.passesOn(method.op(definition))) {
                    return -1;
                }
                at = definition;
                wanted = method.op(definition).uses().get(0);
            }
            return -1;
        }

        private boolean isConsole(int index, Register register) {
            int made = method.whole().origin(index, register);
            FieldInsnNode field = made < 0 ? null : fieldOf(method.op(made));
            return field != null
                    && field.owner.equals("java/lang/System")
                    && (field.name.equals("out") || field.name.equals("err"));
        }

        private static @Nullable FieldInsnNode fieldOf(Op op) {
            return op instanceof InsnOp insn ? insn.field() : null;
        }
    }
}
