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
import java.util.Locale;
import java.util.Random;

/**
 * The client of the products: multiplies here and at the server, by value and by reference.
 *
 * <p>Prints {@code ready}, then obeys the lines of its standard input, {@code N THREADS TIMES}. It answers
 * {@code done LOCAL BY-VALUE BY-REF BY-REF-SYNC}, in seconds for one product, and ends with its input.
 */
public final class Products {

    private static final int AHEAD = 2;

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
        long begin = System.nanoTime();
        for (int i = 0; i < times; i++) {
            local.product(n, a, b, c, threads);
        }
        double here = seconds(begin, times);
        begin = System.nanoTime();
        double[] product = byValue(n, a, b, threads, times);
        double byValue = seconds(begin, times);
        check(product, c);
        try (Ref<double[]> at = node.put(a, remote);
                Ref<double[]> bt = node.put(b, at);
                Ref<double[]> ct = node.create(double[].class, n * n, at)) {
            begin = System.nanoTime();
            ahead(n, at, bt, ct, threads, times);
            double byRef = seconds(begin, times);
            begin = System.nanoTime();
            for (int i = 0; i < times; i++) {
                remote.dgemm(n, at, bt, ct, threads);
            }
            double inTurn = seconds(begin, times);
            check(ct.get(), c);
            System.out.printf(Locale.ROOT, "done %.9f %.9f %.9f %.9f%n", here, byValue, byRef, inTurn);
        }
    }

    private double[] byValue(int n, double[] a, double[] b, int threads, int times) {
        double[] product = {};
        for (int i = 0; i < times; i++) {
            product = remote.multiply(n, a, b, threads);
        }
        return product;
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

    private static double seconds(long begin, int times) {
        return (System.nanoTime() - begin) / 1e9 / times;
    }

    private static void check(double[] product, double[] expected) {
        if (!Arrays.equals(product, expected)) {
            throw new IllegalStateException("the product differs from the one that was computed here");
        }
    }
}
