package dev.cleave.call;

import dev.cleave.call.ExpressionLanguage.Purpose;
import dev.cleave.concurrent.SafeLog;
import dev.cleave.wire.Rating;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Computes the priorities of the calls of one interface: callers do it for the lines in which their calls wait, servers
 * for calls whose callers have not. Calls of methods without an expression have priority 0. Thread-safe.
 */
public final class Ratings {

    /** The ratings of an interface whose calls have no priority. */
    public static final Ratings NONE = new Ratings(new @Nullable Rule[0]);

    private static final System.Logger LOG = SafeLog.of(Ratings.class);

    private final @Nullable Rule[] rules; // by the index of the method
    private volatile boolean hasComplained;

    private record Rule(Expression expression, int digest, boolean prefersBlocked) {}

    private Ratings(@Nullable Rule[] rules) {
        this.rules = rules;
    }

    /**
     * Compiles the expressions of an interface.
     *
     * @throws IllegalArgumentException if one has a mistake, or there is no language for them
     */
    public static Ratings of(RemoteInterface contract) {
        if (contract.methods().stream().allMatch(method -> method.priority() == null)) {
            return NONE;
        }
        @Nullable Rule[] rules = new @Nullable Rule[contract.methods().size()];
        for (RemoteMethod method : contract.methods()) {
            PriorityRule rule = method.rule();
            String text = method.priority();
            if (rule != null && text != null) {
                rules[method.index()] = new Rule(
                        ExpressionLanguage.compile(text, Purpose.PRIORITY, method),
                        digest(text),
                        rule.prefersBlocked());
            }
        }
        return new Ratings(rules);
    }

    /**
     * Compiles the expressions of an interface for its caller. Without a language, or with a mistake in an expression, the
     * calls travel without a rating: their server, which refuses mistakes, computes it.
     */
    public static Ratings ofCaller(RemoteInterface contract) {
        try {
            return of(contract);
        } catch (IllegalArgumentException e) {
            LOG.log(
                    System.Logger.Level.DEBUG,
                    "calls are not ordered before they reach their server: " + SafeLog.text(e));
            return NONE;
        }
    }

    private static int digest(String text) {
        CRC32C crc = new CRC32C();
        crc.update(text.getBytes(StandardCharsets.UTF_8));
        return (int) crc.getValue();
    }

    /** Whether calls of a method have to be rated. */
    public boolean rates(RemoteMethod method) {
        return rules.length > 0 && rules[method.index()] != null;
    }

    /** Whether a rating that came with a call of a method orders it: the rule here is the same, or there is none here. */
    public boolean accepts(RemoteMethod method, Rating rating) {
        Rule rule = rules.length == 0 ? null : rules[method.index()];
        return rule == null ? method.rule() == null : rule.digest == rating.expression();
    }

    /** Returns the rating of a call; of value 0 if it cannot be computed, which is logged once. */
    public Rating rate(RemoteMethod method, @Nullable Object[] arguments) {
        Rule rule = rules[method.index()];
        return rule == null
                ? new Rating(0, 0, true)
                : new Rating(value(rule.expression, method, arguments), rule.digest, rule.prefersBlocked);
    }

    private double value(Expression expression, RemoteMethod method, @Nullable Object[] arguments) {
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
