package dev.cleave.agent.plan.later;

import static java.util.Objects.requireNonNull;

import dev.cleave.agent.flow.BasicBlock;
import dev.cleave.agent.flow.ControlFlowGraph;
import dev.cleave.agent.flow.Dominators;
import dev.cleave.agent.flow.Loop;
import dev.cleave.agent.flow.LoopNest;
import dev.cleave.agent.ir.BranchOp;
import dev.cleave.agent.ir.InsnOp;
import dev.cleave.agent.ir.LabelOp;
import dev.cleave.agent.ir.MethodBody;
import dev.cleave.agent.ir.MoveOp;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.ir.Register;
import dev.cleave.agent.ir.RegisterKind;
import dev.cleave.agent.plan.helper.Helpers;
import dev.cleave.agent.plan.later.LaterPlan.Kind;
import dev.cleave.agent.plan.later.LaterPlan.Parameter;
import dev.cleave.agent.plan.later.LaterPlan.Wait;
import dev.cleave.agent.plan.later.LaterResults.Source;
import dev.cleave.agent.scan.ScannedInterface;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.MethodInsnNode;

/**
 * Finds where a method must wait for parameters that arrive while it runs: at the first place of each path that needs
 * them.
 *
 * <p>A forward analysis knows for each register which parameters it may hold. Moves need nothing. What reads or writes
 * an element of an array waits for that element, what asks for the length or whether there is an array at all waits for
 * the array; everything else waits for the whole value.
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
    private final Set<Register> mixed = new LinkedHashSet<>();
    private final Set<Op> open = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Map<Op, Integer> calls = new IdentityHashMap<>(); // whose results are used while they arrive
    private final List<BitSet> regions = new ArrayList<>(); // of each parameter; of results alone
    private final List<BitSet> sent = new ArrayList<>(); // the same
    private final Function<MethodInsnNode, Set<Integer>> laters;
    private final boolean passes;
    private final int given; // the bits of values that are no results

    private LaterPlanner(
            MethodBody body,
            List<Parameter> parameters,
            List<Source> sources,
            Function<MethodInsnNode, Set<Integer>> laters) {
        this.body = body;
        this.graph = ControlFlowGraph.of(body);
        this.parameters = new ArrayList<>(parameters);
        this.given = (1 << parameters.size()) - 1;
        this.laters = laters;
        this.passes = body.ops().stream()
                .anyMatch(op -> latersOf(op).stream().anyMatch(number -> number != ScannedInterface.RESULT));
        parameters.forEach(parameter -> regions.add(new BitSet()));
        parameters.forEach(parameter -> sent.add(new BitSet()));
        for (Source source : sources) {
            calls.put(source.call(), this.parameters.size());
            Register result = requireNonNull(source.call().def());
            this.parameters.add(new Parameter(0, result, source.type(), true, true, source.call()));
            regions.add(source.region());
            sent.add(source.sent());
        }
        this.missing = body.registers().size();
        this.unbegun = missing + 1;
        this.in = new int[graph.blocks().size()][];
    }

    /**
     * Plans a method.
     *
     * @param numbers the parameters that may arrive later, from 0 without the receiver; those of primitive types are
     *     left out
     * @param helpers the helpers of the class, null if results of calls are to be whole
     * @param laters the parameters of a method of an interface that may arrive later, and
     *     {@link ScannedInterface#RESULT} if its result may
     */
    public static LaterPlan plan(
            MethodBody body,
            Set<Integer> numbers,
            @Nullable Helpers helpers,
            Function<MethodInsnNode, Set<Integer>> laters) {
        List<Source> sources = helpers == null
                ? new ArrayList<>()
                : LaterResults.of(body, helpers, call -> laters.apply(call).contains(ScannedInterface.RESULT));
        List<Parameter> parameters = parameters(body, numbers);
        while (true) {
            LaterPlanner planner = new LaterPlanner(body, parameters, sources, laters);
            LaterPlan plan = planner.run();
            if (!sources.removeIf(source -> !planner.pays(requireNonNull(planner.calls.get(source.call()))))) {
                return plan;
            }
        }
    }

    private static List<Parameter> parameters(MethodBody body, Set<Integer> numbers) {
        Type[] types = Type.getArgumentTypes(body.original().desc);
        int first = body.parameters().size() - types.length;
        List<Parameter> parameters = new ArrayList<>();
        for (int number : new TreeSet<>(numbers)) {
            if (number >= 0
                    && number < types.length
                    && types[number].getSort() >= Type.ARRAY
                    && parameters.size() < MOST) {
                Register register = body.parameters().get(first + number);
                boolean isOverwritten = body.ops().stream()
                        .anyMatch(op -> op.def() != null && op.def().overlaps(register));
                parameters.add(new Parameter(
                        number, register, types[number], isElementwise(types[number]), isOverwritten, null));
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
        entry[missing] = given;
        entry[unbegun] = given;
        for (int i = 0; i < parameters.size() - calls.size(); i++) {
            entry[parameters.get(i).register().number()] = 1 << i;
        }
        in[graph.entry().number()] = entry;
        List<BasicBlock> order = graph.reversePostOrder();
        for (boolean changed = true; changed; ) {
            changed = false;
            for (BasicBlock block : order) {
                if (in[block.number()] != null) {
                    changed |= flow(block, false);
                }
            }
        }
        for (BasicBlock block : graph.blocks()) {
            if (in[block.number()] != null) {
                flow(block, true);
            }
        }
        return new LaterPlan(parameters, waits, FastLoops.of(graph, waits, calls.keySet()), mixed, moved, open);
    }

    /**
     * Whether something is gained if the caller has a result before it is whole: it is passed on, or a loop reads it as
     * it comes.
     */
    private boolean pays(int result) {
        int bit = 1 << result;
        Set<Op> touches = Collections.newSetFromMap(new IdentityHashMap<>());
        for (Map.Entry<Op, List<Wait>> each : waits.entrySet()) {
            for (Wait wait : each.getValue()) {
                if (wait.kind() == Kind.PASS && wait.values() == bit) {
                    return true;
                }
                if (wait.kind() == Kind.ELEMENT && wait.values() == bit) {
                    touches.add(each.getKey());
                }
            }
        }
        for (Loop loop : LoopNest.of(graph, Dominators.of(graph)).loops()) {
            boolean touched = loop.blocks().stream()
                    .anyMatch(block -> block.ops().stream().anyMatch(touches::contains));
            if (touched && loop.latches().stream().anyMatch(latch -> (atEnd(latch)[missing] & bit) != 0)) {
                return true;
            }
        }
        return false;
    }

    private int[] atEnd(BasicBlock block) {
        int[] state = in[block.number()].clone();
        block.ops().forEach(op -> pass(op, state, needs(op, state)));
        return state;
    }

    /** Walks through a block; returns whether that changed what is known elsewhere, or notes what there is to do. */
    private boolean flow(BasicBlock block, boolean notes) {
        boolean changed = false;
        int[] state = in[block.number()].clone();
        List<BasicBlock> handlers =
                body.handlersOf(block.last()).stream() // the first may be the label where a range begins
                        .map(handler -> graph.blockOf(handler.target()))
                        .toList();
        for (Op op : block.ops()) {
            if (!handlers.isEmpty()) {
                int[] thrown = state.clone();
                thrown[missing] &= given; // an exception goes on when all results are whole
                for (BasicBlock handler : handlers) { // a wait may throw where nothing else does
                    changed |= join(handler, thrown);
                }
            }
            List<Wait> needed = needs(op, state);
            if (notes) {
                note(op, needed, state);
            }
            pass(op, state, needed);
        }
        for (BasicBlock successor : block.successors()) {
            changed |= join(successor, state);
        }
        return changed;
    }

    private void pass(Op op, int[] state, List<Wait> needed) {
        needed.forEach(wait -> arrive(wait, state));
        Integer result = calls.get(op);
        if (result != null) { // what an earlier activation of the call has given is whole
            for (int i = 0; i < missing; i++) {
                if ((state[i] & 1 << result) != 0) {
                    state[i] = state[i] & ~(1 << result) | LaterPlan.OTHER;
                }
            }
            state[missing] |= 1 << result;
        }
        Register def = op.def();
        if (def != null && def.kind() == RegisterKind.REFERENCE) {
            int made = result != null ? 1 << result : LaterPlan.OTHER;
            state[def.number()] = op instanceof MoveOp move ? state[move.use().number()] : made;
        }
    }

    private boolean join(BasicBlock block, int[] state) {
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
        if ((state[missing] & ~given) != 0) {
            open.add(op);
        }
        if (!needed.isEmpty()) {
            waits.put(op, needed);
            needed.stream().filter(wait -> !LaterPlan.isOne(wait.values())).forEach(wait -> mixed.add(wait.value()));
        }
        if (op instanceof MoveOp move && move.use().kind() == RegisterKind.REFERENCE) {
            int values = givenOf(state[move.use().number()]);
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

    /** Returns the set of values with each result replaced by {@link LaterPlan#OTHER}. */
    private int givenOf(int values) {
        return (values & ~given) == 0 ? values : values & given | LaterPlan.OTHER;
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

    /** Returns the waits that an op needs, for values that may not have arrived. */
    private List<Wait> needs(Op op, int[] state) {
        if (op instanceof MoveOp && (state[missing] & ~given) == 0 || op instanceof LabelOp) {
            return List.of();
        }
        List<Wait> needed = new ArrayList<>();
        int here = results(op, state, needed);
        List<Register> uses = op instanceof MoveOp ? List.of() : op.uses();
        for (int i = 0; i < uses.size(); i++) {
            Register use = uses.get(i);
            int all = state[use.number()];
            if (use.kind() != RegisterKind.REFERENCE || (all & ~LaterPlan.OTHER) == 0) {
                continue;
            }
            if ((all & ~given) != 0 && (all & here) != 0) {
                result(op, i, all & here, LaterPlan.isOne(all), needed);
            }
            int values = givenOf(all);
            if ((values & given) == 0) {
                continue;
            }
            boolean isMixed = !LaterPlan.isOne(values);
            Parameter parameter = parameters.get(Integer.numberOfTrailingZeros(values));
            Kind kind = isMixed || !parameter.isElementwise() ? Kind.WHOLE : kind(op, i);
            Wait wait = new Wait(kind, use, values, index(kind, uses));
            boolean isThere = !isMixed && (state[kind == Kind.LENGTH ? unbegun : missing] & values) == 0;
            boolean isKnown = needed.stream().anyMatch(other -> other.value() == use && other.kind() == Kind.WHOLE);
            if (!isKnown) {
                needed.add(isThere ? new Wait(Kind.NONE, use, values, null) : wait);
            }
        }
        return needed;
    }

    /** Results that must be whole before the op, whatever it reads; returns those that need not be. */
    private int results(Op op, int[] state, List<Wait> needed) {
        int here = state[missing] & ~given;
        boolean isFree = here == 0 || !isKept(op, state);
        for (int i = Integer.bitCount(given); i < parameters.size(); i++) {
            if ((here & 1 << i) != 0 && !(isFree && regions.get(i).get(body.indexOf(op)))) {
                needed.add(new Wait(Kind.WHOLE, parameters.get(i).register(), 1 << i, null));
                here &= ~(1 << i);
            }
            if ((here & 1 << i) != 0 && sent.get(i).get(body.indexOf(op))) {
                Register receiver = op.uses().get(0);
                needed.add(new Wait(Kind.STUB, parameters.get(i).register(), 1 << i, receiver));
            }
        }
        return here;
    }

    /** Whether an op changes an array that may be on its way to another server as an argument, or lets others do so. */
    private boolean isKept(Op op, int[] state) {
        List<Register> uses = op instanceof MoveOp || !passes ? List.of() : op.uses();
        for (int i = 0; i < uses.size(); i++) {
            Register use = uses.get(i);
            boolean isOurs = use.kind() == RegisterKind.REFERENCE && (state[use.number()] & ~LaterPlan.OTHER) != 0;
            Kind kind = kind(op, i);
            if (isOurs && (kind == Kind.WHOLE || kind == Kind.ELEMENT && isStore(op))) {
                return true;
            }
        }
        return false;
    }

    private void result(Op op, int use, int missingOnes, boolean isOne, List<Wait> needed) {
        Kind kind = isOne ? kind(op, use) : Kind.WHOLE;
        for (int i = Integer.bitCount(given); i < parameters.size(); i++) {
            int bit = 1 << i;
            boolean isKnown = needed.stream().anyMatch(other -> other.values() == bit && other.kind() == Kind.WHOLE);
            if ((missingOnes & bit) != 0 && kind != Kind.LENGTH && !isKnown) {
                needed.add(new Wait(kind, op.uses().get(use), bit, index(kind, op.uses())));
            }
        }
    }

    private static @Nullable Register index(Kind kind, List<Register> uses) {
        return kind == Kind.ELEMENT ? uses.get(1) : kind == Kind.PASS ? uses.get(0) : null;
    }

    private Set<Integer> latersOf(Op op) {
        return op instanceof InsnOp insn && insn.opcode() == Opcodes.INVOKEINTERFACE && insn.method() != null
                ? laters.apply(insn.method())
                : Set.of();
    }

    /**
     * Whether an op gives a remote method an array of primitives that it takes while it arrives, and does not return
     * before that is over: a future does, and what may hold later values.
     */
    private boolean isPassedOn(Op op, int use) {
        if (use == 0 || !latersOf(op).contains(use - 1) || !(op instanceof InsnOp insn) || insn.method() == null) {
            return false;
        }
        Type result = Type.getReturnType(insn.method().desc);
        boolean isPlain = result.getSort() < Type.ARRAY || isElementwise(result);
        return isPlain
                && Type.getArgumentTypes(insn.method().desc)[use - 1]
                                .getDescriptor()
                                .length()
                        == 2;
    }

    private static boolean isStore(Op op) {
        return op instanceof InsnOp insn && insn.opcode() >= Opcodes.IASTORE && insn.opcode() <= Opcodes.SASTORE;
    }

    private Kind kind(Op op, int use) {
        if (isPassedOn(op, use)) {
            return Kind.PASS;
        }
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
