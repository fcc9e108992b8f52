package dev.cleave.agent.plan.prefetch;

import dev.cleave.agent.dataflow.CertainEnd;
import dev.cleave.agent.effect.Barrier;
import dev.cleave.agent.effect.Guard;
import dev.cleave.agent.flow.ControlFlowGraph;
import dev.cleave.agent.flow.Dominators;
import dev.cleave.agent.flow.Loop;
import dev.cleave.agent.flow.LoopNest;
import dev.cleave.agent.ir.BranchOp;
import dev.cleave.agent.ir.InsnOp;
import dev.cleave.agent.ir.MethodBody;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.plan.analysis.Region;
import dev.cleave.agent.plan.method.Method;
import dev.cleave.agent.plan.method.SendSlice;
import dev.cleave.agent.plan.verdict.Refused;
import dev.cleave.agent.rule.Rule;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;
import org.objectweb.asm.Opcodes;

/** Bounds the work of a run-ahead whose guesses may be wrong (R67). */
public final class RunAheadBounds {

    /** Methods of the JDK whose results may be of any size. */
    private static final List<String> UNBOUNDED = List.of("repeat", "copyOf", "copyOfRange");

    private final Method method;

    /** Prepares to check slices of a method. */
    public RunAheadBounds(Method method) {
        this.method = method;
    }

    /** Refuses a slice whose pass ahead has no bound of its cost (R67), or reads under a lock of the program. */
    public void check(SendSlice slice) throws Refused {
        checkLoops(slice);
        BitSet locked = locked(slice.region());
        for (int i = slice.executed().nextSetBit(0);
                i >= 0;
                i = slice.executed().nextSetBit(i + 1)) {
            Op op = method.op(i);
            if (op instanceof InsnOp insn && insn.opcode() == Opcodes.MULTIANEWARRAY
                    || BranchPrediction.isCallOf(op, UNBOUNDED)) {
                throw method.refused(Rule.R67, i, "an argument of any size is made for the call");
            }
            boolean reads = slice.checks().getOrDefault(i, List.of()).stream()
                    .anyMatch(guard -> guard.kind() == Guard.Kind.PLAIN);
            if (locked.get(i) && reads) {
                throw method.refused(
                        Rule.R56, i, "an argument comes from a collection under a lock", "read it before locking");
            }
        }
    }

    /** Refuses inner loops of a slice that may not end: the program may leave the loop before it comes to them. */
    private void checkLoops(SendSlice slice) throws Refused {
        MethodBody body = method.graph().body();
        ControlFlowGraph blocks = ControlFlowGraph.of(body);
        for (Loop loop : LoopNest.of(blocks, Dominators.of(blocks)).loops()) {
            int header = body.indexOf(loop.header().first());
            boolean isInside = header != slice.region().entry()
                    && slice.region().ordinary().get(header);
            if (isInside && isRun(slice, method.graph().opsOf(loop)) && !CertainEnd.isOf(body, loop)) {
                throw method.refused(
                        Rule.R11, header, "a loop that computes an argument may not end", "give that loop a counter");
            }
        }
    }

    private boolean isRun(SendSlice slice, BitSet loop) {
        return loop.stream().anyMatch(i -> slice.executed().get(i) && method.op(i) instanceof BranchOp);
    }

    /** Returns the ops that run between the taking of a lock and its release in the same pass. */
    private BitSet locked(Region region) {
        BitSet locked = new BitSet();
        Deque<Integer> work = new ArrayDeque<>();
        region.ordinary().stream().filter(i -> takesLock(i)).forEach(work::add);
        while (!work.isEmpty()) {
            for (int successor : region.successors(work.remove())) {
                boolean isInside = successor < method.graph().size() && !releasesLock(successor);
                if (isInside && !locked.get(successor)) {
                    locked.set(successor);
                    work.add(successor);
                }
            }
        }
        return locked;
    }

    private boolean takesLock(int index) {
        Barrier barrier = method.effects().of(method.op(index)).barrier();
        return barrier != null && barrier.kind() == Barrier.Kind.SYNCHRONISATION && !releasesLock(index);
    }

    private boolean releasesLock(int index) {
        return method.op(index) instanceof InsnOp op
                && (op.opcode() == Opcodes.MONITOREXIT
                        || op.method() != null && op.method().name.startsWith("unlock"));
    }
}
