package dev.cleave.agent.transform;

import dev.cleave.agent.ir.MethodBody;
import dev.cleave.agent.ir.Unsupported;
import dev.cleave.agent.plan.MethodPlan;
import dev.cleave.agent.plan.MethodPlanner;
import dev.cleave.agent.plan.helper.HelperUse;
import dev.cleave.agent.plan.helper.Helpers;
import dev.cleave.agent.plan.helper.OtherClasses;
import dev.cleave.agent.plan.method.Helper;
import dev.cleave.agent.plan.method.PrefetchHelper;
import dev.cleave.agent.plan.method.ReadCall;
import dev.cleave.agent.plan.placement.CallPlacement;
import dev.cleave.agent.plan.placement.StrandHelper;
import dev.cleave.agent.plan.placement.StrandPlan;
import dev.cleave.agent.plan.placement.StreamNest;
import dev.cleave.agent.plan.placement.StreamPlan;
import dev.cleave.agent.plan.strand.StrandTables;
import dev.cleave.agent.plan.verdict.Refusal;
import dev.cleave.agent.plan.verdict.Verdict;
import dev.cleave.agent.rule.Rule;
import dev.cleave.agent.scan.ClassHierarchy;
import dev.cleave.agent.scan.Reading;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodNode;

/** The plans of the methods of one class. Which of them are helpers is known once all methods are planned. */
final class ClassPlan {

    private final ClassNode owner;
    private final ClassHierarchy hierarchy;
    private final Helpers helpers;
    private final StrandTables tables;
    private final Map<String, MethodPlan> plans = new HashMap<>();
    private final Map<String, Helper> used = new HashMap<>(); // of this class
    private final Map<String, HelperUse> uses = new HashMap<>();
    private final Map<String, PrefetchHelper> prefetched = new HashMap<>(); // of this class
    private final Map<String, HelperUse> prefetchUses = new HashMap<>();
    private final Map<String, Set<String>> contracts = new HashMap<>(); // by key
    private final Map<String, StrandHelper> nested = new HashMap<>(); // of this class
    private final Set<String> failed = new HashSet<>();

    /**
     * Makes an empty plan.
     *
     * @param others the helpers of other classes
     * @param excluded methods, by name and descriptor, that cannot be helpers and get no strands
     * @param hierarchy knows the classes that the class names
     */
    ClassPlan(ClassNode owner, OtherClasses others, Set<String> excluded, ClassHierarchy hierarchy) {
        this.owner = owner;
        this.hierarchy = hierarchy;
        this.helpers = new Helpers(owner, others, excluded);
        this.tables = new StrandTables(helpers, owner.name);
    }

    /** The helpers of the class. */
    Helpers helpers() {
        return helpers;
    }

    /** Whether a method calls remote methods, perhaps through other methods. */
    boolean concerns(MethodNode method) {
        return helpers.callsRemote(method);
    }

    /** Plans a method. */
    MethodPlan plan(MethodNode method) throws Unsupported {
        MethodBody body = helpers.body(method);
        MethodPlan plan = MethodPlanner.plan(body, helpers);
        plans.put(method.name + method.desc, plan);
        plan.helperVerdicts().forEach(this::use);
        plan.prefetchVerdicts().forEach(this::use);
        for (CallPlacement placement : plan.placements()) {
            StrandPlan nest = strandsOf(placement);
            if (nest != null) {
                nest.hands().values().forEach(hand -> use(hand.helper(), nest));
                nest.mappings().values().forEach(mapping -> use(mapping, nest));
            }
        }
        return plan;
    }

    /** Offers the helpers of the class to other classes; called once all methods are planned. */
    void offer() {
        for (MethodNode method : owner.methods) {
            if (plans.containsKey(method.name + method.desc)) {
                Helper split = helpers.offered(method);
                if (split != null && keepsPlans(split)) {
                    offer(split);
                }
                StrandHelper rows = helpers.isVisible(method) ? tables.offered(method) : null;
                if (rows != null) {
                    offer(rows);
                }
                PrefetchHelper ahead = helpers.offeredAhead(method);
                if (ahead != null) {
                    offer(ahead);
                }
            }
        }
    }

    /**
     * Whether a helper that calls helpers has no placements of its own, and so for each helper of the class that it
     * calls.
     */
    private boolean keepsPlans(Helper helper) {
        return (helper.called().isEmpty() || isOtherwiseAsWritten(helper.key()))
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

    private void offer(StrandHelper rows) {
        String key = Helper.key(owner.name, rows.method().name, rows.method().desc);
        contracts.computeIfAbsent(key, each -> new TreeSet<>()).add(tables.contract(rows));
        relyOn(rows);
    }

    private void relyOn(StrandHelper rows) {
        if (!rows.functions().isEmpty()) { // only the functions take what was sent
            rows.functions().forEach(given -> relyOn(given.helper()));
            return;
        }
        if (!rows.owner().equals(owner.name)) {
            return; // that class rewrites it
        }
        nested.putIfAbsent(Helper.key(owner.name, rows.method().name, rows.method().desc), rows);
        rows.called().values().forEach(this::relyOn);
    }

    /** Marks a helper of the class, and the helpers of the class that it calls, to be rewritten for other classes. */
    private void relyOn(Helper helper) {
        MethodNode method = ownMethod(helper.key());
        Helper own = method == null ? null : helpers.own(method);
        if (own != null && used.putIfAbsent(own.key(), own) == null) {
            own.called().values().forEach(this::relyOn);
        }
    }

    private void offer(PrefetchHelper helper) {
        contracts.computeIfAbsent(helper.key(), key -> new TreeSet<>()).add(helper.contract());
        relyOn(helper);
    }

    private void relyOn(PrefetchHelper helper) {
        MethodNode method = ownMethod(helper.key());
        PrefetchHelper own = method == null ? null : helpers.ownAhead(method);
        if (own != null && prefetched.putIfAbsent(own.key(), own) == null) {
            own.called().values().forEach(this::relyOn);
        }
    }

    /** The method of the class that a key names, null if it is one of another class. */
    private @Nullable MethodNode ownMethod(String key) {
        for (MethodNode method : owner.methods) {
            if (Helper.key(owner.name, method.name, method.desc).equals(key)) {
                return method;
            }
        }
        return null;
    }

    private void use(PrefetchHelper helper, Verdict how) {
        relyOn(helper);
        prefetchUses.merge(helper.key(), HelperUse.of(helper, how), HelperUse::wider);
        helper.called().values().forEach(callee -> use(callee, how));
    }

    private void use(Helper helper, Verdict how) {
        relyOn(helper);
        uses.merge(helper.key(), HelperUse.of(helper, how), HelperUse::wider);
        helper.called().values().forEach(callee -> use(callee, how));
    }

    /** Notes that strands send the call of a lambda expression that fills a map. */
    private void use(StrandPlan.Mapping mapping, StrandPlan nest) {
        String frame = mapping.filling().frame();
        for (MethodNode method : owner.methods) {
            if (frame.startsWith(owner.name.replace('/', '.') + '.' + method.name + ':')) {
                List<ReadCall> calls = new ArrayList<>();
                int line = Integer.parseInt(frame.substring(frame.lastIndexOf(':') + 1));
                nest.sends().values().stream()
                        .filter(call -> call.row() == mapping.row())
                        .forEach(call ->
                                calls.add(new ReadCall(method.name, line, call.name(), Reading.NONE, call.window())));
                Verdict how = new Verdict(-1, "", Verdict.Outcome.PIPELINED, nest.window(), null);
                uses.merge(
                        Helper.key(owner.name, method.name, method.desc),
                        HelperUse.of(owner.name, method, calls, how),
                        HelperUse::wider);
            }
        }
    }

    private void use(StrandHelper helper, StrandPlan nest) {
        if (!helper.functions().isEmpty()) {
            helper.functions().forEach(given -> use(given.helper(), nest));
            return;
        }
        String key = Helper.key(helper.owner(), helper.method().name, helper.method().desc);
        if (helper.owner().equals(owner.name)) {
            nested.put(key, helper);
        }
        List<ReadCall> calls = nest.callsOf(helper.owner(), helper.method().name);
        if (!calls.isEmpty()) {
            Verdict how = new Verdict(-1, "", Verdict.Outcome.PIPELINED, nest.window(), null);
            uses.merge(key, HelperUse.of(helper.owner(), helper.method(), calls, how), HelperUse::wider);
        }
        helper.called().values().forEach(called -> use(called, nest));
    }

    /** Rewrites a method as planned; null if it stays as it is. */
    @Nullable
    MethodBody rewrite(MethodNode method) throws Unsupported {
        MethodPlan plan = plans.get(method.name + method.desc);
        String key = Helper.key(owner.name, method.name, method.desc);
        Helper split = used.get(key);
        PrefetchHelper ahead = prefetched.get(key);
        StrandHelper rows = nested.get(key);
        if (plan == null || plan.isEmpty() && split == null && ahead == null && rows == null) {
            return null;
        }
        MethodBody body = helpers.body(method);
        MethodRewriter.rewrite(body, plan, split, ahead, rows, contracts.getOrDefault(key, Set.of()), hierarchy);
        return body;
    }

    /** The verdicts on a method, once all methods are planned: the calls of a helper share the fate of the helper's. */
    List<Verdict> verdicts(MethodNode method, List<Verdict> own) {
        String key = Helper.key(owner.name, method.name, method.desc);
        return own.stream().map(verdict -> shared(verdict, key, method)).toList();
    }

    private Verdict shared(Verdict own, String key, MethodNode method) {
        HelperUse split = uses.get(key);
        if (split != null) {
            return split.on(own);
        }
        HelperUse prefetch = prefetchUses.get(key);
        Verdict ahead = prefetch == null ? own : prefetch.on(own);
        Refusal noted = own.refusal() != null && own.refusal().rule() == Rule.R72 ? null : helpers.noted(method);
        return ahead != own || noted == null
                ? ahead
                : new HelperUse(owner.name, method.name + method.desc, null, List.of(), noted).on(own);
    }

    /** Returns how this class uses helpers of other classes: their calls share that fate in the report. */
    List<HelperUse> usesElsewhere() {
        List<HelperUse> elsewhere = new ArrayList<>(helpers.refusedElsewhere());
        String own = owner.name.replace('/', '.');
        elsewhere.addAll(uses.values());
        elsewhere.addAll(prefetchUses.values());
        elsewhere.removeIf(use -> use.type().equals(own));
        return elsewhere;
    }

    /** Notes that a method could not be rewritten. */
    void fail(String method) {
        failed.add(method);
    }

    /** Returns the methods that could not be rewritten and are to be planned otherwise: others rely on them, or they have strands. */
    Set<String> failed() {
        Set<String> otherwise = new HashSet<>();
        for (String method : failed) {
            if (isUsed(owner.name.replace('/', '.') + '.' + method) || hasStrands(method)) {
                otherwise.add(method);
            }
        }
        return otherwise;
    }

    private boolean hasStrands(String method) {
        MethodPlan plan = plans.get(method);
        return plan != null && plan.placements().stream().anyMatch(placement -> strandsOf(placement) != null);
    }

    private static @Nullable StrandPlan strandsOf(CallPlacement placement) {
        if (placement instanceof StreamPlan stream) {
            StreamNest nest = stream.nest();
            return nest == null ? null : nest.strands();
        }
        return placement instanceof StrandPlan nest ? nest : null;
    }

    private boolean isUsed(String key) {
        return used.containsKey(key) || prefetched.containsKey(key) || nested.containsKey(key);
    }
}
