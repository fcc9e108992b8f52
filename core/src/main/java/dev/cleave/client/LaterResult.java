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
        return arriving != null && !arriving.isComplete();
    }

    @Override
    public @Nullable Object whole(int parameter) {
        return arriving == null ? array : exact(method, arriving::whole);
    }

    @Override
    public @Nullable Object begun(int parameter) {
        return array;
    }

    @Override
    public int received(int parameter) {
        return isLater(parameter) ? arriving.received() : Integer.MAX_VALUE;
    }

    @Override
    public int await(int parameter, int index) {
        if (!isLater(parameter)) {
            return Integer.MAX_VALUE;
        }
        int now = exact(method, () -> arriving.await(index));
        return isLater(parameter) ? now : Integer.MAX_VALUE;
    }

    @Override
    public void passOn(int parameter) {
        if (isLater(parameter)) {
            PassedOn.add(arriving);
        }
    }

    private interface Wait<T extends @Nullable Object> {
        T on();
    }

    private static <T extends @Nullable Object> T exact(RemoteMethod method, Wait<T> wait) {
        try {
            return wait.on();
        } catch (CallException e) {
            throw Failures.<RuntimeException>sneak(Failures.forCaller(e, method, false));
        }
    }
}
