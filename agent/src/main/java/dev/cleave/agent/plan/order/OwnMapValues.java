package dev.cleave.agent.plan.order;

import dev.cleave.agent.ir.InsnOp;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.ir.Register;
import dev.cleave.agent.ir.RegisterKind;
import dev.cleave.agent.ir.ReturnOp;
import dev.cleave.agent.plan.analysis.Definitions;
import dev.cleave.agent.plan.analysis.Region;
import dev.cleave.agent.plan.method.Function;
import dev.cleave.agent.plan.method.Method;
import dev.cleave.agent.plan.slice.Aliases;
import java.util.BitSet;
import java.util.HashSet;
import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.TypeInsnNode;

/**
 * The values of maps that a method makes for itself, and that it fills with collections which it makes for them, as
 * {@code map.computeIfAbsent(key, k -> new ArrayList<>()).add(value)} does (R43). They are of known classes, and no other code
 * knows them.
 */
final class OwnMapValues {

    private static final Set<String> MAPS = Set.of(
            "java/util/HashMap", "java/util/LinkedHashMap", "java/util/TreeMap", "java/util/EnumMap", "java/util/Map");

    /** Methods that put no value into a map, and hand out neither the map nor a view of it. */
    private static final Set<String> HARMLESS =
            Set.of("get", "getOrDefault", "containsKey", "size", "isEmpty", "remove", "clear", "toString", "hashCode");

    /** Classes whose objects run no code of the program if they are made without a comparator. */
    private static final Set<String> MADE = Set.of(
            "java/util/ArrayList",
            "java/util/LinkedList",
            "java/util/ArrayDeque",
            "java/util/HashSet",
            "java/util/LinkedHashSet",
            "java/util/HashMap",
            "java/util/LinkedHashMap",
            "java/util/TreeMap",
            "java/util/TreeSet");

    private final Method method;
    private final Region region;
    private final Aliases aliases;

    OwnMapValues(Method method, Region region, Aliases aliases) {
        this.method = method;
        this.region = region;
        this.aliases = aliases;
    }

    /** Whether a register holds, before an op, a value of such a map, or a collection that is made for one. */
    boolean arePlain(int index, Register register) {
        return arePlain(index, register, new HashSet<>());
    }

    private boolean arePlain(int index, Register register, Set<Integer> seen) {
        BitSet definitions = method.whole().definitions(index, register);
        for (int i = definitions.nextSetBit(0); i >= 0; i = definitions.nextSetBit(i + 1)) {
            if (i >= method.graph().size()) {
                return false;
            }
            Op op = method.op(i);
            boolean isPassed = Definitions.passesOn(op);
            if (seen.add(i) && (isPassed ? !arePlain(i, op.uses().get(0), seen) : !isPlain(i))) {
                return false;
            }
        }
        return !definitions.isEmpty();
    }

    private boolean isPlain(int made) {
        int map = mapOf(made);
        return map >= 0 ? isFilledHere(map) : method.op(made) instanceof InsnOp op && isHash(op);
    }

    /** Whether an object that an op writes to is a value of such a map, and a register holds no value of it. */
    boolean isApart(int writer, Register written, int reader, Register read) {
        BitSet made = method.whole().origins(writer, written);
        int map = made.stream().map(this::mapOf).max().orElse(-1);
        if (map < 0 || !made.stream().allMatch(each -> isValueOf(each, map)) || !isFilledHere(map)) {
            return false;
        }
        for (int i = 0; i < method.graph().size(); i++) {
            boolean isValue = mapOf(i) == map || isPut(i, map);
            if (isValue
                    && (aliases.isGivenAway(valueAt(i), op -> isPut(op, map))
                            || aliases.mayHold(reader, read, valueAt(i)))) {
                return false;
            }
        }
        return true;
    }

    /** Whether an op gives a value of a map, or makes one that the method puts there. */
    private boolean isValueOf(int made, int map) {
        if (mapOf(made) == map) {
            return true;
        }
        for (int i = 0; i < method.graph().size(); i++) {
            if (isPut(i, map) && valueAt(i) == made) {
                return true;
            }
        }
        return false;
    }

    /** The op that makes the map whose value an op gives, -1 if it gives none. */
    private int mapOf(int index) {
        MethodInsnNode call = method.op(index) instanceof InsnOp op ? op.method() : null;
        boolean gives = call != null
                && MAPS.contains(call.owner)
                && (call.name.equals("computeIfAbsent") || call.name.equals("get"));
        int map = gives ? aliases.ownObject(index, method.op(index).uses().get(0)) : -1;
        return map >= 0 && method.op(map) instanceof InsnOp made && isMap(made) ? map : -1;
    }

    private static boolean isMap(InsnOp op) {
        return op.insn() instanceof TypeInsnNode type && type.getOpcode() == Opcodes.NEW && MAPS.contains(type.desc);
    }

    /** Whether all that is put into a map while the region runs, or before it, is a collection that is made for it. */
    private boolean isFilledHere(int map) {
        for (int i = 0; i < method.graph().size(); i++) {
            Op op = method.op(i);
            for (int operand = 0; operand < op.uses().size(); operand++) {
                Register use = op.uses().get(operand);
                if (use.kind() == RegisterKind.REFERENCE
                        && aliases.mayBe(i, use, map)
                        && matters(i)
                        && !isFine(i, operand, map)) {
                    return false;
                }
            }
        }
        return true;
    }

    private boolean matters(int index) {
        return region.ops().get(index) || method.graph().reachable(index).get(region.entry());
    }

    private boolean isFine(int index, int operand, int map) {
        Op op = method.op(index);
        if (Definitions.passesOn(op) && op.uses().size() == 1
                || op instanceof ReturnOp
                || !(op instanceof InsnOp insn)) {
            return true;
        }
        MethodInsnNode call = insn.method();
        if (call == null
                || operand != 0
                || method.whole().origin(index, op.uses().get(0)) != map) {
            return false;
        }
        if (call.name.equals("<init>")) {
            return !call.desc.contains("L") || call.owner.equals("java/util/EnumMap") && call.desc.contains("Class;");
        }
        boolean isOfMap = MAPS.contains(call.owner);
        return isOfMap && (HARMLESS.contains(call.name) || isPut(index, map) || fills(index));
    }

    private boolean isPut(int index, int map) {
        MethodInsnNode call = method.op(index) instanceof InsnOp op ? op.method() : null;
        return call != null
                && MAPS.contains(call.owner)
                && call.name.equals("put")
                && method.whole().origin(index, method.op(index).uses().get(0)) == map
                && valueAt(index) >= 0;
    }

    /** The op that makes the value which an op puts into a map or gives of it, -1 if that is no new collection. */
    private int valueAt(int index) {
        if (!(method.op(index) instanceof InsnOp op)
                || op.method() == null
                || !op.method().name.equals("put")) {
            return index;
        }
        int made = method.whole().origin(index, op.uses().get(2));
        return made >= 0 && method.op(made) instanceof InsnOp value && isHash(value) ? made : -1;
    }

    /** Whether an op makes a collection of which the class is known, and that compares nothing. */
    private static boolean isHash(InsnOp op) {
        return op.insn() instanceof TypeInsnNode type
                && type.getOpcode() == Opcodes.NEW
                && MADE.contains(type.desc)
                && !type.desc.startsWith("java/util/Tree");
    }

    /** Whether an op calls {@code computeIfAbsent} with a function that makes a collection. */
    private boolean fills(int index) {
        InsnOp op = (InsnOp) method.op(index);
        MethodInsnNode call = op.method();
        if (call == null || !call.name.equals("computeIfAbsent")) {
            return false;
        }
        int made = method.whole().origin(index, op.uses().get(2));
        Function function = made >= 0 && method.op(made) instanceof InsnOp site ? Function.of(site) : null;
        if (function == null) {
            return false;
        }
        return function.isNew()
                ? MADE.contains(function.target().owner)
                        && !function.target().desc.contains("L")
                : new ReturnedCollections(method, region, aliases).returnsMade(function.target(), MADE);
    }
}
