package dev.cleave.agent.plan.order;

import dev.cleave.agent.effect.Guard;
import dev.cleave.agent.effect.OpaqueValue;
import dev.cleave.agent.ir.InsnOp;
import dev.cleave.agent.ir.Register;
import dev.cleave.agent.plan.analysis.Definitions;
import dev.cleave.agent.plan.analysis.Region;
import dev.cleave.agent.plan.method.EntryTest;
import dev.cleave.agent.plan.method.Method;
import dev.cleave.agent.plan.method.OwnIterator;
import dev.cleave.agent.plan.method.Value;
import dev.cleave.agent.plan.slice.Aliases;
import dev.cleave.agent.plan.slice.OwnArrays;
import dev.cleave.agent.plan.slice.OwnCollections;
import dev.cleave.agent.plan.slice.Slicer;
import dev.cleave.agent.plan.verdict.Refused;
import dev.cleave.agent.rule.Rule;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.TypeInsnNode;

/**
 * Whether ops that calls are sent ahead of run only code that the agent knows (R43): what an op asks of the class of an object ({@link
 * Guard}) is shown by the code that makes the object, or tested when the region is entered.
 */
final class GuardCheck {

    private static final Set<String> CONTAINED = Set.of(
            "java/util/ArrayList",
            "java/util/LinkedList",
            "java/util/ArrayDeque",
            "java/util/HashMap",
            "java/util/LinkedHashMap",
            "java/util/EnumMap",
            "java/util/HashSet",
            "java/util/LinkedHashSet",
            "java/util/Date",
            "java/util/IntSummaryStatistics",
            "java/util/LongSummaryStatistics",
            "java/util/DoubleSummaryStatistics");

    /** Contained without a comparator. One made in the region has none: no constructor with one is known. */
    private static final Set<String> SORTED =
            Set.of("java/util/TreeMap", "java/util/TreeSet", OwnCollections.PRIORITY_QUEUE);

    private static final Set<String> MAPS =
            Set.of("java/util/Map", "java/util/HashMap", "java/util/LinkedHashMap", "java/util/TreeMap");
    private static final Set<String> VIEWS = Set.of("keySet", "values", "entrySet");

    private final Method method;
    private final Region region;
    private final BitSet executed;
    private final List<OwnIterator> iterators;
    private final Aliases aliases;
    private final Set<EntryTest> tests;
    private boolean copyTests;
    private @Nullable OwnCollections own;

    /**
     * Prepares to check ops of a region.
     *
     * @param executed the ops that a copy runs ahead
     * @param tests takes what remains to be tested at run time
     */
    GuardCheck(
            Method method,
            Region region,
            BitSet executed,
            List<OwnIterator> iterators,
            Aliases aliases,
            Set<EntryTest> tests) {
        this.method = method;
        this.region = region;
        this.executed = executed;
        this.iterators = iterators;
        this.aliases = aliases;
        this.tests = tests;
    }

    /** Notes that the copy has collections of its own in place of these. */
    void copyCollections(OwnCollections collections) {
        own = collections;
    }

    /** Notes that the copy takes the way of the program, pass by pass: its tests hold for the ops of the program, too. */
    void copyTests() {
        copyTests = true;
    }

    /**
     * Checks what an op asks of an object, and adds the test of the object at the entry if only a run can tell.
     *
     * @throws Refused if neither the code nor a test can tell
     */
    void check(int index, Guard guard) throws Refused {
        int made = method.whole().origin(index, guard.object());
        if (own != null && guard.kind() == Guard.Kind.PLAIN && isOwn(own, index, guard.object())) {
            return; // also if sorted: none of these has a comparator
        }
        if (guard.kind() == Guard.Kind.PLAIN && areContained(method.whole().origins(index, guard.object()))
                || made >= 0 && guard.type().equals(new MadeObjects(method).classOf(made))) {
            return;
        }
        if (guard.kind() == Guard.Kind.PLAIN && made >= 0 && (isIteratorOrView(made) || isEntry(made))) {
            return; // that op, or the one that made the view, has to be of a plain collection itself
        }
        if (guard.kind() == Guard.Kind.PLAIN
                && iterators.stream().anyMatch(each -> each.made() == made && !each.arrives())) {
            return; // without an iterator of its own over a plain collection the copy sends nothing
        }
        Value map = guard.kind() == Guard.Kind.PLAIN && made >= 0 ? mapOfEntry(made) : null;
        if (map != null) {
            tests.add(new EntryTest(EntryTest.Kind.CONTAINED, List.of(map), ""));
            return;
        }
        if (guard.kind() == Guard.Kind.PLAIN && new ReturnedCollections(method, region, aliases).isMadeByHelper(made)) {
            return;
        }
        if (guard.kind() == Guard.Kind.PLAIN
                && new OwnMapValues(method, region, aliases).arePlain(index, guard.object())) {
            return;
        }
        if (guard.kind() == Guard.Kind.PLAIN && made >= 0 && OpaqueValue.isCollection(method.op(made))) {
            return;
        }
        if (guard.type().equals(Guard.ELEMENTS)) {
            boolean holdsValues = new OwnArrays(method, region).holdValues(index, guard.object())
                    || new OwnElements(method, region).areValues(index, guard.object())
                    || new ResultElements(method).areQuiet(index, guard.object());
            if (!holdsValues) {
                throw method.refused(
                        Rule.R43,
                        index,
                        method.nameOf(index) + " may call code that the agent does not know",
                        advice(guard));
            }
            return;
        }
        Set<EntryTest> caught = guard.kind() == Guard.Kind.VALUE
                ? new CaughtObjects(method, region, aliases).tests(index, guard.object())
                : null;
        if (caught != null) {
            tests.addAll(caught);
            return;
        }
        Value value = aliases.atEntry(index, guard.object());
        if (value == null && isTestedAhead(index, guard)) {
            return;
        }
        List<EntryTest> ofService = value == null ? ofReturned(index, made, guard) : List.of();
        if (!ofService.isEmpty()) {
            tests.addAll(ofService);
            return;
        }
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
                    advice(guard));
        }
        EntryTest.Kind kind =
                switch (guard.kind()) {
                    case PLAIN -> EntryTest.Kind.CONTAINED;
                    case EXACT_CLASS -> EntryTest.Kind.EXACT_CLASS;
                    case CLASS_NAMED -> EntryTest.Kind.CLASS_NAMED;
                    case VALUE -> EntryTest.Kind.VALUE;
                };
        tests.add(new EntryTest(kind, List.of(value), guard.type()));
    }

    /** Whether a register holds a collection of which the copy has its own, one that runs no code of elements that it holds. */
    private static boolean isOwn(OwnCollections own, int index, Register register) {
        int made = own.of(index, register);
        return made >= 0 && !own.typeOf(made).equals(OwnCollections.PRIORITY_QUEUE);
    }

    /** Whether all of these ops, at least one, make collections of the JDK that run no code of the program but that of elements. */
    private boolean areContained(BitSet made) {
        return !made.isEmpty()
                && made.stream().allMatch(each -> {
                    String type = method.op(each) instanceof InsnOp insn && insn.opcode() == Opcodes.NEW
                            ? ((TypeInsnNode) insn.insn()).desc
                            : null;
                    return type != null
                            && (CONTAINED.contains(type)
                                    || SORTED.contains(type) && region.ops().get(each));
                });
    }

    /**
     * The tests under which an object that has arrived in the result of a remote call is as an op needs it; none if there are none. The object of a
     * call of a method of a class is certainly of that class, or of one below it.
     */
    private List<EntryTest> ofReturned(int index, int made, Guard guard) {
        boolean isOfClass = guard.kind() == Guard.Kind.EXACT_CLASS
                && method.op(index) instanceof InsnOp op
                && op.opcode() == Opcodes.INVOKEVIRTUAL
                && op.method() != null
                && op.method().owner.equals(guard.type())
                && op.uses().get(0) == guard.object();
        return isOfClass
                ? new ResultParts(method, region, aliases).tests(made, EntryTest.Kind.NO_SUBCLASS, guard.type())
                : new ReturnedCollections(method, region, aliases).tests(index, made, guard);
    }

    private static String advice(Guard guard) {
        return switch (guard.kind()) {
            case PLAIN -> "use a collection that does not change from pass to pass";
            case CLASS_NAMED -> "keep the object in a variable or final field that does not change in the loop";
            case EXACT_CLASS ->
                "make " + guard.type().substring(guard.type().lastIndexOf('/') + 1) + " final, or a record";
            case VALUE -> "give it a string or a number";
        };
    }

    /**
     * Whether the copy, which ends where a test fails, has tested the same object before it sends what comes behind an
     * op: on every way from where the object is named to the op there is one of the copy that needs the same of it.
     */
    private boolean isTestedAhead(int index, Guard guard) {
        int named = copyTests ? region.origin(index, guard.object()) : -1;
        if (named < 0 || !region.ops().get(named)) {
            return false;
        }
        for (int i = executed.nextSetBit(0); i >= 0; i = executed.nextSetBit(i + 1)) {
            if (!method.isCandidate(i) && tests(i, guard, named)) {
                BitSet stop = new BitSet();
                stop.set(i);
                if (!method.graph().reachable(named, stop).get(index)) {
                    return true;
                }
            }
        }
        return false;
    }

    private boolean tests(int index, Guard guard, int named) {
        return !Slicer.isIteration(method.op(index))
                && method.effects().of(method.op(index)).guards().stream()
                        .anyMatch(other -> other.kind() == guard.kind()
                                && other.type().equals(guard.type())
                                && region.origin(index, other.object()) == named)
                && iterators.stream().noneMatch(own -> own.made() == index);
    }

    private boolean isIteratorOrView(int index) {
        return region.ops().get(index) && (Definitions.makesIterator(method.op(index)) || isView(index));
    }

    /** Whether an op gives the next entry of a map whose view is made in the region, or of one of the JDK that the method has made. */
    private boolean isEntry(int index) {
        int iterator = Slicer.isIteration(method.op(index)) ? receiver(index) : -1;
        int view = iterator >= 0 && Definitions.makesIterator(method.op(iterator)) ? receiver(iterator) : -1;
        if (view < 0 || !isView(view) || !isCallOf(view, "entrySet")) {
            return false;
        }
        int map = receiver(view);
        boolean isMade = map >= 0
                && method.op(map) instanceof InsnOp made
                && made.opcode() == Opcodes.NEW
                && CONTAINED.contains(((TypeInsnNode) made.insn()).desc);
        return isMade || region.ops().get(view) && region.ops().get(iterator);
    }

    /** The map, which is there before the region, whose next entry an op gives; null if it gives none. */
    private @Nullable Value mapOfEntry(int index) {
        int iterator = Slicer.isIteration(method.op(index)) ? receiver(index) : -1;
        int view = iterator >= 0 && Definitions.makesIterator(method.op(iterator)) ? receiver(iterator) : -1;
        if (view < 0
                || !isView(view)
                || !isCallOf(view, "entrySet")
                || region.ops().get(view)) {
            return null;
        }
        Register map = method.whole().root(view, method.op(view).uses().get(0));
        BitSet then = method.whole().definitions(view, map);
        return then.equals(method.whole().definitions(region.entry(), map)) ? new Value(List.of(), map) : null;
    }

    private boolean isCallOf(int index, String name) {
        return method.op(index) instanceof InsnOp insn
                && insn.method() != null
                && insn.method().name.equals(name);
    }

    private int receiver(int index) {
        return method.whole().origin(index, method.op(index).uses().get(0));
    }

    /** Whether an op gives a view of a map, which is as plain as the map. */
    private boolean isView(int index) {
        return method.op(index) instanceof InsnOp insn
                && insn.method() != null
                && MAPS.contains(insn.method().owner)
                && VIEWS.contains(insn.method().name);
    }
}
