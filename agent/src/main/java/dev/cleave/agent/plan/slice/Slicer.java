package dev.cleave.agent.plan.slice;

import dev.cleave.agent.effect.Access;
import dev.cleave.agent.effect.Effect;
import dev.cleave.agent.effect.Guard;
import dev.cleave.agent.effect.HeapRegion;
import dev.cleave.agent.effect.OpaqueValue;
import dev.cleave.agent.ir.InsnOp;
import dev.cleave.agent.ir.LabelOp;
import dev.cleave.agent.ir.LineOp;
import dev.cleave.agent.ir.MoveOp;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.ir.Register;
import dev.cleave.agent.plan.analysis.Definitions;
import dev.cleave.agent.plan.analysis.InOrder;
import dev.cleave.agent.plan.analysis.Region;
import dev.cleave.agent.plan.method.EntryTest;
import dev.cleave.agent.plan.method.Method;
import dev.cleave.agent.plan.method.OwnIterator;
import dev.cleave.agent.plan.method.SendSlice;
import dev.cleave.agent.plan.verdict.Refused;
import dev.cleave.agent.rule.Rule;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.tree.MethodInsnNode;

/**
 * Collects the ops that decide about calls (R8, R30): what computes receiver and arguments, and what decides whether
 * the calls, and the passes through the region, happen. Refuses slices that are not free of effects (R31).
 */
public final class Slicer {

    /** The advice for a call whose arguments need the result of another one. */
    public static final String NEEDS_RESULT = "pass it what is known before that call";

    private final Method method;
    private final Region region;
    private final Set<Register> unavailable;
    private final BitSet inside;
    private final Set<Integer> assumed;
    private final Aliases aliases;
    private final BitSet executed = new BitSet();
    private final Set<Register> read = new LinkedHashSet<>();
    private final Map<Integer, List<Guard>> checks = new HashMap<>();
    private final List<OwnIterator> iterators = new ArrayList<>();
    private final Deque<Integer> work = new ArrayDeque<>();
    private final BitSet looks = new BitSet();
    private final BitSet sent = new BitSet();
    private final BitSet roots = new BitSet();
    private final Map<Integer, Integer> users = new HashMap<>();
    private final Set<Integer> kept = new HashSet<>();
    private @Nullable OwnCollections own;
    private int fed = -1;
    private int openBranch = -1;
    private boolean allocates;
    private boolean followsElements;
    private boolean isRepeated;

    /**
     * Makes a slicer.
     *
     * @param unavailable registers that have no value yet where the region is entered: results of the calls before it
     */
    public Slicer(Method method, Region region, Set<Register> unavailable) {
        this(method, region, unavailable, Set.of(), region.ops());
    }

    /**
     * Makes a slicer of a part of a loop.
     *
     * @param inside all ops of the loop: what runs there does not leave it
     */
    public Slicer(Method method, Region region, Set<Register> unavailable, BitSet inside) {
        this(method, region, unavailable, Set.of(), inside);
    }

    /**
     * Makes a slicer that leaves out some branches.
     *
     * @param assumed branches that are taken for granted
     */
    public Slicer(Method method, Region region, Set<Register> unavailable, Set<Integer> assumed) {
        this(method, region, unavailable, assumed, region.ops());
    }

    private Slicer(Method method, Region region, Set<Register> unavailable, Set<Integer> assumed, BitSet inside) {
        this.inside = inside;
        this.method = method;
        this.region = region;
        this.unavailable = unavailable;
        this.assumed = InOrder.copyOf(assumed);
        this.aliases = new Aliases(method, region);
    }

    /** Lets the slice look at the results of these calls: an earlier stage sends them (R44). */
    public void lookAt(List<Integer> calls) {
        calls.forEach(looks::set);
    }

    /** Lets the copy have collections of its own in place of those that only the method knows (R71). */
    public void copyCollections(OwnCollections collections) {
        own = collections;
    }

    /** Lets the copy follow the program's iterator over elements of another node, if it has no other iterator (R34). */
    public void followElements() {
        followsElements = true;
    }

    /**
     * Lets another strand add to one of these.
     *
     * @param queue the op that makes it
     */
    public void feed(int queue) {
        fed = queue;
    }

    /** The branch because of which the result of a call was needed that cannot be looked at; -1 if there was none. */
    public int openBranch() {
        return openBranch;
    }

    /** Adds what decides whether places are reached. */
    public void addPlaces(List<Integer> places) throws Refused {
        for (int place : places) {
            addRoots(place);
        }
        close();
    }

    private void addRoots(int place) throws Refused {
        for (int decider : region.deciders(place)) {
            roots.set(decider);
        }
        addDeciders(place);
    }

    /** Adds what decides about a call. */
    public void addSend(int send) throws Refused {
        addSend(send, Set.of());
    }

    /**
     * Adds the code that decides about a call.
     *
     * @param passed parameters whose arguments the server puts in (R50)
     */
    public void addSend(int send, Set<Integer> passed) throws Refused {
        checkOrdinary(send);
        sent.set(send);
        List<Register> operands = method.op(send).uses();
        for (int i = 0; i < operands.size(); i++) {
            if (!passed.contains(i - 1)) {
                addOperand(send, operands.get(i));
            }
        }
        addRoots(send);
        close();
    }

    private void checkOrdinary(int call) throws Refused {
        if (!region.ordinary().get(call)) {
            throw method.refused(Rule.R41, call, "the call is in an exception handler");
        }
    }

    /** Adds the code that computes the value of a register in front of an op. */
    public void addValue(int index, Register register) throws Refused {
        addOperand(index, register);
        close();
    }

    /** Adds the code that decides whether there is another pass. */
    public void addPasses() throws Refused {
        addDeciders(region.again());
        addDeciders(region.out());
        close();
    }

    /** Adds a branch, and the code that decides about it. */
    public void addBranch(int branch) throws Refused {
        add(branch);
        close();
    }

    /** Notes that the region is a method that calls itself: what a slice makes, it makes in each activation. */
    public void repeat() {
        isRepeated = true;
    }

    /** Adds the code that decides about a call of a method that calls itself, and computes some of its operands. */
    public void addSelf(int call, List<Integer> operands) throws Refused {
        checkOrdinary(call);
        sent.set(call);
        for (int operand : operands) {
            addOperand(call, method.op(call).uses().get(operand));
        }
        addRoots(call);
        close();
    }

    /** Adds the code that decides whether the method returns at an op, and computes the value that it returns. */
    public void addReturn(int index) throws Refused {
        checkOrdinary(index);
        addOperands(index);
        addRoots(index);
        close();
    }

    /** Adds an op, and the code that decides about it. */
    public void addOp(int index) throws Refused {
        add(index);
        close();
    }

    /** Checks that the slice is free of effects, and returns it; the caller adds tests for what happens beside it. */
    public SendSlice slice(List<Integer> sends, List<EntryTest> tests) throws Refused {
        for (int i = executed.nextSetBit(0); i >= 0; i = executed.nextSetBit(i + 1)) {
            if (!method.isCandidate(i) && !looks.get(i)) {
                checkPure(i);
            }
        }
        Set<Register> banked = new LinkedHashSet<>();
        for (int i = executed.nextSetBit(0); i >= 0; i = executed.nextSetBit(i + 1)) {
            Register def = method.op(i).def();
            if (def != null) {
                banked.add(def);
            }
        }
        for (OwnIterator own : iterators) {
            banked.add(own.iterator());
        }
        Set<Register> copiedIn = new LinkedHashSet<>(banked);
        copiedIn.retainAll(read);
        for (OwnIterator own : iterators) {
            if (!region.ops().get(own.made())) {
                copiedIn.remove(own.iterator());
            }
        }
        BitSet looked = (BitSet) executed.clone();
        looked.and(looks);
        return new SendSlice(region, executed, looked, List.copyOf(sends), checks, banked, copiedIn, iterators, tests);
    }

    private void addOperands(int index) throws Refused {
        for (Register use : method.op(index).uses()) {
            addOperand(index, use);
        }
    }

    private void addOperand(int index, Register use) throws Refused {
        BitSet definitions = region.definitions(index, use);
        for (int i = definitions.nextSetBit(0); i >= 0; i = definitions.nextSetBit(i + 1)) {
            if (i < method.graph().size()) {
                users.putIfAbsent(i, index);
                add(i);
            } else {
                addOutside(index, use);
            }
        }
    }

    private void addOutside(int index, Register use) throws Refused {
        if (unavailable.contains(use)) {
            throw method.refused(Rule.R8, index, "it depends on the result of the call before it");
        }
        if (aliases.isUnfinished(index, use)) {
            throw method.refused(Rule.R26, index, "it needs an object whose constructor runs in between");
        }
        read.add(use);
    }

    private void addDeciders(int place) throws Refused {
        for (int decider : region.deciders(place)) {
            if (!assumed.contains(decider)) {
                add(decider);
            }
        }
    }

    private void add(int index) throws Refused {
        if (executed.get(index)) {
            return;
        }
        if (!region.ordinary().get(index)) {
            throw method.refused(
                    Rule.R41, index, "it depends on what an exception handler does", "do not change it in the handler");
        }
        if (method.isCandidate(index) && !looks.get(index)) {
            openBranch = branchAbove(index);
            throw method.refused(Rule.R30, index, "it depends on the result of " + method.nameOf(index));
        }
        if (OpaqueValue.is(method.op(index))) {
            throw method.refused(
                    Rule.R69, index, "it depends on the result of a stream", "collect the results in a loop");
        }
        executed.set(index);
        allocates |= Definitions.isAllocation(method.op(index));
        work.add(index);
    }

    /**
     * The branch that decides about calls or passes and needs what an op computes, by way of which the slice came to
     * it.
     */
    private int branchAbove(int index) {
        Integer at = users.get(index);
        for (int i = 0; at != null && i < method.graph().size(); i++) {
            if (roots.get(at)) {
                return at;
            }
            at = users.get(at);
        }
        return -1;
    }

    private void close() throws Refused {
        do {
            while (!work.isEmpty()) {
                int index = work.remove();
                if (isIteration(index)) {
                    addIterator(index);
                }
                if (!method.isCandidate(index) && !looks.get(index)) {
                    addOperands(index);
                    addChanges(index);
                }
                for (int decider : region.deciders(index)) {
                    users.putIfAbsent(decider, index);
                }
                addDeciders(index);
            }
            addInitialisers();
        } while (!work.isEmpty());
    }

    /** Adds all ops that change a collection of which the copy has its own, if an op reads or changes it. */
    private void addChanges(int index) throws Refused {
        OwnCollections collections = own;
        if (collections == null) {
            return;
        }
        Effect effect = method.effects().of(method.op(index));
        List<Access> accesses = new ArrayList<>(effect.reads());
        accesses.addAll(effect.writes());
        for (Access access : accesses) {
            int made = collections.accessed(index, access);
            if (made >= 0 && kept.add(made)) {
                for (int use : collections.uses(made)) {
                    if (collections.writes(use, made) && (made != fed || !QueueOps.isAdded(method.op(use)))) {
                        add(use);
                    }
                }
            }
        }
    }

    private boolean isOwn(int index, Access access) {
        return own != null && own.accessed(index, access) >= 0;
    }

    /** Adds the ops that write to the new objects of the slice, as they are part of making these objects. */
    private void addInitialisers() throws Refused {
        if (!allocates) {
            return;
        }
        for (int i = region.ordinary().nextSetBit(0);
                i >= 0;
                i = region.ordinary().nextSetBit(i + 1)) {
            if (executed.get(i)
                    || !(method.op(i) instanceof InsnOp op)
                    || op.uses().isEmpty()
                    || method.isCandidate(i)) {
                continue;
            }
            MethodInsnNode call = op.method();
            boolean initialises = call != null && call.name.equals("<init>");
            if ((initialises || writesTo(i, op.uses().get(0)))
                    && isNewInSlice(i, op.uses().get(0))
                    && !isUnread(i, op)) {
                add(i);
            }
        }
    }

    /** Whether an op writes to elements of an array that nothing of the slice reads after that. */
    private boolean isUnread(int index, InsnOp store) {
        BitSet used = (BitSet) executed.clone();
        used.or(sent);
        return new UnreadElements(method, region, aliases).isUnread(index, store, used);
    }

    private boolean writesTo(int index, Register base) {
        for (Access write : method.effects().of(method.op(index)).writes()) {
            if (write.base() == base) {
                return true;
            }
        }
        return false;
    }

    /** Whether the object in a register was made by an op of the slice in the same pass. */
    private boolean isNewInSlice(int index, Register register) {
        BitSet made = region.origins(index, register);
        return !made.isEmpty()
                && made.stream().allMatch(each -> executed.get(each) && Definitions.isAllocation(method.op(each)));
    }

    private boolean isIteration(int index) {
        return isIteration(method.op(index));
    }

    /** Whether an op calls {@code next()} or {@code hasNext()} of an iterator. */
    public static boolean isIteration(Op op) {
        return op instanceof InsnOp insn
                && insn.method() != null
                && insn.method().owner.equals("java/util/Iterator")
                && (insn.method().name.equals("next") || insn.method().name.equals("hasNext"));
    }

    private void addIterator(int index) throws Refused {
        Register iterator = region.root(index, method.op(index).uses().get(0));
        int made = method.whole().origin(index, method.op(index).uses().get(0));
        boolean arrives = followsElements
                && made >= 0
                && !inside.get(made)
                && method.isCandidate(made)
                && method.helper(made) == null
                && Definitions.returnsIterator(method.op(made));
        if (arrives && !asksFirst(method::op, region, iterator)) {
            throw method.refused(
                    Rule.R34,
                    index,
                    "the elements of another node are not asked for first in each pass",
                    "begin each pass with hasNext(), or collect the elements first");
        }
        boolean isKnown =
                arrives || made >= 0 && !method.isCandidate(made) && Definitions.makesIterator(method.op(made));
        if (!isKnown
                || !new FreshIterator(method, region, inside, isRepeated || region.repeats())
                        .holds(made, iterator, index)) {
            throw method.refused(Rule.R34, index, "the iterator is not made right before the loop");
        }
        // Every next() belongs to the slice: a skipped one would shift the elements.
        for (int i = region.ordinary().nextSetBit(0);
                i >= 0;
                i = region.ordinary().nextSetBit(i + 1)) {
            if (isIteration(i) && region.root(i, method.op(i).uses().get(0)) == iterator) {
                add(i);
            }
        }
        boolean isOfCopy = !region.ops().get(made) && removes(iterator);
        OwnIterator own = new OwnIterator(iterator, made, method.op(made).uses().get(0), isOfCopy, arrives);
        if (!iterators.contains(own)) {
            iterators.add(own);
        }
        if (iterators.size() > 1 && iterators.stream().anyMatch(OwnIterator::arrives)) {
            throw method.refused(
                    Rule.R34,
                    index,
                    "elements of another node arrive, and there is a second iterator",
                    "collect the elements first");
        }
    }

    /** Whether the region removes elements by an iterator. */
    private boolean removes(Register iterator) {
        return region.ops().stream()
                .anyMatch(i -> isRemoval(method.op(i))
                        && region.root(i, method.op(i).uses().get(0)) == iterator);
    }

    /** Whether an op calls {@code remove()} of an iterator. */
    public static boolean isRemoval(Op op) {
        return op instanceof InsnOp insn
                && insn.method() != null
                && insn.method().owner.equals("java/util/Iterator")
                && insn.method().name.equals("remove");
    }

    /**
     * Whether each pass of a loop begins with the question whether an iterator has one more element: a copy that asks before the
     * program then waits only where the program waits next.
     *
     * @param ops the code, by index
     */
    public static boolean asksFirst(IntFunction<Op> ops, Region region, Register iterator) {
        int index = region.entry();
        while (ops.apply(index) instanceof LabelOp
                || ops.apply(index) instanceof LineOp
                || ops.apply(index) instanceof MoveOp) {
            index++;
        }
        return ops.apply(index) instanceof InsnOp first
                && first.method() != null
                && first.method().name.equals("hasNext")
                && region.root(index, first.uses().get(0)) == iterator;
    }

    private void checkPure(int index) throws Refused {
        Effect effect = method.effects().of(method.op(index));
        if (effect.barrier() != null) {
            throw method.refused(index, effect.barrier());
        }
        if (effect.output()) {
            throw method.refused(Rule.R31, index, "the call depends on code that prints");
        }
        for (Access write : effect.writes()) {
            boolean isOwnCursor = write.place() instanceof HeapRegion.Cursor && isIteration(index);
            if (!isOwnCursor && !isOwn(index, write) && (write.base() == null || !isNewInSlice(index, write.base()))) {
                throw method.refused(
                        Rule.R31,
                        index,
                        "the call depends on code that changes " + write.place(),
                        "compute the argument without side effects");
            }
        }
        boolean isOwnIterator = iterators.stream().anyMatch(own -> own.made() == index);
        List<Guard> guards = effect.guards().stream()
                .filter(guard -> own == null || guard.kind() != Guard.Kind.PLAIN || own.of(index, guard.object()) < 0)
                .toList();
        if (!guards.isEmpty() && !isIteration(index) && !isOwnIterator) {
            checks.put(index, guards);
        }
    }
}
