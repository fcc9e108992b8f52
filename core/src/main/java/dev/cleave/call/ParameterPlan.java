package dev.cleave.call;

import static java.util.Objects.requireNonNull;

import dev.cleave.Later;
import dev.cleave.serial.Declared;
import dev.cleave.serial.ValueKind;
import java.io.InputStream;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;

/**
 * How one value of a remote method travels: a parameter, or the result. Immutable.
 *
 * @param place which parameter it is, counted from 0; {@link #RESULT} for the result
 * @param name names it in messages: {@code Compare.score: parameter 2 (genome)}
 * @param type its declared class
 * @param kind how the serializer writes it
 * @param travel whether it comes with its message or is streamed behind it
 * @param sent the declared type of what is sent: of a {@link Later.Value} or a future the value, of an {@link
 *     InputStream} bytes
 * @param declared what a receiver checks an object against
 * @param holdsStreamed whether values of its type may have streamed values within them
 * @param direction whether it goes to the server, comes back, or both
 */
public record ParameterPlan(
        int place,
        String name,
        Class<?> type,
        ValueKind kind,
        Travel travel,
        Type sent,
        Declared declared,
        boolean holdsStreamed,
        Direction direction) {

    /** The place of a result. */
    public static final int RESULT = -1;

    /** How a value gets to the other side. */
    public enum Travel {
        /** With its message: it is used when it has arrived whole. */
        WHOLE,
        /** Streamed; rewritten code uses it while it arrives, all other code gets it whole. */
        STREAMED,
        /** Streamed, and declared as {@link Later.Value}: the code itself uses it while it arrives. */
        LATER,
        /** Streamed, and declared as {@link InputStream}: the code itself reads it while it arrives. */
        INPUT
    }

    /** Where the contents of a value go. */
    public enum Direction {
        /** To the other side, once. */
        IN,
        /** Back to the caller; only the shape of an array goes to the server. */
        OUT,
        /** To the server; what has changed comes back. */
        IN_OUT
    }

    /** Checks its components. */
    public ParameterPlan {
        requireNonNull(kind, "kind");
        requireNonNull(travel, "travel");
        requireNonNull(declared, "declared");
        requireNonNull(direction, "direction");
    }

    /** Whether it is streamed. */
    public boolean isStreamed() {
        return travel != Travel.WHOLE;
    }

    /** Whether the caller's object is changed when the call has returned. */
    public boolean isRestored() {
        return direction != Direction.IN;
    }

    /** Whether parameters of a type are streamed without an annotation or a setting. */
    static boolean isAlwaysStreamed(Class<?> type) {
        return type == Later.Value.class || type == InputStream.class;
    }

    /** Returns the type of the value that is sent for a declared type. */
    static Type sent(Type declared) {
        if (declared == InputStream.class) {
            return byte[].class;
        }
        boolean isLater = declared == Later.Value.class
                || declared instanceof ParameterizedType p && p.getRawType() == Later.Value.class;
        return isLater ? typeArgument(declared) : declared;
    }

    /** The first type argument of a declared type; {@link Object} if it has none. */
    static Type typeArgument(Type declared) {
        return declared instanceof ParameterizedType p ? p.getActualTypeArguments()[0] : Object.class;
    }
}
