package dev.cleave.serial;

import java.lang.reflect.Field;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.GenericSignatureFormatError;
import java.lang.reflect.MalformedParameterizedTypeException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Makes {@link Shape}s of declared types: a type variable becomes its known type, else its bound. */
final class Shapes {

    private static final Shape[] NONE = {};

    private final Map<TypeVariable<?>, Shape> known;
    private final Set<TypeVariable<?>> within = new HashSet<>(); // the variables whose bounds are being read

    private Shapes(Map<TypeVariable<?>, Shape> known) {
        this.known = known;
    }

    /**
     * Makes the shape of a declared type.
     *
     * @param context the class or interface through which it is used, which may bind its type variables
     */
    static Shape of(Type type, Class<?> context) {
        Map<TypeVariable<?>, Shape> known = new HashMap<>();
        climb(context, known);
        return new Shapes(known).resolve(type);
    }

    /** The declared types of the parts of instances of a class, some of whose type variables are known. */
    static Shape[] parts(Class<?> of, Map<TypeVariable<?>, Shape> known) {
        if (of.isArray()) {
            return new Shape[] {plain(of.getComponentType())};
        }
        Map<TypeVariable<?>, Shape> all = new HashMap<>(known);
        climb(of, all);
        Shapes shapes = new Shapes(all);
        if (Collection.class.isAssignableFrom(of)) {
            return new Shape[] {shapes.variable(Collection.class, 0)};
        }
        if (Map.class.isAssignableFrom(of)) {
            return new Shape[] {shapes.variable(Map.class, 0), shapes.variable(Map.class, 1)};
        }
        if (Map.Entry.class.isAssignableFrom(of) && Jdk.has(of)) {
            return new Shape[] {shapes.variable(Map.Entry.class, 0), shapes.variable(Map.Entry.class, 1)};
        }
        if (of == AtomicReference.class) {
            return new Shape[] {shapes.variable(AtomicReference.class, 0)};
        }
        if (of == Optional.class) {
            return new Shape[] {shapes.variable(Optional.class, 0)};
        }
        if (Jdk.has(of)) {
            return NONE;
        }
        List<Field> fields = ProgramFields.of(of);
        Shape[] parts = new Shape[fields.size()];
        for (int i = 0; i < parts.length; i++) {
            parts[i] = shapes.resolve(fields.get(i).getGenericType());
        }
        return parts;
    }

    /** The type variables of a class whose instance has a shape; null if no instance can have it. */
    static @Nullable Map<TypeVariable<?>, Shape> bound(Class<?> of, Shape wanted) {
        Map<TypeVariable<?>, Shape> symbolic = new HashMap<>();
        Map<Shape, TypeVariable<?>> markers = new HashMap<>();
        for (TypeVariable<?> variable : of.getTypeParameters()) {
            Shape marker = new Shape(Object.class, NONE, NONE);
            symbolic.put(variable, marker);
            markers.put(marker, variable);
        }
        climb(of, symbolic);
        Map<TypeVariable<?>, Shape> bound = new HashMap<>();
        TypeVariable<?>[] parameters = wanted.type().getTypeParameters();
        for (int i = 0; i < Math.min(parameters.length, wanted.arguments()); i++) {
            Shape is = symbolic.getOrDefault(parameters[i], Shape.ANYTHING);
            if (!unify(is, wanted.argument(i), markers, bound)) {
                return null;
            }
        }
        return bound;
    }

    private static boolean unify(
            Shape is, Shape wanted, Map<Shape, TypeVariable<?>> markers, Map<TypeVariable<?>, Shape> bound) {
        TypeVariable<?> variable = markers.get(is);
        if (variable != null) {
            if (wanted != Shape.ANYTHING) {
                bound.putIfAbsent(variable, wanted);
            }
            return true;
        }
        if (!areRelated(is.type(), wanted.type())) {
            return false;
        }
        for (int i = 0; is.type() == wanted.type() && i < Math.min(is.arguments(), wanted.arguments()); i++) {
            if (!unify(is.argument(i), wanted.argument(i), markers, bound)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Whether one may be used for the other: some languages of the JVM have type parameters that vary in either
     * direction.
     */
    private static boolean areRelated(Class<?> a, Class<?> b) {
        return a.isAssignableFrom(b) || b.isAssignableFrom(a) || isBottom(a) || isBottom(b);
    }

    private static boolean isBottom(Class<?> type) {
        return type == Void.class
                || type.getName().equals("scala.runtime.Nothing$")
                || type.getName().equals("scala.runtime.Null$");
    }

    /** Adds the types that a class gives to the type variables of its superclasses and interfaces. */
    private static void climb(Class<?> type, Map<TypeVariable<?>, Shape> known) {
        if (type.getGenericSuperclass() != null) {
            climbTo(type.getGenericSuperclass(), known);
        }
        for (Type above : interfaces(type)) {
            climbTo(above, known);
        }
    }

    /** The interfaces of a class, without type arguments if these name classes that are not found. */
    private static Type[] interfaces(Class<?> type) {
        try {
            return type.getGenericInterfaces();
        } catch (TypeNotPresentException | MalformedParameterizedTypeException | GenericSignatureFormatError e) {
            return type.getInterfaces();
        }
    }

    private static void climbTo(Type above, Map<TypeVariable<?>, Shape> known) {
        if (above instanceof ParameterizedType p) {
            Class<?> raw = (Class<?>) p.getRawType();
            Type[] arguments = p.getActualTypeArguments();
            TypeVariable<?>[] parameters = raw.getTypeParameters();
            for (int i = 0; i < parameters.length; i++) {
                known.putIfAbsent(parameters[i], new Shapes(known).resolve(arguments[i]));
            }
            climb(raw, known);
        } else {
            climb((Class<?>) above, known);
        }
    }

    private Shape variable(Class<?> of, int index) {
        return resolve(of.getTypeParameters()[index]);
    }

    private Shape resolve(Type type) {
        if (type instanceof ParameterizedType p) {
            Type[] declared = p.getActualTypeArguments();
            Shape[] arguments = new Shape[declared.length];
            for (int i = 0; i < declared.length; i++) {
                arguments[i] = resolve(declared[i]);
            }
            return new Shape((Class<?>) p.getRawType(), arguments, NONE);
        }
        if (type instanceof GenericArrayType a) { // new Object[n] is a legal T[], so the array is as it was erased
            return new Shape(erased(a), new Shape[] {resolve(a.getGenericComponentType())}, NONE);
        }
        if (type instanceof WildcardType w) {
            return bounds(w.getUpperBounds());
        }
        if (type instanceof TypeVariable<?> v) {
            Shape is = known.get(v);
            if (is != null) {
                return is;
            }
            if (!within.add(v)) {
                return Shape.ANYTHING;
            }
            try {
                return bounds(v.getBounds());
            } finally {
                within.remove(v);
            }
        }
        return plain((Class<?>) type);
    }

    private Shape bounds(Type[] bounds) {
        Shape first = resolve(bounds[0]);
        if (bounds.length == 1) {
            return first;
        }
        Shape[] also = new Shape[bounds.length - 1];
        for (int i = 1; i < bounds.length; i++) {
            also[i - 1] = resolve(bounds[i]);
        }
        Shape[] arguments = new Shape[first.arguments()];
        for (int i = 0; i < arguments.length; i++) {
            arguments[i] = first.argument(i);
        }
        return new Shape(first.type(), arguments, also);
    }

    private static Shape plain(Class<?> type) {
        return type == Object.class ? Shape.ANYTHING : new Shape(type, NONE, NONE);
    }

    private static Class<?> erased(Type type) {
        if (type instanceof Class<?> c) {
            return c;
        }
        if (type instanceof ParameterizedType p) {
            return (Class<?>) p.getRawType();
        }
        if (type instanceof GenericArrayType a) {
            return erased(a.getGenericComponentType()).arrayType();
        }
        return erased(type instanceof TypeVariable<?> v ? v.getBounds()[0] : ((WildcardType) type).getUpperBounds()[0]);
    }
}
