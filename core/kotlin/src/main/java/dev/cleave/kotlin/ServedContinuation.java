package dev.cleave.kotlin;

import dev.cleave.CallContext;
import java.util.concurrent.CompletableFuture;
import kotlin.ResultKt;
import kotlin.Unit;
import kotlin.coroutines.Continuation;
import kotlin.coroutines.CoroutineContext;
import kotlinx.coroutines.CompletableJob;
import kotlinx.coroutines.Dispatchers;
import kotlinx.coroutines.JobKt;
import org.jspecify.annotations.Nullable;

/**
 * Continues what a suspend method's caller at the server waits for: its answer. The method begins on a worker, and goes on
 * in {@code Dispatchers.Default} when it has been suspended. Its coroutine is cancelled when the caller gives the call up.
 */
final class ServedContinuation extends CompletableFuture<@Nullable Object> implements Continuation<@Nullable Object> {

    private final CompletableJob job = JobKt.Job(null);
    private final CoroutineContext context;

    ServedContinuation() {
        CoroutineContext coroutine = job.plus(Dispatchers.getDefault());
        context = CallContext.find()
                .map(call -> coroutine.plus(new ServedCall(call)))
                .orElse(coroutine);
    }

    @Override
    public CoroutineContext getContext() {
        return context;
    }

    @Override
    public void resumeWith(@Nullable Object result) {
        try {
            ResultKt.throwOnFailure(result);
        } catch (Throwable e) { // of the method
            completeExceptionally(e);
            job.complete();
            return;
        }
        ends(result);
    }

    /** The method has ended with a result. */
    void ends(@Nullable Object result) {
        complete(result == Unit.INSTANCE ? null : result);
        job.complete();
    }

    @Override
    public boolean cancel(boolean mayInterrupt) {
        job.cancel(null);
        return super.cancel(mayInterrupt);
    }
}
