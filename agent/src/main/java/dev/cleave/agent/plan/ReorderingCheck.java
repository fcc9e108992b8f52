package dev.cleave.agent.plan;

import dev.cleave.agent.effect.Access;
import dev.cleave.agent.effect.Effect;
import dev.cleave.agent.effect.Guard;
import dev.cleave.agent.effect.HeapRegion;
import dev.cleave.agent.ir.InsnOp;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.ir.Register;
import dev.cleave.agent.ir.RegisterKind;
import dev.cleave.agent.rule.Rule;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.TypeInsnNode;

/**
 * Whether calls may be sent before code that the program runs first: the crossing table of the sends (R9, R10, R33, R43).
 *
 * <p>What cannot be told from the code is left to {@link EntryTest}s.
 */
final class ReorderingCheck {

    private static final Set<String> CONTAINED = Set.of(
            "java/util/ArrayList",
            "java/util/LinkedList",
            "java/util/ArrayDeque",
            "java/util/HashMap",
            "java/util/LinkedHashMap",
            "java/util/HashSet",
            "java/util/LinkedHashSet");

    private final Method method;
    private final Region region;
    private final BitSet executed;
    private final List<Integer> sends;
    private final List<OwnIterator> iterators;
    private final Aliases aliases;
    private final SubscriptTest induction;
    private final Set<EntryTest> tests = new LinkedHashSet<>();
    private boolean mayReadLater;
    private final List<Read> reads = new ArrayList<>();

    private record Read(int index, Access access, @Nullable Value value) {}

    ReorderingCheck(Method method, Region region, BitSet executed, List<Integer> sends, List<OwnIterator> iterators) {
        this(method, region, executed, sends, iterators, Map.of());
    }

    /**
     * Prepares it for calls some of whose arguments the server puts in (R50).
     *
     * @param passed the parameters of such calls
     */
    ReorderingCheck(
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
        for (int i = executed.nextSetBit(0); i >= 0; i = executed.nextSetBit(i + 1)) {
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

    /** Prepares it for a copy that may read later than the program, too, which has then written what the program writes. */
    static ReorderingCheck strict(
            Method method, Region region, BitSet executed, List<Integer> sends, List<OwnIterator> iterators) {
        ReorderingCheck check = new ReorderingCheck(method, region, executed, sends, iterators);
        check.mayReadLater = true;
        return check;
    }

    /** Checks the sends against all of these ops; returns what remains to be tested at run time. */
    List<EntryTest> check(BitSet crossed) throws Refused {
        for (int i = crossed.nextSetBit(0); i >= 0; i = crossed.nextSetBit(i + 1)) {
            if (sends.contains(i)) {
                crossHelper(i);
            } else if (method.isCandidate(i) || !executed.get(i)) {
                cross(i);
            }
        }
        return List.copyOf(tests);
    }

    /** What the slice and the sends read, wherever the objects are. */
    List<Access> places() {
        return reads.stream()
                .map(read -> new Access(read.access().place(), null, null))
                .toList();
    }

    /** Checks the sends against a helper that is called right before the region is entered, but runs after the sends. */
    void crossLeader(int leader) throws Refused {
        Helper helper = method.helper(leader);
        if (helper == null) {
            return;
        }
        for (Access write : helper.writes()) {
            boolean isRead = reads.stream()
                    .anyMatch(read -> write.place().meets(read.access().place()));
            boolean isTested = tests.stream()
                    .flatMap(test -> test.values().stream())
                    .flatMap(value -> value.ops().stream())
                    .flatMap(op -> method.effects().of(op).reads().stream())
                    .anyMatch(read -> write.place().meets(read.place()));
            if (isRead || isTested) {
                throw changes(leader, write);
            }
        }
    }

    /** Other calls are sent before a helper runs that is called in their region. */
    private void crossHelper(int index) throws Refused {
        Helper helper = method.helper(index);
        if (helper != null) {
            if (helper.exact() != null) {
                test(
                        index,
                        new Guard(
                                Guard.Kind.EXACT_CLASS, method.op(index).uses().get(0), helper.exact()));
            }
            for (Access write : helper.writes()) {
                for (Read read : reads) {
                    meet(index, write, read);
                }
            }
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
            test(index, guard);
        }
        for (Access write : effect.writes()) {
            for (Read read : reads) {
                meet(index, write, read);
            }
        }
    }

    private void test(int index, Guard guard) throws Refused {
        int made = method.whole().origin(index, guard.object());
        if (made >= 0 && method.op(made) instanceof InsnOp insn && insn.opcode() == Opcodes.NEW) {
            String type = ((TypeInsnNode) insn.insn()).desc;
            if (guard.kind() == Guard.Kind.PLAIN && CONTAINED.contains(type)
                    || guard.type().equals(type)) {
                return;
            }
        }
        if (made >= 0 && region.ops().get(made) && Slicer.makesIterator(method.op(made))) {
            return; // that op has to be of a plain collection itself
        }
        Value value = aliases.atEntry(index, guard.object());
        if (value == null && made >= 0 && method.effects().settingOf(method.op(made)) != null) {
            throw method.refused(
                    Rule.R43,
                    index,
                    method.nameOf(index) + " runs code of what " + method.nameOf(made)
                            + " returns, which may be of any class",
                    "return an array, or mark the method @ReadOnly or @Pure if that is true");
        }
        if (value == null) {
            throw method.refused(
                    Rule.R43,
                    index,
                    method.nameOf(index) + " may call code that the agent does not know",
                    guard.kind() == Guard.Kind.EXACT_CLASS
                            ? "make " + guard.type().substring(guard.type().lastIndexOf('/') + 1)
                                    + " final, or a record"
                            : "use a collection that does not change from pass to pass");
        }
        EntryTest.Kind kind = guard.kind() == Guard.Kind.PLAIN ? EntryTest.Kind.CONTAINED : EntryTest.Kind.EXACT_CLASS;
        tests.add(new EntryTest(kind, List.of(value), guard.type()));
    }

    private void meet(int writer, Access write, Read read) throws Refused {
        if (!write.place().meets(read.access().place()) || !mayFollow(writer, read.index())) {
            return;
        }
        Register written = write.base();
        if (written != null) {
            int made = aliases.ownObject(writer, written);
            Register base = read.access().base();
            if (made >= 0 && (base == null || !aliases.mayHold(read.index(), base, made))) {
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
            Value value = aliases.atEntry(writer, written);
            boolean isWhole = read.access().place() instanceof HeapRegion.Anything;
            if (value != null && read.value() != null && !isWhole && !value.isSame(read.value())) {
                tests.add(new EntryTest(EntryTest.Kind.APART, List.of(value, read.value()), ""));
                return;
            }
        }
        throw changes(writer, write);
    }

    private Refused changes(int writer, Access write) {
        return method.refused(
                Rule.R33, writer, "it changes " + write.place() + ", which a call sent ahead may need as it was");
    }

    /** Whether a reader may, in the program, run after a writer. */
    private boolean mayFollow(int writer, int reader) {
        return region.repeats() || region.after(writer).get(reader);
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
        BitSet then = whole.definitions(own.made(), own.collection());
        BitSet now = whole.definitions(region.entry(), own.collection());
        return then.equals(now) ? new Value(List.of(), own.collection()) : null;
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
                    || method.effects().isValue(argument)
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
        if (made < 0 || !executed.get(made) || !Slicer.isAllocation(method.op(made))) {
            return false;
        }
        BitSet before = region.before(send);
        for (int i = before.nextSetBit(0); i >= 0; i = before.nextSetBit(i + 1)) {
            if (!keepsOwn(i, made)) {
                return false;
            }
        }
        return true;
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
                if (!isFilled || !op.uses().stream().skip(1).allMatch(this::isPlainValue)) {
                    return false;
                }
            }
        }
        return true;
    }

    private boolean isPlainValue(Register register) {
        return register.kind() != RegisterKind.REFERENCE || method.effects().isValue(register);
    }
}
