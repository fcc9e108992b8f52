package dev.cleave.jmh.client;

import dev.cleave.Cleave;
import dev.cleave.Inline;
import dev.cleave.Pending;
import dev.cleave.Pure;
import dev.cleave.Remote;
import dev.cleave.broker.Broker;
import dev.cleave.broker.BrokerOptions;
import dev.cleave.call.Encoded;
import dev.cleave.config.Bindings;
import dev.cleave.node.Node;
import dev.cleave.node.NodeOptions;
import dev.cleave.transport.Endpoint;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayDeque;
import java.util.Queue;
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
 * What does a stub cost by itself, and a whole call without the kernel?
 *
 * <p>Run: {@code bin/cleave jmh StubBenchmark -prof gc}
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class StubBenchmark {

    private static final int WINDOW = 64;
    private static final String FILE = "services:\n  echo: {transport: %s}\n";

    /** The transport of the calls: memory, or a socket. */
    @Param({"local", "unix", "tcp", "udp"})
    public String transport = "local";

    private Broker broker = Broker.start(BrokerOptions.at(Endpoint.tcp("localhost", 0)));
    private Node server = node("application: bench");
    private Node client = server;
    private Echo echo = new Served();
    private final Queue<Pending<Long>> pending = new ArrayDeque<>(WINDOW);
    private MethodHandle encode = MethodHandles.identity(Object.class);

    /** A method of numbers. */
    @Remote
    public interface Echo {

        /** Returns what it is given. */
        @Pure
        long echo(long value);

        /** Returns what it is given, on a worker. */
        @Pure
        long worker(long value);
    }

    private static final class Served implements Echo {

        @Override
        @Inline
        public long echo(long value) {
            return value;
        }

        @Override
        public long worker(long value) {
            return value;
        }
    }

    /** Connects. */
    @Setup
    public void connect() throws ReflectiveOperationException {
        server.bind("echo", new Served());
        client = node(FILE.formatted(transport));
        echo = client.lookup("echo", Echo.class);
        encode = MethodHandles.lookup()
                .findVirtual(echo.getClass(), "echo$encode", MethodType.methodType(Encoded.class, long.class))
                .asType(MethodType.methodType(Object.class, Object.class, long.class));
        echo.echo(1);
    }

    /** Ends all. */
    @TearDown
    public void close() {
        pending.forEach(Pending::await);
        client.close();
        server.close();
        broker.close();
    }

    private Node node(String file) {
        return Node.connect(
                NodeOptions.DEFAULT.withBroker(broker.endpoint()).withBindings(Bindings.parse(file, "cleave.yaml")));
    }

    /** Writes the arguments of a call, and sends nothing. */
    @Benchmark
    public Object encode() throws Throwable {
        return (Object) encode.invokeExact((Object) echo, 42L);
    }

    /** A call by one thread, of a method that runs on the event thread. */
    @Benchmark
    public long call() {
        return echo.echo(42);
    }

    /** A call by one thread, of a method that runs on a worker. */
    @Benchmark
    public long workerCall() {
        return echo.worker(42);
    }

    /** One of {@value #WINDOW} calls in flight of a method that runs on a worker. */
    @Benchmark
    public long workerWindow() {
        long oldest = pending.size() == WINDOW ? pending.remove().await() : 0;
        pending.add(Cleave.async(() -> echo.worker(42)));
        return oldest;
    }
}
