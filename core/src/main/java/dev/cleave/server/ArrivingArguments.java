package dev.cleave.server;

import static java.util.Objects.requireNonNull;

import dev.cleave.later.LaterArguments;
import dev.cleave.later.PassedOn;
import dev.cleave.serial.LateValue;
import org.jspecify.annotations.Nullable;

/** The arguments of one call that its method takes while they arrive. */
final class ArrivingArguments extends LaterArguments {

    private final String method; // name and descriptor
    private final @Nullable LateValue[] values; // by parameter; null for those that are given as they are
    private final Class<?>[] types;

    ArrivingArguments(String method, @Nullable LateValue[] values, Class<?>[] types) {
        this.method = method;
        this.values = values;
        this.types = types;
    }

    @Override
    protected boolean isOf(String other) {
        return method.equals(other);
    }

    @Override
    public boolean isLater(int parameter) {
        return parameter >= 0 && parameter < values.length && values[parameter] != null;
    }

    @Override
    public @Nullable Object whole(int parameter) {
        return types[parameter].cast(value(parameter).whole());
    }

    @Override
    public @Nullable Object begun(int parameter) {
        return types[parameter].cast(value(parameter).begun());
    }

    @Override
    public int received(int parameter) {
        LateValue value = value(parameter);
        return value.isArray() ? value.received() : sizeOf(value, parameter);
    }

    @Override
    public int await(int parameter, int index) {
        LateValue value = value(parameter);
        return value.isArray() ? value.await(index) : sizeOf(value, parameter);
    }

    @Override
    public void passOn(int parameter) {
        LateValue value = value(parameter);
        if (!value.isComplete()) {
            PassedOn.add(value);
        }
    }

    /** What comes as one, such as a list, is there in whole or not at all. */
    private int sizeOf(LateValue value, int parameter) {
        return value.isComplete() && whole(parameter) instanceof java.util.Collection<?> all ? all.size() : 0;
    }

    private LateValue value(int parameter) {
        return requireNonNull(values[parameter], "a parameter that was given as it is");
    }
}
