package dev.cleave.node;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** Serves {@link Shop}, counts what it executes, and can be made to wait. */
final class RealShop implements Shop {

    private final Map<Integer, Integer> stock = new ConcurrentHashMap<>();

    static final class Private extends RuntimeException {
        private static final long serialVersionUID = 1;

        Private(String message) {
            super(message);
        }
    }

    final AtomicInteger executed = new AtomicInteger();
    final CountDownLatch entered = new CountDownLatch(1);
    volatile CountDownLatch gate;
    private final String name;

    RealShop(String name) {
        this.name = name;
    }

    @Override
    public void nothing() {
        executed.incrementAndGet();
        CountDownLatch closed = gate;
        if (closed != null) {
            entered.countDown();
            try {
                closed.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public int add(int a, int b) {
        executed.incrementAndGet();
        return a + b;
    }

    @Override
    public long sum(byte[] bytes) {
        long sum = 0;
        for (byte b : bytes) {
            sum += b;
        }
        return sum;
    }

    @Override
    public boolean not(boolean value) {
        return !value;
    }

    @Override
    public byte increment(byte value) {
        return (byte) (value + 1);
    }

    @Override
    public char upper(char c) {
        return Character.toUpperCase(c);
    }

    @Override
    public short half(short value) {
        return (short) (value / 2);
    }

    @Override
    public float halfFloat(float value) {
        return value / 2;
    }

    @Override
    public double mean(double[] values, double weight, long count) {
        return Arrays.stream(values).sum() * weight / count;
    }

    @Override
    public String greet(String who) {
        return who == null ? null : "hello " + who;
    }

    @Override
    public int[] sorted(int[] values) {
        int[] copy = values.clone();
        Arrays.sort(copy);
        return copy;
    }

    @Override
    public Item copy(Item item, Map<String, List<Item>> more) {
        return new Item(
                item.name(),
                more.size(),
                more.values().stream().flatMap(List::stream).toList());
    }

    @Override
    public Item order(String what) throws SoldOut {
        throw new SoldOut("no " + what, new Item(what, 0, List.of()));
    }

    @Override
    public Object echo(Object any) {
        return any;
    }

    @Override
    public int slow(int millis, int result) {
        executed.incrementAndGet();
        java.util.concurrent.locks.LockSupport.parkNanos(millis * 1_000_000L);
        return result;
    }

    @Override
    public int pure(int x) {
        executed.incrementAndGet();
        return x * x;
    }

    @Override
    public String replica() {
        nothing();
        return name;
    }

    @Override
    public void fail(String what) throws IOException {
        switch (what) {
            case "checked" -> throw new IOException("disk");
            case "private" -> throw new Private("mine");
            case "error" -> throw new AssertionError("broken");
            case "sneaky" -> RealShop.<RuntimeException>sneak(new ClassNotFoundException("undeclared"));
            default -> throw new IllegalArgumentException(what);
        }
    }

    @Override
    public CompletableFuture<String> later(String who) {
        return who.isEmpty()
                ? CompletableFuture.failedFuture(new IllegalArgumentException("empty"))
                : CompletableFuture.supplyAsync(() -> "later " + who);
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void sneak(Throwable thrown) throws T {
        throw (T) thrown;
    }

    @Override
    public int pureCount(Item item, Map<String, Integer> more) {
        return item.count() + more.size() + item.parts().size();
    }

    @Override
    public String pureName(Object any) {
        return String.valueOf(any);
    }

    @Override
    public int stock(int item) {
        return stock.getOrDefault(item, 0);
    }

    @Override
    public int restock(int item, int count) {
        return stock.merge(item, count, Integer::sum);
    }

    @Override
    public int reprice(int item, int price) {
        return item + price;
    }
}
