package dev.cleave.serial;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A declared type with its type arguments, against which received values are checked. An unknown type, such as a type
 * argument of a raw type, is {@link #ANYTHING}. Immutable except for its cache; thread-safe.
 */
final class Shape {

    /** The unknown type, which every value has. */
    static final Shape ANYTHING = new Shape(Object.class, new Shape[0], new Shape[0]);

    /** The deepest nesting of type arguments that is checked: classes may name types that grow without end. */
    static final int DEEPEST = 8;

    private static final Shape[] REFUSED = {};

    /** The declared types of the parts of instances of a class, if its type arguments are unknown. */
    private static final ClassValue<Shape[]> OWN = new ClassValue<>() {
        @Override
        protected Shape[] computeValue(Class<?> type) {
            return Shapes.parts(type, Map.of());
        }
    };

    private final Class<?> type;
    private final Shape[] arguments;
    private final Shape[] also;
    private final int depth;
    private final boolean isPlain;
    // by class; bounded by the number of allowed classes
    private final Map<Class<?>, Shape[]> parts = new ConcurrentHashMap<>();
    private volatile @Nullable Known last;

    private record Known(Class<?> type, Shape[] parts) {}

    /**
     * Creates a shape.
     *
     * @param type the class of instances
     * @param arguments the shapes of its type arguments, or that of the elements of an array; empty if they are not
     * declared
     * @param also further bounds
     */
    Shape(Class<?> type, Shape[] arguments, Shape[] also) {
        this.type = type;
        this.also = also;
        int deepest = 0;
        boolean isSaid = false;
        for (Shape argument : arguments) {
            deepest = Math.max(deepest, argument.depth);
            isSaid |= argument != ANYTHING;
        }
        boolean isKept = isSaid && deepest < DEEPEST;
        this.arguments = isKept ? arguments : new Shape[0];
        isPlain = this.arguments.length == 0 && also.length == 0;
        depth = isKept ? deepest + 1 : 0;
    }

    Class<?> type() {
        return type;
    }

    /** One of its type arguments. */
    Shape argument(int index) {
        return index < arguments.length ? arguments[index] : ANYTHING;
    }

    int arguments() {
        return arguments.length;
    }

    /** Whether the class of an object alone decides whether it has this type. */
    boolean isPlain() {
        return isPlain;
    }

    /** Whether the type is exactly this class, without type arguments. */
    boolean isExactly(Class<?> other) {
        return isPlain && type == other;
    }

    /** Checks the class of a received object of this declared type. */
    void check(@Nullable Object object) {
        if (object == null) {
            return;
        }
        if (!type.isInstance(object)) {
            throw new Mismatch(object.getClass(), this);
        }
        for (Shape bound : also) {
            bound.check(object);
        }
    }

    /**
     * The declared types of the parts of an instance: the elements of an array or collection, keys and values of a map,
     * the fields of an object of the program in the order in which they travel.
     *
     * @throws Mismatch if instances of the class are of another type: a {@code Box<String>} for a {@code Box<Integer>}
     */
    Shape[] parts(Class<?> of) {
        if (arguments.length == 0) {
            return OWN.get(of);
        }
        Known recent = last;
        if (recent != null && recent.type == of) {
            return recent.parts;
        }
        Shape[] found = parts.computeIfAbsent(of, this::made);
        if (found == REFUSED) {
            throw new Mismatch(of, this);
        }
        last = new Known(of, found);
        return found;
    }

    private Shape[] made(Class<?> of) {
        if (of.isArray()) {
            return new Shape[] {arguments[0]};
        }
        if (!type.isAssignableFrom(of)) {
            return REFUSED;
        }
        Map<java.lang.reflect.TypeVariable<?>, Shape> bound = Shapes.bound(of, this);
        return bound == null ? REFUSED : Shapes.parts(of, bound);
    }

    /** The type as a Java program would declare it. */
    @Override
    public String toString() {
        if (arguments.length == 0 || type.isArray()) {
            return type.getTypeName();
        }
        StringBuilder text = new StringBuilder(type.getTypeName()).append('<');
        for (int i = 0; i < arguments.length; i++) {
            text.append(i == 0 ? "" : ", ").append(arguments[i] == ANYTHING ? "?" : arguments[i].toString());
        }
        return text.append('>').toString();
    }
}
