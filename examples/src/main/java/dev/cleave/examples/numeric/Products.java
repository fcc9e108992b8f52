package dev.cleave.examples.numeric;

import dev.cleave.Cleave;
import dev.cleave.Pending;
import dev.cleave.Ref;
import dev.cleave.node.Node;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.IntConsumer;

/**
 * The client of the products: multiplies here and at the server, by value and by reference.
 *
 * <p>Prints {@code ready}, then obeys the lines of its standard input, {@code N THREADS TIMES}. It answers
 * {@code done LOCAL BY-VALUE BY-REF BY-REF-SYNC}, in seconds for one product, and ends with its input. The four ways take turns; the
 * median turn of each way counts.
 */
public final class Products {

    private static final int AHEAD = 2;
    private static final int TURNS = 7; // of the ways, so that all have the same weather; each way's median counts

    private final Node node;
    private final Matrices remote;
    private final BlockedMatrices local = new BlockedMatrices();

    private Products(Node node) {
        this.node = node;
        remote = node.lookup("dgemm", Matrices.class);
    }

    /** Takes no arguments. */
    public static void main(String[] args) throws IOException {
        BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        try (Node node = Node.connect()) {
            Products products = new Products(node);
            System.out.println("ready");
            for (String line = commands.readLine(); line != null; line = commands.readLine()) {
                int[] words = Arrays.stream(line.split(" "))
                        .mapToInt(Integer::parseInt)
                        .toArray();
                products.measure(words[0], words[1], words[2]);
            }
        }
    }

    private void measure(int n, int threads, int times) {
        Random random = new Random(n);
        double[] a = random.doubles((long) n * n).toArray();
        double[] b = random.doubles((long) n * n).toArray();
        double[] c = new double[n * n];
        double[][] product = {{}};
        try (Ref<double[]> at = node.put(a, remote);
                Ref<double[]> bt = node.put(b, at);
                Ref<double[]> ct = node.create(double[].class, n * n, at)) {
            List<IntConsumer> ways = List.of(
                    calls -> here(n, a, b, c, threads, calls),
                    calls -> product[0] = byValue(n, a, b, threads, calls),
                    calls -> ahead(n, at, bt, ct, threads, calls),
                    calls -> inTurn(n, at, bt, ct, threads, calls));
            double[] seconds = medians(ways, times);
            check(product[0], c);
            check(ct.get(), c);
            System.out.printf(
                    Locale.ROOT, "done %.9f %.9f %.9f %.9f%n", seconds[0], seconds[1], seconds[2], seconds[3]);
        }
    }

    /** The seconds of a call in the median turn of each way; who comes first changes from turn to turn. */
    private static double[] medians(List<IntConsumer> ways, int times) {
        int turns = Math.min(TURNS, times);
        int calls = times / turns;
        double[][] seconds = new double[ways.size()][turns];
        for (int turn = 0; turn < turns; turn++) {
            for (int i = 0; i < ways.size(); i++) {
                int way = turn % 2 == 0 ? i : ways.size() - 1 - i;
                long begin = System.nanoTime();
                ways.get(way).accept(calls);
                seconds[way][turn] = (System.nanoTime() - begin) / 1e9 / calls;
            }
        }
        return Arrays.stream(seconds)
                .mapToDouble(each -> Arrays.stream(each).sorted().toArray()[turns / 2])
                .toArray();
    }

    private void here(int n, double[] a, double[] b, double[] c, int threads, int times) {
        for (int i = 0; i < times; i++) {
            local.product(n, a, b, c, threads);
        }
    }

    private double[] byValue(int n, double[] a, double[] b, int threads, int times) {
        double[] product = {};
        for (int i = 0; i < times; i++) {
            product = remote.multiply(n, a, b, threads);
        }
        return product;
    }

    private void inTurn(int n, Ref<double[]> a, Ref<double[]> b, Ref<double[]> c, int threads, int times) {
        for (int i = 0; i < times; i++) {
            remote.dgemm(n, a, b, c, threads);
        }
    }

    /** Sends a product while the one before is computed. */
    private void ahead(int n, Ref<double[]> a, Ref<double[]> b, Ref<double[]> c, int threads, int times) {
        Deque<Pending<?>> open = new ArrayDeque<>();
        for (int i = 0; i < times; i++) {
            if (open.size() == AHEAD) {
                open.remove().await();
            }
            open.add(Cleave.async(() -> remote.dgemm(n, a, b, c, threads)));
        }
        open.forEach(Pending::await);
    }

    private static void check(double[] product, double[] expected) {
        if (!Arrays.equals(product, expected)) {
            throw new IllegalStateException("the product differs from the one that was computed here");
        }
    }
}
