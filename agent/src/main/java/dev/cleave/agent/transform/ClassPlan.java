package dev.cleave.agent.transform;

import dev.cleave.agent.effect.Effects;
import dev.cleave.agent.ir.MethodBody;
import dev.cleave.agent.ir.Unsupported;
import dev.cleave.agent.plan.Helper;
import dev.cleave.agent.plan.Helpers;
import dev.cleave.agent.plan.MethodPlan;
import dev.cleave.agent.plan.MethodPlanner;
import dev.cleave.agent.plan.Refusal;
import dev.cleave.agent.plan.Verdict;
import java.util.ArrayList;
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

    private final ClassNode owner;
    private final Effects effects;
    private final Helpers helpers;
    private final Map<String, MethodPlan> plans = new HashMap<>();
    private final Map<String, Helper> used = new HashMap<>();
    private final Map<String, Verdict> uses = new HashMap<>();
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
        return plan;
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
        Helper helper = used.get(Helper.key(owner.name, method.name, method.desc));
        if (plan == null || plan.isEmpty() && helper == null) {
            return null;
        }
        MethodBody body = helpers.body(method);
        if (helper == null) {
            MethodRewriter.rewrite(body, plan);
        } else {
            MethodRewriter.rewrite(body, helper);
        }
        return body;
    }

    /** The verdicts on a method, once all methods are planned: the call of a helper shares the fate of the helper's. */
    List<Verdict> verdicts(MethodNode method, List<Verdict> own) {
        Verdict how = uses.get(Helper.key(owner.name, method.name, method.desc));
        Refusal noted = helpers.noted(method);
        if (how == null && noted == null) {
            return own;
        }
        List<Verdict> verdicts = new ArrayList<>();
        for (Verdict verdict : own) {
            boolean isShared = how != null
                    || verdict.refusal() != null && verdict.refusal().rule().equals("R16");
            if (!isShared) {
                verdicts.add(verdict);
            } else if (how != null) {
                verdicts.add(new Verdict(verdict.line(), verdict.call(), how.outcome(), how.window(), null));
            } else {
                verdicts.add(new Verdict(verdict.line(), verdict.call(), verdict.outcome(), 1, noted));
            }
        }
        return verdicts;
    }

    /** A method could not be rewritten. */
    void fail(String method) {
        failed.add(method);
    }

    /** Those of the methods that could not be rewritten that others rely on. */
    Set<String> failed() {
        Set<String> missing = new HashSet<>();
        for (String method : failed) {
            if (used.containsKey(owner.name.replace('/', '.') + '.' + method)) {
                missing.add(method);
            }
        }
        return missing;
    }
}
