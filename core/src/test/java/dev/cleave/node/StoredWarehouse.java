package dev.cleave.node;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** The warehouse of the tests; keeps a log. */
class StoredWarehouse implements Warehouse {

    final List<Integer> log = new CopyOnWriteArrayList<>();
    final AtomicInteger executed = new AtomicInteger();
    final CountDownLatch begun = new CountDownLatch(1);
    final CountDownLatch goOn = new CountDownLatch(1);

    @Override
    public Map<String, Object> all(
            boolean[] booleans,
            byte[] bytes,
            char[] chars,
            short[] shorts,
            String text,
            int[] ints,
            long[] longs,
            float[] floats,
            double[] doubles,
            Crate crate) {
        Map<String, Object> all = new HashMap<>();
        all.put("booleans", booleans);
        all.put("bytes", bytes);
        all.put("chars", chars);
        all.put("shorts", shorts);
        all.put("text", text);
        all.put("ints", ints);
        all.put("longs", longs);
        all.put("floats", floats);
        all.put("doubles", doubles);
        all.put("crate", crate);
        return all;
    }

    @Override
    public double[] doubled(double[] values) {
        executed.incrementAndGet();
        double[] doubled = values.clone();
        for (int i = 0; i < doubled.length; i++) {
            doubled[i] *= 2;
        }
        return doubled;
    }

    @Override
    public long sum(byte[] bytes) {
        executed.incrementAndGet();
        long sum = 0;
        for (byte each : bytes) {
            sum += each;
        }
        return sum;
    }

    @Override
    public Crate crate(Crate crate) {
        return crate;
    }

    @Override
    public String text(String text) {
        return text;
    }

    @Override
    public int small(int value) {
        return value;
    }

    @Override
    public byte[] held(byte[] bytes) throws InterruptedException {
        executed.incrementAndGet();
        begun.countDown();
        goOn.await();
        return bytes;
    }

    @Override
    public int append(int number, byte[] bytes) {
        log.add(number);
        return bytes.length;
    }
}
