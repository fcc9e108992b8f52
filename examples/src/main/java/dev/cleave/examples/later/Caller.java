package dev.cleave.examples.later;

import dev.cleave.concurrent.SystemTimer;
import dev.cleave.config.Bindings;
import dev.cleave.node.Node;
import dev.cleave.node.NodeOptions;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.LinkProfile;
import dev.cleave.transport.LinkTransport;
import dev.cleave.transport.Transport;
import dev.cleave.transport.netty.NettyTransport;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/**
 * The client: one synchronous call, whose second matrix follows it or is sent with it.
 *
 * <p>Prints {@code ready}, then obeys the lines of its standard input: {@code SIZE SQUARES NETWORK}. It answers {@code done
 * TRANSFER WITH D1 D2 WITHOUT D1 D2}, all in seconds: how long a matrix takes to come, and the call, and its two parts at the
 * server; or {@code done failed: WHY}. Ends with its input.
 */
public final class Caller {

    private static final int WARM_UP = 3;

    /** Rows of the matrices of the first calls: these connect and compile, and are to take no time on a slow link. */
    private static final int WARM_UP_SIZE = 100;

    /** A matrix cannot come faster than a machine copies it; shorter times are those of other things. */
    private static final double MOST_BYTES_PER_SECOND = 10e9;

    private static final long LONG_NANOS = 50_000_000; // what takes so long need not be measured often
    private static final int TRANSFERS = 9;

    private static boolean withoutFirst;

    private Caller() {}

    /** Takes no arguments. */
    public static void main(String[] args) throws IOException {
        BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        Bindings bindings = Bindings.load(Path.of(System.getProperty(Node.FILE_PROPERTY)));
        Endpoint broker = Endpoint.parse(System.getProperty(Node.BROKER_PROPERTY));
        NodeOptions options = NodeOptions.DEFAULT.withBindings(bindings).withBroker(broker);
        System.out.println("ready");
        for (String line = commands.readLine(); line != null; line = commands.readLine()) {
            String[] words = line.split(" ");
            Network network = Network.valueOf(words[2].toUpperCase(Locale.ROOT));
            Workload workload = new Workload(Integer.parseInt(words[0]), Integer.parseInt(words[1]), network);
            String answer;
            try {
                answer = run(workload, options);
            } catch (RuntimeException e) { // the other cases may do
                answer = "failed: " + e;
            }
            System.out.println("done " + answer.lines().findFirst().orElse(""));
        }
    }

    private static String run(Workload workload, NodeOptions options) {
        LinkProfile profile = workload.network().scaled(workload.scale());
        if (profile == null) {
            try (Node node = Node.connect(options)) {
                return measured(workload, node);
            }
        }
        try (SystemTimer timer = SystemTimer.precise("link");
                Transport transport = new LinkTransport(NettyTransport.create(), profile, timer);
                Node node = Node.connect(options.withTransport(transport))) {
            return measured(workload, node);
        }
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
        double transfer = transfer(plain, second);
        withoutFirst = !withoutFirst; // who is second finds more of the code compiled
        Call one = Call.of(withoutFirst ? plain : later, workload, first, second);
        Call other = Call.of(withoutFirst ? later : plain, workload, first, second);
        Call with = withoutFirst ? other : one;
        Call without = withoutFirst ? one : other;
        if (Double.compare(with.sum, without.sum) != 0) {
            throw new IllegalStateException(workload.label() + ": " + with.sum + " with a later argument, "
                    + without.sum + " without (expected: the same)");
        }
        return String.format(Locale.ROOT, "%.9f %s %s", transfer, with, without);
    }

    /** Seconds for a matrix to come: the median of what calls with one take longer than calls with none. */
    private static double transfer(Rang service, double[] matrix) {
        double[] none = new double[1];
        List<Long> times = new ArrayList<>();
        long sum = 0;
        while (times.size() < TRANSFERS && sum < LONG_NANOS) {
            long begin = System.nanoTime();
            service.take(none);
            long between = System.nanoTime();
            service.take(matrix);
            long time = System.nanoTime() - between - (between - begin);
            times.add(time);
            sum += Math.max(time, 0);
        }
        Collections.sort(times);
        double least = matrix.length * (double) Double.BYTES / MOST_BYTES_PER_SECOND;
        return Math.max(times.get(times.size() / 2) / 1e9, least);
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
     * What a call took.
     *
     * @param seconds in all
     * @param squaring at the server, nanoseconds
     * @param adding at the server, nanoseconds
     * @param sum what it returned
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
