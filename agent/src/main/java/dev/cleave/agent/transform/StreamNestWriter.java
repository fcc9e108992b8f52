package dev.cleave.agent.transform;

import static java.util.Objects.requireNonNull;

import dev.cleave.agent.ir.BranchOp;
import dev.cleave.agent.ir.ConstOp;
import dev.cleave.agent.ir.GotoOp;
import dev.cleave.agent.ir.InsnOp;
import dev.cleave.agent.ir.LabelOp;
import dev.cleave.agent.ir.MethodBody;
import dev.cleave.agent.ir.MoveOp;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.ir.Register;
import dev.cleave.agent.ir.RegisterKind;
import dev.cleave.agent.plan.method.Helper;
import dev.cleave.agent.plan.method.OwnIterator;
import dev.cleave.agent.plan.placement.StrandPlan;
import dev.cleave.agent.plan.placement.StreamNest;
import dev.cleave.agent.plan.placement.StreamPlan;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;

/**
 * Writes the strands of a stream (R69, R71): the values that they begin with are kept where the program makes its
 * source and its functions, and the nest is opened right before the stream is run.
 */
final class StreamNestWriter {

    private final Editing editing;
    private final MethodBody body;
    private final StreamPlan plan;
    private final StreamNest nest;
    private final Register ahead;
    private final Register source;
    private final StrandOpening opening;
    private final Map<Integer, Register> kept = new HashMap<>(); // by the place of the local

    StreamNestWriter(Editing editing, StreamPlan plan, StreamNest nest, Register ahead) {
        this.editing = editing;
        this.body = editing.body();
        this.plan = plan;
        this.nest = nest;
        this.ahead = ahead;
        this.source = body.fresh(RegisterKind.REFERENCE);
        this.opening = new StrandOpening(editing, nest.strands(), this::named);
    }

    /** Holds the source of the stream's elements. */
    Register source() {
        return source;
    }

    private Register named(Register register) {
        Register known = kept.get(register.position());
        if (known == null) {
            throw new IllegalStateException("register: " + register + " (expected: one that the loop begins with)");
        }
        return known;
    }

    /**
     * Writes what happens where the source and the functions are made; returns what happens at the method's beginning.
     *
     * @param makesSource the op that makes {@link #source}
     */
    List<Op> begin(Op makesSource) {
        List<Op> first = new ArrayList<>();
        for (StreamNest.Given given : nest.given()) {
            Op of = given.op() < 0 ? null : editing.original(given.op());
            RegisterKind kind = of == null
                    ? RegisterKind.INT
                    : of.uses().get(given.operand()).kind();
            Register copy = body.fresh(kind);
            first.add(new ConstOp(copy, zero(kind)));
            kept.put(given.local(), copy);
            if (of != null) {
                body.insertBefore(of, List.of(new MoveOp(copy, of.uses().get(given.operand()))));
            }
        }
        StringBuilder keys = new StringBuilder();
        StringBuilder rows = new StringBuilder();
        for (int made : nest.calling()) {
            StrandPlan.Hand hand = nest.hands().get(made);
            keys.append(hand == null ? "" : key(hand)).append('\n');
            rows.append((char) (hand == null ? 0 : hand.row()));
        }
        Register allKeys = body.fresh(RegisterKind.REFERENCE);
        Register allRows = body.fresh(RegisterKind.REFERENCE);
        body.insertBefore(
                editing.original(plan.source()),
                List.of(
                        makesSource,
                        new ConstOp(allKeys, keys.toString()),
                        new ConstOp(allRows, rows.toString()),
                        InsnOp.invokeStatic(
                                CoreNames.STRAND_STREAM_RUN,
                                "of",
                                "(L" + CoreNames.STREAM_SOURCE + ";Ljava/lang/String;Ljava/lang/String;)L"
                                        + CoreNames.STREAM_AHEAD + ";",
                                ahead,
                                List.of(source, allKeys, allRows))));
        return first;
    }

    private String key(StrandPlan.Hand hand) {
        return Helper.key(
                hand.helper().owner(),
                hand.helper().method().name,
                hand.helper().method().desc);
    }

    private static @Nullable Object zero(RegisterKind kind) {
        return switch (kind) {
            case INT -> 0;
            case LONG -> 0L;
            case FLOAT -> 0f;
            case DOUBLE -> 0d;
            case REFERENCE -> null;
        };
    }

    /** Makes the strands; none if a test does not hold. */
    List<Op> open() {
        LabelOp begun = body.label();
        LabelOp done = body.label();
        LabelOp shut = body.label();
        LabelOp ready = body.label();
        Register opened = body.fresh(RegisterKind.REFERENCE);
        List<Op> ops = new ArrayList<>(List.of(begun));
        ops.addAll(editing.unlessHandedOver(List.of(plan.end()), shut));
        StrandPlan strands = nest.strands();
        ops.addAll(new EntryTests(body, this::named, strands.elsewhere()).write(strands.tests(), shut));
        List<Map<Register, Register>> iterators = new ArrayList<>();
        for (StrandPlan.Strand strand : opening.withIterators()) {
            Map<Register, Register> made = new HashMap<>();
            for (OwnIterator own : strand.slice().iterators()) {
                if (!strands.region().ops().get(own.made())) {
                    Register iterator = body.fresh(RegisterKind.REFERENCE);
                    ops.add(new RtOps(body)
                            .call(
                                    "iterator",
                                    "(Ljava/lang/Object;)Ljava/util/Iterator;",
                                    iterator,
                                    requireNonNull(kept.get(nest.given().get(0).local()), "source")));
                    ops.add(new BranchOp(Opcodes.IFNULL, List.of(iterator), shut));
                    made.put(own.iterator(), iterator);
                }
            }
            iterators.add(made);
        }
        ops.addAll(opening.open(opened, iterators, shut));
        ops.add(new GotoOp(ready));
        ops.add(done);
        ops.add(shut);
        ops.add(new ConstOp(opened, null));
        ops.add(ready);
        ops.add(InsnOp.invokeStatic(
                CoreNames.STRAND_STREAM_RUN,
                "runs",
                "(L" + CoreNames.STREAM_AHEAD + ";" + CoreNames.STRANDS_TYPE + ")V",
                null,
                List.of(ahead, opened)));
        ExceptionCleanup.leave(body, begun, done, shut);
        return ops;
    }
}
