package dev.cleave.agent.transform;

import dev.cleave.agent.effect.Effects;
import dev.cleave.agent.ir.MethodBody;
import dev.cleave.agent.ir.Unsupported;
import dev.cleave.agent.plan.Helper;
import dev.cleave.agent.plan.Helpers;
import dev.cleave.agent.plan.MethodPlan;
import dev.cleave.agent.plan.MethodPlanner;
import dev.cleave.agent.plan.PrefetchHelper;
import dev.cleave.agent.plan.Refusal;
import dev.cleave.agent.plan.Verdict;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/** What is to be done with the methods of one class; those that are helpers are known once all others are planned. */
final class ClassPlan {

    /** Rules that keep a call from moving wherever it stands: how it is used does not matter. */
    private static final Set<String> IMMOVABLE = Set.of("R1", "R9", "R51", "R52", "R70");

    private final ClassNode owner;
    private final Effects effects;
    private final Helpers helpers;
    private final Map<String, MethodPlan> plans = new HashMap<>();
    private final Map<String, Helper> used = new HashMap<>();
    private final Map<String, Verdict> uses = new HashMap<>();
    private final Map<String, PrefetchHelper> prefetched = new HashMap<>();
    private final Map<String, Verdict> prefetchUses = new HashMap<>();
    private final Set<String> failed = new HashSet<>();

    /**
     * Makes an empty plan.
     *
     * @param excluded methods, by name and descriptor, that cannot be helpers
     */
    ClassPlan(ClassNode owner, Effects effects, Predicate<MethodInsnNode> remote, Set<String> excluded) {
        this.owner = owner;
        this.effects = effects;
        this.helpers = new Helpers(owner, effects, remote, excluded);
    }

    /** Whether a method calls remote methods, perhaps through methods of the same class. */
    boolean concerns(MethodNode method) {
        return helpers.callsRemote(method);
    }

    /** Plans a method. */
    MethodPlan plan(MethodNode method) throws Unsupported {
        MethodBody body = helpers.body(method);
        MethodPlan plan = MethodPlanner.plan(body, effects.of(body), helpers);
        plans.put(method.name + method.desc, plan);
        plan.helperVerdicts().forEach(this::use);
        plan.prefetchVerdicts().forEach(this::use);
        return plan;
    }

    private void use(PrefetchHelper helper, Verdict how) {
        prefetched.put(helper.key(), helper);
        prefetchUses.merge(helper.key(), how, (a, b) -> a.window() >= b.window() ? a : b);
        helper.called().values().forEach(callee -> use(callee, how));
    }

    private void use(Helper helper, Verdict how) {
        used.put(helper.key(), helper);
        uses.merge(helper.key(), how, (a, b) -> a.window() >= b.window() ? a : b);
        helper.called().values().forEach(callee -> use(callee, how));
    }

    /** Rewrites a method as planned; null if it stays as it is. */
    @Nullable
    MethodBody rewrite(MethodNode method) throws Unsupported {
        MethodPlan plan = plans.get(method.name + method.desc);
        String key = Helper.key(owner.name, method.name, method.desc);
        Helper split = used.get(key);
        PrefetchHelper ahead = prefetched.get(key);
        if (plan == null || plan.isEmpty() && split == null && ahead == null) {
            return null;
        }
        MethodBody body = helpers.body(method);
        MethodRewriter.rewrite(body, plan, split, ahead);
        return body;
    }

    /** The verdicts on a method, once all methods are planned: the calls of a helper share the fate of the helper's. */
    List<Verdict> verdicts(MethodNode method, List<Verdict> own) {
        String key = Helper.key(owner.name, method.name, method.desc);
        return own.stream().map(verdict -> shared(verdict, key, method)).toList();
    }

    private Verdict shared(Verdict own, String key, MethodNode method) {
        Verdict split = uses.get(key);
        if (split != null) {
            return as(split, own);
        }
        PrefetchHelper ahead = prefetched.get(key);
        boolean isAhead = ahead != null
                && ahead.calls().stream()
                        .anyMatch(call ->
                                call.line() == own.line() && call.method().equals(own.call()));
        Verdict prefetch = prefetchUses.get(key);
        if (isAhead && prefetch != null) {
            return as(prefetch, own);
        }
        Refusal noted = helpers.noted(method);
        return noted != null && mayMove(own.refusal())
                ? new Verdict(own.line(), own.call(), own.outcome(), 1, noted.line() < 0 ? noted.at(own.line()) : noted)
                : own;
    }

    private static boolean mayMove(@Nullable Refusal refusal) {
        return refusal != null
                && !IMMOVABLE.contains(refusal.rule())
                && !refusal.reason().equals(MethodPlanner.NO_STYLE);
    }

    private static Verdict as(Verdict how, Verdict own) {
        return new Verdict(own.line(), own.call(), how.outcome(), how.window(), null, null, own.isHelpers());
    }

    /** A method could not be rewritten. */
    void fail(String method) {
        failed.add(method);
    }

    /** Those of the methods that could not be rewritten that others rely on. */
    Set<String> failed() {
        Set<String> missing = new HashSet<>();
        for (String method : failed) {
            if (isUsed(owner.name.replace('/', '.') + '.' + method)) {
                missing.add(method);
            }
        }
        return missing;
    }

    private boolean isUsed(String key) {
        return used.containsKey(key) || prefetched.containsKey(key);
    }
}
