package dev.cleave.stream;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The arrays that are still arriving and are arguments of the remote call that this thread makes next: they go on to
 * its server as they arrive. A value of the list that is no argument of that call is dropped from it.
 */
public final class ForwardedValues {

    private static final ThreadLocal<@Nullable List<StreamedValue>> NEXT = new ThreadLocal<>();
    private static volatile boolean used; // most programs never do

    private ForwardedValues() {}

    /** Adds a value for the call that this thread makes next. */
    public static void add(StreamedValue value) {
        List<StreamedValue> values = NEXT.get();
        if (values == null) {
            values = new ArrayList<>(1);
            used = true;
            NEXT.set(values);
        }
        values.add(value);
    }

    /** The values for the call that begins now; the list is empty afterwards. */
    public static List<StreamedValue> take() {
        List<StreamedValue> values = used ? NEXT.get() : null;
        if (values == null) {
            return List.of();
        }
        NEXT.remove();
        return values;
    }
}
