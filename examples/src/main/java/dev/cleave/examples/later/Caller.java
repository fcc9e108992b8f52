package dev.cleave.examples.later;

import dev.cleave.node.Node;
import java.io.IOException;
import java.util.Locale;
import java.util.Random;

/**
 * The client: one synchronous call, whose second matrix follows it or is sent with it.
 *
 * <p>Obeys the lines {@code SIZE SQUARES NETWORK} ({@link Prompt}) with {@code TRANSFER WITH D1 D2 WITHOUT D1 D2}, all in seconds:
 * how long a matrix takes to come, and the call, and its two parts at the server.
 */
public final class Caller {

    private static final int WARM_UP = 3;

    /** Rows of the matrices of the first calls: these connect and compile, and are to take no time on a slow link. */
    private static final int WARM_UP_SIZE = 100;

    private static boolean withoutFirst;

    private Caller() {}

    /** Takes no arguments. */
    public static void main(String[] args) throws IOException {
        Prompt.obey(words -> {
            Workload workload =
                    new Workload(Integer.parseInt(words[0]), Integer.parseInt(words[1]), Network.of(words[2]));
            return new Prompt.Task(workload.network(), workload.scale(), node -> measured(workload, node));
        });
    }

    private static String measured(Workload workload, Node node) {
        Rang later = node.lookup("later", Rang.class);
        Rang plain = node.lookup("plain", Rang.class);
        int size = workload.size();
        double[] first = matrix(size, 1);
        double[] second = matrix(size, 2);
        int few = Math.min(size, WARM_UP_SIZE);
        double[] small = matrix(few, 3);
        for (int i = 0; i < WARM_UP; i++) {
            later.rang(few, few, small, small);
            plain.rang(few, few, small, small);
        }
        later.rang(size, 1, first, second); // the server's heap has room then
        plain.take(second);
        double[] none = new double[1];
        double transfer = Transfer.seconds(() -> plain.take(none), () -> plain.take(second), second.length);
        withoutFirst = !withoutFirst; // who is second finds more of the code compiled
        Call one = Call.of(withoutFirst ? plain : later, workload, first, second);
        Call other = Call.of(withoutFirst ? later : plain, workload, first, second);
        Call with = withoutFirst ? other : one;
        Call without = withoutFirst ? one : other;
        Prompt.same(workload, with.sum, "with a later argument, not as without", without.sum);
        return String.format(Locale.ROOT, "%.9f %s %s", transfer, with, without);
    }

    private static double[] matrix(int size, long seed) {
        Random random = new Random(seed);
        double[] matrix = new double[size * size];
        for (int i = 0; i < matrix.length; i++) {
            matrix[i] = random.nextDouble() - 0.5;
        }
        return matrix;
    }

    /**
     * The times of a call.
     *
     * @param seconds the whole call
     * @param squaring at the server, nanoseconds
     * @param adding at the server, nanoseconds
     * @param sum its result
     */
    private record Call(double seconds, long squaring, long adding, double sum) {

        static Call of(Rang service, Workload workload, double[] first, double[] second) {
            long begin = System.nanoTime();
            double sum = service.rang(workload.size(), workload.rows(), first, second);
            double seconds = (System.nanoTime() - begin) / 1e9;
            long[] durations = service.durations();
            return new Call(seconds, durations[0], durations[1], sum);
        }

        @Override
        public String toString() {
            return String.format(Locale.ROOT, "%.9f %.9f %.9f", seconds, squaring / 1e9, adding / 1e9);
        }
    }
}
