package dev.cleave.agent.transform;

import dev.cleave.agent.ir.BranchOp;
import dev.cleave.agent.ir.ConstOp;
import dev.cleave.agent.ir.GotoOp;
import dev.cleave.agent.ir.InsnOp;
import dev.cleave.agent.ir.LabelOp;
import dev.cleave.agent.ir.MethodBody;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.ir.Register;
import dev.cleave.agent.plan.method.CrossClassGuard;
import dev.cleave.agent.plan.method.Helper;
import dev.cleave.agent.scan.ClassHierarchy;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;

/** A body being edited, and its ops as they were when it was planned: plans name ops by their index in that list. */
final class Editing {

    private final MethodBody body;
    private final ClassHierarchy hierarchy;
    private final Passages passages;
    private final Map<Integer, Helper> helpers;
    private final List<HandedCalls> handed = new ArrayList<>(); // the last one takes first
    private final List<Op> original;
    private final List<Integer> lines = new ArrayList<>();
    private final Map<Op, List<Op>> standIns = new HashMap<>();
    private final Map<Op, Op> jumps = new HashMap<>(); // that were led elsewhere, and what each stood for at first
    private final Map<Op, List<Op>> before = new HashMap<>();
    private final Map<List<Op>, GotoOp> detours = new HashMap<>();
    private final Map<GotoOp, Op> ends =
            new HashMap<>(); // of the code on edges, and the original op that each comes from
    private final Map<LabelOp, LabelOp> ways = new HashMap<>(); // labels of code that was added, and where it goes on

    /**
     * Begins to edit.
     *
     * @param helpers the calls that are calls of helpers
     * @param hierarchy knows the classes that the method names
     */
    Editing(MethodBody body, Map<Integer, Helper> helpers, ClassHierarchy hierarchy) {
        this.hierarchy = hierarchy;
        this.body = body;
        this.passages = new Passages(body);
        this.helpers = helpers;
        this.original = List.copyOf(body.ops());
        for (Op op : original) {
            lines.add(body.lineOf(op));
        }
    }

    MethodBody body() {
        return body;
    }

    /** Knows the classes that the method names. */
    ClassHierarchy hierarchy() {
        return hierarchy;
    }

    /** How calls are handed over to helpers. */
    Passages passages() {
        return passages;
    }

    /** Returns the guards that the calls of helpers among these calls have to pass. */
    Set<CrossClassGuard> doors(List<Integer> calls) {
        Set<CrossClassGuard> doors = new LinkedHashSet<>();
        for (int index : calls) {
            Helper helper = helpers.get(index);
            if (helper != null) {
                doors.addAll(helper.doorsFrom(body.owner(), RtOps.methodOf((InsnOp) original(index))));
            }
        }
        return doors;
    }

    /** Whether a call calls a helper. */
    boolean callsHelper(int index) {
        return helpers.containsKey(index);
    }

    /** From now on these calls take what the method was handed, before anything else. */
    void takeFirst(HandedCalls calls) {
        handed.add(calls);
    }

    /** Sends a call: {@code sent} is null if that was declined. */
    List<Op> send(int index, Register sent, List<Register> operands) {
        return unlessHanded(index, sent, sendForCaller(index, sent, operands));
    }

    /** Does what sends a call only if nothing was handed over for that call. */
    List<Op> unlessHanded(int index, Register sent, List<Op> sends) {
        List<Op> send = sends;
        for (HandedCalls calls : handed) {
            if (calls.claims(index)) {
                send = unlessHanded(calls, sent, send);
            }
        }
        return send;
    }

    /** Sends only if nothing was handed over. */
    private List<Op> unlessHanded(HandedCalls calls, Register sent, List<Op> send) {
        LabelOp skip = body.label();
        List<Op> guarded = new ArrayList<>();
        guarded.add(new ConstOp(sent, null));
        guarded.add(new BranchOp(Opcodes.IFNONNULL, List.of(calls.handed()), skip));
        guarded.addAll(send);
        guarded.add(skip);
        return guarded;
    }

    /** Sends a call where the method is only asked to send. */
    List<Op> sendForCaller(int index, Register sent, List<Register> operands) {
        InsnOp call = (InsnOp) original(index);
        Helper helper = helpers.get(index);
        return helper == null
                ? List.of(new RtOps(body).send(call, line(index), sent, operands))
                : passages.ask(call, helper, sent, operands);
    }

    /** Writes the claim that replaces a call; see {@link ClaimWriter}. */
    List<Op> claim(int index, Register sent, List<Op> take, List<Op> whenSent) {
        ClaimWriter claim = claim(index);
        Helper helper = helpers.get(index);
        return helper == null
                ? claim.write(sent, take, whenSent)
                : claim.handOver(sent, take, whenSent, taken -> handOver(index, claim.asWritten(), helper, taken));
    }

    /** Prepares the claim that replaces a call. */
    ClaimWriter claim(int index) {
        return new ClaimWriter(body, original, (InsnOp) original(index), written -> asWritten(index, written));
    }

    private List<Op> asWritten(int index, Op written) {
        return unlessTaken(index, written, List.of(written));
    }

    /**
     * Takes what the method was handed for a call, or does what stands in its place.
     *
     * @param written the call as it is made by what stands in its place
     */
    List<Op> unlessTaken(int index, Op written, List<Op> otherwise) {
        List<Op> ops = otherwise;
        for (HandedCalls calls : handed) {
            if (calls.claims(index)) {
                ops = calls.takeFirst(index, written, ops);
            }
        }
        return ops;
    }

    private List<Op> handOver(int index, Op written, Helper helper, Register sent) {
        return passages.hand(asWritten(index, written), written, helper, sent);
    }

    /** All ops as they were. */
    List<Op> original() {
        return original;
    }

    Op original(int index) {
        return original.get(index);
    }

    int line(int index) {
        return lines.get(index);
    }

    /**
     * Puts ops in the place of an original one.
     *
     * @param ahead those of them that handle their own exceptions
     */
    void replace(Op op, List<Op> replacement, List<Op> ahead) {
        body.replace(op, replacement);
        List<Op> standIn = new ArrayList<>(replacement);
        standIn.removeAll(ahead);
        standIns.put(op, standIn);
    }

    /** Whether other ops stand in the place of an original one. */
    boolean isReplaced(int index) {
        return standIns.containsKey(original.get(index));
    }

    /** The last of the ops that stand in the place of an original one. */
    Op last(Op op) {
        List<Op> standIn = standIns.getOrDefault(op, List.of(op));
        return standIn.get(standIn.size() - 1);
    }

    /** The first of the ops that stand in the place of an original one. */
    Op first(Op op) {
        return standIns.getOrDefault(op, List.of(op)).get(0);
    }

    /** The jump that an edge between two original ops ends with if ops were put on it, else null. */
    @Nullable
    private GotoOp detour(Op from, LabelOp to) {
        GotoOp end = detours.get(List.of(from, to));
        return end == null ? null : (GotoOp) current(end);
    }

    /** Puts ops in front of an original one, of which they count as a part. */
    void insertBefore(Op op, List<Op> added) {
        body.insertBefore(op, added);
        before.computeIfAbsent(op, key -> new ArrayList<>()).addAll(added);
    }

    /** Puts ops that do not throw on the edge between two original ops, the first of which is still there. */
    void insertOnEdge(Op from, Op to, List<Op> added) {
        if (from.fallsThrough() && original.indexOf(from) + 1 == original.indexOf(to)) {
            UnaryOperator<Register> same = UnaryOperator.identity();
            List<Op> copies = added.stream()
                    .map(op -> op.copy(same, same, UnaryOperator.identity()))
                    .toList();
            body.insertAfter(current(from), copies);
        }
        if (!(to instanceof LabelOp label) || !from.targets().contains(label)) {
            return;
        }
        GotoOp last = detour(from, label);
        if (last != null) {
            body.insertBefore(last, added);
            return;
        }
        LabelOp detour = body.label();
        LabelOp on = target(from, label);
        lead(from, label, detour);
        detours.put(List.of(from, to), appendWay(from, detour, added, on));
    }

    /** The label that an edge between two original ops leads to now, behind what {@link #insertOnEdge} put on it. */
    LabelOp target(Op from, LabelOp to) {
        Op jump = jump(from, to);
        return jump.targets().stream()
                .filter(label -> end(label) == to)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("op: " + jump + " (expected: a jump to " + to + ")"));
    }

    /** Leads an edge between two original ops elsewhere, from where the program has to go on to {@link #target}. */
    void lead(Op from, LabelOp to, LabelOp way) {
        LabelOp now = target(from, to);
        redirect(jump(from, to), label -> label == now ? way : label);
        ways.put(way, now);
    }

    /** Appends what begins with a label that an edge from an original op was led to; returns the jump at its end. */
    GotoOp appendWay(Op from, LabelOp way, List<Op> ops, LabelOp on) {
        GotoOp end = new GotoOp(on);
        List<Op> far = new ArrayList<>(List.of(way));
        far.addAll(ops);
        far.add(end);
        body.append(far);
        ends.put(end, from);
        return end;
    }

    private Op jump(Op from, LabelOp to) {
        GotoOp detour = detour(from, to);
        return detour == null ? current(from) : detour;
    }

    /** Leads all jumps to the header of a loop elsewhere, but not those of its passes. */
    void enter(LabelOp header, Set<Op> inLoop, LabelOp entry) {
        Set<Op> now = new HashSet<>();
        inLoop.forEach(op -> now.addAll(standIns.getOrDefault(op, List.of(op))));
        ends.forEach((end, from) -> {
            if (inLoop.contains(from)) {
                now.add(current(end)); // a way of a pass, too
            }
        });
        for (Op op : List.copyOf(body.ops())) {
            if (!now.contains(op) && op.targets().contains(header)) {
                redirect(op, label -> label == header ? entry : label);
            }
        }
        ways.put(entry, header);
    }

    /** Leads a jump elsewhere; it counts as the original one that it stands for. */
    void redirect(Op jump, UnaryOperator<LabelOp> targets) {
        Op changed = jump.redirected(targets);
        body.replace(jump, List.of(changed));
        Op first = jumps.getOrDefault(jump, jump);
        jumps.put(changed, first);
        standIns.put(first, List.of(changed));
    }

    /** The one op that stands in the place of an original one, itself if it is still there. */
    Op current(Op op) {
        List<Op> standIn = standIns.getOrDefault(op, List.of(op));
        if (standIn.size() != 1) {
            throw new IllegalStateException("op: " + op + " (expected: one that is still there)");
        }
        return standIn.get(0);
    }

    /** The original label that a jump to a label comes to in the end. */
    LabelOp end(LabelOp label) {
        LabelOp at = label;
        while (ways.containsKey(at)) {
            at = ways.get(at);
        }
        return at;
    }

    /** The labels among some original ops. */
    Set<LabelOp> labels(BitSet indices) {
        Set<LabelOp> labels = new HashSet<>();
        indices.stream()
                .mapToObj(original::get)
                .filter(LabelOp.class::isInstance)
                .forEach(op -> labels.add((LabelOp) op));
        return labels;
    }

    /** The ops that may throw and now do what some original ops did. */
    Set<Op> throwing(BitSet indices) {
        Set<Op> throwing = new HashSet<>();
        for (int i = indices.nextSetBit(0); i >= 0; i = indices.nextSetBit(i + 1)) {
            for (Op op : standIns.getOrDefault(original.get(i), List.of(original.get(i)))) {
                add(throwing, op);
            }
            for (Op op : before.getOrDefault(original.get(i), List.of())) {
                add(throwing, op);
            }
        }
        return throwing;
    }

    /** Goes to a label if some of these calls were sent by a caller of the method. */
    List<Op> unlessHandedOver(List<Integer> calls, LabelOp otherwise) {
        List<Op> ops = new ArrayList<>();
        for (HandedCalls from : handed) {
            if (calls.stream().anyMatch(from::claims)) {
                ops.add(new BranchOp(Opcodes.IFNONNULL, List.of(from.handed()), otherwise));
            }
        }
        return ops;
    }

    /** Sets a register to null if a call was sent by a caller of the method. */
    List<Op> noneIfHandedOver(int call, Register register) {
        LabelOp none = body.label();
        LabelOp behind = body.label();
        List<Op> ops = new ArrayList<>(unlessHandedOver(List.of(call), none));
        if (!ops.isEmpty()) {
            ops.addAll(List.of(new GotoOp(behind), none, new ConstOp(register, null), behind));
        }
        return ops;
    }

    /** The ops that now do what an original one did. */
    List<Op> opsOf(int index) {
        Op op = original.get(index);
        List<Op> ops = new ArrayList<>(standIns.getOrDefault(op, List.of(op)));
        ops.addAll(before.getOrDefault(op, List.of()));
        return ops;
    }

    private static void add(Set<Op> throwing, Op op) {
        if (op.mayThrow()) {
            throwing.add(op);
        }
    }
}
