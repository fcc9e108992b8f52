package dev.cleave.agent.plan.strand;

import static java.util.Objects.requireNonNull;

import dev.cleave.agent.ir.Register;
import dev.cleave.agent.ir.Unsupported;
import dev.cleave.agent.plan.analysis.Region;
import dev.cleave.agent.plan.method.Callees;
import dev.cleave.agent.plan.method.Method;
import dev.cleave.agent.plan.placement.StrandPlan;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/** The methods of a class that call themselves and have strands (R72), as those see them who call them. */
final class Walks {

    private final Callees in;
    private final Map<MethodNode, Optional<Walk>> found = new IdentityHashMap<>();

    /**
     * A method that calls itself.
     *
     * @param method in a copy of its code
     */
    record Walk(MethodNode code, Method method, StrandPlan strands) {

        /** Returns where the method calls itself. */
        Set<Integer> selves() {
            return requireNonNull(strands.recursion(), "recursion").rows().keySet();
        }

        /** Whether the method calls itself with the same value of a parameter. */
        boolean keeps(int parameter) {
            Region region = method.whole();
            Register register = method.graph().body().parameters().get(parameter);
            return !region.writes(register)
                    && selves().stream()
                            .allMatch(self ->
                                    region.root(self, method.op(self).uses().get(parameter)) == register);
        }
    }

    private Walks(Callees in) {
        this.in = in;
    }

    /** Returns those of a class. */
    static Walks of(Callees in) {
        return in.kept(Walks.class, () -> new Walks(in));
    }

    /** The method that a call calls, null if that is none of these. */
    @Nullable
    Walk of(MethodInsnNode call) {
        MethodNode target = CopiedMethods.target(in, call);
        if (target == null || in.of(call) != null || in.prefetching(call) != null) {
            return null; // it takes what its callers have sent, not what strands of a nest have begun
        }
        Optional<Walk> known = found.get(target);
        if (known == null) {
            known = Optional.ofNullable(CopiedMethods.callsItself(in, target) ? plan(target) : null);
            found.put(target, known);
        }
        return known.orElse(null);
    }

    private @Nullable Walk plan(MethodNode code) {
        try {
            Method method = in.method(in.build(code));
            StrandPlan strands = RecursionPlanner.of(method);
            return strands == null ? null : new Walk(code, method, strands);
        } catch (Unsupported e) {
            return null; // it stays as written
        }
    }
}
