package dev.cleave.server;

import dev.cleave.call.Expression;
import dev.cleave.call.ExpressionLanguage;
import dev.cleave.call.ExpressionLanguage.Purpose;
import dev.cleave.call.RemoteInterface;
import dev.cleave.call.RemoteMethod;
import dev.cleave.concurrent.SafeLog;
import org.jspecify.annotations.Nullable;

/** The priorities of the calls of one interface: those of methods without an expression are 0. */
final class Ratings {

    /** The ratings of an interface whose calls have no priority. */
    static final Ratings NONE = new Ratings(new @Nullable Expression[0]);

    private static final System.Logger LOG = SafeLog.of(Ratings.class);

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
        } catch (RuntimeException | Error e) { // user code: the expression calls methods of the arguments
            complain(method, SafeLog.text(e), e);
        }
        return 0;
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
