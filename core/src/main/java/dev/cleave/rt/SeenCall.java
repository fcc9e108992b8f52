package dev.cleave.rt;

import org.jspecify.annotations.Nullable;

/** A call that has ended, for code that looks at its result: the call stays in its queue, and can still be taken. */
final class SeenCall extends SentCall {

    private final SentCall call;

    SeenCall(SentCall call) {
        super(call);
        this.call = call;
    }

    @Override
    int awaitInt() throws Throwable {
        return call.awaitInt();
    }

    @Override
    long awaitLong() throws Throwable {
        return call.awaitLong();
    }

    @Override
    float awaitFloat() throws Throwable {
        return call.awaitFloat();
    }

    @Override
    double awaitDouble() throws Throwable {
        return call.awaitDouble();
    }

    @Override
    @Nullable
    Object await() throws Throwable {
        return call.await();
    }

    @Override
    void awaitVoid() throws Throwable {
        call.awaitVoid();
    }

    @Override
    void withdrawn() {}

    @Override
    void discard() {}
}
