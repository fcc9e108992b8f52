package dev.cleave.agent.effect;

import dev.cleave.agent.ir.CatchOp;
import dev.cleave.agent.ir.ConstOp;
import dev.cleave.agent.ir.InsnOp;
import dev.cleave.agent.ir.MethodBody;
import dev.cleave.agent.ir.MoveOp;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.ir.Register;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.TypeInsnNode;

/** The types that the definitions of registers give them, where all definitions of a register agree. */
public final class StaticTypes {

    private static final Type UNKNOWN = Type.VOID_TYPE;
    private static final int MOST_MOVES = 8;

    private final Map<Register, Type> types = new HashMap<>();
    private final Map<Register, Set<Register>> moves = new HashMap<>();
    private final Map<Register, Set<Register>> elements =
            new HashMap<>(); // the arrays that a register's values come from
    private final Map<Register, List<Op>> definitions = new HashMap<>();
    private final Set<Register> parameters = new HashSet<>();

    private StaticTypes() {}

    /** Reads the types off a body. */
    public static StaticTypes of(MethodBody body) {
        StaticTypes result = new StaticTypes();
        List<Register> parameters = body.parameters();
        Type[] arguments = Type.getArgumentTypes(body.original().desc);
        int first = parameters.size() - arguments.length;
        if (first == 1) {
            result.add(parameters.get(0), Type.getObjectType(body.owner()));
        }
        for (int i = 0; i < arguments.length; i++) {
            result.add(parameters.get(first + i), arguments[i]);
        }
        result.parameters.addAll(parameters);
        for (Op op : body.ops()) {
            result.visit(op);
        }
        return result;
    }

    /** The type of a register, null if there is none on which all definitions agree. */
    public @Nullable Type typeOf(Register register) {
        return typeOf(register, new HashSet<>());
    }

    private @Nullable Type typeOf(Register register, Set<Register> seen) {
        Type type = types.get(register);
        seen.add(register);
        for (Register source : moves.getOrDefault(register, Set.of())) {
            if (seen.contains(source)) {
                continue;
            }
            Type other = typeOf(source, seen);
            if (other == null || type != null && !type.equals(other)) {
                return null;
            }
            type = other;
        }
        for (Register array : elements.getOrDefault(register, Set.of())) {
            Type of = seen.contains(array) ? null : typeOf(array, seen);
            Type other = of == null || of.getSort() != Type.ARRAY
                    ? null
                    : Type.getType(of.getDescriptor().substring(1));
            if (other == null || type != null && !type.equals(other)) {
                return null;
            }
            type = other;
        }
        return type == null || type == UNKNOWN ? null : type;
    }

    /** The method that the function in a register calls, null if that is not the same function wherever it is set. */
    @Nullable
    MethodInsnNode functionOf(Register register) {
        Register holder = register;
        for (int steps = 0; steps < MOST_MOVES; steps++) {
            List<Op> all = definitions.getOrDefault(holder, List.of());
            if (all.size() != 1 || parameters.contains(holder)) {
                return null;
            }
            if (all.get(0) instanceof MoveOp move) {
                holder = move.use();
            } else {
                return all.get(0) instanceof InsnOp insn && insn.dynamic() != null
                        ? DynamicSites.targetOf(insn.dynamic())
                        : null;
            }
        }
        return null;
    }

    private void visit(Op op) {
        Register def = op.def();
        if (def == null) {
            return;
        }
        definitions.computeIfAbsent(def, register -> new ArrayList<>()).add(op);
        if (op instanceof MoveOp move) {
            moves.computeIfAbsent(def, register -> new LinkedHashSet<>()).add(move.use());
        } else if (op instanceof ConstOp constant) {
            if (constant.value() != null) {
                add(def, constant.value() instanceof String ? Type.getType(String.class) : UNKNOWN);
            }
        } else if (op instanceof InsnOp insn && insn.opcode() == Opcodes.AALOAD) {
            elements.computeIfAbsent(def, register -> new LinkedHashSet<>())
                    .add(insn.uses().get(0));
        } else if (op instanceof InsnOp insn) {
            add(def, resultOf(insn));
        } else if (op instanceof CatchOp) {
            add(def, UNKNOWN);
        }
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
        return UNKNOWN;
    }

    private void add(Register register, Type type) {
        types.merge(register, type, (a, b) -> a.equals(b) ? a : UNKNOWN);
    }
}
