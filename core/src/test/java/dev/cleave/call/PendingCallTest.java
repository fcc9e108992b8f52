package dev.cleave.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cleave.CallException;
import dev.cleave.CallException.Execution;
import dev.cleave.DeadlineException;
import dev.cleave.wire.ErrorCode;
import java.lang.reflect.Field;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class PendingCallTest {

    @Test
    void theFirstEndOfACallCountsAndNoneAfterIt() throws Throwable {
        SilentCall call = new SilentCall();
        AtomicInteger ends = new AtomicInteger();
        call.onEnd(ends::incrementAndGet);

        assertThat(call.succeed(1, null)).isTrue();
        assertThat(call.succeed(2, null)).isFalse();
        assertThat(call.fail(ErrorCode.DEADLINE, Execution.MAYBE_EXECUTED, "late", null))
                .isFalse();
        assertThat(call.cancel()).isFalse();

        assertThat(call.awaitLong()).isEqualTo(1);
        assertThat(ends).hasValue(1);
    }

    @Test
    void aThreadThatWaitsInManyStepsIsNotedOnce() throws Exception {
        SilentCall call = new SilentCall();
        call.onEnd(() -> {});
        Field waiters = PendingCall.class.getDeclaredField("waiters");
        waiters.setAccessible(true);
        call.wakes(Thread.currentThread());
        Object once = waiters.get(call);

        for (int i = 0; i < 100; i++) {
            call.wakes(Thread.currentThread());
        }

        assertThat(waiters.get(call)).isSameAs(once);
    }

    @Test
    void aThreadThatLingersBeginsNoDeadlineAndGoesOnAtTheEndOfTheCallOrOfTheOther() throws Exception {
        SilentCall call = new SilentCall();
        long minute = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        call.linger(() -> true, minute);
        assertThat(call.isDone()).isFalse();

        call.wakes(Thread.currentThread());
        Thread end = new Thread(() -> call.succeed(1, null));
        end.start();
        while (!call.isDone()) { // it may return early
            call.linger(() -> false, minute);
        }
        end.join();

        assertThat(System.nanoTime() - minute).isNegative();
        assertThat(call.deadlineAt()).isZero();
    }

    @Test
    void aPromptFutureIsCompletedByTheThreadThatEndsTheCall() throws Exception {
        SilentCall call = new SilentCall();
        AtomicReference<Thread> completer = new AtomicReference<>();
        var unused = call.toPromptFuture().thenRun(() -> completer.set(Thread.currentThread()));

        call.succeed(1, null);

        assertThat(completer).hasValue(Thread.currentThread());
    }

    @Test
    void aPromptFutureOfACallWithoutAnAnswerIsCompletedByAnotherThread() throws Exception {
        SilentCall call = new SilentCall();
        CompletableFuture<Thread> completer = new CompletableFuture<>();
        var unused =
                call.toPromptFuture().whenComplete((result, failure) -> completer.complete(Thread.currentThread()));

        call.fail(ErrorCode.CONNECTION_LOST, Execution.MAYBE_EXECUTED, "lost", null);

        assertThat(completer.get(1, TimeUnit.MINUTES)).isNotEqualTo(Thread.currentThread());
    }

    @Test
    void anAnswerBehindTheDeadlineChangesNothing() throws Exception {
        SilentCall call = new SilentCall();
        call.fail(ErrorCode.DEADLINE, Execution.MAYBE_EXECUTED, "late", null);

        assertThat(call.succeed(1, null)).isFalse();

        assertThatThrownBy(call::awaitLong).isInstanceOf(CallException.class).hasMessageContaining("late");
    }

    @Test
    void aCallEndsWhenItsTimeIsOver() throws Exception {
        AtomicLong now = new AtomicLong(1);
        SilentCall call = new SilentCall(now::get);
        call.origin();
        now.addAndGet(TimeUnit.MILLISECONDS.toNanos(999));
        call.expire();
        assertThat(call.isDone()).isFalse();

        now.addAndGet(TimeUnit.MILLISECONDS.toNanos(2));
        call.expire();

        assertThat(call.isDone()).isTrue();
        assertThatThrownBy(call::awaitLong)
                .isInstanceOf(DeadlineException.class)
                .hasMessageContaining("deadline of 1 s passed");
    }

    @Test
    void aCallObjectThatServesAgainHasNothingOfTheCallBefore() throws Throwable {
        SilentCall call = new SilentCall();
        call.succeed(7, null);
        assertThat(call.awaitLong()).isEqualTo(7);

        call.renew();

        assertThat(call.isDone()).isFalse();
        call.succeed(8, null);
        assertThat(call.awaitLong()).isEqualTo(8);
    }
}
