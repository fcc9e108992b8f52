package dev.cleave.agent.plan.order;

import dev.cleave.agent.effect.Access;
import dev.cleave.agent.effect.Effect;
import dev.cleave.agent.effect.Guard;
import dev.cleave.agent.effect.HeapRegion;
import dev.cleave.agent.ir.InsnOp;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.ir.Register;
import dev.cleave.agent.ir.RegisterKind;
import dev.cleave.agent.plan.analysis.Definitions;
import dev.cleave.agent.plan.analysis.Region;
import dev.cleave.agent.plan.method.EntryTest;
import dev.cleave.agent.plan.method.Helper;
import dev.cleave.agent.plan.method.Method;
import dev.cleave.agent.plan.method.OwnIterator;
import dev.cleave.agent.plan.method.Value;
import dev.cleave.agent.plan.slice.Aliases;
import dev.cleave.agent.plan.slice.OwnArrays;
import dev.cleave.agent.plan.slice.OwnCollections;
import dev.cleave.agent.plan.slice.Slicer;
import dev.cleave.agent.plan.slice.SubscriptTest;
import dev.cleave.agent.plan.verdict.Refused;
import dev.cleave.agent.rule.Rule;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Type;

/**
 * Whether calls may be sent before code that the program runs first: the crossing table of the sends (R9, R10, R33,
 * R43).
 *
 * <p>What cannot be told from the code is left to {@link EntryTest}s.
 */
public final class ReorderingCheck {

    private final Method method;
    private final Region region;
    private final BitSet executed;
    private final List<Integer> sends;
    private final List<OwnIterator> iterators;
    private final Aliases aliases;
    private final SubscriptTest induction;
    private final PassedElements passed;
    private final GuardCheck guards;
    private final Set<EntryTest> tests = new LinkedHashSet<>();
    private boolean mayReadLater;
    private final List<Read> reads = new ArrayList<>();

    private record Read(int index, Access access, @Nullable Value value) {}

    /** Prepares to judge sends in a region. */
    public ReorderingCheck(
            Method method, Region region, BitSet executed, List<Integer> sends, List<OwnIterator> iterators) {
        this(method, region, executed, sends, iterators, Map.of());
    }

    /**
     * Prepares it for calls some of whose arguments the server puts in (R50).
     *
     * @param passed the parameters of such calls
     */
    public ReorderingCheck(
            Method method,
            Region region,
            BitSet executed,
            List<Integer> sends,
            List<OwnIterator> iterators,
            Map<Integer, Set<Integer>> passed) {
        this.method = method;
        this.region = region;
        this.executed = executed;
        this.sends = sends;
        this.iterators = iterators;
        this.aliases = new Aliases(method, region);
        this.induction = new SubscriptTest(method, region);
        this.passed = new PassedElements(method, region, iterators);
        this.guards = new GuardCheck(method, region, executed, iterators, aliases, tests);
        for (int i = executed.nextSetBit(0); i >= 0; i = executed.nextSetBit(i + 1)) {
            if (isOfArriving(i)) {
                continue; // no object of this node
            }
            for (Access read : method.effects().of(method.op(i)).reads()) {
                reads.add(new Read(i, read, valueOf(i, read)));
            }
        }
        for (int send : sends) {
            Helper helper = method.helper(send);
            if (helper == null) {
                addSerialised(send, passed.getOrDefault(send, Set.of()));
            } else {
                helper.reads().forEach(read -> reads.add(new Read(send, read, null)));
            }
        }
    }

    /** Whether an op asks an iterator for elements of another node. */
    private boolean isOfArriving(int index) {
        return Slicer.isIteration(method.op(index))
                && iterators.stream()
                        .anyMatch(own -> own.arrives()
                                && own.iterator()
                                        == region.root(
                                                index, method.op(index).uses().get(0)));
    }

    /** Prepares it for a copy that may also read later than the program, after the program's writes. */
    public static ReorderingCheck strict(
            Method method, Region region, BitSet executed, List<Integer> sends, List<OwnIterator> iterators) {
        ReorderingCheck check = new ReorderingCheck(method, region, executed, sends, iterators);
        check.mayReadLater = true;
        return check;
    }

    /** Notes that the copy has collections of its own in place of these: it does not read the program's. */
    public void copyCollections(OwnCollections collections) {
        guards.copyCollections(collections);
        reads.removeIf(read -> collections.accessed(read.index(), read.access()) >= 0);
    }

    /**
     * Notes that the copy takes the way of the program, pass by pass: its tests hold for the ops of the program, too.
     */
    public void copyTests() {
        guards.copyTests();
    }

    /** Checks the sends against all of these ops; returns what remains to be tested at run time. */
    public List<EntryTest> check(BitSet crossed) throws Refused {
        for (int send : sends) {
            checkRestored(send);
        }
        for (int i = crossed.nextSetBit(0); i >= 0; i = crossed.nextSetBit(i + 1)) {
            if (sends.contains(i)) {
                crossHelper(i);
                crossRestored(i);
            } else if (method.isCandidate(i) || !executed.get(i)) {
                cross(i);
            }
        }
        return List.copyOf(tests);
    }

    /** Returns the heap regions that the slice and the sends read, without the registers that hold the objects. */
    public List<Access> places() {
        return reads.stream()
                .map(read -> new Access(read.access().place(), null, null))
                .toList();
    }

    /** Returns the heap regions that the slice and the sends read, but those of objects that only the method knows. */
    public List<HeapRegion> shared() {
        return reads.stream()
                .filter(read -> !isUnknownElsewhere(read))
                .map(read -> read.access().place())
                .toList();
    }

    /** Whether a read is of an object that no other method knows: one that the method has made, or the result of a call. */
    private boolean isUnknownElsewhere(Read read) {
        Register base = read.access().base();
        if (base == null) {
            return false;
        }
        for (OwnIterator each : iterators) {
            if (each.iterator() == region.root(read.index(), base)) {
                return aliases.ownOrResult(each.made(), each.collection()) >= 0;
            }
        }
        return aliases.ownOrResult(read.index(), base) >= 0;
    }

    /** Checks the sends against a method that is called in their region, and that writes to some places. */
    public void crossWalk(int call, List<HeapRegion> writes) throws Refused {
        for (HeapRegion write : writes) {
            for (Read read : reads) {
                if (write.meets(read.access().place()) && !isUnknownElsewhere(read)) {
                    throw changes(call, write);
                }
            }
        }
    }

    /**
     * Checks the sends against a helper, or a call that changes arguments, that stands right before the region, but ends after
     * the sends.
     */
    public void crossLeader(int leader) throws Refused {
        if (method.helper(leader) == null && !method.restores(leader)) {
            return;
        }
        for (Access write : method.writes(leader)) {
            boolean isRead = reads.stream()
                    .anyMatch(read -> write.place().meets(read.access().place()) && !isApart(leader, write, read));
            boolean isTested = tests.stream()
                    .flatMap(test -> test.values().stream())
                    .flatMap(value -> value.ops().stream())
                    .flatMap(op -> method.effects().of(op).reads().stream())
                    .anyMatch(read -> write.place().meets(read.place()));
            if (isRead || isTested) {
                throw changes(leader, write.place());
            }
        }
    }

    /** Checks the sends against a helper that is called in their region, before which they are sent. */
    private void crossHelper(int index) throws Refused {
        Helper helper = method.helper(index);
        if (helper != null) {
            Guard exact = helper.exact((InsnOp) method.op(index));
            if (exact != null) {
                guards.check(index, exact);
            }
            for (Access write : helper.writes()) {
                for (Read read : reads) {
                    meet(index, write, read);
                }
            }
        }
    }

    /** Checks the sends against what the await of a call of their region changes. */
    private void crossRestored(int index) throws Refused {
        for (Access write : method.restored(index)) {
            for (Read read : reads) {
                if (!isGivenAnew(index, read) && !isApart(index, write, read) && !isOfPassAlone(index, write, read)) {
                    meet(index, write, read);
                }
            }
        }
    }

    /**
     * Whether a read is that of a call for its own arguments: its send goes before its await. In a loop this holds for the arrays that
     * it changes: each pass has others, which the run-ahead looks at.
     */
    private boolean isGivenAnew(int call, Read read) {
        return read.index() == call
                && (!region.repeats()
                        || method.restoredArguments(call).contains(read.access().base()));
    }

    /**
     * Whether a call changes an array that the same pass has made, which nothing but registers and arguments of remote calls knows, and
     * a read is of another one.
     */
    private boolean isOfPassAlone(int call, Access write, Read read) {
        Register written = write.base();
        Register base = read.access().base();
        int made = written == null ? -1 : region.origin(call, written);
        return isNew(made)
                && base != null
                && !aliases.isGivenAway(made, op -> method.isCandidate(op) && method.helper(op) == null)
                && !aliases.mayHold(read.index(), base, made);
    }

    /** Whether a read is certainly of another array than a write: the method has made both, or one is older than the other. */
    private boolean isApart(int writer, Access write, Read read) {
        Register written = write.base();
        Register base = read.access().base();
        if (written == null || base == null || read.access().place() instanceof HeapRegion.Anything) {
            return false;
        }
        return Aliases.areApart(method, writer, written, read.index(), base);
    }

    /** Checks that a call which changes arrays is sent with the very arrays that it has at its place: no copies of the slice. */
    private void checkRestored(int send) throws Refused {
        for (Register given : method.restoredArguments(send)) {
            if (region.repeats()) {
                checkPasses(send, given);
                continue;
            }
            Value value = aliases.atEntry(send, given);
            if (value == null || !value.ops().stream().allMatch(Definitions::passesOn)) {
                throw method.refused(
                        Rule.R75, send, "it changes an array that is not there when the call could be sent");
            }
        }
    }

    /** Checks that a call of a loop may change another array in each pass: one that the pass makes, or one that it comes to. */
    private void checkPasses(int send, Register given) throws Refused {
        if (!isOwn(send, given) && !new PassedArrays(method, region).isComeTo(send, given)) {
            throw method.refused(
                    Rule.R75,
                    send,
                    "it may change the same array in each pass",
                    "give it an array of its own in each pass");
        }
    }

    private void cross(int index) throws Refused {
        Op op = method.op(index);
        if (method.isCandidate(index) && method.helper(index) == null) {
            Value receiver = aliases.atEntry(index, op.uses().get(0));
            if (receiver == null) {
                throw method.refused(
                        Rule.R3, index, "the receiver of " + method.nameOf(index) + " may be a local object");
            }
            tests.add(new EntryTest(EntryTest.Kind.STUB, List.of(receiver), ""));
            crossRestored(index);
            return;
        }
        Effect effect = method.effects().of(op);
        if (effect.barrier() != null) {
            throw method.refused(index, effect.barrier());
        }
        for (int i = executed.nextSetBit(0); i >= 0; i = executed.nextSetBit(i + 1)) {
            if (method.eligible().mayNotice(index, i)) {
                throw method.refused(
                        Rule.R1,
                        index,
                        "the constructor sets a field that a call sent ahead may need",
                        "keep the value in a variable");
            }
        }
        for (Guard guard : effect.guards()) {
            guards.check(index, guard);
        }
        for (Access write : effect.writes()) {
            for (Read read : reads) {
                meet(index, write, read);
            }
        }
    }

    /**
     * Tests at the entry the objects with which ops would run code that is not known, although copies run these ops and look at the
     * objects: a copy that finds such an object ends, and others go on that may be ahead of the op.
     */
    public void testCopied(BitSet copied) throws Refused {
        for (int i = copied.nextSetBit(0); i >= 0; i = copied.nextSetBit(i + 1)) {
            if (method.isCandidate(i)) {
                cross(i);
            } else if (!Slicer.isIteration(method.op(i))) {
                for (Guard guard : method.effects().of(method.op(i)).guards()) {
                    guards.check(i, guard);
                }
            }
        }
    }

    private void meet(int writer, Access write, Read read) throws Refused {
        if (!write.place().meets(read.access().place())
                || !mayFollow(writer, read.index())
                || passed.isBehind(writer, read.index(), mayReadLater)) {
            return;
        }
        Register written = write.base();
        if (written != null && !PassedElements.isByIterator(method.op(writer))) {
            BitSet made = aliases.ownObjects(writer, written);
            int array = made.isEmpty() ? new OwnArrays(method, region).of(writer, written) : -1;
            if (array >= 0) {
                made.set(array);
            }
            Register base = read.access().base();
            boolean isOther =
                    base == null || made.stream().noneMatch(each -> aliases.mayHold(read.index(), base, each));
            if (!made.isEmpty() && isOther) {
                return;
            }
            if (base != null
                    && new OwnMapValues(method, region, aliases).isApart(writer, written, read.index(), base)) {
                return;
            }
            if (read.access().place() instanceof HeapRegion.Elements
                    && base != null
                    && aliases.atEntry(writer, written) != null
                    && read.value() != null
                    && !mayReadLater
                    && induction.isApart(writer, write, read.index(), read.access())) {
                return;
            }
            BitSet copied = region.origins(writer, written);
            if (!copied.isEmpty()
                    && copied.stream().allMatch(each -> isNew(each) && executed.get(each))
                    && base != null
                    && region.origins(read.index(), base).equals(copied)
                    && induction.isApartSince(copied, writer, write, read.index(), read.access())) {
                return; // the copy has an array of its own
            }
            boolean isWhole = read.access().place() instanceof HeapRegion.Anything;
            if (!isWhole && read.value() != null && isNew(region.origin(writer, written))) {
                return; // the reader's object was there before
            }
            List<Value> values = new ArrayList<>();
            Value wanted = read.value();
            if (wanted != null
                    && !isWhole
                    && isNewOrKnown(writer, written, values, new BitSet())
                    && values.stream().noneMatch(wanted::isSame)) {
                values.forEach(each -> tests.add(new EntryTest(EntryTest.Kind.APART, List.of(each, wanted), "")));
                return;
            }
        }
        throw changes(writer, write.place());
    }

    /**
     * Whether a register holds, before an op, an object that the region has made, or one that can be named at the entry.
     *
     * @param known takes those at the entry
     * @param seen the ops that pass it on which were looked at
     */
    private boolean isNewOrKnown(int index, Register register, List<Value> known, BitSet seen) {
        Value value = aliases.atEntry(index, register);
        if (value != null) {
            known.add(value);
            return true;
        }
        BitSet definitions = region.definitions(index, register);
        for (int i = definitions.nextSetBit(0); i >= 0; i = definitions.nextSetBit(i + 1)) {
            if (i >= method.graph().size()) {
                known.add(new Value(List.of(), register));
            } else if (Definitions.passesOn(method.op(i))) {
                boolean isFirst = !seen.get(i);
                seen.set(i);
                if (isFirst && !isNewOrKnown(i, method.op(i).uses().get(0), known, seen)) {
                    return false;
                }
            } else if (!Definitions.isAllocation(method.op(i))) {
                return false;
            }
        }
        return !definitions.isEmpty();
    }

    /** Whether an op of the region makes an object. */
    private boolean isNew(int made) {
        return made >= 0 && region.ops().get(made) && Definitions.isAllocation(method.op(made));
    }

    private Refused changes(int writer, HeapRegion write) {
        return method.refused(Rule.R33, writer, "it changes " + write + ", which a call sent ahead may need as it was");
    }

    /** Whether a reader may, in the program, run after a writer. */
    private boolean mayFollow(int writer, int reader) {
        return mayReadLater || region.repeats() || region.after(writer).get(reader);
    }

    private @Nullable Value valueOf(int index, Access read) {
        Register base = read.base();
        if (base == null) {
            return null;
        }
        for (OwnIterator own : iterators) {
            if (own.iterator() == region.root(index, base)) {
                return collectionOf(own);
            }
        }
        return aliases.atEntry(index, base);
    }

    private @Nullable Value collectionOf(OwnIterator own) {
        if (region.ops().get(own.made())) {
            return aliases.atEntry(own.made(), own.collection());
        }
        Region whole = method.whole();
        for (Register holder : List.of(whole.root(own.made(), own.collection()), own.collection())) { // best a variable
            BitSet then = whole.definitions(own.made(), holder);
            BitSet now = whole.definitions(region.entry(), holder);
            if (then.equals(now)) {
                return new Value(List.of(), holder);
            }
        }
        return null;
    }

    /** Serialising an argument reads all that can be reached from it. */
    private void addSerialised(int send, Set<Integer> passed) {
        InsnOp call = (InsnOp) method.op(send);
        Type[] types = call.method() == null ? new Type[0] : Type.getArgumentTypes(call.method().desc);
        for (int i = 0; i < types.length; i++) {
            Register argument = call.uses().get(i + 1);
            if (argument.kind() != RegisterKind.REFERENCE
                    || passed.contains(i)
                    || method.effects().isValue(types[i])
                    || method.effects().isValue(call, argument)
                    || isOwn(send, argument)) {
                continue;
            }
            HeapRegion place = new HeapRegion.Anything();
            if (types[i].getSort() == Type.ARRAY) {
                Type element = Type.getType(types[i].getDescriptor().substring(1));
                if (method.effects().isValue(element)) {
                    place = new HeapRegion.Elements(kindOf(element));
                }
            }
            Access access = new Access(place, argument, null);
            reads.add(new Read(send, access, aliases.atEntry(send, argument)));
        }
    }

    private static char kindOf(Type element) {
        if (element.getSort() == Type.OBJECT) {
            return 'A';
        }
        char kind = element.getDescriptor().charAt(0);
        return kind == 'Z' ? 'B' : kind;
    }

    /** Whether an argument is an object that the slice makes anew, from nothing but values. */
    private boolean isOwn(int send, Register argument) {
        int made = region.origin(send, argument);
        if (made < 0 || !executed.get(made) || !Definitions.isAllocation(method.op(made))) {
            return false;
        }
        BitSet before = region.before(send);
        return before.stream().allMatch(i -> keepsOwn(i, made) && (i == send || !changes(i, made)));
    }

    /** Whether the await of a call changes an array that an op made. */
    private boolean changes(int call, int made) {
        return method.restoredArguments(call).stream().anyMatch(given -> aliases.mayHold(call, given, made));
    }

    /** Whether an op leaves an own object to the slice, and puts nothing but values into it. */
    private boolean keepsOwn(int index, int made) {
        Op op = method.op(index);
        if (!(op instanceof InsnOp)
                || Definitions.passesOn(op)
                || method.isCandidate(index) && method.helper(index) == null) {
            return true;
        }
        Effect effect = method.effects().of(op);
        boolean onlyReads = op.def() != null && effect.writes().isEmpty() && effect.barrier() == null;
        for (int i = 0; i < op.uses().size() && !onlyReads; i++) {
            Register use = op.uses().get(i);
            if (use.kind() == RegisterKind.REFERENCE && aliases.mayHold(index, use, made)) {
                boolean isFilled = i == 0 && executed.get(index) && op.def() == null;
                if (!isFilled || !op.uses().stream().skip(1).allMatch(given -> isPlainValue(op, given))) {
                    return false;
                }
            }
        }
        return true;
    }

    private boolean isPlainValue(Op op, Register register) {
        return register.kind() != RegisterKind.REFERENCE || method.effects().isValue(op, register);
    }
}
