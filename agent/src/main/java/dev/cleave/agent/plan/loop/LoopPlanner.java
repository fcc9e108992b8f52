package dev.cleave.agent.plan.loop;

import dev.cleave.agent.flow.Loop;
import dev.cleave.agent.plan.analysis.Region;
import dev.cleave.agent.plan.method.EntryTest;
import dev.cleave.agent.plan.method.Method;
import dev.cleave.agent.plan.method.SendSlice;
import dev.cleave.agent.plan.order.CallOrder;
import dev.cleave.agent.plan.order.ChainReorderingCheck;
import dev.cleave.agent.plan.order.NestIterations;
import dev.cleave.agent.plan.order.PipelinedResult;
import dev.cleave.agent.plan.order.PromisePipelining;
import dev.cleave.agent.plan.order.ReorderingCheck;
import dev.cleave.agent.plan.order.SendOrder;
import dev.cleave.agent.plan.order.SkippedCode;
import dev.cleave.agent.plan.placement.Chaining;
import dev.cleave.agent.plan.placement.LoopPlan;
import dev.cleave.agent.plan.slice.Slicer;
import dev.cleave.agent.plan.verdict.Refusal;
import dev.cleave.agent.plan.verdict.Refused;
import dev.cleave.agent.rule.Rule;
import dev.cleave.agent.scan.CallSetting;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Plans one loop with all loops in it (Group E): which of its calls can be sent ahead of its iterations, and in which
 * stages.
 */
final class LoopPlanner {

    /** The most stages: calls that depend on calls that depend on calls (R44). */
    private static final int MOST_STAGES = 4;

    private final Method method;
    private final Loop loop;
    private final Region region;
    private final LoopHandlers handlers;
    private final Map<Integer, Refusal> refusals = new HashMap<>();
    private final PromisePipelining promises;

    /** Calls of one stage, exact or under assumptions. */
    private record Stage(List<Integer> calls, boolean assumes) {}

    LoopPlanner(Method method, Loop loop) {
        this.method = method;
        this.loop = loop;
        this.promises = new PromisePipelining(method);
        this.region = new Region(
                method.graph(),
                method.graph().body().indexOf(loop.header().first()),
                method.graph().opsOf(loop));
        this.handlers = new LoopHandlers(method, region);
    }

    /** Why calls of the loop are not sent ahead. */
    Map<Integer, Refusal> refusals() {
        return refusals;
    }

    /** The plans for the loop: one or none. */
    List<LoopPlan> plan() {
        List<Stage> stages = stages();
        while (!stages.isEmpty()) {
            List<SendSlice> slices = new ArrayList<>();
            try {
                return List.of(attempt(stages, slices));
            } catch (Refused refused) {
                // the refused stage is the one whose slice is missing; else the whole
                int failed = Math.min(slices.size(), stages.size() - 1);
                List<Integer> calls = stages.get(failed).calls();
                refusals.put(calls.remove(calls.size() - 1), refused.refusal());
                if (calls.isEmpty()) {
                    stages.remove(failed);
                }
            }
        }
        return List.of();
    }

    /** The calls that can be sent each for itself, behind the stages that their arguments need. */
    private List<Stage> stages() {
        List<Stage> stages = new ArrayList<>();
        List<Integer> placed = new ArrayList<>();
        List<Integer> left = new ArrayList<>();
        region.ops().stream()
                .filter(i -> method.isCandidate(i) && meetsNoChange(i))
                .forEach(left::add);
        int most = method.isChained() ? 1 : MOST_STAGES;
        while (stages.size() < most && !left.isEmpty()) {
            Stage stage = stage(left, placed, false);
            if (stage.calls().isEmpty() && !method.isChained()) {
                stage = stage(left, placed, true);
            }
            if (stage.calls().isEmpty()) {
                break;
            }
            stages.add(stage);
            placed.addAll(stage.calls());
            left.removeAll(stage.calls());
            stage.calls().forEach(refusals::remove);
        }
        return stages;
    }

    /**
     * Whether, in all passes, no call of the loop may change what a call reads, nor read what that call changes (R24).
     */
    private boolean meetsNoChange(int call) {
        SendOrder order = new SendOrder(method);
        for (int i = region.ops().nextSetBit(0); i >= 0; i = region.ops().nextSetBit(i + 1)) {
            if (order.readsWhatChanges(call, i)) {
                refusals.put(call, order.overlap(i, call).refusal());
                return false;
            }
        }
        return true;
    }

    private Stage stage(List<Integer> calls, List<Integer> placed, boolean assumes) {
        List<Integer> found = new ArrayList<>();
        for (int call : calls) {
            if (assumes && (!isSpeculative(call) || method.restores(call))
                    || !placed.isEmpty() && method.helper(call) != null) {
                continue;
            }
            try {
                List<Integer> all = new ArrayList<>(placed);
                all.add(call);
                Stage alone = new Stage(List.of(call), assumes);
                slice(alone, placed, NestIterations.of(method, region, loop, all));
                handlers.check(List.of(call));
                found.add(call);
            } catch (Refused refused) {
                List<Integer> together = new ArrayList<>(found);
                together.add(call);
                if (method.isChained() && isPassedOn(together)) {
                    found.add(call);
                } else {
                    Refusal unpassed = promises.refusal(call);
                    refusals.put(call, unpassed == null ? refused.refusal() : unpassed);
                }
            }
        }
        if (found.isEmpty() && placed.isEmpty() && !assumes && isPassedOn(calls)) {
            found.addAll(calls);
        }
        return new Stage(found, assumes);
    }

    /** Whether calls that need results of each other can be sent together. */
    private boolean isPassedOn(List<Integer> together) {
        try {
            NestIterations steps = NestIterations.of(method, region, loop, together);
            if (passed(together, steps).isEmpty()) {
                return false;
            }
            slice(new Stage(together, false), List.of(), steps);
            handlers.check(together);
            return true;
        } catch (Refused refused) {
            return false;
        }
    }

    /** The results that calls of the first stage are given; none in a nest, where each level goes at its own pace. */
    private Map<Integer, Map<Integer, PipelinedResult>> passed(List<Integer> calls, NestIterations steps) {
        return steps.headers().size() > 1 ? Map.of() : promises.inLoop(region, calls);
    }

    /** Plans some stages together; adds their slices one by one. */
    private LoopPlan attempt(List<Stage> stages, List<SendSlice> slices) throws Refused {
        List<Integer> all = new ArrayList<>();
        stages.forEach(stage -> all.addAll(stage.calls()));
        NestIterations steps = NestIterations.of(method, region, loop, all);
        List<Integer> placed = new ArrayList<>();
        boolean leavesOut = false;
        for (Stage stage : stages) {
            Sliced sliced = slice(stage, placed, steps);
            slices.add(sliced.slice());
            leavesOut |= !sliced.assumptions().isEmpty();
            placed.addAll(stage.calls());
        }
        handlers.check(all);
        new CallOrder(method, region).check(stages.stream().map(Stage::calls).toList());
        return new LoopPlan(
                region,
                slices,
                steps.headers(),
                window(stages),
                handlers.skips(all, steps),
                leavesOut,
                stages.get(0).assumes() ? Map.of() : passed(stages.get(0).calls(), steps),
                changed(all),
                Chaining.of(method.isChained(), promises.areOfOneStub(all.get(0), all)));
    }

    private Map<Integer, List<Integer>> changed(List<Integer> calls) {
        Map<Integer, List<Integer>> changed = new HashMap<>();
        for (int call : calls) {
            CallSetting setting = method.setting(call);
            if (setting != null && method.restores(call)) {
                changed.put(call, setting.restored().stream().sorted().toList());
            }
        }
        return changed;
    }

    private record Sliced(SendSlice slice, Assumptions assumptions) {}

    private Sliced slice(Stage stage, List<Integer> earlier, NestIterations steps) throws Refused {
        Assumptions assumptions = new Assumptions(method, region, steps);
        Map<Integer, Map<Integer, PipelinedResult>> passed =
                stage.assumes() || !earlier.isEmpty() ? Map.of() : passed(stage.calls(), steps);
        while (true) {
            Slicer slicer = new Slicer(method, assumptions.view(), Set.of());
            if (steps.headers().size() == 1) {
                slicer.followElements();
            }
            slicer.lookAt(earlier.stream()
                    .filter(call -> method.helper(call) == null) // the result of a helper is not the result of its call
                    .toList());
            try {
                return new Sliced(slice(stage, slicer, assumptions, steps, passed), assumptions);
            } catch (Refused refused) {
                if (!stage.assumes() || !assumptions.add(slicer.openBranch(), stage.calls())) {
                    throw refused;
                }
            }
        }
    }

    private SendSlice slice(
            Stage stage,
            Slicer slicer,
            Assumptions assumptions,
            NestIterations steps,
            Map<Integer, Map<Integer, PipelinedResult>> passed)
            throws Refused {
        Region view = assumptions.view();
        checkShape(view);
        addPasses(slicer, view, steps);
        for (int call : stage.calls()) {
            slicer.addSend(call, passed.getOrDefault(call, Map.of()).keySet());
        }
        SendSlice pure = slicer.slice(stage.calls(), List.of());
        new SkippedCode(method, view).check(pure);
        assumptions.check(pure);
        ReorderingCheck crossing = new ReorderingCheck(
                method, region, pure.executed(), stage.calls(), pure.iterators(), parameters(passed));
        if (!stage.assumes()) {
            crossing.copyTests();
        }
        List<EntryTest> tests = crossing.check(region.ops());
        if (method.isChained()) {
            new ChainReorderingCheck(method, region, pure.executed(), stage.calls()).check(region.ops());
        }
        return slicer.slice(stage.calls(), tests);
    }

    private static Map<Integer, Set<Integer>> parameters(Map<Integer, Map<Integer, PipelinedResult>> passed) {
        Map<Integer, Set<Integer>> parameters = new HashMap<>();
        passed.forEach((call, results) -> parameters.put(call, results.keySet()));
        return parameters;
    }

    private static void addPasses(Slicer slicer, Region view, NestIterations steps) throws Refused {
        List<Integer> places = new ArrayList<>(steps.headers());
        places.set(0, view.again());
        places.add(view.out());
        try {
            slicer.addPlaces(places);
        } catch (Refused refused) {
            Refusal inner = refused.refusal();
            Rule rule = inner.rule() == Rule.R30 ? Rule.R37 : inner.rule();
            throw new Refused(new Refusal(
                    rule, inner.line(), "whether the loop goes on is open: " + inner.reason(), inner.advice()));
        }
    }

    private void checkShape(Region view) throws Refused {
        if (!view.allEnd()) {
            throw method.refused(Rule.R29, region.entry(), "the loop has a part that never ends");
        }
    }

    private boolean isSpeculative(int call) {
        CallSetting setting = method.setting(call);
        return setting != null && setting.isSpeculative();
    }

    private int window(List<Stage> stages) {
        int window = Integer.MAX_VALUE;
        int most = 1;
        for (Stage stage : stages) {
            most = Math.max(most, stage.calls().size());
            for (int call : stage.calls()) {
                CallSetting setting = method.setting(call);
                window = Math.min(window, setting == null ? 1 : window(setting));
            }
        }
        return Math.max(window, most);
    }

    private static int window(CallSetting setting) {
        return setting.isSpeculative() ? setting.guessedWindow() : setting.window();
    }
}
