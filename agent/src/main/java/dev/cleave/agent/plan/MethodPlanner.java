package dev.cleave.agent.plan;

import dev.cleave.agent.ir.MethodBody;
import dev.cleave.agent.plan.analysis.Eligible;
import dev.cleave.agent.plan.helper.Helpers;
import dev.cleave.agent.plan.line.GroupPlanner;
import dev.cleave.agent.plan.loop.NestPlanner;
import dev.cleave.agent.plan.method.Helper;
import dev.cleave.agent.plan.method.Method;
import dev.cleave.agent.plan.method.PrefetchHelper;
import dev.cleave.agent.plan.placement.CallPlacement;
import dev.cleave.agent.plan.placement.MethodDraft;
import dev.cleave.agent.plan.placement.StrandHelper;
import dev.cleave.agent.plan.placement.StrandPlan;
import dev.cleave.agent.plan.placement.StrandSteps;
import dev.cleave.agent.plan.prefetch.PrefetchLoopPlanner;
import dev.cleave.agent.plan.prefetch.StraightLinePrefetchPlanner;
import dev.cleave.agent.plan.sink.SinkPlanner;
import dev.cleave.agent.plan.strand.RecursionPlanner;
import dev.cleave.agent.plan.strand.StraightLineStrandPlanner;
import dev.cleave.agent.plan.stream.StreamPlanner;
import dev.cleave.agent.plan.verdict.Overlap;
import dev.cleave.agent.plan.verdict.Refusal;
import dev.cleave.agent.plan.verdict.Verdict;
import dev.cleave.agent.rule.Rule;
import dev.cleave.agent.scan.CallSetting;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Plans one method: asks the planners of the list in turn, and gives a verdict on each call. */
public final class MethodPlanner {

    /** Why a call stays that is neither in a loop nor beside another one. */
    public static final String ALONE = "no other call stands near it";

    /**
     * A body of more ops is left alone (R51): most ops have a byte, and the JIT compiles no method of more than 8,000.
     */
    public static final int LARGEST = 8_000;

    /**
     * The planners in the order in which they have their turn. Each adds its placements to the draft, and why it does
     * not place other calls; what those before it have placed stays as it is.
     */
    private static final List<Consumer<MethodDraft>> PLANNERS = List.of(
            RecursionPlanner::plan,
            draft -> NestPlanner.plan(draft, draft.method()),
            PrefetchLoopPlanner::plan,
            NestPlanner::planRestoring,
            draft -> GroupPlanner.plan(draft, draft.referring()),
            draft -> GroupPlanner.plan(draft, draft.restoring()),
            StraightLineStrandPlanner::plan,
            draft -> NestPlanner.plan(draft, draft.chained()),
            draft -> GroupPlanner.plan(draft, draft.chained()),
            SinkPlanner::plan,
            StraightLinePrefetchPlanner::plan,
            StreamPlanner::plan);

    private final Method method;
    private final Method chained;
    private final Method referring;
    private final Method restoring;

    /** The ops that stand in loops. */
    private final BitSet repeated = new BitSet();

    private MethodPlanner(Method method, Method chained, Method referring, Method restoring) {
        this.method = method;
        this.chained = chained;
        this.referring = referring;
        this.restoring = restoring;
    }

    /** Plans the body of a method of the class that has the helpers. */
    public static MethodPlan plan(MethodBody body, Helpers helpers) {
        Method method = helpers.method(body);
        Method chained = new Method(method.graph(), method.effects(), helpers, CallSetting.Style.CHAINED);
        Method referring = new Method(method.graph(), method.effects(), helpers, CallSetting.Style.REFERS);
        Method restoring = hasRestoring(method)
                ? new Method(method.graph(), method.effects(), helpers, CallSetting.Style.RESTORES)
                : method;
        return new MethodPlanner(method, chained, referring, restoring).plan();
    }

    private static boolean hasRestoring(Method method) {
        return IntStream.range(0, method.graph().size())
                .mapToObj(i -> method.effects().settingOf(method.op(i)))
                .anyMatch(setting -> setting != null && setting.movesRestoring());
    }

    private MethodPlan plan() {
        String never = Eligible.refusal(method.graph().body());
        if (never != null) {
            return refuseAll(Rule.R1, never, "move it into a method");
        }
        if (method.graph().size() > LARGEST) {
            return refuseAll(Rule.R51, "the method is too long", "split the method");
        }
        MethodDraft draft = new MethodDraft(method, chained, referring, restoring);
        if (!draft.nest().reducible()) {
            return refuseAll(Rule.R47, "the flow of control is not reducible", "restructure the method");
        }
        draft.nest().loops().forEach(loop -> repeated.or(method.graph().opsOf(loop)));
        PLANNERS.forEach(planner -> planner.accept(draft));
        List<Verdict> verdicts = verdicts(draft);
        verdicts.addAll(draft.verdicts());
        verdicts.sort(Comparator.comparingInt(Verdict::line));
        return new MethodPlan(draft.placements(), helpers(draft), verdicts);
    }

    /** The calls that are sent ahead, and not only on a guess, and are calls of helpers. */
    private Map<Integer, Helper> helpers(MethodDraft draft) {
        Map<Integer, Helper> helpers = new HashMap<>();
        for (CallPlacement placement : draft.placements()) {
            for (int call : placement.calls()) {
                Helper helper = method.helper(call);
                if (helper != null && placement.outcome(call) != Verdict.Outcome.PREFETCHED) {
                    helpers.put(call, helper);
                }
            }
        }
        return helpers;
    }

    private List<Verdict> verdicts(MethodDraft draft) {
        Map<Integer, Verdict> placed = new HashMap<>();
        for (CallPlacement placement : draft.placements()) {
            for (int call : placement.calls()) {
                Verdict.Outcome outcome = placement.outcome(call);
                Refusal why = outcome == Verdict.Outcome.SPLIT ? inLoop(call, draft.refusals()) : null;
                placed.putIfAbsent(call, verdict(call, outcome, placement.window(call), why));
            }
        }
        TreeMap<Integer, Verdict> given = new TreeMap<>();
        for (int i = 0; i < method.graph().size(); i++) {
            Verdict planned = placed.get(i);
            if (planned != null) {
                given.put(i, method.hidesRemote(i) ? planned.ofHelper() : planned);
            } else if (method.effects().settingOf(method.op(i)) != null) {
                given.put(i, verdict(i, Verdict.Outcome.SEQUENTIAL, 1, refusal(i, draft.refusals())));
            } else {
                noteHelper(i, draft.refusals());
            }
        }
        draft.placed(StrandPlan.class).forEach(nest -> addOverlap(nest, given));
        List<Verdict> verdicts = new ArrayList<>(given.values());
        draft.placed(StrandPlan.class).forEach(nest -> nest.hands().values().forEach(hand -> hand.helper()
                .functions()
                .forEach(function -> addReference(nest, hand.row() + function.row(), function.helper(), verdicts))));
        return verdicts;
    }

    /** Adds the verdict on a method reference whose call strands send. */
    private static void addReference(StrandPlan nest, int row, StrandHelper function, List<Verdict> verdicts) {
        for (StrandPlan.Call call : nest.sends().values()) {
            if (function.isReference() && function.called().isEmpty() && call.row() == row) {
                verdicts.add(new Verdict(call.line(), call.name(), Verdict.Outcome.PIPELINED, call.window(), null)
                        .ofHelper());
            }
        }
    }

    /** Adds to the first verdict on a call of a nest which calls of the nest overlap. */
    private void addOverlap(StrandPlan nest, TreeMap<Integer, Verdict> given) {
        List<Overlap.Stay> stays = new ArrayList<>();
        int first =
                nest.hands().keySet().stream().mapToInt(Integer::intValue).min().orElse(-1);
        int line = Integer.MAX_VALUE;
        BitSet ops = nest.own().ops();
        for (int i = ops.length() - 1; i >= 0; i = i == 0 ? -1 : ops.previousSetBit(i - 1)) {
            line = method.line(i) > 0 ? Math.min(line, method.line(i)) : line;
            Verdict verdict = given.get(i);
            if (verdict == null) {
                continue;
            }
            first = i;
            Refusal refusal = verdict.refusal();
            if (refusal != null) {
                stays.add(0, new Overlap.Stay(verdict.line(), verdict.call(), refusal));
            }
        }
        if (first < 0) {
            return;
        }
        int begin = line == Integer.MAX_VALUE ? -1 : line;
        Overlap overlap = new Overlap(begin, nest.shape(), StrandSteps.of(nest), stays);
        Verdict verdict = given.get(first);
        given.put(
                first,
                (verdict == null
                                ? verdict(first, Verdict.Outcome.PIPELINED, nest.window(), null)
                                        .ofHelper()
                                : verdict)
                        .with(overlap));
    }

    /**
     * Why the loop around a call that is sent together with others, or the recursion of the method, does not send it
     * ahead; null if there is neither.
     */
    private @Nullable Refusal inLoop(int call, Map<Integer, Refusal> refusals) {
        Refusal why = refusals.get(call);
        return repeated.get(call) || why != null && why.rule() == Rule.R72 ? why : null;
    }

    /** Notes at the remote calls of a helper why they are not sent ahead. */
    private void noteHelper(int call, Map<Integer, Refusal> refusals) {
        Refusal why = refusals.get(call);
        if (why != null && method.givesFunctions(call)) {
            method.noteFunctions(call, why.line() < 0 ? why.at(method.line(call)) : why);
        }
        if (!method.hidesRemote(call)) {
            return;
        }
        if (why == null && repeated.get(call)) {
            why = method.helperRefusal(call);
        }
        if (why != null) {
            method.note(call, why.line() < 0 ? why.at(method.line(call)) : why, repeated.get(call));
        }
    }

    private Refusal refusal(int call, Map<Integer, Refusal> refusals) {
        if (!method.eligible().allows(call)) {
            return new Refusal(Rule.R1, method.line(call), "the object is not yet constructed", "call it in a method");
        }
        if (method.callsBack(call)) {
            return new Refusal(
                    Rule.R9,
                    method.line(call),
                    "the server may call back objects that the call gives it",
                    "give it values");
        }
        CallSetting setting = method.effects().settingOf(method.op(call));
        if (setting != null
                && setting.style() == CallSetting.Style.RESTORES
                && (!setting.movesRestoring() || !refusals.containsKey(call))) {
            return new Refusal(
                    Rule.R9,
                    method.line(call),
                    "the call changes an argument of the caller (@Out or @InOut)",
                    setting.movesRestoring()
                            ? "put it beside other calls that do not use the argument"
                            : "return what has changed");
        }
        if (setting != null && setting.style() == CallSetting.Style.ONE_WAY) {
            return new Refusal(
                    Rule.R70,
                    method.line(call),
                    "a one-way call is handed over where it is written",
                    "mark it @Async to send it ahead");
        }
        if (!restoring.isCandidate(call) && !chained.isCandidate(call) && !refusals.containsKey(call)) {
            return new Refusal(Rule.R10, method.line(call), Refusal.NO_STYLE, Refusal.ADD_STYLE);
        }
        Refusal refusal = refusals.get(call);
        return refusal != null
                ? refusal
                : new Refusal(Rule.R16, method.line(call), ALONE, "put it beside another call, or into a loop");
    }

    private Verdict verdict(int call, Verdict.Outcome outcome, int window, @Nullable Refusal refusal) {
        Helper helper = method.helper(call);
        PrefetchHelper ahead = helper == null ? method.prefetchHelper(call) : null;
        String name = helper != null ? helper.name() : ahead != null ? ahead.name() : method.nameOf(call);
        Refusal placed = refusal != null && refusal.line() < 0 ? refusal.at(method.line(call)) : refusal;
        return new Verdict(method.line(call), name, outcome, window, placed);
    }

    private MethodPlan refuseAll(Rule rule, String reason, String advice) {
        List<Verdict> verdicts = new ArrayList<>();
        for (int i = 0; i < method.graph().size(); i++) {
            if (method.effects().settingOf(method.op(i)) != null) {
                Refusal refusal = new Refusal(rule, method.line(i), reason, advice);
                verdicts.add(verdict(i, Verdict.Outcome.SEQUENTIAL, 1, refusal));
            }
        }
        return new MethodPlan(List.of(), Map.of(), verdicts);
    }
}
