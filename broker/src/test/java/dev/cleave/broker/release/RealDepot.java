package dev.cleave.broker.release;

import dev.cleave.CallContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** Serves the contract between releases. */
final class RealDepot implements Depot {

    private final AtomicInteger notes = new AtomicInteger();

    @Override
    public int add(int one, int other) {
        return one + other;
    }

    @Override
    public String echo(String text) {
        return text;
    }

    @Override
    public Crate pack(Crate crate) {
        List<Integer> numbers = new ArrayList<>(crate.numbers());
        numbers.add(numbers.size());
        return new Crate("outer", numbers, Map.of("inner", crate));
    }

    @Override
    public double[] scaled(double[] values, double factor) {
        return Arrays.stream(values).map(value -> value * factor).toArray();
    }

    @Override
    public long sum(byte[] values) {
        long sum = 0;
        for (byte value : values) {
            sum += value;
        }
        return sum;
    }

    @Override
    public void fail(String why) {
        throw new IllegalStateException(why);
    }

    @Override
    public void note(int value) {
        notes.addAndGet(value);
    }

    @Override
    public int noted() {
        return notes.get();
    }

    @Override
    public int watch(Watcher watcher) {
        return watcher.seen(7) + 1;
    }

    @Override
    public CompletableFuture<String> soon(String text) {
        return CompletableFuture.supplyAsync(() -> text + " soon");
    }

    @Override
    public String attached(String key) {
        return String.valueOf(CallContext.current().attachments().get(key));
    }

    @Override
    public int slow() {
        try {
            new CountDownLatch(1).await(); // until its caller has given up
            return 0;
        } catch (InterruptedException e) {
            return 1;
        }
    }
}
