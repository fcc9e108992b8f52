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
import java.util.Locale;
import java.util.Random;

/**
 * The client: one synchronous call, whose second matrix follows it or is sent with it.
 *
 * <p>Prints {@code ready}, then obeys the lines of its standard input: {@code SIZE SQUARES NETWORK}. It answers {@code done
 * TRANSFER WITH D1 D2 WITHOUT D1 D2}, all in seconds: how long a matrix takes to come, and the call, and its two parts at the
 * server. Ends with its input.
 */
public final class Caller {

    private static final int WARM_UP = 3;

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
            System.out.println(
                    run(new Workload(Integer.parseInt(words[0]), Integer.parseInt(words[1]), network), options));
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
        for (int i = 0; i < WARM_UP; i++) { // connects, compiles
            later.rang(size, 1, first, second);
            plain.rang(size, 1, first, second);
            plain.take(second);
        }
        double transfer = transfer(plain, second);
        Call with = Call.of(later, workload, first, second);
        Call without = Call.of(plain, workload, first, second);
        if (Double.compare(with.sum, without.sum) != 0) {
            throw new IllegalStateException(workload.label() + ": " + with.sum + " with a later argument, "
                    + without.sum + " without (expected: the same)");
        }
        return String.format(Locale.ROOT, "done %.9f %s %s", transfer, with, without);
    }

    /** Seconds for a matrix to come. */
    private static double transfer(Rang service, double[] matrix) {
        double[] none = new double[1];
        long begin = System.nanoTime();
        service.take(none);
        long between = System.nanoTime();
        service.take(matrix);
        long end = System.nanoTime();
        return Math.max(end - between - (between - begin), 1) / 1e9;
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
