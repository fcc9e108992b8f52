package dev.cleave.jexl;

import dev.cleave.call.ExpressionLanguage.Parameter;
import dev.cleave.call.ExpressionLanguage.Purpose;
import dev.cleave.config.Nearest;
import java.util.List;
import java.util.Set;
import org.apache.commons.jexl3.JexlExpression;
import org.apache.commons.jexl3.internal.ScriptVisitor;
import org.apache.commons.jexl3.parser.ASTAddNode;
import org.apache.commons.jexl3.parser.ASTAndNode;
import org.apache.commons.jexl3.parser.ASTArrayAccess;
import org.apache.commons.jexl3.parser.ASTDivNode;
import org.apache.commons.jexl3.parser.ASTEQNode;
import org.apache.commons.jexl3.parser.ASTEmptyFunction;
import org.apache.commons.jexl3.parser.ASTFalseNode;
import org.apache.commons.jexl3.parser.ASTFunctionNode;
import org.apache.commons.jexl3.parser.ASTGENode;
import org.apache.commons.jexl3.parser.ASTGTNode;
import org.apache.commons.jexl3.parser.ASTIdentifier;
import org.apache.commons.jexl3.parser.ASTIdentifierAccess;
import org.apache.commons.jexl3.parser.ASTJexlScript;
import org.apache.commons.jexl3.parser.ASTLENode;
import org.apache.commons.jexl3.parser.ASTLTNode;
import org.apache.commons.jexl3.parser.ASTMethodNode;
import org.apache.commons.jexl3.parser.ASTModNode;
import org.apache.commons.jexl3.parser.ASTMulNode;
import org.apache.commons.jexl3.parser.ASTNENode;
import org.apache.commons.jexl3.parser.ASTNotNode;
import org.apache.commons.jexl3.parser.ASTNumberLiteral;
import org.apache.commons.jexl3.parser.ASTOrNode;
import org.apache.commons.jexl3.parser.ASTReference;
import org.apache.commons.jexl3.parser.ASTReferenceExpression;
import org.apache.commons.jexl3.parser.ASTSizeFunction;
import org.apache.commons.jexl3.parser.ASTStringLiteral;
import org.apache.commons.jexl3.parser.ASTSubNode;
import org.apache.commons.jexl3.parser.ASTTernaryNode;
import org.apache.commons.jexl3.parser.ASTTrueNode;
import org.apache.commons.jexl3.parser.ASTUnaryMinusNode;
import org.apache.commons.jexl3.parser.ASTUnaryPlusNode;
import org.apache.commons.jexl3.parser.JexlNode;

/**
 * Finds mistakes in an expression before it is evaluated: names that are no parameters, members that declared types do
 * not have, calculations with values that are no numbers. Does not check values of unknown types.
 */
final class TypeCheck extends ScriptVisitor {

    private static final Set<Class<?>> CALCULATIONS = Set.of(
            ASTAddNode.class,
            ASTSubNode.class,
            ASTMulNode.class,
            ASTDivNode.class,
            ASTModNode.class,
            ASTUnaryMinusNode.class,
            ASTUnaryPlusNode.class);
    private static final Set<Class<?>> CONDITIONS = Set.of(
            ASTEQNode.class,
            ASTNENode.class,
            ASTLTNode.class,
            ASTGTNode.class,
            ASTLENode.class,
            ASTGENode.class,
            ASTAndNode.class,
            ASTOrNode.class,
            ASTNotNode.class,
            ASTTrueNode.class,
            ASTFalseNode.class,
            ASTEmptyFunction.class);

    private final Purpose purpose;
    private final List<Parameter> parameters;

    private TypeCheck(Purpose purpose, List<Parameter> parameters) {
        this.purpose = purpose;
        this.parameters = parameters;
    }

    /**
     * Checks an expression.
     *
     * @throws IllegalArgumentException if it has a mistake; the message names the parameter
     */
    static void check(JexlExpression expression, Purpose purpose, List<Parameter> parameters) {
        new TypeCheck(purpose, parameters).visitExpression(expression, null);
    }

    @Override
    @SuppressWarnings("NullAway") // visitors of this kind return what they like
    protected Object visitNode(JexlNode root, Object data) {
        Class<?> type = type(root);
        if (purpose == Purpose.PRIORITY) {
            needNumber(root, type, " comes out of it (expected: a number)");
        }
        return null;
    }

    /** The type of the value of a node; Object if it is not known. */
    private Class<?> type(JexlNode node) {
        if (node instanceof ASTIdentifier name) {
            return Members.boxed(parameter(name).type());
        } else if (node instanceof ASTReference) {
            return reference(node);
        } else if (node instanceof ASTNumberLiteral || node instanceof ASTSizeFunction) {
            children(node);
            return Number.class;
        } else if (node instanceof ASTStringLiteral) {
            return String.class;
        } else if (CONDITIONS.contains(node.getClass())) {
            children(node);
            return Boolean.class;
        } else if (CALCULATIONS.contains(node.getClass())) {
            return calculation(node);
        } else if (node instanceof ASTTernaryNode) {
            return either(node);
        } else if (node instanceof ASTFunctionNode) {
            throw new IllegalArgumentException("a function (expected: parameters and their methods)");
        } else if (node instanceof ASTJexlScript || node instanceof ASTReferenceExpression) {
            return node.jjtGetNumChildren() == 1 ? type(node.jjtGetChild(0)) : children(node);
        }
        return children(node);
    }

    private Class<?> children(JexlNode node) {
        for (int i = 0; i < node.jjtGetNumChildren(); i++) {
            Class<?> unused = type(node.jjtGetChild(i));
        }
        return Object.class;
    }

    private Class<?> calculation(JexlNode node) {
        boolean isText = false;
        for (int i = 0; i < node.jjtGetNumChildren(); i++) {
            JexlNode operand = node.jjtGetChild(i);
            Class<?> type = type(operand);
            if (node instanceof ASTAddNode && type == String.class) {
                isText = true;
            } else {
                needNumber(operand, type, " is no number");
            }
        }
        return isText ? String.class : Number.class;
    }

    private Class<?> either(JexlNode node) {
        children(node);
        Class<?> one = type(node.jjtGetChild(node.jjtGetNumChildren() - 2));
        Class<?> other = type(node.jjtGetChild(node.jjtGetNumChildren() - 1));
        if (Number.class.isAssignableFrom(one) && Number.class.isAssignableFrom(other)) {
            return Number.class;
        }
        return one == other ? one : Object.class;
    }

    private Class<?> reference(JexlNode node) {
        JexlNode first = node.jjtGetChild(0);
        Class<?> type = type(first);
        String label = label(first);
        for (int i = 1; i < node.jjtGetNumChildren(); i++) {
            JexlNode step = node.jjtGetChild(i);
            if (step instanceof ASTMethodNode) {
                JexlNode arguments = step.jjtGetChild(step.jjtGetNumChildren() - 1);
                children(arguments);
                String name = step.jjtGetChild(0) instanceof ASTIdentifierAccess access
                        ? access.getName()
                        : step.jjtGetChild(0).toString();
                type = Members.method(label, type, name, arguments.jjtGetNumChildren());
            } else if (step instanceof ASTArrayAccess) {
                children(step);
                type = Members.element(type);
            } else if (step instanceof ASTIdentifierAccess access) {
                type = Members.property(label, type, access.getName());
            } else {
                type = Object.class;
            }
        }
        return type;
    }

    private Parameter parameter(ASTIdentifier identifier) {
        for (Parameter parameter : parameters) {
            if (parameter.name().equals(identifier.getName())) {
                return parameter;
            }
        }
        List<String> names = parameters.stream().map(Parameter::name).toList();
        boolean unnamed = !names.isEmpty() && names.get(0).equals("arg0");
        throw new IllegalArgumentException("unknown parameter " + identifier.getName() + " "
                + Nearest.hint(identifier.getName(), names)
                + (unnamed ? "; compile the interface with -parameters to use their names" : ""));
    }

    /** Names the parameter that a value comes from, for messages; empty if there is none. */
    private String label(JexlNode node) {
        if (node instanceof ASTIdentifier name) {
            return parameter(name).label() + ": ";
        }
        boolean leads =
                node instanceof ASTReference || node instanceof ASTJexlScript || node instanceof ASTReferenceExpression;
        return leads && node.jjtGetNumChildren() > 0 ? label(node.jjtGetChild(0)) : "";
    }

    private void needNumber(JexlNode node, Class<?> type, String complaint) {
        if (type != Object.class && !Number.class.isAssignableFrom(type) && !type.isAssignableFrom(Number.class)) {
            throw new IllegalArgumentException(label(node) + "a " + type.getSimpleName() + complaint);
        }
    }
}
