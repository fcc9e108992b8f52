package dev.cleave.call;

import java.util.ArrayList;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;

/**
 * The language of expressions over arguments. {@link ServiceLoader} finds it: package {@code jexl} provides one, and
 * only programs that use expressions need its library on their class path.
 */
public interface ExpressionLanguage {

    /** The use of the value of an expression. */
    enum Purpose {
        /** Orders calls by the value, a number. */
        PRIORITY,
        /** Chooses the replica: calls with equal values go to the same one. */
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
     * @throws IllegalArgumentException if it cannot be understood, or cannot have a value of its purpose; the message
     *     names the parameter
     */
    Expression compile(String text, Purpose purpose, List<Parameter> parameters);

    /**
     * Compiles an expression over the arguments of a method.
     *
     * @throws IllegalArgumentException if no language is on the class path, or the expression has a mistake; the
     *     message names the method and the parameter
     */
    static Expression compile(String text, Purpose purpose, RemoteMethod method) {
        String what = method.label() + ": " + purpose.name().toLowerCase(java.util.Locale.ROOT) + " \"" + text + "\"";
        ExpressionLanguage language = installed(what);
        List<Parameter> parameters = new ArrayList<>();
        for (int i = 0; i < method.plan().parameters().size(); i++) {
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
        } catch (ServiceConfigurationError | NoClassDefFoundError e) { // the library is missing
            throw new IllegalArgumentException(missing, e);
        }
    }
}
