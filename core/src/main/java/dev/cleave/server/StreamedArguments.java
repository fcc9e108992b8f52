package dev.cleave.server;

import static java.util.Objects.requireNonNull;

import dev.cleave.call.CallPlan;
import dev.cleave.later.LaterArguments;
import dev.cleave.stream.ForwardedValues;
import dev.cleave.stream.StreamedValue;
import org.jspecify.annotations.Nullable;

/** The streamed arguments of one call, as its rewritten method takes them. */
final class StreamedArguments extends LaterArguments {

    private final @Nullable String taker; // name and descriptor of the method; null if it takes them whole
    private final CallPlan plan;
    private final @Nullable StreamedValue[] values; // by parameter; null for an argument that is given as it is

    StreamedArguments(@Nullable String taker, CallPlan plan) {
        this.taker = taker;
        this.plan = plan;
        values = new @Nullable StreamedValue[plan.parameters().size()];
    }

    /** Adds the value of a parameter. */
    void put(int parameter, StreamedValue value) {
        values[parameter] = value;
    }

    /**
     * Gives the values that have arrived as arguments; of a method that takes its arguments whole it waits for the
     * others.
     *
     * @return whether some are still arriving
     */
    boolean settle(@Nullable Object[] arguments) {
        boolean any = false;
        for (int i = 0; i < values.length; i++) {
            StreamedValue value = values[i];
            if (value != null && (taker == null || value.isHere())) {
                arguments[i] = value.get();
                values[i] = null;
            } else if (value != null) {
                arguments[i] = null;
                any = true;
            }
        }
        return any;
    }

    @Override
    protected boolean isOf(String other) {
        return other.equals(taker);
    }

    @Override
    public boolean isLater(int parameter) {
        return parameter >= 0 && parameter < values.length && values[parameter] != null;
    }

    @Override
    public @Nullable Object whole(int parameter) {
        return type(parameter).cast(value(parameter).get());
    }

    @Override
    public @Nullable Object begun(int parameter) {
        return type(parameter).cast(value(parameter).begun());
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

    private Class<?> type(int parameter) {
        return plan.parameters().get(parameter).type();
    }

    private StreamedValue value(int parameter) {
        return requireNonNull(values[parameter], "a parameter that was given as it is");
    }
}
