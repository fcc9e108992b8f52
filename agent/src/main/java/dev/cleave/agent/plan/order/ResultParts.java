package dev.cleave.agent.plan.order;

import dev.cleave.agent.effect.Access;
import dev.cleave.agent.effect.HeapRegion;
import dev.cleave.agent.ir.ConstOp;
import dev.cleave.agent.ir.InsnOp;
import dev.cleave.agent.ir.Register;
import dev.cleave.agent.plan.analysis.Definitions;
import dev.cleave.agent.plan.analysis.Region;
import dev.cleave.agent.plan.method.EntryTest;
import dev.cleave.agent.plan.method.Method;
import dev.cleave.agent.plan.method.Value;
import dev.cleave.agent.plan.slice.Aliases;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.FieldNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * Finds the remote call in whose result an object has arrived (R43): the result itself, what its fields lead to, and elements of
 * its collections and arrays, as long as the code puts nothing into these.
 */
final class ResultParts {

    private static final int MOST_STEPS = 8;

    private static final Set<String> HOLDERS = Set.of(
            "java/util/Collection",
            "java/util/List",
            "java/util/Set",
            "java/util/Map",
            "java/util/Map$Entry",
            "java/util/Iterator",
            "java/util/Optional");

    /** Methods that give what the object holds, or a view of it. */
    private static final Set<String> GIVING =
            Set.of("iterator", "next", "get", "orElseThrow", "entrySet", "keySet", "values", "getKey", "getValue");

    /** Collections that constructors may make, with nothing in them. */
    private static final Set<String> MADE = Set.of(
            "java/util/ArrayList",
            "java/util/LinkedList",
            "java/util/HashSet",
            "java/util/LinkedHashSet",
            "java/util/HashMap");

    private static final Set<String> MAPS = Set.of(
            "java/util/Map",
            "java/util/Map$Entry",
            "java/util/HashMap",
            "java/util/LinkedHashMap",
            "java/util/TreeMap");

    private final Method method;
    private final Region region;
    private final Aliases aliases;

    ResultParts(Method method, Region region, Aliases aliases) {
        this.method = method;
        this.region = region;
        this.aliases = aliases;
    }

    /**
     * The tests of the service in whose result the object that an op makes or reads has arrived; none if it has arrived in none.
     *
     * @param kind what is asked of the service
     */
    List<EntryTest> tests(int made, EntryTest.Kind kind, String type) {
        Set<String> classes = new LinkedHashSet<>();
        int call = callOf(made, classes);
        Value service =
                call < 0 ? null : aliases.atEntry(call, method.op(call).uses().get(0));
        if (service == null) {
            return List.of();
        }
        List<EntryTest> tests = new ArrayList<>(List.of(new EntryTest(kind, List.of(service), type)));
        classes.forEach(each -> tests.add(new EntryTest(EntryTest.Kind.NO_SUBCLASS, List.of(service), each)));
        return tests;
    }

    /**
     * The call of the region in whose result the object that an op makes or reads has arrived; -1 if there is none.
     *
     * @param classes takes the classes of which that holds only if no subclass arrives, by internal names: a subclass may have other getters
     */
    private int callOf(int made, Set<String> classes) {
        int at = made;
        boolean isHeld = false;
        boolean isOfMap = false;
        for (int steps = 0; at >= 0 && steps < MOST_STEPS; steps++) {
            if (method.effects().settingOf(method.op(at)) != null) {
                boolean isUntouched = region.ops().get(at) && (!isHeld || !putsAnything(isOfMap));
                return method.helper(at) == null && isUntouched ? at : -1;
            }
            int copying = new OwnElements(method, region).copyingOf(at);
            if (copying >= 0) { // the elements of the copy are those of the original
                at = region.ops().get(copying)
                        ? origin(copying, method.op(copying).uses().get(1))
                        : -1;
                continue;
            }
            if (!(method.op(at) instanceof InsnOp op) || op.uses().isEmpty()) {
                return -1;
            }
            boolean isElement = isElement(at, op);
            if (!isElement && !isField(at, op.field()) && !isGetter(at, op.method(), classes)) {
                return -1;
            }
            isHeld |= isElement;
            isOfMap |= op.method() != null && MAPS.contains(op.method().owner);
            at = origin(at, op.uses().get(0));
        }
        return -1;
    }

    /** The one op that makes or reads the object in a register, unless that is null; -1 if there are several, or it is a parameter. */
    private int origin(int index, Register register) {
        BitSet sources = method.whole().origins(index, register);
        for (int i = sources.nextSetBit(0); i >= 0; i = sources.nextSetBit(i + 1)) {
            if (method.op(i) instanceof ConstOp constant && constant.value() == null) {
                sources.clear(i);
            }
        }
        return sources.cardinality() == 1 ? sources.nextSetBit(0) : -1;
    }

    private boolean isElement(int index, InsnOp op) {
        MethodInsnNode call = op.method();
        if (call == null || !HOLDERS.contains(call.owner)) {
            return op.opcode() == Opcodes.AALOAD;
        }
        return GIVING.contains(call.name)
                || call.name.equals("orElse") && isNull(index, op.uses().get(1));
    }

    private boolean isNull(int index, Register register) {
        int made = method.whole().origin(index, register);
        return made >= 0 && method.op(made) instanceof ConstOp constant && constant.value() == null;
    }

    /**
     * Whether the region puts objects into a collection or an array that may be of the result: one that the method has not made itself, and
     * that was not there before the region. What puts into maps puts nothing into other collections of the JDK.
     */
    private boolean putsAnything(boolean isOfMap) {
        for (int i = region.ops().nextSetBit(0); i >= 0; i = region.ops().nextSetBit(i + 1)) {
            MethodInsnNode call = method.op(i) instanceof InsnOp op ? op.method() : null;
            boolean isElsewhere =
                    call != null && (!isOfMap && MAPS.contains(call.owner) || call.owner.startsWith("java/lang/"));
            for (Access write : isElsewhere ? List.<Access>of() : method.writes(i)) {
                if (write.place().meets(new HeapRegion.Contents()) && !isOther(i, write)) {
                    return true;
                }
            }
        }
        return false;
    }

    private boolean isOther(int index, Access write) {
        if (write.base() == null) {
            return false;
        }
        int made = method.whole().origin(index, write.base());
        return made >= 0 && Definitions.isAllocation(method.op(made)) || aliases.atEntry(index, write.base()) != null;
    }

    /** Whether an op reads a field of an object as it has arrived: no constructor puts anything else there, and the region leaves it as it is. */
    private boolean isField(int reader, @Nullable FieldInsnNode access) {
        ClassNode owner = access == null || access.getOpcode() != Opcodes.GETFIELD
                ? null
                : method.helpers().effects().classOf(access.owner);
        if (owner == null || access == null) {
            return false;
        }
        for (FieldNode field : owner.fields) {
            if (field.name.equals(access.name) && field.desc.equals(access.desc)) {
                boolean isFinal = (field.access & Opcodes.ACC_FINAL) != 0;
                return (isFinal || isMadeAlone(owner) && isUnchanged(reader))
                        && owner.methods.stream().allMatch(made -> keeps(made, access));
            }
        }
        return false;
    }

    /** Whether the constructors of a class call nothing that could write its fields: other constructors of the JDK alone. */
    private static boolean isMadeAlone(ClassNode owner) {
        if (!"java/lang/Object".equals(owner.superName)) {
            return false;
        }
        for (MethodNode made : owner.methods) {
            for (AbstractInsnNode insn : made.name.equals("<init>") ? made.instructions : new InsnList()) {
                boolean isOther = insn instanceof InvokeDynamicInsnNode
                        || insn instanceof MethodInsnNode call && !call.owner.startsWith("java/");
                if (isOther) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Whether the region writes nothing that an op reads. */
    private boolean isUnchanged(int reader) {
        List<Access> reads = method.effects().of(method.op(reader)).reads();
        for (int i = region.ops().nextSetBit(0); i >= 0; i = region.ops().nextSetBit(i + 1)) {
            for (Access write : method.writes(i)) {
                if (reads.stream().anyMatch(read -> write.place().meets(read.place()))) {
                    return false;
                }
            }
        }
        return true;
    }

    /**
     * Whether a constructor, if a method is one, puts into a field what it is given, a copy that the JDK makes of that, or a new collection: a result is made by
     * the constructor of a record, which may put a collection of the program there.
     */
    private static boolean keeps(MethodNode made, FieldInsnNode field) {
        if (!made.name.equals("<init>")) {
            return true;
        }
        for (AbstractInsnNode insn : made.instructions) {
            boolean isStored = insn instanceof FieldInsnNode store
                    && store.getOpcode() == Opcodes.PUTFIELD
                    && store.name.equals(field.name);
            AbstractInsnNode value = isStored ? previous(insn) : null;
            boolean isGiven = value instanceof VarInsnNode given && isGiven(made, given.var) || isOfJdk(value);
            if (isStored && !isGiven) {
                return false;
            }
        }
        return true;
    }

    /** Whether a variable of a constructor holds what it is given, or a copy, wherever the constructor uses it. */
    private static boolean isGiven(MethodNode made, int variable) {
        for (AbstractInsnNode insn : made.instructions) {
            boolean isSet = insn instanceof VarInsnNode to && to.getOpcode() == Opcodes.ASTORE && to.var == variable;
            if (isSet && !isOfJdk(previous(insn))) {
                return false;
            }
        }
        return true;
    }

    private static @Nullable AbstractInsnNode previous(AbstractInsnNode insn) {
        AbstractInsnNode at = insn.getPrevious();
        while (at != null && at.getOpcode() < 0) {
            at = at.getPrevious();
        }
        return at;
    }

    /** Whether an instruction gives a copy of the JDK, or a new collection of it. */
    private static boolean isOfJdk(@Nullable AbstractInsnNode insn) {
        return insn instanceof MethodInsnNode call
                && (call.name.equals("copyOf") && HOLDERS.contains(call.owner)
                        || call.name.equals("<init>") && MADE.contains(call.owner) && call.desc.startsWith("()"));
    }

    /** Whether a call calls a method that returns such a field of its object; adds the class if a subclass may have another method. */
    private boolean isGetter(int reader, @Nullable MethodInsnNode call, Set<String> classes) {
        ClassNode owner = call == null || call.getOpcode() != Opcodes.INVOKEVIRTUAL || !call.desc.startsWith("()")
                ? null
                : method.helpers().effects().classOf(call.owner);
        if (owner == null || call == null) {
            return false;
        }
        for (MethodNode each : owner.methods) {
            if (each.name.equals(call.name) && each.desc.equals(call.desc)) {
                if (((owner.access | each.access) & Opcodes.ACC_FINAL) == 0) {
                    classes.add(call.owner);
                }
                return returnsField(reader, each);
            }
        }
        return false;
    }

    private boolean returnsField(int reader, MethodNode getter) {
        FieldInsnNode read = null;
        for (AbstractInsnNode insn : getter.instructions) {
            switch (insn.getOpcode()) {
                case -1, Opcodes.ALOAD -> {} // labels and lines; a method without parameters loads its object only
                case Opcodes.GETFIELD -> {
                    if (read != null) {
                        return false;
                    }
                    read = (FieldInsnNode) insn;
                }
                case Opcodes.ARETURN -> {
                    return isField(reader, read);
                }
                default -> {
                    return false;
                }
            }
        }
        return false;
    }
}
