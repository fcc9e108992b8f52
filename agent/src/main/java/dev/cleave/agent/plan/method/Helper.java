package dev.cleave.agent.plan.method;

import dev.cleave.agent.effect.Access;
import dev.cleave.agent.effect.Guard;
import dev.cleave.agent.ir.InsnOp;
import dev.cleave.agent.ir.MethodBody;
import dev.cleave.agent.plan.analysis.InOrder;
import dev.cleave.agent.plan.analysis.OpGraph;
import dev.cleave.agent.scan.CallSetting;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.tree.MethodInsnNode;

/**
 * A method whose remote call its callers may send ahead (R68).
 *
 * @param key names it among all methods of the program
 * @param name the method and the call in it, in the words of the source
 * @param body its code
 * @param slice the code that decides about its call, from the method's entry on
 * @param reads what the slice reads that other code may write
 * @param writes what the rest of the method writes that other code may read
 * @param setting how its call is to be placed
 * @param depth how many helpers stand between it and the call, itself included
 * @param called the helpers that it calls, by call
 * @param exact internal name of the class that its object must be of, null if no class can override the method
 * @param doors the guards of helpers of other classes that it calls, which its callers have to pass
 */
public record Helper(
        String key,
        String name,
        MethodBody body,
        SendSlice slice,
        List<Access> reads,
        List<Access> writes,
        CallSetting setting,
        int depth,
        Map<Integer, Helper> called,
        @Nullable String exact,
        List<CrossClassGuard> doors) {

    public Helper {
        doors = List.copyOf(doors);
        reads = List.copyOf(reads);
        writes = List.copyOf(writes);
        called = InOrder.copyOf(called);
    }

    /** Whether it may make several calls, one behind the other. */
    public boolean isManifold() {
        return !slice.sends().stream().allMatch(this::isLast);
    }

    /** Whether no other of its calls follows a call. */
    public boolean isLast(int send) {
        OpGraph graph = slice.region().graph();
        BitSet later = new BitSet();
        for (int successor : graph.all(send)) {
            later.or(graph.reachable(successor));
        }
        return slice.sends().stream().noneMatch(later::get);
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
        return CrossClassGuard.contract(
                key, 's', reads, writes, setting, depth, slice.sends().size(), isManifold(), String.valueOf(exact));
    }

    /** Returns the guards that a caller has to pass. */
    public List<CrossClassGuard> doorsFrom(String caller, MethodInsnNode call) {
        return CrossClassGuard.between(caller, call, body.owner(), contract(), doors);
    }

    /** The key of a method. */
    public static String key(String owner, String name, String descriptor) {
        return owner.replace('/', '.') + '.' + name + descriptor;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Helper helper && helper.key.equals(key);
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
