package dev.cleave.kotlin;

import dev.cleave.CallContext;
import java.util.Optional;
import kotlin.coroutines.AbstractCoroutineContextElement;
import kotlin.coroutines.CoroutineContext;
import kotlinx.coroutines.ThreadContextElement;

/** Lets {@link CallContext#current} work on each thread that runs a part of a served coroutine. */
final class ServedCall extends AbstractCoroutineContextElement implements ThreadContextElement<Optional<CallContext>> {

    private static final Key KEY = new Key();

    /** Names elements of this class. */
    private static final class Key implements CoroutineContext.Key<ServedCall> {}

    private final CallContext call;

    ServedCall(CallContext call) {
        super(KEY);
        this.call = call;
    }

    @Override
    public Optional<CallContext> updateThreadContext(CoroutineContext context) {
        Optional<CallContext> before = CallContext.find();
        CallContext.Place.here().enter(() -> call);
        return before;
    }

    @Override
    public void restoreThreadContext(CoroutineContext context, Optional<CallContext> before) {
        CallContext.Place here = CallContext.Place.here();
        before.ifPresentOrElse(other -> here.enter(() -> other), here::leave);
    }
}
