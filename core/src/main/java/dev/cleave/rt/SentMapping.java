package dev.cleave.rt;

import java.util.ArrayList;
import java.util.List;
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
    private final String frame;

    private SentMapping(
            Strands nest, int row, Function<@Nullable Object, @Nullable Object> written, char type, String frame) {
        this.nest = nest;
        this.row = row;
        this.written = written;
        this.type = type;
        this.frame = frame;
    }

    /**
     * Called by rewritten bytecode in front of {@code computeIfAbsent}; returns the function that the program has made itself if
     * no strand sends its calls.
     *
     * @param written the function as the program has made it
     * @param row that of the calls
     * @param type how the descriptor of the result of the remote method begins
     * @param frame the method and line of the call within the function, {@code Class.method:line}; empty if it has no method of its own
     * @param nest null if there is none
     */
    public static Function<@Nullable Object, @Nullable Object> of(
            Function<@Nullable Object, @Nullable Object> written,
            int row,
            int type,
            String frame,
            @Nullable Strands nest) {
        return nest == null || !nest.sends(row) ? written : new SentMapping(nest, row, written, (char) type, frame);
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
            nameFrame(e);
            throw SentMapping.<RuntimeException>asIs(e); // what the function itself would have thrown
        }
    }

    /** Puts the frame of the function in place of those of this class into the stack of an exception. */
    private void nameFrame(Throwable thrown) {
        if (frame.isEmpty()) {
            return;
        }
        int line = frame.lastIndexOf(':');
        int name = frame.lastIndexOf('.', line);
        String type = frame.substring(0, name);
        List<StackTraceElement> stack = new ArrayList<>();
        boolean isNamed = false;
        String file = null;
        for (StackTraceElement each : thrown.getStackTrace()) {
            file = file == null && each.getClassName().equals(type) ? each.getFileName() : file;
        }
        for (StackTraceElement each : thrown.getStackTrace()) {
            if (!each.getClassName().equals(SentMapping.class.getName())) {
                stack.add(each);
            } else if (!isNamed) {
                isNamed = true;
                stack.add(new StackTraceElement(
                        type, frame.substring(name + 1, line), file, Integer.parseInt(frame.substring(line + 1))));
            }
        }
        thrown.setStackTrace(stack.toArray(new StackTraceElement[0]));
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
