package dev.cleave.rt;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The function with which the program fills a map: it takes the call that a strand has sent for a key, and makes the call
 * itself if there is none (R71).
 */
public final class SentMapping implements Function<@Nullable Object, @Nullable Object> {

    private final Strands nest;
    private final int row;
    private final Function<@Nullable Object, @Nullable Object> written;
    private final char type;

    private SentMapping(Strands nest, int row, Function<@Nullable Object, @Nullable Object> written, char type) {
        this.nest = nest;
        this.row = row;
        this.written = written;
        this.type = type;
    }

    /**
     * Called by rewritten bytecode in front of {@code computeIfAbsent}; returns the function that the program has made itself if
     * no strand sends its calls.
     *
     * @param written the function as the program has made it
     * @param row that of the calls
     * @param type how the descriptor of the result of the remote method begins
     * @param nest null if there is none
     */
    public static Function<@Nullable Object, @Nullable Object> of(
            Function<@Nullable Object, @Nullable Object> written, int row, int type, @Nullable Strands nest) {
        return nest == null || !nest.sends(row) ? written : new SentMapping(nest, row, written, (char) type);
    }

    @Override
    public @Nullable Object apply(@Nullable Object key) {
        SentCall call = nest.takeFor(row, key);
        if (call == null) {
            return written.apply(key);
        }
        try {
            return resultOf(call);
        } catch (Throwable e) {
            throw SentMapping.<RuntimeException>asIs(e); // what the function itself would have thrown
        }
    }

    private @Nullable Object resultOf(SentCall call) throws Throwable {
        return switch (type) {
            case 'Z' -> Rt.awaitInt(call) != 0;
            case 'B' -> (byte) Rt.awaitInt(call);
            case 'S' -> (short) Rt.awaitInt(call);
            case 'C' -> (char) Rt.awaitInt(call);
            case 'I' -> Rt.awaitInt(call);
            case 'J' -> Rt.awaitLong(call);
            case 'F' -> Rt.awaitFloat(call);
            case 'D' -> Rt.awaitDouble(call);
            default -> Rt.await(call);
        };
    }

    @SuppressWarnings("unchecked")
    private static <X extends Throwable> X asIs(Throwable e) throws X {
        throw (X) e;
    }
}
