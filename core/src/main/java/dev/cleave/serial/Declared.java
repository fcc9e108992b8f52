package dev.cleave.serial;

import static java.util.Objects.requireNonNull;

import java.lang.reflect.Type;

/**
 * The declared type of a parameter or result of a remote interface. A value that arrives there must have this type, and
 * its elements those of the type arguments. Immutable; thread-safe.
 */
public final class Declared {

    /** No declared type. */
    public static final Declared NOTHING = new Declared(Shape.ANYTHING, "");

    private final Shape shape;
    private final String place;

    private Declared(Shape shape, String place) {
        this.shape = shape;
        this.place = place;
    }

    /**
     * Creates the declaration of a type.
     *
     * @param type the declared type
     * @param contract the remote interface, which may bind type variables of its superinterfaces
     * @param place its place, for messages: {@code Compare.score: parameter 2 (genomes)}
     */
    public static Declared of(Type type, Class<?> contract, String place) {
        return new Declared(Shapes.of(type, contract), requireNonNull(place, "place"));
    }

    Shape shape() {
        return shape;
    }

    String place() {
        return place;
    }

    /** Returns another type at the same place: that of a value inside the declared one. */
    Declared within(Shape other) {
        return new Declared(other, place);
    }
}
