package dev.cleave.kotlin;

import dev.cleave.call.Suspensions;
import java.util.concurrent.CompletableFuture;
import kotlin.Unit;
import kotlin.coroutines.Continuation;
import kotlin.coroutines.intrinsics.IntrinsicsKt;
import kotlinx.coroutines.future.FutureKt;
import org.jspecify.annotations.Nullable;

/** Calls suspend methods with the coroutines of {@code kotlinx.coroutines}. Thread-safe. */
public final class CoroutineSuspension implements Suspensions.Coroutines {

    /** For the service loader. */
    public CoroutineSuspension() {}

    @Override
    public CompletableFuture<@Nullable Object> continuation() {
        return new ServedContinuation();
    }

    @Override
    public void returned(@Nullable Object returned, CompletableFuture<@Nullable Object> continuation) {
        if (returned != IntrinsicsKt.getCOROUTINE_SUSPENDED()) {
            ((ServedContinuation) continuation).ends(returned);
        }
    }

    @Override
    @SuppressWarnings("unchecked") // the declared type of a suspend method's last parameter
    public @Nullable Object await(CompletableFuture<@Nullable Object> result, Object continuation, boolean isUnit) {
        CompletableFuture<@Nullable Object> awaited = isUnit ? new UnitFuture(result) : result;
        return FutureKt.await(awaited, (Continuation<? super Object>) continuation);
    }

    /** Completes with {@link Unit} when a call without a result has ended. */
    private static final class UnitFuture extends CompletableFuture<@Nullable Object> {

        private final CompletableFuture<@Nullable Object> call;

        private UnitFuture(CompletableFuture<@Nullable Object> call) {
            this.call = call;
            CompletableFuture<?> unused = call.whenComplete((nothing, thrown) -> {
                if (thrown == null) {
                    complete(Unit.INSTANCE);
                } else {
                    completeExceptionally(thrown);
                }
            });
        }

        @Override
        public boolean cancel(boolean mayInterrupt) {
            return call.cancel(mayInterrupt) | super.cancel(mayInterrupt);
        }
    }
}
