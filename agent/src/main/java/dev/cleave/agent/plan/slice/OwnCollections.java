package dev.cleave.agent.plan.slice;

import dev.cleave.agent.effect.Access;
import dev.cleave.agent.ir.InsnOp;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.ir.Register;
import dev.cleave.agent.plan.analysis.Definitions;
import dev.cleave.agent.plan.analysis.Region;
import dev.cleave.agent.plan.method.Method;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.TypeInsnNode;

/**
 * The collections that a method makes before a region, changes there, and that only the method knows. A slice of the region may have
 * copies of its own of these, which it changes as the program changes the originals (R71).
 */
public final class OwnCollections {

    /** A collection that asks its elements. */
    public static final String PRIORITY_QUEUE = "java/util/PriorityQueue";

    private static final Set<String> ORDERED = Set.of(
            "java/util/ArrayList",
            "java/util/LinkedList",
            "java/util/ArrayDeque",
            "java/util/LinkedHashMap",
            "java/util/LinkedHashSet",
            OwnCollections.PRIORITY_QUEUE);

    private static final Set<String> HASHED = Set.of("java/util/HashMap", "java/util/HashSet");

    private static final Set<String> SORTED = Set.of("java/util/TreeMap", "java/util/TreeSet");

    private static final Set<String> CONSTRUCTORS =
            Set.of("()V", "(I)V", "(IF)V", "(Ljava/util/Collection;)V", "(Ljava/util/Map;)V");

    /** Methods that give nothing through which the collection can be changed or known. */
    private static final Set<String> METHODS = Set.of(
            "size",
            "isEmpty",
            "add",
            "addFirst",
            "addLast",
            "offer",
            "offerFirst",
            "offerLast",
            "push",
            "poll",
            "pollFirst",
            "pollLast",
            "remove",
            "removeFirst",
            "removeLast",
            "pop",
            "peek",
            "peekFirst",
            "peekLast",
            "element",
            "getFirst",
            "getLast",
            "contains",
            "containsKey",
            "indexOf",
            "get",
            "getOrDefault",
            "put",
            "putIfAbsent",
            "set",
            "clear",
            "firstKey",
            "lastKey");

    private final Method method;
    private final Region region;
    private final Map<Integer, Boolean> known = new HashMap<>();

    /** Looks at the collections of a region. */
    public OwnCollections(Method method, Region region) {
        this.method = method;
        this.region = region;
    }

    /** The op that made the collection in a register before an op of the region; -1 if it is not one of these. */
    public int of(int index, Register register) {
        int made = method.whole().origin(index, register);
        return made >= 0 && known.computeIfAbsent(made, this::isOwn) ? made : -1;
    }

    /** The op that made the collection that an op calls a method of; -1 if it does not call one of these. */
    public int receiverOf(int index) {
        return method.op(index) instanceof InsnOp op
                        && op.method() != null
                        && op.opcode() != Opcodes.INVOKESTATIC
                        && !op.uses().isEmpty()
                ? of(index, op.uses().get(0))
                : -1;
    }

    /** The op that made the collection that an access is made to, an iterator of it included; else -1. */
    public int accessed(int index, Access access) {
        Register base = access.base();
        if (base == null) {
            return -1;
        }
        int made = method.whole().origin(index, base);
        if (made >= 0 && region.ops().get(made) && Definitions.makesIterator(method.op(made))) {
            return receiverOf(made);
        }
        return of(index, base);
    }

    /** The ops of the region that call methods of a collection. */
    public List<Integer> uses(int made) {
        List<Integer> uses = new ArrayList<>();
        for (int i = region.ordinary().nextSetBit(0);
                i >= 0;
                i = region.ordinary().nextSetBit(i + 1)) {
            if (receiverOf(i) == made) {
                uses.add(i);
            }
        }
        return uses;
    }

    /** Whether an op changes a collection. */
    public boolean writes(int index, int made) {
        return method.effects().of(method.op(index)).writes().stream()
                .anyMatch(write -> accessed(index, write) == made);
    }

    /** The class of a collection. */
    public String typeOf(int made) {
        return ((TypeInsnNode) ((InsnOp) method.op(made)).insn()).desc;
    }

    private boolean isOwn(int made) {
        if (region.ops().get(made) || !(method.op(made) instanceof InsnOp op) || op.opcode() != Opcodes.NEW) {
            return false;
        }
        String type = typeOf(made);
        if (!ORDERED.contains(type) && !HASHED.contains(type) && !SORTED.contains(type) || op.def() == null) {
            return false;
        }
        boolean isChanged = false;
        Set<Register> holders = holders(op.def());
        for (int i = 0; i < method.graph().size(); i++) {
            boolean matters = region.ops().get(i) || method.graph().reachable(i).get(region.entry());
            if (matters && method.op(i) instanceof InsnOp use && !isHarmless(i, use, holders, made)) {
                return false;
            }
            isChanged |= region.ops().get(i) && isWritten(i, made);
        }
        int behind = made + 1; // its register still holds it there
        return isChanged
                && behind < method.graph().size()
                && new Aliases(method, region).ownObject(behind, op.def()) == made;
    }

    private boolean isWritten(int index, int made) {
        return method.effects().of(method.op(index)).writes().stream()
                .anyMatch(write -> write.base() != null && method.whole().origin(index, write.base()) == made);
    }

    /** Whether an op leaves a collection to the method, and says in which way it changes it. */
    private boolean isHarmless(int index, InsnOp use, Set<Register> holders, int made) {
        if (Definitions.passesOn(use)) {
            return true;
        }
        for (int i = 0; i < use.uses().size(); i++) {
            Register register = use.uses().get(i);
            if (!holders.contains(register)) {
                continue;
            }
            int origin = method.whole().origin(index, register);
            if (origin == -1 || origin == made && (i != 0 || !isKnown(index, use, made))) {
                return false;
            }
        }
        return true;
    }

    private boolean isKnown(int index, InsnOp use, int made) {
        MethodInsnNode call = use.method();
        if (call == null || use.opcode() == Opcodes.INVOKESTATIC || !call.owner.startsWith("java/util/")) {
            return false;
        }
        if (call.name.equals("<init>")) {
            return SORTED.contains(typeOf(made)) ? call.desc.equals("()V") : CONSTRUCTORS.contains(call.desc);
        }
        boolean isOwnIterator = region.ops().get(index)
                && Definitions.makesIterator(use)
                && !HASHED.contains(typeOf(made)); // whose copies may be in another order
        return METHODS.contains(call.name) || isOwnIterator;
    }

    private Set<Register> holders(Register first) {
        Set<Register> holders = new HashSet<>(Set.of(first));
        boolean grown = true;
        while (grown) {
            grown = false;
            for (Op op : method.graph().body().ops()) {
                Register def = op.def();
                if (def != null
                        && Definitions.passesOn(op)
                        && holders.contains(op.uses().get(0))) {
                    grown |= holders.add(def);
                }
            }
        }
        return holders;
    }
}
