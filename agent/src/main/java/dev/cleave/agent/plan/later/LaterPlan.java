package dev.cleave.agent.plan.later;

import dev.cleave.agent.ir.InsnOp;
import dev.cleave.agent.ir.LabelOp;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.ir.Register;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Type;

/**
 * The places where a method waits for parameters that arrive while it runs. Sets of parameters are bits, by their index
 * in the list of them.
 *
 * @param parameters the parameters and results that may arrive later
 * @param waits the waits right before an op, by op
 * @param loops the loops of which a copy runs as long as nothing is missing
 * @param mixed the registers that may hold a parameter or another value at a place that needs to know which
 * @param moved for each move into a mixed register, the set of values that the register read may hold
 * @param open the ops that may run before the result of a call above them is whole: an exception of theirs waits for it
 */
public record LaterPlan(
        List<Parameter> parameters,
        Map<Op, List<Wait>> waits,
        List<FastLoop> loops,
        Set<Register> mixed,
        Map<Op, Integer> moved,
        Set<Op> open) {

    /** The bit of all values that are no later parameter. */
    public static final int OTHER = Integer.MIN_VALUE;

    /** Copies the lists. */
    public LaterPlan {
        parameters = List.copyOf(parameters);
        loops = List.copyOf(loops);
    }

    /** Whether there are results of calls among the parameters. */
    public boolean hasResults() {
        return parameters.stream().anyMatch(parameter -> parameter.call() != null);
    }

    /** Whether a set of values is one parameter and nothing else. */
    public static boolean isOne(int values) {
        return values > 0 && Integer.bitCount(values) == 1;
    }

    /**
     * A parameter, or the result of a call, that may arrive later.
     *
     * @param number from 0, without the receiver; 0 of a result
     * @param register where it is when the method begins, or when the call has returned
     * @param isElementwise whether its elements, or rows, are waited for one by one
     * @param isOverwritten whether the method gives that register another value
     * @param call the call whose result it is; null for a parameter
     */
    public record Parameter(
            int number,
            Register register,
            Type type,
            boolean isElementwise,
            boolean isOverwritten,
            @Nullable InsnOp call) {}

    /** The part of a parameter that an op waits for. */
    public enum Kind {
        /** Nothing: it is there on every path, under the name that the plan has for it. */
        NONE,
        /** The array itself. */
        LENGTH,
        /** One element, or row. */
        ELEMENT,
        /** Nothing, if a call is one of a stub: other code must not run before. */
        STUB,
        /** Nothing: it goes on to another server as it comes, if it is given to a stub. */
        PASS,
        /** All of it. */
        WHOLE
    }

    /**
     * A wait.
     *
     * @param value the register that the op reads
     * @param values the set of values that it may hold
     * @param index the register of the index, for elements; the register of the receiver, for calls
     */
    public record Wait(
            Kind kind, Register value, int values, @Nullable Register index) {}

    /**
     * An index that is the same in all passes of a loop.
     *
     * @param parameter the index of the parameter in the plan
     * @param register null for a constant
     */
    public record Fixed(int parameter, @Nullable Register register, int constant) {}

    /**
     * A loop without loops in it; or a pass of one that has some and is in none, and goes back to the header as
     * written.
     *
     * @param header where each pass begins
     * @param ops its ops in the order of the body; for a pass without the header
     * @param leaves for the last op of each part from which control falls out of the list, the op that it falls to
     * @param begun the parameters whose arrays have to be there
     * @param fixed the elements that all passes need, or all of that pass
     * @param checked the waits of elements that are not among these
     * @param whole the parameters that have to be there to the last element
     * @param isPass whether it is one pass
     */
    public record FastLoop(
            LabelOp header,
            List<Op> ops,
            Map<Op, Op> leaves,
            int begun,
            List<Fixed> fixed,
            Set<Wait> checked,
            int whole,
            boolean isPass) {}
}
