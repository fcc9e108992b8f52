package dev.cleave.agent.effect;

import dev.cleave.agent.ir.ConstOp;
import dev.cleave.agent.ir.InsnOp;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.ir.Register;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.MethodInsnNode;

/**
 * The effects of comparators that a method makes by lambda expressions, method references and the factories of {@code Comparator}: {@code
 * Comparator.comparing(Order::date).reversed()}.
 */
final class Comparators {

    private static final String COMPARATOR = "java/util/Comparator";
    private static final Type TYPE = Type.getObjectType(COMPARATOR);
    private static final Set<String> FACTORIES = Set.of(
            "comparing",
            "comparingInt",
            "comparingLong",
            "comparingDouble",
            "thenComparing",
            "thenComparingInt",
            "thenComparingLong",
            "thenComparingDouble");

    /**
     * The effect of comparing two objects.
     *
     * @param effect of functions of the program that are called
     * @param asks whether it calls {@code compareTo} of the objects themselves
     */
    record Order(Effect effect, boolean asks) {

        private Order and(Order other) {
            return new Order(effect.and(other.effect), asks || other.asks);
        }
    }

    private static final Order NATURAL = new Order(Effect.THROWS, true);

    private final StaticTypes.At types;
    private final Function<MethodInsnNode, Effect> functions;
    private final Predicate<Type> quiet;

    /**
     * Looks at the comparators of a method.
     *
     * @param types the types that the op finds which is given one
     * @param functions the effects of methods that lambda expressions and method references call
     * @param quiet whether {@code compareTo} of the objects of a type runs no code of the program
     */
    Comparators(StaticTypes.At types, Function<MethodInsnNode, Effect> functions, Predicate<Type> quiet) {
        this.types = types;
        this.functions = functions;
        this.quiet = quiet;
    }

    /** Whether a type is that of comparators. */
    static boolean isOne(Type type) {
        return type.equals(TYPE);
    }

    /** Whether a call makes a comparator of another one that it is called on. */
    static boolean combines(MethodInsnNode call) {
        return call.owner.equals(COMPARATOR)
                && call.getOpcode() == Opcodes.INVOKEINTERFACE
                && (call.name.equals("reversed") || FACTORIES.contains(call.name));
    }

    /** The order of the comparator in a register, null if it is not known. */
    @Nullable
    Order of(Register register) {
        Op made = types.writeOf(register);
        if (made instanceof ConstOp constant && constant.value() == null) {
            return NATURAL;
        }
        if (!(made instanceof InsnOp op)) {
            return null;
        }
        return op.dynamic() == null ? ofCall(op) : ofFunction(types.functionOf(register), false);
    }

    private @Nullable Order ofCall(InsnOp op) {
        MethodInsnNode call = op.method();
        if (call == null || !call.owner.equals(COMPARATOR) && !call.owner.equals("java/util/Collections")) {
            return null;
        }
        List<Register> operands = op.uses();
        if (operands.isEmpty()) {
            return call.name.endsWith("Order") ? NATURAL : null; // natural or reverse
        }
        boolean isStatic = op.opcode() == Opcodes.INVOKESTATIC;
        if (call.name.equals("reversed")) {
            return of(operands.get(0));
        }
        if (!FACTORIES.contains(call.name) || operands.size() != (isStatic ? 1 : 2)) {
            return null;
        }
        Register last = operands.get(operands.size() - 1);
        Order by = isOne(Type.getArgumentTypes(call.desc)[0])
                ? of(last)
                : ofFunction(types.functionOf(last), call.name.endsWith("omparing"));
        Order first = isStatic ? by : of(operands.get(0));
        return first == null || by == null ? null : first.and(by);
    }

    /**
     * A comparator that calls a function.
     *
     * @param isKey whether it compares what the function returns by {@code compareTo}
     */
    private @Nullable Order ofFunction(@Nullable MethodInsnNode function, boolean isKey) {
        if (function == null || isKey && !quiet.test(Type.getReturnType(function.desc))) {
            return null;
        }
        Effect effect = functions.apply(function);
        return effect.barrier() == null ? new Order(effect.throwing(), false) : null;
    }
}
