package dev.cleave.jmh.bench.contender;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.ToLongFunction;

/** A caller of middleware that has futures: a window is one of them, the oldest awaited before the next is sent. */
public interface FutureCaller extends Contender.Caller {

    /** Sends eight bytes. */
    CompletableFuture<Long> send(long value) throws Exception;

    /** Sends some bytes. */
    CompletableFuture<byte[]> send(byte[] value) throws Exception;

    @Override
    default long echoes(int count, int window) throws Exception {
        return slide(count, window, i -> send((long) i), value -> value);
    }

    @Override
    default long echoes(byte[] value, int count, int window) throws Exception {
        return slide(count, window, i -> send(value), bytes -> bytes.length);
    }

    private static <T> long slide(int count, int window, Send<T> send, ToLongFunction<T> number) throws Exception {
        Queue<CompletableFuture<T>> pending = new ArrayDeque<>(window);
        long sum = 0;
        for (int i = 0; i < count; i++) {
            if (pending.size() == window) {
                sum += number.applyAsLong(get(pending.remove()));
            }
            pending.add(send.send(i));
        }
        while (!pending.isEmpty()) {
            sum += number.applyAsLong(get(pending.remove()));
        }
        return sum;
    }

    private static <T> T get(CompletableFuture<T> pending) throws ExecutionException, InterruptedException {
        return pending.get();
    }

    /** Sends the call of a number. */
    @FunctionalInterface
    interface Send<T> {

        /** Sends it, and does not wait. */
        CompletableFuture<T> send(int i) throws Exception;
    }
}
