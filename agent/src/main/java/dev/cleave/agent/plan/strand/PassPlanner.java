package dev.cleave.agent.plan.strand;

import dev.cleave.agent.ir.Register;
import dev.cleave.agent.plan.analysis.Region;
import dev.cleave.agent.plan.method.EntryTest;
import dev.cleave.agent.plan.method.Method;
import dev.cleave.agent.plan.method.OwnIterator;
import dev.cleave.agent.plan.method.SendSlice;
import dev.cleave.agent.plan.order.ReorderingCheck;
import dev.cleave.agent.plan.placement.StrandPlan;
import dev.cleave.agent.plan.slice.Slicer;
import dev.cleave.agent.plan.verdict.Refusal;
import dev.cleave.agent.plan.verdict.Refused;
import dev.cleave.agent.rule.Rule;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.Type;

/**
 * Plans a nest in which each pass of the outermost loop has strands of its own (R71). Such a strand may wait for the results of its own
 * calls, as the retry of a call does, and the passes behind it do not wait for that. A guide goes from pass to pass; it computes what a
 * pass takes over from the passes before it.
 */
final class PassPlanner {

    private final Method method;
    private final Region region;
    private final StrandPlanner planner;
    private final Region pass;
    private final Region all; // as the guide sees it
    private final List<Integer> looks; // calls whose results decide about passes
    private final SendSlice ways; // what decides which passes there are
    private final Map<Integer, Refusal> refusals = new HashMap<>();

    /** Prepares it for some calls of a nest. */
    PassPlanner(Method method, Region region, CaughtExceptions caught, StrandPlanner planner, List<Integer> calls)
            throws Refused {
        this.method = method;
        this.region = region;
        this.planner = planner;
        this.pass = Region.onePass(region.graph(), begin(), region.ops());
        this.all = new Region(caught.withoutFailures(), region.entry(), region.ops());
        SendSlice free = null;
        try {
            free = ways(List.of()).slice(List.of(), List.of());
        } catch (Refused refused) {
            refusals.clear(); // a pass begins when the results are here that decide about it
        }
        this.ways = free == null ? ways(calls).slice(List.of(), List.of()) : free;
        this.looks = free == null ? calls : List.of();
    }

    /** Why calls are not sent. */
    Map<Integer, Refusal> refusals() {
        return refusals;
    }

    /** Finds where a pass begins for its strands: behind the test for its end, and behind the iterator's next element. */
    private int begin() throws Refused {
        int found = -1;
        int at = region.entry();
        BitSet seen = new BitSet();
        while (at < method.graph().size() && !seen.get(at)) {
            seen.set(at);
            if (method.isCandidate(at) || at != region.entry() && isJoined(at)) {
                break;
            }
            if (Slicer.isIteration(method.op(at))) {
                found = -1;
            } else if (found < 0 && mayBegin(at)) {
                found = at;
            }
            int next = -1;
            for (int successor : region.successors(at)) {
                if (successor < method.graph().size()) {
                    if (next >= 0) {
                        next = Integer.MAX_VALUE;
                        break;
                    }
                    next = successor;
                }
            }
            if (next < 0 || next == Integer.MAX_VALUE) {
                break;
            }
            at = next;
        }
        if (found < 0) {
            throw method.refused(
                    Rule.R71, region.entry(), "its passes have no place where they begin", "restructure the loop");
        }
        return found;
    }

    /** Whether more than one way leads to an op, as to the head of an inner loop, to which a pass comes many times. */
    private boolean isJoined(int index) {
        return method.graph().previous(index).length > 1;
    }

    /** Whether an op is none that the guide runs: it only stores, or does nothing. */
    private boolean mayBegin(int index) {
        return method.op(index).def() == null
                && method.op(index).uses().isEmpty()
                && method.op(index).fallsThrough();
    }

    /** Returns the strands of each pass. */
    List<StrandPlan.Strand> strands(List<Integer> calls, int most) throws Refused {
        Map<Integer, Set<Integer>> needs = new LinkedHashMap<>();
        List<Integer> left = new ArrayList<>(calls);
        int before;
        do {
            before = left.size();
            needs.clear();
            for (int call : List.copyOf(left)) {
                try {
                    Set<Integer> found = new LinkedHashSet<>();
                    slice(List.of(call), left).looks().stream().forEach(found::add);
                    needs.put(call, found);
                } catch (Refused refused) {
                    refusals.put(call, refused.refusal());
                }
            }
            left.retainAll(needs.keySet());
        } while (left.size() < before);
        Map<Set<Integer>, List<Integer>> groups = new LinkedHashMap<>();
        needs.forEach((call, looks) ->
                groups.computeIfAbsent(looks, key -> new ArrayList<>()).add(call));
        if (groups.size() > most) {
            throw method.refused(Rule.R71, region.entry(), "the nest has too many calls", "split the method");
        }
        List<StrandPlan.Strand> strands = new ArrayList<>();
        for (Map.Entry<Set<Integer>, List<Integer>> group : groups.entrySet()) {
            strands.add(planner.strand(slice(group.getValue(), List.copyOf(group.getKey()))));
        }
        return strands;
    }

    private SendSlice slice(List<Integer> calls, List<Integer> looks) throws Refused {
        Slicer slicer = new Slicer(method, pass, Set.of());
        slicer.lookAt(looks);
        for (int call : calls) {
            slicer.addSend(call);
        }
        SendSlice pure = slicer.slice(calls, List.of());
        for (int i = pure.executed().nextSetBit(0); i >= 0; i = pure.executed().nextSetBit(i + 1)) {
            boolean isOuter = Slicer.isIteration(method.op(i))
                    && pure.iterators().stream().anyMatch(own -> !region.ops().get(own.made()));
            if (isOuter) {
                throw method.refused(Rule.R71, i, "a pass takes more than one element", "take one in each pass");
            }
        }
        return slicer.slice(calls, crossing(pure, calls));
    }

    private Slicer ways(List<Integer> looked) throws Refused {
        Slicer slicer = new Slicer(method, all, Set.of());
        slicer.lookAt(looked);
        slicer.addPlaces(List.of(all.again(), all.out()));
        return slicer;
    }

    /** Checks a slice against what neither it nor the guide runs. */
    private List<EntryTest> crossing(SendSlice slice, List<Integer> sends) throws Refused {
        BitSet executed = (BitSet) slice.executed().clone();
        executed.or(ways.executed());
        Set<OwnIterator> iterators = new LinkedHashSet<>(slice.iterators());
        iterators.addAll(ways.iterators());
        ReorderingCheck check = ReorderingCheck.strict(method, region, executed, sends, List.copyOf(iterators));
        BitSet copied = (BitSet) executed.clone();
        sends.forEach(copied::set);
        check.testCopied(copied); // by the guide, or in each pass for itself
        return check.check(region.ops());
    }

    /** The guide of the strands. */
    StrandPlan.Guide guide(List<StrandPlan.Strand> strands) throws Refused {
        int place = pass.entry();
        Slicer slicer = ways(looks);
        StrandTypes types = new StrandTypes(method);
        Map<Register, Type> wanted = new LinkedHashMap<>();
        for (StrandPlan.Strand strand : strands) {
            Set<Register> read = new LinkedHashSet<>(strand.fixed().keySet());
            read.addAll(strand.keptAt(place).keySet());
            for (Register register : read) {
                if (region.writes(register) && !wanted.containsKey(register)) {
                    slicer.addValue(place, register);
                    wanted.put(register, types.of(place, register));
                }
            }
        }
        SendSlice pure = slicer.slice(List.of(), List.of());
        SendSlice slice = slicer.slice(List.of(place), crossing(pure, List.of()));
        Set<Integer> sent = new LinkedHashSet<>();
        strands.forEach(each -> sent.addAll(each.slice().sends()));
        for (int look = slice.looks().nextSetBit(0);
                look >= 0;
                look = slice.looks().nextSetBit(look + 1)) {
            if (!sent.contains(look)) {
                throw method.refused(Rule.R37, look, "whether there is another pass depends on " + method.nameOf(look));
            }
        }
        if (slice.executed().get(place)) {
            throw method.refused(Rule.R71, place, "its passes have no place where they begin", "restructure the loop");
        }
        Map<Register, Type> handed = new LinkedHashMap<>();
        wanted.forEach((register, type) -> {
            if (slice.banked().contains(register)) {
                handed.put(register, type);
            }
        });
        return new StrandPlan.Guide(planner.guide(slice, place, handed.keySet()), handed);
    }
}
