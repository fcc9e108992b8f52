package dev.cleave.agent.plan.method;

import dev.cleave.agent.effect.Guard;
import dev.cleave.agent.ir.InsnOp;
import dev.cleave.agent.ir.MethodBody;
import dev.cleave.agent.plan.analysis.InOrder;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.tree.MethodInsnNode;

/**
 * A method whose remote calls, which change nothing, its callers may make ahead; it claims them itself (R63).
 *
 * @param key names it among all methods of the program
 * @param name the method and its first call, in the words of the source
 * @param body its code
 * @param slice the code that decides about its calls, from the method's entry on
 * @param calls its calls and those of the helpers that it calls, in the order of the slice's sends
 * @param stale the ops in front of which results may become stale (R61)
 * @param remote the remote calls among {@code stale}
 * @param guards the tests after which an op does not make results stale, by op; an op without guards always does
 * @param ages whether each run of it makes the results stale that were prefetched
 * @param depth how many helpers stand between it and the call, itself included
 * @param called the helpers that sends of the slice call, by send
 * @param exact internal name of the class that its object must be of, null if no class can override the method
 * @param doors the guards of helpers of other classes that it calls, which its callers have to pass
 */
public record PrefetchHelper(
        String key,
        String name,
        MethodBody body,
        SendSlice slice,
        List<ReadCall> calls,
        List<Integer> stale,
        BitSet remote,
        Map<Integer, List<Guard>> guards,
        boolean ages,
        int depth,
        Map<Integer, PrefetchHelper> called,
        @Nullable String exact,
        List<CrossClassGuard> doors) {

    /** Copies its components. */
    public PrefetchHelper {
        calls = List.copyOf(calls);
        stale = List.copyOf(stale);
        called = InOrder.copyOf(called);
        doors = List.copyOf(doors);
    }

    /** Where the calls of a send are among {@link #calls}: the place of the first of them. */
    public int position(int send) {
        return Positions.of(slice, called, send);
    }

    /**
     * The test of the object of a call under which it calls the helper, null if it certainly does: an interface may have other
     * implementations.
     */
    public @Nullable Guard exact(InsnOp call) {
        return CrossClassGuard.exact(call, body.owner(), exact);
    }

    /** Returns the text by which callers of other classes check that the helper is still as they have planned it. */
    public String contract() {
        return CrossClassGuard.contract(key, 'p', calls, ages, depth, String.valueOf(exact));
    }

    /** Returns the guards that a caller has to pass. */
    public List<CrossClassGuard> doorsFrom(String caller, MethodInsnNode call) {
        return CrossClassGuard.between(caller, call, body.owner(), contract(), doors);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PrefetchHelper helper && helper.key.equals(key);
    }

    @Override
    public int hashCode() {
        return key.hashCode();
    }

    @Override
    public String toString() {
        return name;
    }
}
