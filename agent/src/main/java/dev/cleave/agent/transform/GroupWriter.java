package dev.cleave.agent.transform;

import dev.cleave.agent.ir.BranchOp;
import dev.cleave.agent.ir.ConstOp;
import dev.cleave.agent.ir.InsnOp;
import dev.cleave.agent.ir.LabelOp;
import dev.cleave.agent.ir.MethodBody;
import dev.cleave.agent.ir.MoveOp;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.ir.Register;
import dev.cleave.agent.ir.RegisterKind;
import dev.cleave.agent.plan.method.SendSlice;
import dev.cleave.agent.plan.placement.GroupPlan;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;

/** Writes a group: behind the send of its leader copies of the slices send the others; each is claimed at its place. */
final class GroupWriter {

    private final Editing editing;
    private final MethodBody body;
    private final List<Op> original;
    private final GroupPlan plan;
    private final CallSiteWriter places;
    private final RtOps rt;
    private final Map<Integer, Register> sent = new LinkedHashMap<>();
    private final Map<Integer, Register> chains = new LinkedHashMap<>(); // by call

    private GroupWriter(Editing editing, GroupPlan plan, CallSiteWriter places) {
        this.editing = editing;
        this.body = editing.body();
        this.original = editing.original();
        this.plan = plan;
        this.places = places;
        this.rt = new RtOps(body);
        plan.sends().forEach(send -> sent.put(send, body.fresh(RegisterKind.REFERENCE)));
        Map<Integer, Register> byFirst = new HashMap<>();
        plan.chains()
                .forEach((call, first) ->
                        chains.put(call, byFirst.computeIfAbsent(first, key -> body.fresh(RegisterKind.REFERENCE))));
    }

    /** Writes all groups of a method, and behind them the calls of the row that are in none. */
    static PlacementWriter of(Editing editing, CallSiteWriter calls, List<GroupPlan> plans) {
        List<GroupWriter> groups = plans.stream()
                .map(plan -> new GroupWriter(editing, plan, calls))
                .toList();
        return new PlacementWriter() {
            @Override
            public void write() {
                groups.forEach(GroupWriter::write);
                calls.writeOthers();
            }

            @Override
            public void settle() {
                groups.forEach(group -> group.settle(groups));
            }
        };
    }

    private void write() {
        List<Op> start = new ArrayList<>();
        sent.values().forEach(register -> start.add(new ConstOp(register, null)));
        body.insertAtStart(start);
        sent.forEach((index, register) -> {
            Register taken = body.fresh(RegisterKind.REFERENCE);
            List<Op> take = List.of(new MoveOp(taken, register), new ConstOp(register, null));
            places.replace(index, taken, take, List.of());
        });
        writeLeader();
        plan.abandonments().forEach(this::writeAbandonment);
    }

    /**
     * Writes what happens when an exception keeps the program from calls that were sent. Nothing is waited for before
     * all is withdrawn that will be given up: that of the other groups, too, and what the landing pad will find in
     * flight.
     */
    private void settle(List<GroupWriter> all) {
        BitSet indices = (BitSet) plan.region().ops().clone();
        indices.set(plan.leader());
        List<Register> others = new ArrayList<>();
        for (GroupWriter group : all) {
            if (group != this
                    && group.plan.region().ops().intersects(plan.region().ops())) {
                others.addAll(group.sent.values());
            }
        }
        List<Register> own = List.copyOf(sent.values());
        new ExceptionCleanup(body, editing.throwing(indices), Set.of()).add(leaving -> {
            List<Op> ops = new ArrayList<>(rt.withdraw(others));
            ops.addAll(giveUp(own, rt.withdraw(places.behind(leaving))));
            return ops;
        });
    }

    private void writeLeader() {
        InsnOp call = (InsnOp) original.get(plan.leader());
        Register first = body.fresh(RegisterKind.REFERENCE);
        List<Integer> calls = new ArrayList<>(plan.sends());
        calls.add(plan.leader());
        LabelOp shut = body.label();
        List<Op> ahead = new ArrayList<>(editing.passages().unlessOpen(editing.doors(calls), shut));
        plan.parts().forEach(part -> ahead.addAll(ahead(part, first)));
        ahead.add(shut);
        List<Op> send = new ArrayList<>();
        String make = plan.isDependent() ? "dependentChain" : "chain";
        for (Register chain : new LinkedHashSet<>(chains.values())) {
            send.add(rt.call(make, "()" + CoreNames.OBJECT, chain));
            ahead.add(rt.call("endChain", "(" + CoreNames.OBJECT + ")V", null, chain));
        }
        send.addAll(send(plan.leader(), first, call.uses(), Map.of()));
        places.replace(plan.leader(), first, send, ahead);
    }

    /** Writes the copy of one slice, which sends the calls of the slice; an exception ends the copy. */
    private List<Op> ahead(GroupPlan.Part part, Register leader) {
        SendSlice slice = part.slice();
        LabelOp start = body.label();
        LabelOp end = body.label();
        LabelOp behind = body.label();
        RegisterCopies bank = new RegisterCopies(body, slice);
        SliceWriter writer = new SliceWriter(body, original, part, bank, new SliceWriter.Ends(behind, behind, behind));
        List<Op> ahead = new ArrayList<>(bank.copyIn(slice));
        ahead.add(start);
        ahead.addAll(new EntryTests(body).write(slice.tests(), behind));
        ahead.addAll(writer.write((position, away) -> send(slice.sends().get(position), leader, bank, away)));
        ahead.add(end);
        ahead.add(behind);
        ExceptionCleanup.leave(body, start, end, behind);
        return ahead;
    }

    private List<Op> send(int index, Register leader, RegisterCopies bank, LabelOp away) {
        InsnOp call = (InsnOp) original.get(index);
        Register register = sentAs(index);
        List<@Nullable Register> operands = new ArrayList<>();
        call.uses().forEach(use -> operands.add(bank.of(use)));
        List<Op> ops = new ArrayList<>();
        Map<Integer, Register> sources = new TreeMap<>();
        plan.passed().getOrDefault(index, Map.of()).forEach((parameter, source) -> {
            operands.set(parameter + 1, null);
            Register sender = source == plan.leader() ? leader : sentAs(source);
            sources.put(parameter, sender);
            ops.add(new BranchOp(Opcodes.IFNULL, List.of(sender), away));
        });
        ops.addAll(send(index, register, operands, sources));
        ops.add(new BranchOp(Opcodes.IFNULL, List.of(register), away));
        return ops;
    }

    /** Discards, on an edge of the flow of control, the calls that the program does not reach behind that edge (T2). */
    private void writeAbandonment(GroupPlan.Abandonment edge) {
        List<Op> giveUp = giveUp(edge.sends().stream().map(this::sentAs).toList(), List.of());
        editing.insertOnEdge(original.get(edge.branch()), original.get(edge.to()), giveUp);
    }

    private List<Op> send(
            int index, Register result, List<? extends @Nullable Register> operands, Map<Integer, Register> sources) {
        InsnOp call = (InsnOp) original.get(index);
        Register chain = chains.get(index);
        int line = editing.line(index);
        int uses = plan.staying().getOrDefault(index, 0);
        if (chain != null && (!sources.isEmpty() || uses > 0)) {
            return editing.unlessHanded(
                    index, result, rt.sendDependent(call, line, result, chain, operands, sources, uses));
        }
        List<Register> values = operands.stream().map(Objects::requireNonNull).toList();
        return chain == null
                ? editing.send(index, result, values)
                : editing.unlessHanded(index, result, List.of(rt.sendChained(call, line, result, chain, values)));
    }

    /** Withdraws calls, does something else that does not wait, and gives them up. */
    private List<Op> giveUp(List<Register> registers, List<Op> besides) {
        boolean isOne = registers.size() + besides.size() == 1;
        List<Op> ops = new ArrayList<>(isOne ? List.of() : rt.withdraw(registers));
        ops.addAll(besides);
        registers.forEach(register -> ops.addAll(rt.discard(register)));
        return ops;
    }

    private Register sentAs(int index) {
        Register register = sent.get(index);
        if (register == null) {
            throw new IllegalStateException("call: " + index + " (expected: one of " + sent.keySet() + ")");
        }
        return register;
    }
}
