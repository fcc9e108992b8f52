package dev.cleave.client;

import dev.cleave.CallException;
import dev.cleave.Later;
import dev.cleave.call.Failures;
import dev.cleave.call.RemoteMethod;
import dev.cleave.later.LaterArguments;
import dev.cleave.later.PassedOn;
import dev.cleave.serial.ArrivingValue;
import dev.cleave.serial.LateValue;
import org.jspecify.annotations.Nullable;

/**
 * The result of one call that its caller has before it is whole: parameter 0, so to speak. The array is there; {@link #received}
 * is {@link Integer#MAX_VALUE} when all of it is. Failures are those that the call would have thrown.
 */
final class LaterResult extends LaterArguments {

    private final RemoteMethod method;
    private final @Nullable LateValue arriving;
    private final @Nullable Object array;

    private LaterResult(RemoteMethod method, @Nullable LateValue arriving, @Nullable Object array) {
        this.method = method;
        this.arriving = arriving;
        this.array = array;
    }

    /** What has come in whole. */
    static LaterResult whole(RemoteMethod method, @Nullable Object array) {
        return new LaterResult(method, null, array);
    }

    /** What has come, in whole or not; what cannot be used part by part is waited for. */
    static LaterResult of(RemoteMethod method, Later.@Nullable Value<?> shown) {
        LateValue value = shown instanceof ArrivingValue arriving ? arriving.shown() : null;
        if (value == null || !value.isArray() || value.isComplete()) {
            return new LaterResult(method, null, shown == null ? null : exact(method, shown::get));
        }
        return new LaterResult(method, value, exact(method, value::begun));
    }

    @Override
    protected boolean isOf(String other) {
        return false;
    }

    @Override
    public boolean isLater(int parameter) {
        return missing() != null;
    }

    private @Nullable LateValue missing() {
        LateValue value = arriving;
        return value == null || value.isComplete() ? null : value;
    }

    @Override
    public @Nullable Object whole(int parameter) {
        LateValue value = missing();
        return value == null ? array : exact(method, value::whole);
    }

    @Override
    public @Nullable Object begun(int parameter) {
        return array;
    }

    @Override
    public int received(int parameter) {
        LateValue value = missing();
        return value == null ? Integer.MAX_VALUE : value.received();
    }

    @Override
    public int await(int parameter, int index) {
        LateValue value = missing();
        Object now = value == null ? null : exact(method, () -> value.await(index));
        return now instanceof Integer received && missing() != null ? received : Integer.MAX_VALUE;
    }

    @Override
    public void passOn(int parameter) {
        LateValue value = missing();
        if (value != null) {
            PassedOn.add(value);
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
