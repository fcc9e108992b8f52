package dev.cleave.agent.plan;

import dev.cleave.agent.flow.Block;
import dev.cleave.agent.flow.ControlFlowGraph;
import dev.cleave.agent.ir.BranchOp;
import dev.cleave.agent.ir.InsnOp;
import dev.cleave.agent.ir.MethodBody;
import dev.cleave.agent.ir.MoveOp;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.ir.Register;
import dev.cleave.agent.ir.RegisterKind;
import dev.cleave.agent.plan.LaterPlan.Kind;
import dev.cleave.agent.plan.LaterPlan.Parameter;
import dev.cleave.agent.plan.LaterPlan.Wait;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Finds where a method must wait for parameters that arrive while it runs: at the first place of each path that needs them.
 *
 * <p>A forward analysis knows for each register which parameters it may hold. Moves need nothing. What reads or writes an element
 * of an array waits for that element, what asks for the length or whether there is an array at all waits for the array; everything
 * else waits for the whole value.
 */
public final class LaterPlanner {

    private static final int MOST = 30;

    private final MethodBody body;
    private final ControlFlowGraph graph;
    private final List<Parameter> parameters;
    private final int[][]
            in; // by block: what each register may hold, then what may be missing, then what may not have begun
    private final int missing;
    private final int unbegun;
    private final Map<Op, List<Wait>> waits = new IdentityHashMap<>();
    private final Map<Op, Integer> moved = new IdentityHashMap<>();
    private final Set<Register> mixed = new HashSet<>();

    private LaterPlanner(MethodBody body, List<Parameter> parameters) {
        this.body = body;
        this.graph = ControlFlowGraph.of(body);
        this.parameters = parameters;
        this.missing = body.registers().size();
        this.unbegun = missing + 1;
        this.in = new int[graph.blocks().size()][];
    }

    /**
     * Plans a method.
     *
     * @param numbers the parameters that may arrive later, from 0 without the receiver; those of primitive types are left out
     */
    public static LaterPlan plan(MethodBody body, Set<Integer> numbers) {
        return new LaterPlanner(body, parameters(body, numbers)).run();
    }

    private static List<Parameter> parameters(MethodBody body, Set<Integer> numbers) {
        Type[] types = Type.getArgumentTypes(body.original().desc);
        int first = body.parameters().size() - types.length;
        List<Parameter> parameters = new ArrayList<>();
        for (int number : new TreeSet<>(numbers)) {
            if (number < types.length && types[number].getSort() >= Type.ARRAY && parameters.size() < MOST) {
                Register register = body.parameters().get(first + number);
                boolean isOverwritten = body.ops().stream()
                        .anyMatch(op -> op.def() != null && op.def().overlaps(register));
                parameters.add(
                        new Parameter(number, register, types[number], isElementwise(types[number]), isOverwritten));
            }
        }
        return parameters;
    }

    private static boolean isElementwise(Type type) {
        return type.getSort() == Type.ARRAY && type.getElementType().getSort() < Type.ARRAY;
    }

    private LaterPlan run() {
        int[] entry = new int[unbegun + 1];
        for (Register parameter : body.parameters()) {
            entry[parameter.number()] = LaterPlan.OTHER;
        }
        int all = (1 << parameters.size()) - 1;
        entry[missing] = all;
        entry[unbegun] = all;
        for (int i = 0; i < parameters.size(); i++) {
            entry[parameters.get(i).register().number()] = 1 << i;
        }
        in[graph.entry().number()] = entry;
        List<Block> order = graph.reversePostOrder();
        for (boolean changed = true; changed; ) {
            changed = false;
            for (Block block : order) {
                if (in[block.number()] != null) {
                    changed |= flow(block, false);
                }
            }
        }
        for (Block block : graph.blocks()) {
            if (in[block.number()] != null) {
                flow(block, true);
            }
        }
        return new LaterPlan(parameters, waits, FastLoops.of(graph, waits), mixed, moved);
    }

    /** Walks through a block; returns whether that changed what is known elsewhere, or notes what there is to do. */
    private boolean flow(Block block, boolean notes) {
        boolean changed = false;
        int[] state = in[block.number()].clone();
        List<Block> handlers = body.handlersOf(block.last()).stream() // the first may be the label where a range begins
                .map(handler -> graph.blockOf(handler.target()))
                .toList();
        for (Op op : block.ops()) {
            for (Block handler : handlers) { // a wait may throw where nothing else does
                changed |= join(handler, state);
            }
            List<Wait> needed = needs(op, state);
            if (notes) {
                note(op, needed, state);
            }
            needed.forEach(wait -> arrive(wait, state));
            Register def = op.def();
            if (def != null && def.kind() == RegisterKind.REFERENCE) {
                state[def.number()] =
                        op instanceof MoveOp move ? state[move.use().number()] : LaterPlan.OTHER;
            }
        }
        for (Block successor : block.successors()) {
            changed |= join(successor, state);
        }
        return changed;
    }

    private boolean join(Block block, int[] state) {
        int[] known = in[block.number()];
        if (known == null) {
            in[block.number()] = state.clone();
            return true;
        }
        boolean changed = false;
        for (int i = 0; i < known.length; i++) {
            int joined = known[i] | state[i];
            changed |= joined != known[i];
            known[i] = joined;
        }
        return changed;
    }

    private void note(Op op, List<Wait> needed, int[] state) {
        if (!needed.isEmpty()) {
            waits.put(op, needed);
            needed.stream().filter(wait -> !LaterPlan.isOne(wait.values())).forEach(wait -> mixed.add(wait.value()));
        }
        if (op instanceof MoveOp move && move.use().kind() == RegisterKind.REFERENCE) {
            int values = state[move.use().number()];
            moved.put(op, values);
            if (isMixed(values)) {
                mixed.add(move.use());
                mixed.add(move.def());
            }
        }
    }

    private static boolean isMixed(int values) {
        return (values & ~LaterPlan.OTHER) != 0 && !LaterPlan.isOne(values);
    }

    private static void arriveAt(int[] state, int at, int values) {
        state[at] &= ~values;
    }

    private void arrive(Wait wait, int[] state) {
        if (LaterPlan.isOne(wait.values())) {
            arriveAt(state, unbegun, wait.values());
            if (wait.kind() == Kind.WHOLE) {
                arriveAt(state, missing, wait.values());
            }
        }
    }

    /** What an op needs that may not be there. */
    private List<Wait> needs(Op op, int[] state) {
        if (op instanceof MoveOp) {
            return List.of();
        }
        List<Wait> needed = new ArrayList<>();
        List<Register> uses = op.uses();
        for (int i = 0; i < uses.size(); i++) {
            Register use = uses.get(i);
            int values = state[use.number()];
            if (use.kind() != RegisterKind.REFERENCE || (values & ~LaterPlan.OTHER) == 0) {
                continue;
            }
            boolean isMixed = !LaterPlan.isOne(values);
            Parameter parameter = parameters.get(Integer.numberOfTrailingZeros(values));
            Kind kind = isMixed || !parameter.isElementwise() ? Kind.WHOLE : kind(op, i);
            Wait wait = new Wait(kind, use, values, kind == Kind.ELEMENT ? uses.get(1) : null);
            boolean isThere = !isMixed && (state[kind == Kind.LENGTH ? unbegun : missing] & values) == 0;
            boolean isKnown = needed.stream().anyMatch(other -> other.value() == use && other.kind() == Kind.WHOLE);
            if (!isKnown) {
                needed.add(isThere ? new Wait(Kind.NONE, use, values, null) : wait);
            }
        }
        return needed;
    }

    private static Kind kind(Op op, int use) {
        int opcode = op instanceof InsnOp insn ? insn.opcode() : op instanceof BranchOp branch ? branch.opcode() : -1;
        if (use == 0 && isAccess(opcode)) {
            return Kind.ELEMENT;
        }
        return switch (opcode) {
            case Opcodes.ARRAYLENGTH, Opcodes.IFNULL, Opcodes.IFNONNULL, Opcodes.IF_ACMPEQ, Opcodes.IF_ACMPNE ->
                Kind.LENGTH;
            default -> Kind.WHOLE;
        };
    }

    private static boolean isAccess(int opcode) {
        return opcode >= Opcodes.IALOAD && opcode <= Opcodes.SALOAD
                || opcode >= Opcodes.IASTORE && opcode <= Opcodes.SASTORE;
    }
}
