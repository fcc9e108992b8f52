package dev.cleave.server;

import dev.cleave.call.Expression;
import dev.cleave.call.ExpressionLanguage;
import dev.cleave.call.ExpressionLanguage.Purpose;
import dev.cleave.call.RemoteInterface;
import dev.cleave.call.RemoteMethod;
import dev.cleave.serial.ValueKind;
import dev.cleave.serial.ValueReader;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The priorities of the calls of one interface: those of methods without an expression are 0. */
final class Ratings {

    /** Of calls that have no priority. */
    static final Ratings NONE = new Ratings(new @Nullable Expression[0]);

    private static final System.Logger LOG = System.getLogger(Ratings.class.getName());

    private final @Nullable Expression[] expressions; // by the index of the method
    private volatile boolean hasComplained;

    private Ratings(@Nullable Expression[] expressions) {
        this.expressions = expressions;
    }

    /**
     * Compiles the expressions of an interface.
     *
     * @throws IllegalArgumentException if one has a mistake, or there is no language for them
     */
    static Ratings of(RemoteInterface contract) {
        if (contract.methods().stream().allMatch(method -> method.priority() == null)) {
            return NONE;
        }
        @Nullable
        Expression[] expressions = new @Nullable Expression[contract.methods().size()];
        for (RemoteMethod method : contract.methods()) {
            String text = method.priority();
            if (text != null) {
                expressions[method.index()] = ExpressionLanguage.compile(text, Purpose.PRIORITY, method);
            }
        }
        return new Ratings(expressions);
    }

    /** Whether calls of a method have to be rated. */
    boolean rates(RemoteMethod method) {
        return expressions.length > 0 && expressions[method.index()] != null;
    }

    /** The priority of a call; 0 if it cannot be computed, which is logged once. */
    double rate(RemoteMethod method, @Nullable Object[] arguments) {
        Expression expression = expressions[method.index()];
        if (expression == null) {
            return 0;
        }
        try {
            if (expression.value(arguments) instanceof Number number) {
                return number.doubleValue();
            }
            complain(method, "no number", null);
        } catch (RuntimeException | StackOverflowError e) { // user code: the expression calls methods of the arguments
            complain(method, String.valueOf(e.getMessage()), e);
        }
        return 0;
    }

    /** Reads the arguments of a method, direct ones first as they are written. */
    static @Nullable Object[] read(RemoteMethod method, ValueReader in) {
        List<ValueKind> kinds = method.parameters();
        @Nullable Object[] arguments = new @Nullable Object[kinds.size()];
        for (int i = 0; i < arguments.length; i++) {
            if (kinds.get(i) != ValueKind.OBJECT) {
                arguments[i] = take(kinds.get(i), in);
            }
        }
        Class<?>[] types = method.method().getParameterTypes();
        for (int i = 0; i < arguments.length; i++) {
            if (kinds.get(i) == ValueKind.OBJECT) {
                arguments[i] = types[i].cast(in.takeObject());
            }
        }
        return arguments;
    }

    private static @Nullable Object take(ValueKind kind, ValueReader in) {
        return switch (kind) {
            case BOOLEAN -> in.takeBoolean();
            case BYTE -> in.takeByte();
            case CHAR -> in.takeChar();
            case SHORT -> in.takeShort();
            case INT -> in.takeInt();
            case LONG -> in.takeLong();
            case FLOAT -> in.takeFloat();
            case DOUBLE -> in.takeDouble();
            case STRING -> in.takeString();
            case BOOLEANS -> in.takeBooleans();
            case BYTES -> in.takeBytes();
            case CHARS -> in.takeChars();
            case SHORTS -> in.takeShorts();
            case INTS -> in.takeInts();
            case LONGS -> in.takeLongs();
            case FLOATS -> in.takeFloats();
            case DOUBLES -> in.takeDoubles();
            case OBJECT -> in.takeObject();
        };
    }

    private void complain(RemoteMethod method, String why, @Nullable Throwable cause) {
        if (!hasComplained) {
            hasComplained = true;
            LOG.log(
                    System.Logger.Level.WARNING,
                    method.label() + ": priority \"" + method.priority() + "\" has no value, 0 is taken: " + why,
                    cause);
        }
    }
}
