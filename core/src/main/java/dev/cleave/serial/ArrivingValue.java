package dev.cleave.serial;

import static java.util.Objects.requireNonNull;

import dev.cleave.Later;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A {@link LateValue} as programs see it. */
@SuppressWarnings("NullAway") // it does not see that the type of the value may be null
public final class ArrivingValue implements Later.Value<@Nullable Object> {

    private final LateValue value;

    /** Shows a value to the program. */
    public ArrivingValue(LateValue value) {
        this.value = requireNonNull(value, "value");
    }

    /** What it shows. */
    public LateValue shown() {
        return value;
    }

    @Override
    public @Nullable Object get() {
        return value.whole();
    }

    @Override
    public @Nullable Object get(Duration atMost) {
        if (atMost.isNegative() || atMost.isZero()) {
            throw new IllegalArgumentException("atMost: " + atMost + " (expected: positive)");
        }
        return value.whole(atMost.toNanos());
    }

    @Override
    public @Nullable Object begun() {
        return value.begun();
    }

    @Override
    public int received() {
        return value.received();
    }

    @Override
    public int await(int index) {
        return value.await(index);
    }

    @Override
    public boolean isHere() {
        return value.isComplete();
    }

    @Override
    public void onArrival(Runnable task) {
        value.onArrival(requireNonNull(task, "task"));
    }
}
