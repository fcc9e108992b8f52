package dev.cleave.agent.plan.sink;

import dev.cleave.agent.effect.Access;
import dev.cleave.agent.effect.Effect;
import dev.cleave.agent.effect.HeapRegion;
import dev.cleave.agent.effect.ValueTypes;
import dev.cleave.agent.ir.Register;
import dev.cleave.agent.ir.RegisterKind;
import dev.cleave.agent.plan.analysis.Definitions;
import dev.cleave.agent.plan.method.Method;
import dev.cleave.agent.plan.slice.Aliases;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.objectweb.asm.Type;

/**
 * Finds the ops that may read or write an array which a call changes (R75): its await stands in front of them. Two arrays are known
 * to be different if the method has made both, if it has made one and the other is a parameter, or if one was made behind the call.
 */
final class RestoredUses {

    private final Method method;
    private final int call;
    private final List<Access> changed;

    RestoredUses(Method method, int call) {
        this.method = method;
        this.call = call;
        this.changed = method.restored(call);
    }

    /**
     * Whether an op may use such an array.
     *
     * @param passed the ops behind the call that were let by so far
     */
    boolean includes(int index, BitSet passed) {
        return !changed.isEmpty()
                && accesses(index).stream()
                        .anyMatch(access -> changed.stream().anyMatch(write -> meet(write, index, access, passed)));
    }

    private boolean meet(Access write, int index, Access access, BitSet passed) {
        if (!write.place().meets(access.place())) {
            return false;
        }
        Register written = write.base();
        Register used = access.base();
        if (written == null || used == null || access.place() instanceof HeapRegion.Anything) {
            return true;
        }
        int made = method.whole().origin(index, used);
        boolean isNewer = made >= 0 && passed.get(made) && Definitions.isAllocation(method.op(made));
        return !isNewer && !Aliases.areApart(method, call, written, index, used);
    }

    /** Returns what an op reads and writes; a call reads what its arguments reach, and its await may write. */
    private List<Access> accesses(int index) {
        List<Access> accesses = new ArrayList<>();
        if (method.isCandidate(index)) {
            accesses.addAll(method.restored(index));
            Type[] types = Type.getArgumentTypes(method.callOf(index).desc);
            for (int i = 0; i < types.length; i++) {
                Register argument = method.op(index).uses().get(i + 1);
                if (argument.kind() == RegisterKind.REFERENCE && !ValueTypes.isValue(types[i])) {
                    accesses.add(new Access(reached(types[i]), argument, null));
                }
            }
            return accesses;
        }
        Effect effect = method.effects().of(method.op(index));
        accesses.addAll(effect.reads());
        accesses.addAll(effect.writes());
        return accesses;
    }

    private static HeapRegion reached(Type type) {
        if (type.getSort() != Type.ARRAY || type.getDimensions() > 1 || !ValueTypes.isValue(type.getElementType())) {
            return new HeapRegion.Anything();
        }
        char kind = type.getElementType().getDescriptor().charAt(0);
        return new HeapRegion.Elements(kind == 'L' ? 'A' : kind == 'Z' ? 'B' : kind);
    }
}
