package dev.cleave.jmh.client;

import dev.cleave.Remote;
import dev.cleave.broker.Broker;
import dev.cleave.broker.BrokerOptions;
import dev.cleave.config.Bindings;
import dev.cleave.node.Node;
import dev.cleave.node.NodeOptions;
import dev.cleave.transport.Endpoint;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What does a call with an array cost, within its frame (16 KiB) and in chunks behind it?
 *
 * <p>Run: {@code bin/cleave jmh LargeValueBenchmark -prof gc}
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class LargeValueBenchmark {

    private static final String FILE = "services:\n  arrays: {transport: %s}\n";

    /** The transport of the calls: memory, or a socket. */
    @Param({"local", "unix", "tcp"})
    public String transport = "local";

    /** The KiB of the array. */
    @Param({"16", "64", "1024"})
    public int kib = 64;

    private Broker broker = Broker.start(BrokerOptions.at(Endpoint.tcp("localhost", 0)));
    private Node server = node("application: bench");
    private Node client = server;
    private Arrays arrays = new Served(0);
    private double[] value = {};

    /** Arrays as argument and as result. */
    @Remote
    public interface Arrays {

        /** Returns the last element. */
        double last(double[] values);

        /** Returns an array. */
        double[] values();
    }

    private static final class Served implements Arrays {

        private final double[] values;

        private Served(int length) {
            values = new double[length];
        }

        @Override
        public double last(double[] given) {
            return given[given.length - 1];
        }

        @Override
        public double[] values() {
            return values;
        }
    }

    /** Connects. */
    @Setup
    public void connect() {
        value = new double[(kib << 10) / Double.BYTES];
        server.bind("arrays", new Served(value.length));
        client = node(FILE.formatted(transport));
        arrays = client.lookup("arrays", Arrays.class);
    }

    /** Ends all. */
    @TearDown
    public void close() {
        client.close();
        server.close();
        broker.close();
    }

    private Node node(String file) {
        return Node.connect(
                NodeOptions.DEFAULT.withBroker(broker.endpoint()).withBindings(Bindings.parse(file, "cleave.yaml")));
    }

    /** A call with the array as argument. */
    @Benchmark
    public double argument() {
        return arrays.last(value);
    }

    /** A call that returns the array. */
    @Benchmark
    public double[] result() {
        return arrays.values();
    }
}
