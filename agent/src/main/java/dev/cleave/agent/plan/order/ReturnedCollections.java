package dev.cleave.agent.plan.order;

import dev.cleave.agent.effect.Guard;
import dev.cleave.agent.ir.InsnOp;
import dev.cleave.agent.ir.Register;
import dev.cleave.agent.ir.ReturnOp;
import dev.cleave.agent.ir.Unsupported;
import dev.cleave.agent.plan.analysis.Region;
import dev.cleave.agent.plan.method.EntryTest;
import dev.cleave.agent.plan.method.Method;
import dev.cleave.agent.plan.slice.Aliases;
import dev.cleave.agent.plan.verdict.Refused;
import dev.cleave.agent.rule.Rule;
import java.util.List;
import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TypeInsnNode;

/**
 * Collections that remote calls return (R43): they are of classes of the JDK if no class of the program that is a
 * collection may travel through the service, which is known when the region is entered.
 */
public final class ReturnedCollections {

    private static final Set<String> TYPES = Set.of("java/util/Collection", "java/util/List", "java/util/Set");

    /** Collections that run no code of the program but that of their elements. */
    private static final Set<String> MADE = Set.of(
            "java/util/ArrayList",
            "java/util/LinkedList",
            "java/util/ArrayDeque",
            "java/util/HashSet",
            "java/util/LinkedHashSet");

    /** Methods that run no code of elements, nor of comparators. */
    private static final Set<String> READING = Set.of("stream", "iterator", "size", "isEmpty", "get");

    /** Methods of lists that call {@code equals} of their argument alone. */
    private static final Set<String> OF_LISTS = Set.of("contains", "indexOf");

    private static final Set<String> OF_MAPS = Set.of("entrySet", "keySet", "values", "size", "isEmpty");

    private final Method method;
    private final ResultParts parts;

    ReturnedCollections(Method method, Region region, Aliases aliases) {
        this.method = method;
        this.parts = new ResultParts(method, region, aliases);
    }

    /**
     * Returns the tests under which all methods of the collection that a remote call of a region returns are of the JDK.
     *
     * @throws Refused if no test of the service tells that
     */
    public static List<EntryTest> ofJdk(Method method, Region region, int call) throws Refused {
        ResultParts parts = new ResultParts(method, region, new Aliases(method, region));
        List<EntryTest> tests = parts.tests(call, EntryTest.Kind.JDK_COLLECTIONS, "");
        if (tests.isEmpty()) {
            throw method.refused(
                    Rule.R43,
                    call,
                    "the program changes what " + method.nameOf(call) + " returns, which may be of any class");
        }
        return tests;
    }

    /**
     * Whether an op calls a method of the class that returns a collection of the JDK which it has made itself.
     *
     * @param made negative if the op is not known
     */
    boolean isMadeByHelper(int made) {
        MethodInsnNode call = made >= 0 && method.op(made) instanceof InsnOp op ? op.method() : null;
        return call != null && (isCopy(call) || returnsMade(call, MADE));
    }

    /** Whether a method of the class always returns a collection of some classes that it has made itself, or an empty list. */
    boolean returnsMade(MethodInsnNode call, Set<String> classes) {
        MethodNode target = method.helpers().targetOf(call);
        if (target == null || (target.access & (Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC | Opcodes.ACC_FINAL)) == 0) {
            return false;
        }
        try {
            Method code = method.helpers().method(method.helpers().body(target));
            boolean returns = false;
            for (int i = 0; i < code.graph().size(); i++) {
                if (code.op(i) instanceof ReturnOp end) {
                    int origin = end.uses().isEmpty()
                            ? -1
                            : code.whole().origin(i, end.uses().get(0));
                    returns = origin >= 0 && code.op(origin) instanceof InsnOp op && isMade(op, classes);
                    if (!returns) {
                        return false;
                    }
                }
            }
            return returns;
        } catch (Unsupported e) {
            return false; // too large
        }
    }

    private static boolean isCopy(MethodInsnNode call) {
        return call.name.equals("copyOf") && call.owner.equals("java/util/List");
    }

    /** Whether a call only reads the collection that it is made on or given. */
    private static boolean isRead(MethodInsnNode call) {
        if (call.desc.startsWith("(Ljava/util/Collection;)")) {
            return isCopy(call) || call.name.equals("<init>") && call.owner.equals("java/util/ArrayList");
        }
        return TYPES.contains(call.owner) && READING.contains(call.name)
                || call.owner.equals("java/util/List") && OF_LISTS.contains(call.name)
                || call.owner.equals("java/util/Map") && OF_MAPS.contains(call.name);
    }

    /** Whether an op adds the elements of a collection to another one: what that asks of the elements is a guard of its own. */
    private static boolean isAdded(InsnOp op, Register collection) {
        MethodInsnNode call = op.method();
        return call != null
                && call.desc.equals("(Ljava/util/Collection;)Z")
                && call.name.equals("addAll")
                && op.uses().get(1) == collection
                && op.uses().get(0) != collection;
    }

    /** Whether an op makes such a collection, or gives an empty list. */
    private static boolean isMade(InsnOp op, Set<String> classes) {
        MethodInsnNode call = op.method();
        boolean isEmpty = call != null
                && call.desc.equals("()Ljava/util/List;")
                && (call.owner.equals("java/util/List") || call.owner.equals("java/util/Collections"));
        return isEmpty
                || op.insn() instanceof TypeInsnNode type
                        && type.getOpcode() == Opcodes.NEW
                        && classes.contains(type.desc);
    }

    /**
     * Returns the tests under which an op only reads a collection that has arrived in the result of a remote call, none if there are
     * none.
     *
     * @param made the op that makes the object of the guard, -1 if that is not known
     */
    List<EntryTest> tests(int index, int made, Guard guard) {
        boolean isRead = method.op(index) instanceof InsnOp op
                && op.method() != null
                && (isRead(op.method()) || isAdded(op, guard.object()));
        return isRead && guard.kind() == Guard.Kind.PLAIN
                ? parts.tests(made, EntryTest.Kind.JDK_COLLECTIONS, "")
                : List.of();
    }
}
