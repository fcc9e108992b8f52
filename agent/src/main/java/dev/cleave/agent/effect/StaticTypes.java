package dev.cleave.agent.effect;

import static java.util.Objects.requireNonNull;

import dev.cleave.agent.dataflow.ReachingWrites;
import dev.cleave.agent.flow.ControlFlowGraph;
import dev.cleave.agent.ir.BranchOp;
import dev.cleave.agent.ir.ConstOp;
import dev.cleave.agent.ir.InsnOp;
import dev.cleave.agent.ir.MethodBody;
import dev.cleave.agent.ir.MoveOp;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.ir.Register;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.TypeInsnNode;

/** The types of what registers hold, as far as what is written to them gives these types. */
public final class StaticTypes {

    private static final Type UNKNOWN = Type.VOID_TYPE;
    private static final int MOST_MOVES = 8;

    private final MethodBody body;
    private final Map<Register, Type> parameters = new HashMap<>();
    private final Map<Register, List<Op>> definitions = new HashMap<>();
    private final Map<Register, ReachingWrites> reaching = new HashMap<>();
    private final Map<InsnOp, Boolean> confined = new HashMap<>();
    private @Nullable ControlFlowGraph graph;

    /** A register as an op finds it; the op is null if that makes no difference. */
    private record Use(Register register, @Nullable Op at) {}

    /**
     * The types that an op finds.
     *
     * @param op null if it is not known: then all that is ever written to a register counts
     */
    record At(StaticTypes types, @Nullable Op op) {

        /** The type of a register, null if what may have been written to it does not agree. */
        @Nullable
        Type typeOf(Register register) {
            return types.typeOf(op, register);
        }

        /** The op that writes a register, behind moves and casts; null if several do, or a parameter is in it. */
        @Nullable
        Op writeOf(Register register) {
            return types.writeOf(register);
        }

        /** The method that the function in a register calls, null if that is not the same function wherever it is set. */
        @Nullable
        MethodInsnNode functionOf(Register register) {
            return types.functionOf(register);
        }

        /** Whether a register holds an object that the body makes, and does no more with than to call its methods. */
        boolean isConfined(Register register) {
            return types.writeOf(register) instanceof InsnOp made
                    && made.opcode() == Opcodes.NEW
                    && types.confined.computeIfAbsent(made, types::isConfined);
        }
    }

    private StaticTypes(MethodBody body) {
        this.body = body;
    }

    /** Reads the types off a body. */
    public static StaticTypes of(MethodBody body) {
        StaticTypes result = new StaticTypes(body);
        List<Register> parameters = body.parameters();
        Type[] arguments = Type.getArgumentTypes(body.original().desc);
        int first = parameters.size() - arguments.length;
        if (first == 1) {
            result.parameters.put(parameters.get(0), Type.getObjectType(body.owner()));
        }
        for (int i = 0; i < arguments.length; i++) {
            result.parameters.put(parameters.get(first + i), arguments[i]);
        }
        for (Op op : body.ops()) {
            if (op.def() != null) {
                result.definitions
                        .computeIfAbsent(op.def(), register -> new ArrayList<>())
                        .add(op);
            }
        }
        return result;
    }

    /**
     * The type that a register has before an op, null if the writes that may be the last before it do not agree. Compilers use one local for
     * variables of different types, one after the other.
     */
    public @Nullable Type typeOf(@Nullable Op at, Register register) {
        Type type = resolve(at, register, new HashSet<>());
        return type == null || type == UNKNOWN ? null : type;
    }

    /** The type of a register before an op; null if nothing is known yet, or it is null. */
    private @Nullable Type resolve(@Nullable Op at, Register register, Set<Use> seen) {
        List<Op> all = definitions.getOrDefault(register, List.of());
        Type given = parameters.get(register);
        boolean isMixed = register.isLocal() && all.size() + (given == null ? 0 : 1) > 1;
        if (!seen.add(new Use(register, isMixed ? at : null))) {
            return null;
        }
        if (isMixed && at != null) {
            ReachingWrites.Found found = reaching(register).before(at);
            all = found.ops();
            given = found.isGiven() ? given == null ? UNKNOWN : given : null;
        }
        Type type = given;
        for (Op op : all) {
            Type other = op.def() == register ? written(op, seen) : UNKNOWN;
            if (other != null) {
                type = type == null || type.equals(other) ? other : UNKNOWN;
            }
        }
        return type;
    }

    private ReachingWrites reaching(Register local) {
        ControlFlowGraph known = graph == null ? ControlFlowGraph.of(body) : graph;
        graph = known;
        return reaching.computeIfAbsent(local, each -> ReachingWrites.of(known, each));
    }

    /** The type of what an op writes; null if nothing is known yet, or it writes null. */
    private @Nullable Type written(Op op, Set<Use> seen) {
        if (op instanceof MoveOp move) {
            return resolve(op, move.use(), seen);
        }
        if (op instanceof ConstOp constant) {
            Object value = constant.value();
            return value == null ? null : value instanceof String ? Type.getType(String.class) : UNKNOWN;
        }
        if (op instanceof InsnOp insn && insn.opcode() == Opcodes.AALOAD) {
            Type array = resolve(op, insn.uses().get(0), seen);
            if (array == null) {
                return null;
            }
            return array.getSort() == Type.ARRAY
                    ? Type.getType(array.getDescriptor().substring(1))
                    : UNKNOWN;
        }
        return op instanceof InsnOp insn ? resultOf(insn) : UNKNOWN;
    }

    private @Nullable MethodInsnNode functionOf(Register register) {
        return writeOf(register) instanceof InsnOp insn && insn.dynamic() != null
                ? DynamicSites.targetOf(insn.dynamic())
                : null;
    }

    private @Nullable Op writeOf(Register register) {
        Register holder = register;
        for (int steps = 0; steps < MOST_MOVES; steps++) {
            List<Op> all = definitions.getOrDefault(holder, List.of());
            if (all.size() != 1 || parameters.containsKey(holder)) {
                return null;
            }
            boolean isCast = all.get(0) instanceof InsnOp insn && insn.opcode() == Opcodes.CHECKCAST;
            if (!isCast && !(all.get(0) instanceof MoveOp)) {
                return all.get(0);
            }
            holder = all.get(0).uses().get(0);
        }
        return null;
    }

    private static Type resultOf(InsnOp op) {
        if (op.method() != null) {
            return Type.getReturnType(op.method().desc);
        }
        if (op.dynamic() != null) {
            return Type.getReturnType(op.dynamic().desc);
        }
        if (op.field() != null) {
            return Type.getType(op.field().desc);
        }
        if (op.insn() instanceof TypeInsnNode node
                && (op.opcode() == Opcodes.CHECKCAST || op.opcode() == Opcodes.NEW)) {
            return Type.getObjectType(node.desc);
        }
        if (op.insn() instanceof TypeInsnNode node && op.opcode() == Opcodes.ANEWARRAY) {
            return Type.getType("[" + Type.getObjectType(node.desc).getDescriptor());
        }
        return UNKNOWN;
    }

    private boolean isConfined(InsnOp made) {
        Set<Register> holders = new HashSet<>();
        Deque<Register> work = new ArrayDeque<>();
        work.add(requireNonNull(made.def(), "def"));
        while (!work.isEmpty()) {
            Register holder = work.remove();
            if (!holders.add(holder)) {
                continue;
            }
            for (Op op : body.ops()) {
                if (op instanceof MoveOp move && move.use() == holder) {
                    work.add(move.def());
                } else if (!(op instanceof BranchOp) && op.uses().contains(holder) && !isReceiver(op, holder)) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Whether an op does no more with an object than to call a method of it. */
    private static boolean isReceiver(Op op, Register object) {
        return op instanceof InsnOp call
                && call.method() != null
                && call.opcode() != Opcodes.INVOKESTATIC
                && call.uses().lastIndexOf(object) == 0;
    }
}
