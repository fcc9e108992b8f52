package dev.cleave.agent.transform;

import dev.cleave.agent.effect.Guard;
import dev.cleave.agent.ir.BranchOp;
import dev.cleave.agent.ir.CatchOp;
import dev.cleave.agent.ir.GotoOp;
import dev.cleave.agent.ir.LabelOp;
import dev.cleave.agent.ir.MethodBody;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.ir.Register;
import dev.cleave.agent.ir.RegisterKind;
import dev.cleave.agent.plan.analysis.Region;
import dev.cleave.agent.plan.method.OwnIterator;
import dev.cleave.agent.plan.method.SendSlice;
import dev.cleave.agent.plan.placement.GroupPlan;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.IntFunction;
import org.objectweb.asm.Opcodes;

/**
 * Writes the copy of a slice: its ops on registers of their own, everything else left out. A branch that is left out
 * goes straight to where its ways meet again.
 */
final class SliceWriter {

    /**
     * Where the copy goes: on to another pass, out of the region, or away for good.
     *
     * @param steps where it goes instead of going on from one of these places
     */
    record Ends(LabelOp again, LabelOp out, LabelOp away, Map<Integer, LabelOp> steps) {

        Ends(LabelOp again, LabelOp out, LabelOp away) {
            this(again, out, away, Map.of());
        }
    }

    /** Writes the send of a call of the slice, and the look at the result of an earlier one. */
    interface Sender {
        /** Sends a call, by its position in the slice, and goes away if that was declined. */
        List<Op> send(int position, LabelOp away);

        /**
         * Looks at the result of a call that has been sent.
         *
         * @param ways where the copy goes on from the place of an op
         */
        default List<Op> look(int index, IntFunction<LabelOp> ways) {
            throw new IllegalStateException("call " + index + " (expected: none that is looked at)");
        }

        /** Returns the ops to run instead of an op of the slice, none to copy it. */
        default List<Op> instead(int index) {
            return List.of();
        }

        /** Returns the ops to run in front of a copied op, which is named by its index. */
        default List<Op> before(int index, LabelOp away) {
            return List.of();
        }

        /** Returns the ops to run where the copy begins another round of a loop inside it. */
        default List<Op> round(LabelOp away) {
            return List.of();
        }
    }

    private final MethodBody body;
    private final List<Op> original;
    private final SendSlice slice;
    private final Region region;
    private final RegisterCopies bank;
    private final RtOps rt;
    private final Ends ends;
    private final Map<Integer, Integer> assumed;
    private final Map<Integer, LabelOp> labels = new HashMap<>();
    private final Map<LabelOp, Integer> places = new HashMap<>();

    /**
     * Prepares a copy.
     *
     * @param original the ops of the body as they were when planned
     */
    SliceWriter(MethodBody body, List<Op> original, SendSlice slice, RegisterCopies bank, Ends ends) {
        this(body, original, new GroupPlan.Part(slice, Map.of()), bank, ends);
    }

    /**
     * Prepares a copy that takes some branches for granted.
     *
     * @param original the ops of the body as they were when planned
     */
    SliceWriter(MethodBody body, List<Op> original, GroupPlan.Part part, RegisterCopies bank, Ends ends) {
        this.body = body;
        this.original = original;
        this.slice = part.slice();
        this.assumed = part.assumed();
        this.region = slice.region();
        this.bank = bank;
        this.rt = new RtOps(body);
        this.ends = ends;
        for (int i = 0; i < original.size(); i++) {
            if (original.get(i) instanceof LabelOp label) {
                places.put(label, i);
            }
        }
    }

    /** The copy; it begins with its first op and leaves by the ends only. */
    List<Op> write(Sender sender) {
        List<Op> ops = new ArrayList<>();
        ops.add(new GotoOp(begin(region.entry())));
        ops.addAll(write(List.of(region.entry()), sender));
        return ops;
    }

    /** Where the copy begins if it begins at the header of one of its steps. */
    LabelOp begin(int header) {
        return labelOf(first(header));
    }

    /** The copy, to be entered where it {@linkplain #begin begins} at headers. */
    List<Op> write(List<Integer> headers, Sender sender) {
        TreeSet<Integer> reached = new TreeSet<>();
        headers.forEach(header -> reach(first(header), reached));
        List<Op> ops = new ArrayList<>();
        TreeSet<Integer> heads = heads(reached);
        for (int index : reached) {
            ops.add(labelOf(index));
            if (heads.contains(index)) {
                ops.addAll(sender.round(ends.away()));
            }
            int position = slice.sends().indexOf(index);
            if (position >= 0) {
                ops.addAll(sender.send(position, ends.away()));
            }
            if (slice.looks().get(index)) {
                ops.addAll(sender.look(index, place -> labelOf(skip(inRegion(place)))));
            } else if (position < 0 && !ends.steps().containsKey(index)) {
                ops.addAll(copy(index, sender));
            }
            LabelOp step = ends.steps().get(index);
            if (step != null) {
                ops.add(new GotoOp(step));
            } else if (original.get(index).fallsThrough()) {
                ops.add(new GotoOp(labelOf(skip(behind(index)))));
            }
        }
        return ops;
    }

    private List<Op> copy(int index, Sender sender) {
        List<Op> ops = new ArrayList<>();
        Op op = original.get(index);
        if (op instanceof CatchOp) {
            return ops; // set where the copy looks at the call that has failed
        }
        for (OwnIterator own : slice.iterators()) {
            if (own.made() == index && op.def() != null) {
                Register iterator = bank.of(op.def());
                ops.add(rt.call(
                        "iterator", "(Ljava/lang/Object;)Ljava/util/Iterator;", iterator, bank.of(own.collection())));
                ops.add(new BranchOp(Opcodes.IFNULL, List.of(iterator), ends.away()));
                return ops;
            }
        }
        List<Op> other = sender.instead(index);
        if (!other.isEmpty()) {
            return other;
        }
        ops.addAll(checks(index));
        ops.addAll(sender.before(index, ends.away()));
        ops.add(op.copy(bank::of, bank::of, label -> labelOf(skip(place(label)))));
        return ops;
    }

    private int first(int header) {
        if (!ends.steps().containsKey(header)) {
            return skip(header);
        }
        return skip(region.successors(header).get(0));
    }

    private void reach(int from, TreeSet<Integer> reached) {
        List<Integer> work = new ArrayList<>(List.of(from));
        while (!work.isEmpty()) {
            int index = work.remove(work.size() - 1);
            if (index < original.size() && reached.add(index) && !ends.steps().containsKey(index)) {
                for (int successor : region.successors(index)) {
                    work.add(skip(successor));
                }
            }
        }
    }

    /** Where the copy jumps back to. */
    private TreeSet<Integer> heads(TreeSet<Integer> reached) {
        TreeSet<Integer> heads = new TreeSet<>();
        for (int index : reached) {
            for (int successor : region.successors(index)) {
                int place = skip(successor);
                if (place <= index) {
                    heads.add(place);
                }
            }
        }
        return heads;
    }

    /** Returns the first place at or behind a place that is part of the copy. */
    private int skip(int from) {
        int place = from;
        while (place < original.size()
                && !ends.steps().containsKey(place)
                && !slice.executed().get(place)
                && !slice.sends().contains(place)) {
            List<Integer> successors = region.successors(place);
            int meeting = successors.size() == 1 ? successors.get(0) : region.postDominator(place);
            place = assumed.getOrDefault(place, meeting);
        }
        return place;
    }

    private int place(LabelOp label) {
        Integer index = places.get(label);
        return index == null ? region.out() : inRegion(index);
    }

    private int behind(int index) {
        return inRegion(index + 1);
    }

    private int inRegion(int index) {
        if (index == region.entry()) {
            return region.again();
        }
        return region.ops().get(index) ? index : region.out();
    }

    private LabelOp labelOf(int place) {
        if (place == region.again()) {
            return ends.again();
        }
        if (place >= original.size()) {
            return ends.out();
        }
        return labels.computeIfAbsent(place, index -> body.label());
    }

    private List<Op> checks(int index) {
        List<Op> ops = new ArrayList<>();
        for (Guard guard : slice.checks().getOrDefault(index, List.of())) {
            Register holds = body.fresh(RegisterKind.INT);
            ops.addAll(rt.holds(guard, bank.of(guard.object()), holds));
            ops.add(new BranchOp(Opcodes.IFEQ, List.of(holds), ends.away()));
        }
        return ops;
    }
}
