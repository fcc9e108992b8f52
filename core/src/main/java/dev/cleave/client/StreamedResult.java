package dev.cleave.client;

import dev.cleave.CallException;
import dev.cleave.Later;
import dev.cleave.call.Failures;
import dev.cleave.call.RemoteMethod;
import dev.cleave.later.LaterArguments;
import dev.cleave.stream.ForwardedValues;
import dev.cleave.stream.StreamedValue;
import org.jspecify.annotations.Nullable;

/**
 * A result that rewritten code uses before it is whole, as parameter 0. Its array exists; {@link #received} is {@link
 * Integer#MAX_VALUE} when all of it has arrived. It throws the failures that the call would have thrown.
 */
final class StreamedResult extends LaterArguments {

    private final RemoteMethod method;
    private final @Nullable StreamedValue arriving;
    private final @Nullable Object array;

    private StreamedResult(RemoteMethod method, @Nullable StreamedValue arriving, @Nullable Object array) {
        this.method = method;
        this.arriving = arriving;
        this.array = array;
    }

    /** Returns a result that has arrived whole. */
    static StreamedResult whole(RemoteMethod method, @Nullable Object array) {
        return new StreamedResult(method, null, array);
    }

    /** Returns a result that may be arriving; waits for one that cannot be used part by part. */
    static StreamedResult of(RemoteMethod method, Later.@Nullable Value<?> result) {
        if (!(result instanceof StreamedValue value) || !value.isArray() || value.isHere()) {
            return new StreamedResult(method, null, result == null ? null : exact(method, result::get));
        }
        return new StreamedResult(method, value, exact(method, value::begun));
    }

    @Override
    protected boolean isOf(String other) {
        return false;
    }

    @Override
    public boolean isLater(int parameter) {
        return missing() != null;
    }

    private @Nullable StreamedValue missing() {
        StreamedValue value = arriving;
        return value == null || value.isHere() ? null : value;
    }

    @Override
    public @Nullable Object whole(int parameter) {
        StreamedValue value = missing();
        return value == null ? array : exact(method, value::get);
    }

    @Override
    public @Nullable Object begun(int parameter) {
        return array;
    }

    @Override
    public int received(int parameter) {
        StreamedValue value = missing();
        return value == null ? Integer.MAX_VALUE : value.received();
    }

    @Override
    public int await(int parameter, int index) {
        StreamedValue value = missing();
        Object now = value == null ? null : exact(method, () -> value.await(index));
        return now instanceof Integer received && missing() != null ? received : Integer.MAX_VALUE;
    }

    @Override
    public void passOn(int parameter) {
        StreamedValue value = missing();
        if (value != null) {
            ForwardedValues.add(value);
        }
    }

    private interface Wait {
        @Nullable
        Object end();
    }

    private static @Nullable Object exact(RemoteMethod method, Wait wait) {
        try {
            return wait.end();
        } catch (CallException e) {
            throw Failures.<RuntimeException>sneak(Failures.forCaller(e, method, false));
        }
    }
}
