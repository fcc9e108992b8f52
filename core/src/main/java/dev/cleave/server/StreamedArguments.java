package dev.cleave.server;

import static java.util.Objects.requireNonNull;

import dev.cleave.later.LaterArguments;
import dev.cleave.stream.ForwardedValues;
import dev.cleave.stream.StreamedValue;
import org.jspecify.annotations.Nullable;

/** The streamed arguments of one call, as its rewritten method takes them. */
final class StreamedArguments extends LaterArguments {

    private final String method; // name and descriptor
    private final @Nullable StreamedValue[] values; // by parameter; null for an argument that is given as it is
    private final Class<?>[] types;

    StreamedArguments(String method, @Nullable StreamedValue[] values, Class<?>[] types) {
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
        return types[parameter].cast(value(parameter).get());
    }

    @Override
    public @Nullable Object begun(int parameter) {
        return types[parameter].cast(value(parameter).begun());
    }

    @Override
    public int received(int parameter) {
        StreamedValue value = value(parameter);
        return value.isArray() ? value.received() : sizeOf(value, parameter);
    }

    @Override
    public int await(int parameter, int index) {
        StreamedValue value = value(parameter);
        return value.isArray() ? value.await(index) : sizeOf(value, parameter);
    }

    @Override
    public void passOn(int parameter) {
        StreamedValue value = value(parameter);
        if (!value.isHere()) {
            ForwardedValues.add(value);
        }
    }

    /** The size of a collection, which arrives whole or not at all. */
    private int sizeOf(StreamedValue value, int parameter) {
        return value.isHere() && whole(parameter) instanceof java.util.Collection<?> all ? all.size() : 0;
    }

    private StreamedValue value(int parameter) {
        return requireNonNull(values[parameter], "a parameter that was given as it is");
    }
}
