package dev.cleave.serial;

import static java.util.Objects.requireNonNull;

import java.lang.reflect.Type;

/**
 * What a remote interface declares at one place, a parameter or result: what arrives there must be of it, with the elements
 * that its type arguments say. Immutable; thread-safe.
 */
public final class Declared {

    /** Nothing is declared. */
    public static final Declared NOTHING = new Declared(Shape.ANYTHING, "");

    private final Shape shape;
    private final String place;

    private Declared(Shape shape, String place) {
        this.shape = shape;
        this.place = place;
    }

    /**
     * What is declared so.
     *
     * @param type the declared type of what travels
     * @param contract the remote interface, which may say what type variables of those above it are
     * @param place where it stands, for messages: {@code Compare.score: parameter 2 (genomes)}
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

    /** Another type at the same place: of a value within the one that is declared. */
    Declared within(Shape other) {
        return new Declared(other, place);
    }
}
