package dev.cleave.node;

import dev.cleave.Later;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** The press of the tests. */
final class RealPress implements Press {

    final AtomicInteger begun = new AtomicInteger();
    final AtomicInteger ended = new AtomicInteger();
    final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final Press next;
    private int[] last = {};

    /** One that asks another where it is told to; null if there is none. */
    RealPress(Press next) {
        this.next = next;
    }

    /** Changes what was returned last. */
    void spoil() {
        Arrays.fill(last, 2);
    }

    private int[] made(int count) {
        int[] ones = new int[count];
        Arrays.fill(ones, 1);
        last = ones;
        return ones;
    }

    @Override
    public Later.Value<int[]> ones(int count) {
        return Later.Value.of(made(count));
    }

    @Override
    public int[] plain(int count) {
        return made(count);
    }

    @Override
    public int[] twice(int[] values) {
        return Arrays.stream(values).map(value -> 2 * value).toArray();
    }

    @Override
    public int[] twiceWhole(int[] values) {
        return twice(values);
    }

    @Override
    public Later.Value<int[][]> rows(int count, int length) {
        int[][] rows = new int[count][];
        for (int i = 0; i < count; i++) {
            rows[i] = i == 1 ? null : made(length);
        }
        return Later.Value.of(rows);
    }

    @Override
    public Later.Value<List<String>> words(int count) {
        return Later.Value.of(new ArrayList<>(Collections.nCopies(count, "word")));
    }

    @Override
    public String text(int letters) {
        return "x".repeat(letters);
    }

    @Override
    public Later.Value<String> none(boolean isValue) {
        return isValue ? Later.Value.of(null) : null;
    }

    @Override
    public Later.Value<int[]> same(Later.Value<int[]> values) {
        return values;
    }

    @Override
    public Later.Value<int[]> onesOfNext(int count) {
        return next.ones(count);
    }

    @Override
    public Later.Value<int[]> sameOfNext(Later.Value<int[]> values) {
        return next.same(values);
    }

    @Override
    public long sum(Later.Value<int[]> values) {
        begun.incrementAndGet();
        try {
            return sumOf(values);
        } catch (Throwable e) {
            failure.set(e);
            throw e;
        } finally {
            ended.incrementAndGet();
        }
    }

    /** Taken element by element as they come. */
    static long sumOf(Later.Value<int[]> values) {
        int[] array = values.begun();
        long sum = 0;
        int here = values.received();
        for (int i = 0; i < array.length; i++) {
            if (i >= here) {
                here = values.await(i);
            }
            sum += array[i];
        }
        return sum;
    }

    @Override
    public long sumOfNext(Later.Value<int[]> values) {
        return next.sum(values);
    }

    @Override
    public Later.Value<int[]> fails() {
        throw new IllegalStateException("out of ink");
    }

    @Override
    public int letters(String text) {
        return text.length();
    }

    @Override
    public long cells(Later.Value<int[][]> rows) {
        return Arrays.stream(rows.get())
                .filter(Objects::nonNull)
                .mapToLong(row -> Arrays.stream(row).asLongStream().sum())
                .sum();
    }

    @Override
    public int count(Later.Value<List<String>> words) {
        return words.get().size();
    }

    @Override
    public String told(Later.Value<String> text) {
        return text == null ? "nothing" : String.valueOf(text.get());
    }

    @Override
    public int small(int value) {
        return value;
    }
}
