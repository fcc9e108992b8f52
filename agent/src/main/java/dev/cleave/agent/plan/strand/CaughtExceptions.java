package dev.cleave.agent.plan.strand;

import dev.cleave.agent.effect.CodeArguments;
import dev.cleave.agent.effect.Effect;
import dev.cleave.agent.ir.ConstOp;
import dev.cleave.agent.ir.Handler;
import dev.cleave.agent.ir.InsnOp;
import dev.cleave.agent.ir.MethodBody;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.ir.Register;
import dev.cleave.agent.ir.ReturnOp;
import dev.cleave.agent.ir.ThrowOp;
import dev.cleave.agent.plan.analysis.Definitions;
import dev.cleave.agent.plan.analysis.OpGraph;
import dev.cleave.agent.plan.analysis.Region;
import dev.cleave.agent.plan.method.Method;
import dev.cleave.agent.plan.order.BoundsCheckElimination;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.TypeInsnNode;

/**
 * The handlers of a nest as ways on from the ops whose exceptions they catch, so that such an op decides, like a branch, about what comes
 * behind it (R71). A strand follows these ways from the calls whose results it looks at; where another op of the copy throws, it ends.
 */
final class CaughtExceptions {

    private static final String EXCEPTION = "java/lang/Exception";
    private static final String RUNTIME = "java/lang/RuntimeException";

    /** What instructions throw: subclasses of RuntimeException that are no subclasses of each other. */
    private static final Set<String> OF_INSTRUCTIONS = Set.of(
            "java/lang/Throwable",
            EXCEPTION,
            RUNTIME,
            "java/lang/NullPointerException",
            "java/lang/IndexOutOfBoundsException",
            "java/lang/ArrayIndexOutOfBoundsException",
            "java/lang/ArithmeticException",
            "java/lang/ClassCastException",
            "java/lang/ArrayStoreException",
            "java/lang/NegativeArraySizeException");

    /** Methods of objects that certainly return, given an object that is not null. */
    private static final Map<String, Set<String>> SAFE = Map.of(
            "java/util/ArrayList", Set.of("add", "size", "isEmpty"),
            "java/util/LinkedList", Set.of("add", "size", "isEmpty"),
            "java/util/HashMap", Set.of("put", "size", "isEmpty"),
            "java/util/LinkedHashMap", Set.of("put", "size", "isEmpty"),
            "java/util/HashSet", Set.of("add", "size", "isEmpty"),
            "java/util/LinkedHashSet", Set.of("add", "size", "isEmpty"),
            "java/lang/StringBuilder", Set.of("append", "length", "toString"));

    private final Method method;
    private final OpGraph graph;
    private final int entry;
    private final BitSet ops;

    /**
     * Looks at the handlers of a loop.
     *
     * @param entry the first op of its header
     */
    CaughtExceptions(Method method, int entry, BitSet ops) {
        this.method = method;
        this.graph = method.graph();
        this.entry = entry;
        this.ops = ops;
    }

    /** The type of what a handler catches, null if there is no one type. */
    static @Nullable Type typeOf(MethodBody body, int caught) {
        Type found = null;
        for (Handler handler : body.handlersAt(caught)) {
            Type type = Type.getObjectType(handler.type() == null ? "java/lang/Throwable" : handler.type());
            if (found != null && !found.equals(type)) {
                return null;
            }
            found = type;
        }
        return found;
    }

    /** Whether the loop has a handler. */
    boolean areHandled() {
        return ops.stream().anyMatch(op -> Arrays.stream(graph.handlers(op)).anyMatch(ops::get));
    }

    /** The graph in which exceptions that the nest handles are ways like others. Others end the nest, as if handled around it. */
    OpGraph graph() {
        Map<Integer, int[]> ways = new HashMap<>();
        for (int i = ops.nextSetBit(0); i >= 0; i = ops.nextSetBit(i + 1)) {
            List<Integer> caught = new ArrayList<>();
            for (Handler handler : graph.handlers(i).length == 0 ? List.<Handler>of() : handlersOf(i)) {
                int target = graph.body().indexOf(handler.target());
                if (ops.get(target) && !caught.contains(target) && mayThrow(i, handler.type())) {
                    caught.add(target);
                }
            }
            if (!caught.isEmpty()) {
                int[] next = graph.next(i);
                int[] all = Arrays.copyOf(next, next.length + caught.size());
                for (int k = 0; k < caught.size(); k++) {
                    all[next.length + k] = caught.get(k);
                }
                ways.put(i, all);
            }
        }
        return ways.isEmpty() ? graph : graph.going(ways);
    }

    /** The same without ways that certainly end in an exception that leaves the nest: sends despite these are granted. */
    OpGraph withoutFailures() {
        OpGraph seen = graph();
        BitSet going = goingOn(seen);
        Map<Integer, int[]> ways = new HashMap<>();
        for (int i = ops.nextSetBit(0); i >= 0; i = ops.nextSetBit(i + 1)) {
            int[] next = seen.next(i);
            int[] kept = Arrays.stream(next).filter(going::get).toArray();
            ways.put(i, kept.length > 0 ? kept : next);
        }
        return graph.going(ways);
    }

    /** The ops from which control may leave the method, or the nest, without an exception, or begin another pass. */
    private BitSet goingOn(OpGraph seen) {
        BitSet going = new BitSet();
        going.set(entry);
        for (int i = ops.nextSetBit(0); i >= 0; i = ops.nextSetBit(i + 1)) {
            if (graph.op(i) instanceof ReturnOp) {
                going.set(i);
            }
            for (int next : seen.next(i)) {
                if (!ops.get(next) && !going.get(next) && goesOn(next)) {
                    going.set(next);
                }
            }
        }
        boolean changed = true;
        while (changed) {
            changed = false;
            for (int i = ops.nextSetBit(0); i >= 0; i = ops.nextSetBit(i + 1)) {
                for (int next : seen.next(i)) {
                    if (!going.get(i) && going.get(next)) {
                        going.set(i);
                        changed = true;
                    }
                }
            }
        }
        return going;
    }

    private List<Handler> handlersOf(int index) {
        return graph.body().handlersOf(graph.op(index));
    }

    /** Whether control may go on from an op to a return, or back to the nest, and not only to an exception. */
    private boolean goesOn(int from) {
        BitSet seen = new BitSet();
        List<Integer> work = new ArrayList<>(List.of(from));
        while (!work.isEmpty()) {
            int at = work.remove(work.size() - 1);
            if (seen.get(at)) {
                continue;
            }
            seen.set(at);
            if (ops.get(at) || graph.op(at) instanceof ReturnOp) {
                return true;
            }
            for (int next : graph.all(at)) {
                work.add(next);
            }
        }
        return false;
    }

    /** Whether an op may throw something that a handler of a type catches. */
    private boolean mayThrow(int index, @Nullable String type) {
        Op op = graph.op(index);
        boolean isOfProgram = type != null && !type.startsWith("java/");
        boolean isError = !isOfProgram && type != null && type.endsWith("Error");
        if (method.isCandidate(index) || op instanceof ThrowOp || isError) {
            return true;
        }
        if (!(op instanceof InsnOp insn)) {
            return method.effects().of(op).mayThrow();
        }
        MethodInsnNode call = insn.method();
        if (call == null && insn.dynamic() == null) {
            boolean isInstruction = insn.opcode() != Opcodes.MONITORENTER && insn.opcode() != Opcodes.MONITOREXIT;
            return isInstruction
                    ? (type == null || OF_INSTRUCTIONS.contains(type)) && !isCertain(index, insn)
                    : !isOfProgram;
        }
        if (isOfProgram) {
            // methods of the JDK throw what the JDK declares; those that run code of the program are barriers or
            // guarded
            return call != null
                    && (!call.owner.startsWith("java/")
                            || CodeArguments.hasAny(call)
                            || method.effects().of(op).barrier() != null);
        }
        boolean isText =
                insn.dynamic() != null && insn.dynamic().bsm.getOwner().equals("java/lang/invoke/StringConcatFactory");
        return call == null ? !isText : !isCertain(index, insn, call);
    }

    private boolean isCertain(int index, InsnOp op, MethodInsnNode call) {
        Effect effect = method.effects().of(op);
        if (call.getOpcode() == Opcodes.INVOKESTATIC) {
            return call.owner.startsWith("java/") && effect.barrier() == null && !effect.mayThrow();
        }
        int made = method.whole().origin(index, op.uses().get(0));
        if (made < 0 || !(graph.op(made) instanceof InsnOp insn) || insn.opcode() != Opcodes.NEW) {
            return false;
        }
        String type = ((TypeInsnNode) insn.insn()).desc;
        boolean isCollection =
                type.startsWith("java/util/"); // what it asks of elements and keys is a guard of the call
        boolean isPlain = Arrays.stream(Type.getArgumentTypes(call.desc))
                .allMatch(each -> isCollection
                        ? each.getSort() == Type.OBJECT
                        : each.getSort() < Type.ARRAY || each.getDescriptor().equals("Ljava/lang/String;"));
        return isPlain
                && effect.barrier() == null
                && SAFE.getOrDefault(type, Set.of()).contains(call.name);
    }

    private boolean isCertain(int index, InsnOp op) {
        return switch (op.opcode()) {
            case Opcodes.GETFIELD, Opcodes.PUTFIELD, Opcodes.ARRAYLENGTH ->
                isThere(index, op.uses().get(0));
            case Opcodes.IDIV, Opcodes.IREM, Opcodes.LDIV, Opcodes.LREM ->
                isNotZero(index, op.uses().get(1));
            case Opcodes.IASTORE,
                    Opcodes.LASTORE,
                    Opcodes.FASTORE,
                    Opcodes.DASTORE,
                    Opcodes.AASTORE,
                    Opcodes.BASTORE,
                    Opcodes.CASTORE,
                    Opcodes.SASTORE -> new BoundsCheckElimination(method, new Region(graph, entry, ops)).holds(index);
            case Opcodes.NEW, Opcodes.GETSTATIC, Opcodes.PUTSTATIC -> true; // errors of initialisers aside
            default -> !method.effects().of(op).mayThrow();
        };
    }

    private boolean isThere(int index, Register register) {
        MethodBody body = graph.body();
        boolean isStatic = (body.original().access & Opcodes.ACC_STATIC) != 0;
        Register root = method.whole().root(index, register);
        if (!isStatic && root == body.parameters().get(0) && !method.whole().writes(root)) {
            return true;
        }
        int made = method.whole().origin(index, register);
        return made >= 0 && Definitions.isAllocation(graph.op(made));
    }

    private boolean isNotZero(int index, Register divisor) {
        int made = method.whole().origin(index, divisor);
        return made >= 0
                && graph.op(made) instanceof ConstOp constant
                && constant.value() instanceof Number number
                && number.longValue() != 0;
    }
}
