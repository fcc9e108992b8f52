package dev.cleave.agent.transform;

import dev.cleave.agent.effect.Effects;
import dev.cleave.agent.ir.MethodBody;
import dev.cleave.agent.ir.Unsupported;
import dev.cleave.agent.plan.Helper;
import dev.cleave.agent.plan.HelperUse;
import dev.cleave.agent.plan.Helpers;
import dev.cleave.agent.plan.MethodPlan;
import dev.cleave.agent.plan.MethodPlanner;
import dev.cleave.agent.plan.PrefetchHelper;
import dev.cleave.agent.plan.Refusal;
import dev.cleave.agent.plan.Verdict;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
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
    private final Map<String, PrefetchHelper> prefetched = new HashMap<>();
    private final Map<String, Verdict> prefetchUses = new HashMap<>();
    private final Map<String, Set<String>> contracts = new HashMap<>(); // by key, what is offered to other classes
    private final Set<String> failed = new HashSet<>();

    /**
     * Makes an empty plan.
     *
     * @param excluded methods, by name and descriptor, that cannot be helpers
     * @param files reads another class that may call remote methods, by internal name
     */
    ClassPlan(
            ClassNode owner,
            Effects effects,
            Predicate<MethodInsnNode> remote,
            Set<String> excluded,
            Function<String, @Nullable ClassNode> files) {
        this.owner = owner;
        this.effects = effects;
        this.helpers = new Helpers(owner, effects, remote, excluded, files);
    }

    /** Whether a method calls remote methods, perhaps through other methods. */
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

    /** Offers to other classes what methods are to them, once all are planned. */
    void offer() {
        for (MethodNode method : owner.methods) {
            if (plans.containsKey(method.name + method.desc)) {
                Helper split = helpers.offered(method);
                if (split != null && keepsPlans(split)) {
                    offer(split);
                }
                PrefetchHelper ahead = helpers.offeredAhead(method);
                if (ahead != null && keepsPlans(ahead)) {
                    offer(ahead);
                }
            }
        }
    }

    /** Whether neither a helper nor those of the class that it asks are rewritten in any other way: one way at a time. */
    private boolean keepsPlans(Helper helper) {
        return isOtherwiseAsWritten(helper.key())
                && helper.called().values().stream().allMatch(this::keepsPlans);
    }

    private boolean keepsPlans(PrefetchHelper helper) {
        return isOtherwiseAsWritten(helper.key())
                && helper.called().values().stream().allMatch(this::keepsPlans);
    }

    private boolean isOtherwiseAsWritten(String key) {
        String prefix = owner.name.replace('/', '.') + '.';
        if (!key.startsWith(prefix)) {
            return true;
        }
        MethodPlan plan = plans.get(key.substring(prefix.length()));
        return plan != null && plan.isEmpty();
    }

    /** Offers nothing to other classes. */
    void withdraw() {
        contracts.clear();
    }

    private void offer(Helper helper) {
        contracts.computeIfAbsent(helper.key(), key -> new TreeSet<>()).add(helper.contract());
        relyOn(helper);
    }

    private void relyOn(Helper helper) {
        used.putIfAbsent(helper.key(), helper);
        helper.called().values().forEach(this::relyOn);
    }

    private void offer(PrefetchHelper helper) {
        contracts.computeIfAbsent(helper.key(), key -> new TreeSet<>()).add(helper.contract());
        relyOn(helper);
    }

    private void relyOn(PrefetchHelper helper) {
        prefetched.putIfAbsent(helper.key(), helper);
        helper.called().values().forEach(this::relyOn);
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
        MethodRewriter.rewrite(body, plan, split, ahead, contracts.getOrDefault(key, Set.of()));
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
            return HelperUse.of(required(used, key), split).on(own);
        }
        Verdict prefetch = prefetchUses.get(key);
        Verdict ahead = prefetch == null
                ? own
                : HelperUse.of(required(prefetched, key), prefetch).on(own);
        Refusal noted = helpers.noted(method);
        return ahead != own || noted == null
                ? ahead
                : new HelperUse(owner.name, method.name + method.desc, null, List.of(), noted).on(own);
    }

    private static <T> T required(Map<String, T> helpers, String key) {
        T helper = helpers.get(key);
        if (helper == null) {
            throw new AssertionError(key);
        }
        return helper;
    }

    /** What becomes of the calls in helpers of other classes. */
    List<HelperUse> usesElsewhere() {
        List<HelperUse> elsewhere = new ArrayList<>(helpers.refusedElsewhere());
        String own = owner.name.replace('/', '.');
        uses.forEach((key, how) -> elsewhere.add(HelperUse.of(required(used, key), how)));
        prefetchUses.forEach((key, how) -> elsewhere.add(HelperUse.of(required(prefetched, key), how)));
        elsewhere.removeIf(use -> use.type().equals(own));
        return elsewhere;
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
