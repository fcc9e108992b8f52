package dev.cleave.jexl;

import dev.cleave.config.Nearest;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The members of types as expressions see them. */
final class Members {

    private static final ArgumentPermissions PERMISSIONS = new ArgumentPermissions();

    private Members() {}

    /** The return type of a method; Object if it is not known. */
    static Class<?> method(String label, Class<?> type, String name, int arguments) {
        if (type == Object.class) {
            return Object.class;
        }
        List<Method> named = methods(type).filter(m -> m.getName().equals(name)).toList();
        if (named.isEmpty()) {
            Set<String> names = methods(type).map(Method::getName).collect(Collectors.toCollection(TreeSet::new));
            throw new IllegalArgumentException(
                    label + type.getSimpleName() + " has no method " + name + " " + near(name, names));
        }
        List<Method> fitting = named.stream()
                .filter(m ->
                        m.getParameterCount() == arguments || m.isVarArgs() && arguments >= m.getParameterCount() - 1)
                .toList();
        if (fitting.isEmpty()) {
            throw new IllegalArgumentException(label + type.getSimpleName() + "." + name + " takes "
                    + named.get(0).getParameterCount() + " arguments (found: " + arguments + ")");
        }
        if (fitting.stream().noneMatch(PERMISSIONS::allow)) {
            throw new IllegalArgumentException(
                    label + type.getSimpleName() + "." + name + " may not be called in expressions");
        }
        Set<Class<?>> results =
                fitting.stream().map(m -> boxed(m.getReturnType())).collect(Collectors.toSet());
        if (results.contains(Void.class)) {
            throw new IllegalArgumentException(label + type.getSimpleName() + "." + name + " returns nothing");
        }
        return results.size() == 1 ? results.iterator().next() : Object.class;
    }

    /** The type of a property: a getter or a public field. */
    static Class<?> property(String label, Class<?> type, String name) {
        if (type == Object.class || Map.class.isAssignableFrom(type) || List.class.isAssignableFrom(type)) {
            return Object.class;
        }
        String capital = name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1);
        for (String getter : List.of("get" + capital, "is" + capital)) {
            for (Method method : type.getMethods()) {
                if (method.getName().equals(getter) && method.getParameterCount() == 0) {
                    return boxed(method.getReturnType());
                }
            }
        }
        for (Field field : type.getFields()) {
            if (field.getName().equals(name)) {
                return boxed(field.getType());
            }
        }
        boolean isMethod = methods(type).anyMatch(m -> m.getName().equals(name));
        throw new IllegalArgumentException(label + type.getSimpleName() + " has no property " + name
                + (isMethod ? " (did you mean " + name + "()?)" : " (expected: a getter, or a method with ())"));
    }

    /** The type of the elements of an indexed type. */
    static Class<?> element(Class<?> type) {
        return type.isArray() ? boxed(type.getComponentType()) : Object.class;
    }

    static Class<?> boxed(Class<?> type) {
        return MethodType.methodType(type).wrap().returnType();
    }

    private static String near(String name, Set<String> names) {
        String hint = Nearest.hint(name, names);
        return hint.startsWith("(did") ? hint : "(expected: one of its public methods)";
    }

    private static Stream<Method> methods(Class<?> type) {
        Stream<Method> own = Arrays.stream(type.getMethods());
        return type.isInterface() ? Stream.concat(own, Arrays.stream(Object.class.getMethods())) : own;
    }
}
