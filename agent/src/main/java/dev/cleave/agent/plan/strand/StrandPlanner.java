package dev.cleave.agent.plan.strand;

import static java.util.Objects.requireNonNull;

import dev.cleave.agent.dataflow.CertainEnd;
import dev.cleave.agent.flow.Loop;
import dev.cleave.agent.ir.InsnOp;
import dev.cleave.agent.ir.Register;
import dev.cleave.agent.plan.analysis.Region;
import dev.cleave.agent.plan.method.EntryTest;
import dev.cleave.agent.plan.method.Method;
import dev.cleave.agent.plan.method.SendSlice;
import dev.cleave.agent.plan.order.HandlerOrder;
import dev.cleave.agent.plan.order.ReorderingCheck;
import dev.cleave.agent.plan.order.ReturnedCollections;
import dev.cleave.agent.plan.placement.StrandPlan;
import dev.cleave.agent.plan.slice.OwnCollections;
import dev.cleave.agent.plan.slice.Slicer;
import dev.cleave.agent.plan.verdict.Refusal;
import dev.cleave.agent.plan.verdict.Refused;
import dev.cleave.agent.rule.Rule;
import dev.cleave.agent.scan.CallSetting;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;

/**
 * Plans the strands of a nest of loops (R71): which of its calls can be sent ahead where the bound of an inner loop, a
 * condition or an argument is the result of another call of the nest.
 *
 * <p>Calls that need the same results are sent by one strand. A strand is a copy of everything that decides about its
 * calls, with the ways out of the nest, so it never sends what the program does not come to unless something is thrown.
 */
final class StrandPlanner {

    private static final boolean IS_OFF = "off".equals(System.getProperty("cleave.strands"));

    private static final int MOST_STRANDS = 12;
    private static final int MOST_OPS = 1_500;

    private final Method method;
    private final StrandPart part;
    private final CaughtExceptions caught;
    private final Region region;
    private final Method real;
    private final Region realLoop;
    private final @Nullable FlatMethod flat;
    private final OwnCollections own;
    private final StrandsElsewhere others;
    private final WalkCalls walks;
    private final StrandRegisters copies;
    private final Map<Integer, Refusal> refusals = new HashMap<>();

    /** Prepares it for a part that calls no helpers. */
    StrandPlanner(Method method, StrandPart part) {
        this(method, part, method, part, null);
    }

    /**
     * Prepares it.
     *
     * @param method code with the helpers in their places
     * @param part the part of that code
     * @param real the method itself
     * @param realPart the same part of the method itself
     * @param flat where instructions of that code come from, null if it is the method itself
     */
    StrandPlanner(Method method, StrandPart part, Method real, StrandPart realPart, @Nullable FlatMethod flat) {
        this.method = method;
        this.part = part;
        this.caught = new CaughtExceptions(method, part.entry(), part.ops());
        this.region = new Region(caught.graph(), part.entry(), part.ops());
        this.real = real;
        this.realLoop = flat == null ? region : new Region(real.graph(), realPart.entry(), realPart.ops());
        this.flat = flat;
        this.own = new OwnCollections(method, region);
        this.others = new StrandsElsewhere(method, region, flat);
        this.walks = new WalkCalls(method, region, real, flat);
        this.copies = new StrandRegisters(method, region, own, others, walks::values);
    }

    /** Why calls of the nest are not sent by strands, by their place in the method itself. */
    Map<Integer, Refusal> refusals() {
        if (flat == null) {
            return refusals;
        }
        Map<AbstractInsnNode, Refusal> reasons = new IdentityHashMap<>();
        refusals.forEach((call, refusal) -> {
            FlatMethod.Origin origin = method.op(call) instanceof InsnOp op ? flat.origin(op.insn()) : null;
            if (origin != null) {
                reasons.put(
                        origin.path().isEmpty() ? origin.insn() : origin.path().get(0), refusal);
            }
        });
        Map<Integer, Refusal> placed = new HashMap<>();
        for (int i = realLoop.ops().nextSetBit(0); i >= 0; i = realLoop.ops().nextSetBit(i + 1)) {
            Refusal refusal = real.op(i) instanceof InsnOp op ? reasons.get(op.insn()) : null;
            if (refusal != null) {
                placed.put(i, refusal.at(real.line(i)));
            }
        }
        return placed;
    }

    /** Whether the nest is one loop with nothing in it that strands are needed for. */
    boolean isPlain() {
        boolean givesFunctions = flat != null && flat.givesFunctions();
        boolean isFlat = part.inner().isEmpty() && walks.places().isEmpty();
        return isFlat && !caught.areHandled() && !others.areThere() && !givesFunctions;
    }

    /** The strands of the nest, of a loop alone, or of calls in straight line; null if there are none. */
    @Nullable
    StrandPlan planPart() {
        if (IS_OFF || method.isChained()) {
            return null;
        }
        List<Integer> calls = new ArrayList<>();
        for (int i = region.ops().nextSetBit(0); i >= 0; i = region.ops().nextSetBit(i + 1)) {
            if (method.isCandidate(i)) {
                calls.add(i);
            }
        }
        if (calls.isEmpty() && walks.places().isEmpty()) {
            return null;
        }
        try {
            checkNest(calls);
            List<Integer> sent = new ArrayList<>(
                    calls.stream().filter(call -> !refusals.containsKey(call)).toList());
            sent.addAll(begun());
            return plan(sent);
        } catch (Refused refused) {
            calls.forEach(call -> refusals.putIfAbsent(call, refused.refusal()));
            return null;
        }
    }

    /** The calls of methods that call themselves which may begin ahead. */
    private List<Integer> begun() {
        List<Integer> begun = new ArrayList<>();
        refusals.putAll(walks.refusals());
        for (int call : walks.places()) {
            try {
                walks.check(call);
                begun.add(call);
            } catch (Refused refused) {
                refusals.put(call, refused.refusal());
            }
        }
        return begun;
    }

    private void checkNest(List<Integer> calls) throws Refused {
        if (!region.allEnd()) {
            throw method.refused(Rule.R29, region.entry(), "the loop has a part that never ends");
        }
        if (region.ops().cardinality() > MOST_OPS) {
            throw method.refused(Rule.R71, region.entry(), "the nest is too long", "split the method");
        }
        HandlerOrder.check(real, realLoop.ops());
        checkInner(part.inner());
        List<Integer> sent = new ArrayList<>(calls);
        calls.stream()
                .filter(this::isOfGroup)
                .forEach(call ->
                        refusals.put(call, SentTogether.ofGroup(method, call).refusal()));
        sent.removeIf(this::isOfGroup);
        SentTogether.check(method, region, sent);
    }

    private boolean isOfGroup(int call) {
        CallSetting setting = method.setting(call);
        return setting != null && !setting.group().isEmpty();
    }

    /**
     * Refuses inner loops that may not end: calls behind an inner loop are sent before the program has run that loop.
     */
    private void checkInner(List<Loop> loops) throws Refused {
        for (Loop inner : loops) {
            if (!CertainEnd.isOf(method.graph().body(), inner)) {
                int header = method.graph().body().indexOf(inner.header().first());
                throw method.refused(Rule.R71, header, "a loop inside it may not end", "give that loop a counter");
            }
            checkInner(inner.inner());
        }
    }

    /**
     * What a strand waits for.
     *
     * @param isChain whether the calls of the strand itself are among it
     * @param loop which of the loops in straight line it goes through, -1 for none: each of them has strands of its own
     */
    private record Needs(Set<Integer> results, boolean isChain, int loop) {}

    private @Nullable StrandPlan plan(List<Integer> calls) throws Refused {
        List<Integer> placed = new ArrayList<>();
        List<Integer> left = new ArrayList<>(calls);
        if (others.fillMaps() && handles()) {
            throw method.refused(
                    Rule.R71,
                    region.entry(),
                    "the nest handles an exception, and puts results of calls into a map",
                    "handle it around the nest");
        }
        left.removeIf(call -> others.stays(call, refusals));
        List<Integer> taken = List.copyOf(left);
        List<Integer> filling = left.stream().filter(others::fillsMap).toList();
        left.removeAll(filling);
        List<StrandPlan.Strand> strands = new ArrayList<>(strands(left, placed, false));
        StrandPlan.Queue queue = null;
        for (QueueFeed feed : !part.isLoop() || left.isEmpty() || handles()
                ? List.<QueueFeed>of()
                : QueueFeed.all(method, region, own)) {
            if (queue == null) {
                queue = feed(feed, left, placed, strands);
            }
        }
        if (part.isLoop()
                && !left.isEmpty()
                && !others.fillMaps()
                && (flat == null || flat.copies().areNone())
                && walks.places().isEmpty()) {
            Map<Integer, Refusal> before = new HashMap<>(refusals);
            StrandPlan passes = passes(taken, placed.size());
            if (passes != null) {
                return passes;
            }
            refusals.clear();
            refusals.putAll(before);
        }
        Map<Integer, Refusal> before = new HashMap<>(refusals);
        strands.addAll(strands(left, placed, !handles()));
        strands.addAll(filling(filling, placed));
        if (strands.stream().allMatch(StrandPlanner::waitsForItself)) {
            before.forEach(refusals::putIfAbsent);
            return null; // the calls of a chain follow one another, and nothing else is sent
        }
        List<EntryTest> tests = new ArrayList<>(others.tests());
        for (int i = region.ops().nextSetBit(0); i >= 0; i = region.ops().nextSetBit(i + 1)) {
            if (isCopiedList(i)) {
                tests.addAll(ReturnedCollections.ofJdk(method, region, i));
            }
        }
        tests.addAll(walks.tests());
        return strands.size() > MOST_STRANDS
                ? null
                : new StrandRows(method, region, real, realLoop, flat, walks).plan(strands, queue, null, tests);
    }

    /** Whether a strand sends one call, each time after the result of the time before. */
    private static boolean waitsForItself(StrandPlan.Strand strand) {
        List<Integer> sends = strand.slice().sends();
        return sends.size() == 1 && strand.slice().looks().get(sends.get(0));
    }

    /** Whether strands copy a list that a call returns, which the program itself changes. */
    private boolean isCopiedList(int call) {
        return flat != null
                && method.op(call) instanceof InsnOp op
                && flat.copies().hold(op.insn())
                && Type.getReturnType(requireNonNull(op.method(), "method").desc)
                                .getSort()
                        == Type.OBJECT;
    }

    private boolean handles() {
        return region.ops().stream().anyMatch(region::handles);
    }

    /**
     * Plans strands for as many calls as possible, and moves these from those that are left to those placed.
     *
     * @param mayChain whether a strand may wait for results of its own calls
     */
    private List<StrandPlan.Strand> strands(List<Integer> left, List<Integer> placed, boolean mayChain) throws Refused {
        Map<Needs, List<Integer>> groups = new LinkedHashMap<>();
        while (!left.isEmpty()) {
            Map<Integer, Needs> found = new LinkedHashMap<>();
            for (int call : left) {
                Needs needs = needs(call, placed);
                if (needs != null) {
                    found.put(call, needs);
                }
            }
            for (int i = 0; mayChain && i < left.size() && found.isEmpty(); i++) {
                if (walks.values(left.get(i)) != null) {
                    continue; // its result cannot be looked at
                }
                List<Integer> looks = new ArrayList<>(placed);
                looks.add(left.get(i));
                Needs needs = needs(left.get(i), looks);
                if (needs != null) {
                    found.put(left.get(i), needs);
                }
            }
            if (found.isEmpty()) {
                break;
            }
            found.forEach((call, needs) -> {
                groups.computeIfAbsent(needs, key -> new ArrayList<>()).add(call);
            });
            placed.addAll(found.keySet());
            left.removeAll(found.keySet());
        }
        placed.forEach(refusals::remove);
        List<StrandPlan.Strand> strands = new ArrayList<>();
        for (Map.Entry<Needs, List<Integer>> group : groups.entrySet()) {
            List<Integer> results = List.copyOf(group.getKey().results());
            strands.add(strand(slice(group.getValue(), results)));
        }
        return strands;
    }

    /** Plans the strand that sends calls which fill maps: one for all, as two of the maps may be the same. */
    private List<StrandPlan.Strand> filling(List<Integer> calls, List<Integer> placed) throws Refused {
        List<Integer> sent = new ArrayList<>();
        Set<Integer> needs = new LinkedHashSet<>();
        for (int call : calls) {
            try {
                slice(List.of(call), placed, null, List.of(), calls).looks().stream()
                        .forEach(needs::add);
                sent.add(call);
            } catch (Refused refused) {
                refusals.put(call, refused.refusal());
            }
        }
        try {
            return sent.isEmpty() ? List.of() : List.of(strand(slice(sent, List.copyOf(needs), null, List.of(), sent)));
        } catch (Refused refused) {
            sent.forEach(call -> refusals.put(call, refused.refusal()));
            return List.of();
        }
    }

    /** Plans a strand that sends what a queue tells it to, and one that fills the queue; null if that is not possible. */
    private StrandPlan.@Nullable Queue feed(
            QueueFeed feed, List<Integer> left, List<Integer> placed, List<StrandPlan.Strand> strands) {
        List<Integer> calls = new ArrayList<>();
        for (int call : left) {
            try {
                if (feed.serves(slice(List.of(call), placed, feed, List.of()))) {
                    calls.add(call);
                }
            } catch (Refused refused) {
                refusals.putIfAbsent(call, refused.refusal());
            }
        }
        try {
            SendSlice sends = slice(calls, placed, feed, List.of());
            List<Integer> looks = new ArrayList<>(placed);
            looks.addAll(calls);
            SendSlice adds = slice(List.of(), looks, null, feed.added());
            StrandPlan.Strand reader = copies.strand(sends, feed.asks(sends));
            StrandPlan.Strand writer = strand(adds);
            Register read = holder(reader, feed);
            Register written = holder(writer, feed);
            if (calls.isEmpty() || read == null || written == null) {
                return null;
            }
            calls.forEach(refusals::remove);
            placed.addAll(calls);
            left.removeAll(calls);
            strands.add(reader);
            strands.add(writer);
            return new StrandPlan.Queue(
                    strands.size() - 2, read, strands.size() - 1, written, feed.asks(sends), feed.isReadBehind());
        } catch (Refused refused) {
            calls.forEach(call -> refusals.putIfAbsent(call, refused.refusal()));
            return null;
        }
    }

    private @Nullable Register holder(StrandPlan.Strand strand, QueueFeed feed) {
        return strand.copies().stream()
                .filter(copy -> own.of(region.entry(), copy) == feed.queue())
                .findAny()
                .orElse(null);
    }

    /** Plans strands of its own for each pass; null if these would not send more calls than some number. */
    private @Nullable StrandPlan passes(List<Integer> calls, int than) {
        try {
            PassPlanner passes = new PassPlanner(method, region, caught, this, calls);
            List<StrandPlan.Strand> strands = passes.strands(calls, MOST_STRANDS);
            refusals.clear();
            refusals.putAll(passes.refusals());
            if (calls.size() - refusals.size() <= than || strands.isEmpty()) {
                return null;
            }
            return new StrandRows(method, region, real, realLoop, flat, null)
                    .plan(strands, null, passes.guide(strands), others.tests());
        } catch (Refused refused) {
            calls.forEach(call -> refusals.putIfAbsent(call, refused.refusal()));
            return null;
        }
    }

    /** Returns the results among some that a call needs; null if it needs others, or cannot be sent ahead. */
    private @Nullable Needs needs(int call, List<Integer> looks) {
        try {
            Set<Integer> results = new LinkedHashSet<>();
            slice(List.of(call), looks).looks().stream().forEach(results::add);
            return new Needs(results, results.contains(call), part.isLoop() ? -1 : loopOf(call));
        } catch (Refused refused) {
            if (!looks.contains(call)) {
                refusals.put(call, refused.refusal());
            }
            return null;
        }
    }

    /** The number of the loop of a part in straight line that holds a call, -1 if none does. */
    private int loopOf(int call) {
        for (int i = 0; i < part.inner().size(); i++) {
            if (method.graph().opsOf(part.inner().get(i)).get(call)) {
                return i;
            }
        }
        return -1;
    }

    private SendSlice slice(List<Integer> calls, List<Integer> looks) throws Refused {
        return slice(calls, looks, null, List.of());
    }

    private SendSlice slice(List<Integer> calls, List<Integer> looks, @Nullable QueueFeed feed, List<Integer> ops)
            throws Refused {
        return slice(calls, looks, feed, ops, List.of());
    }

    /**
     * The slice of some calls.
     *
     * @param feed the queue to which another strand adds, null if there is none
     * @param ops what belongs to it besides
     * @param filling the calls whose results the program puts into maps and which the strand sends, too
     */
    private SendSlice slice(
            List<Integer> calls,
            List<Integer> looks,
            @Nullable QueueFeed feed,
            List<Integer> ops,
            List<Integer> filling)
            throws Refused {
        Slicer slicer = new Slicer(method, region, Set.of());
        slicer.lookAt(looks.stream().filter(look -> walks.values(look) == null).toList());
        if (filling.isEmpty()) { // what fills a map is no part of a copy that asks the map for keys
            slicer.copyCollections(own);
        }
        if (feed != null) {
            slicer.feed(feed.queue());
        }
        if (part.isLoop()) {
            slicer.addPlaces(List.of(region.again(), region.out()));
        }
        List<Integer> remote = new ArrayList<>();
        for (int call : calls) {
            List<Integer> values = walks.values(call);
            if (values == null) {
                slicer.addSend(call);
                remote.add(call);
            } else {
                slicer.addSelf(call, values);
            }
        }
        for (int op : ops) {
            slicer.addOp(op);
        }
        SendSlice pure = slicer.slice(calls, List.of());
        if (others.fillMaps()) {
            if (remote.size() < calls.size()) {
                throw method.refused(
                        Rule.R71,
                        calls.get(0),
                        "the nest puts results of calls into a map, and begins walks",
                        "fill the map in a loop of its own");
            }
            return others.maps().slice(slicer, calls, pure, filling, filling.isEmpty() ? own : null);
        }
        ReorderingCheck crossing = ReorderingCheck.strict(method, region, pure.executed(), remote, pure.iterators());
        crossing.copyCollections(own);
        walks.cross(crossing, remote);
        return slicer.slice(calls, crossing.check(walks.others()));
    }

    /** Returns the strand of a slice. */
    StrandPlan.Strand strand(SendSlice slice) throws Refused {
        return copies.strand(slice, new BitSet());
    }

    /**
     * Returns the guide of a slice.
     *
     * @param place where a pass begins
     * @param handed the registers that the strands of the pass take over there
     */
    StrandPlan.Strand guide(SendSlice slice, int place, Set<Register> handed) throws Refused {
        return copies.guide(slice, place, handed);
    }
}
