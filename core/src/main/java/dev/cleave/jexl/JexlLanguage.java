package dev.cleave.jexl;

import dev.cleave.call.Expression;
import dev.cleave.call.ExpressionLanguage;
import java.util.List;
import org.apache.commons.jexl3.JexlBuilder;
import org.apache.commons.jexl3.JexlEngine;
import org.apache.commons.jexl3.JexlException;
import org.apache.commons.jexl3.JexlExpression;
import org.apache.commons.jexl3.JexlFeatures;

/**
 * Compiles JEXL expressions without side effects, loops, constructors and functions. They consist of the parameters,
 * their methods and properties, literals and operators.
 */
public final class JexlLanguage implements ExpressionLanguage {

    private final JexlEngine engine;

    /** For the service loader. */
    public JexlLanguage() {
        JexlFeatures features = JexlFeatures.createNone()
                .methodCall(true)
                .arrayReferenceExpr(true)
                .structuredLiteral(false)
                .lexical(true);
        engine = new JexlBuilder()
                .features(features)
                .permissions(new ArgumentPermissions())
                .strict(true)
                .silent(false)
                .safe(false)
                .create();
    }

    @Override
    public Expression compile(String text, Purpose purpose, List<Parameter> parameters) {
        JexlExpression expression;
        try {
            expression = engine.createExpression(text);
        } catch (JexlException e) {
            throw new IllegalArgumentException("not an expression: " + reason(e), e);
        }
        TypeCheck.check(expression, purpose, parameters);
        List<String> names = parameters.stream().map(Parameter::name).toList();
        return arguments -> {
            try {
                return expression.evaluate(new ArgumentContext(names, arguments));
            } catch (JexlException e) {
                throw new IllegalArgumentException(reason(e), e);
            }
        };
    }

    /** Returns the message of a mistake without the place in this class that JEXL adds. */
    private static String reason(JexlException e) {
        String detail = String.valueOf(e.getMessage()).replaceAll("\\s+", " ").strip();
        int at = detail.indexOf('@');
        return at >= 0 ? "at " + detail.substring(at + 1) : detail;
    }
}
