package dev.cleave.agent.dataflow;

import dev.cleave.agent.flow.BasicBlock;
import dev.cleave.agent.flow.ControlFlowGraph;
import dev.cleave.agent.ir.MethodBody;
import dev.cleave.agent.ir.MoveOp;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.ir.Register;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * Lets ops read a JVM local itself where a copy of it from another block certainly holds the same value, then removes
 * copies that no op reads.
 *
 * <p>A rewriter that spreads an expression over several blocks makes its operands copies; after this pass the code
 * reads the user's variables again, as do the JVM's messages about null. Replaces ops: run it last.
 */
public final class CopyPropagation {

    private final MethodBody body;
    private final ControlFlowGraph graph;
    private final List<Copy> copies = new ArrayList<>();
    private final Map<Op, Integer> numberOf = new HashMap<>();
    private final BitSet[] in;

    /** A register that holds what a local holds. */
    private record Copy(Register def, Register use) {}

    private CopyPropagation(MethodBody body) {
        this.body = body;
        this.graph = ControlFlowGraph.of(body);
        Set<Register> crossing = crossing(graph);
        for (BasicBlock block : graph.blocks()) {
            find(block, crossing);
        }
        in = new BitSet[graph.blocks().size()];
        for (BasicBlock block : graph.blocks()) {
            in[block.number()] = new BitSet();
            in[block.number()].set(0, block == graph.entry() ? 0 : copies.size());
        }
    }

    private void find(BasicBlock block, Set<Register> crossing) {
        Map<Register, Register> locals = new HashMap<>(); // what registers are copies of in the block
        for (Op op : block.ops()) {
            Register def = op.def();
            if (def == null) {
                continue;
            }
            Register local =
                    op instanceof MoveOp move ? move.use().isLocal() ? move.use() : locals.get(move.use()) : null;
            locals.remove(def);
            locals.values().removeIf(def::overlaps);
            if (local != null && !def.isLocal()) {
                locals.put(def, local);
                if (crossing.contains(def)) {
                    numberOf.put(op, number(new Copy(def, local)));
                }
            }
        }
    }

    /** The branches of a conditional expression each make the same copy. */
    private int number(Copy copy) {
        int known = copies.indexOf(copy);
        if (known < 0) {
            copies.add(copy);
        }
        return known < 0 ? copies.size() - 1 : known;
    }

    /** Changes a body. */
    public static void run(MethodBody body) {
        CopyPropagation propagation = new CopyPropagation(body);
        if (!propagation.copies.isEmpty()) {
            propagation.solve();
            propagation.replaceUses();
            removeUnread(body);
        }
    }

    private void solve() {
        for (boolean changed = true; changed; ) {
            changed = false;
            for (BasicBlock block : graph.blocks()) {
                BitSet held = (BitSet) in[block.number()].clone();
                for (Op op : block.ops()) {
                    if (op.mayThrow()) {
                        for (BasicBlock handler : block.handlers()) {
                            changed |= meet(handler, held);
                        }
                    }
                    step(op, held);
                }
                for (BasicBlock successor : block.successors()) {
                    changed |= meet(successor, held);
                }
            }
        }
    }

    private boolean meet(BasicBlock block, BitSet held) {
        BitSet known = in[block.number()];
        int before = known.cardinality();
        known.and(held);
        return known.cardinality() != before;
    }

    private void step(Op op, BitSet held) {
        Register def = op.def();
        if (def == null) {
            return;
        }
        for (int i = held.nextSetBit(0); i >= 0; i = held.nextSetBit(i + 1)) {
            Copy copy = copies.get(i);
            if (copy.def() == def || copy.use().overlaps(def)) {
                held.clear(i);
            }
        }
        Integer own = numberOf.get(op);
        if (own != null) {
            held.set(own);
        }
    }

    private void replaceUses() {
        List<Op> changed = new ArrayList<>();
        for (BasicBlock block : graph.blocks()) {
            BitSet held = (BitSet) in[block.number()].clone();
            for (Op op : block.ops()) {
                UnaryOperator<Register> local = register -> original(register, held);
                boolean reads = op.uses().stream().anyMatch(use -> local.apply(use) != use);
                changed.add(reads ? op.copy(local, UnaryOperator.identity(), UnaryOperator.identity()) : op);
                step(op, held);
            }
        }
        body.setOps(changed);
    }

    private Register original(Register register, BitSet held) {
        for (int i = held.nextSetBit(0); i >= 0; i = held.nextSetBit(i + 1)) {
            if (copies.get(i).def() == register) {
                return copies.get(i).use();
            }
        }
        return register;
    }

    /** The registers, other than locals, that occur in several blocks; the others cost no slot. */
    private static Set<Register> crossing(ControlFlowGraph graph) {
        Map<Register, BasicBlock> home = new HashMap<>();
        Set<Register> crossing = new LinkedHashSet<>();
        for (BasicBlock block : graph.blocks()) {
            for (Op op : block.ops()) {
                List<Register> registers = new ArrayList<>(op.uses());
                Register def = op.def();
                if (def != null) {
                    registers.add(def);
                }
                for (Register register : registers) {
                    BasicBlock first = home.putIfAbsent(register, block);
                    if (first != null && first != block && !register.isLocal()) {
                        crossing.add(register);
                    }
                }
            }
        }
        return crossing;
    }

    private static void removeUnread(MethodBody body) {
        Set<Register> read = new HashSet<>();
        body.ops().forEach(op -> read.addAll(op.uses()));
        body.setOps(body.ops().stream()
                .filter(op -> !(op instanceof MoveOp move) || move.def().isLocal() || read.contains(move.def()))
                .toList());
    }
}
