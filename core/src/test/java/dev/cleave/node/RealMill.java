package dev.cleave.node;

import dev.cleave.Later;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** The mill of the tests. */
class RealMill implements Mill {

    final AtomicInteger begun = new AtomicInteger();
    final AtomicInteger ended = new AtomicInteger();
    final AtomicInteger receivedAtBegin = new AtomicInteger(-1);
    final AtomicReference<Throwable> failure = new AtomicReference<>();
    final List<Integer> order = new CopyOnWriteArrayList<>();
    final AtomicReference<Later.Value<?>> escaped = new AtomicReference<>();

    @Override
    public Map<String, Object> all(
            String name,
            boolean[] booleans,
            byte[] bytes,
            char[] chars,
            short[] shorts,
            int[] ints,
            long[] longs,
            float[] floats,
            double[] doubles,
            String text,
            double[][] rows,
            List<Grain> grains) {
        Map<String, Object> all = new HashMap<>();
        all.put("name", name);
        all.put("booleans", booleans);
        all.put("bytes", bytes);
        all.put("chars", chars);
        all.put("shorts", shorts);
        all.put("ints", ints);
        all.put("longs", longs);
        all.put("floats", floats);
        all.put("doubles", doubles);
        all.put("text", text);
        all.put("rows", rows);
        all.put("grains", grains);
        return all;
    }

    @Override
    public long sum(String name, Later.Value<int[]> values) {
        receivedAtBegin.set(values.received());
        begun.incrementAndGet();
        try {
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
        } catch (Throwable e) {
            failure.set(e);
            throw e;
        } finally {
            ended.incrementAndGet();
        }
    }

    @Override
    public long read(InputStream bytes) {
        begun.incrementAndGet();
        long sum = 0;
        byte[] buffer = new byte[10_000];
        try {
            int first = bytes.read();
            sum += Math.max(0, first);
            for (int count = bytes.read(buffer); count >= 0; count = bytes.read(buffer)) {
                for (int i = 0; i < count; i++) {
                    sum += buffer[i] & 0xff;
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return sum;
    }

    @Override
    public int ignore(Later.Value<byte[]> bytes) {
        escaped.set(bytes);
        begun.incrementAndGet();
        return 7;
    }

    @Override
    public long plain(String name, int[] values, int[][] rows) {
        begun.incrementAndGet();
        long sum = 0;
        for (int value : values) {
            sum += value;
        }
        for (int[] row : rows) {
            for (int value : row) {
                sum += value;
            }
        }
        ended.incrementAndGet();
        return sum;
    }

    @Override
    public long both(Later.Value<int[]> first, Later.Value<int[]> second) {
        first.onArrival(() -> order.add(1));
        second.onArrival(() -> order.add(2));
        begun.incrementAndGet();
        long sum = 0;
        for (int value : second.get()) {
            sum += value;
        }
        for (int value : first.get()) {
            sum += value;
        }
        return sum;
    }

    @Override
    public long sheet(Sheet sheet, int[] more) {
        receivedAtBegin.set(
                sheet.lines().stream().mapToInt(line -> line.cells().received()).sum());
        begun.incrementAndGet();
        try {
            long sum = more.length + sheet.note().get().length();
            for (Line line : sheet.lines()) {
                sum += RealPress.sumOf(line.cells());
            }
            return sum;
        } catch (Throwable e) {
            failure.set(e);
            throw e;
        } finally {
            ended.incrementAndGet();
        }
    }

    @Override
    public Sheet same(Sheet sheet) {
        return sheet;
    }

    @Override
    public Sheet whole(Sheet sheet) {
        return sheet;
    }

    @Override
    public CompletableFuture<Sheet> soon(Sheet sheet) {
        return CompletableFuture.completedFuture(sheet);
    }

    @Override
    public CompletableFuture<Sheet> soonWhole(Sheet sheet) {
        return CompletableFuture.completedFuture(sheet);
    }

    @Override
    public long marked(Marked marked) {
        begun.incrementAndGet();
        return marked.values.length;
    }

    @Override
    public Object any(Object something) {
        return something;
    }

    @Override
    public int small(int value) {
        return value;
    }
}
