package dev.cleave.later;

import dev.cleave.serial.LateValue;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Arrays that are still arriving, and are arguments of the remote call that this thread makes next: they go on to its server as
 * they come. What is among them and no argument of that call is forgotten.
 */
public final class PassedOn {

    private static final ThreadLocal<@Nullable List<LateValue>> NEXT = new ThreadLocal<>();
    private static volatile boolean used; // most programs never do

    private PassedOn() {}

    /** One more. */
    public static void add(LateValue value) {
        List<LateValue> values = NEXT.get();
        if (values == null) {
            values = new ArrayList<>(1);
            used = true;
            NEXT.set(values);
        }
        values.add(value);
    }

    /** Those of the call that begins now. */
    public static List<LateValue> take() {
        List<LateValue> values = used ? NEXT.get() : null;
        if (values == null) {
            return List.of();
        }
        NEXT.remove();
        return values;
    }
}
