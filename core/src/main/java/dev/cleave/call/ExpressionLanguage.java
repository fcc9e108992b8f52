package dev.cleave.call;

import java.util.ArrayList;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;

/**
 * What expressions over arguments are written in. Found by {@link ServiceLoader}: the package {@code jexl} has one, whose
 * library only those need on their class path who use expressions.
 */
public interface ExpressionLanguage {

    /** What an expression is for. */
    enum Purpose {
        /** The order of calls: a number comes out of it. */
        PRIORITY,
        /** The choice of a replica: calls with equal values belong together. */
        AFFINITY
    }

    /**
     * A parameter that an expression may name.
     *
     * @param name its name
     * @param type its declared type
     * @param label names it in messages
     */
    record Parameter(String name, Class<?> type, String label) {}

    /**
     * Compiles an expression, and checks the names and types in it.
     *
     * @throws IllegalArgumentException if it cannot be understood, or cannot have a value of its purpose; the message names
     *     the parameter
     */
    Expression compile(String text, Purpose purpose, List<Parameter> parameters);

    /**
     * The expression over the arguments of a method.
     *
     * @throws IllegalArgumentException if no language is on the class path, or the expression has a mistake; the message
     *     names the method and the parameter
     */
    static Expression compile(String text, Purpose purpose, RemoteMethod method) {
        String what = method.label() + ": " + purpose.name().toLowerCase(java.util.Locale.ROOT) + " \"" + text + "\"";
        ExpressionLanguage language = installed(what);
        List<Parameter> parameters = new ArrayList<>();
        for (int i = 0; i < method.method().getParameterCount(); i++) {
            java.lang.reflect.Parameter parameter = method.method().getParameters()[i];
            String label = "parameter " + (i + 1) + " (" + parameter.getName() + ")";
            parameters.add(new Parameter(parameter.getName(), parameter.getType(), label));
        }
        try {
            return language.compile(text, purpose, parameters);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(what + ": " + e.getMessage(), e);
        }
    }

    private static ExpressionLanguage installed(String what) {
        String missing = what + ": no expression language (add org.apache.commons:commons-jexl3 to the class path)";
        try {
            return ServiceLoader.load(ExpressionLanguage.class, ExpressionLanguage.class.getClassLoader())
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException(missing));
        } catch (ServiceConfigurationError | NoClassDefFoundError e) { // ours is there, the library is not
            throw new IllegalArgumentException(missing, e);
        }
    }
}
