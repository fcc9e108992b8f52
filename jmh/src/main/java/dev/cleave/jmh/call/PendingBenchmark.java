package dev.cleave.jmh.call;

import dev.cleave.call.Link;
import dev.cleave.call.LinkContext;
import dev.cleave.call.LinkOwner;
import dev.cleave.call.RemoteMethod;
import dev.cleave.concurrent.SystemTimer;
import dev.cleave.config.Style;
import dev.cleave.serial.Passing;
import dev.cleave.stream.ReceiveBudget;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.Listener;
import dev.cleave.transport.Transport;
import dev.cleave.transport.local.LocalTransport;
import dev.cleave.wire.Hello;
import java.time.Duration;
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
 * What does a pending call cost: its place in the table of its link beside many others, and its await when it has
 * ended?
 *
 * <p>Run: {@code bin/cleave jmh PendingBenchmark -prof gc}
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class PendingBenchmark {

    /** Calls that wait at the same link. */
    @Param({"0", "1000000"})
    public int others = 0;

    private final SystemTimer timer = SystemTimer.create("bench");
    private final Transport transport = LocalTransport.create();
    private final LinkOwner owner = new LinkOwner() {};
    private final Listener listener =
            Link.listen(transport, Endpoint.local("bench-" + System.nanoTime()), context("server"), owner);
    private final Link link = Link.dial(transport, listener.endpoint(), context("client"), owner);
    private final RemoteMethod method = method();

    private LinkContext context(String name) {
        return LinkContext.of(Hello.of(name, 1), Passing.NONE, timer, ReceiveBudget.configured());
    }

    private static RemoteMethod method() {
        try {
            return new RemoteMethod(
                    0,
                    Comparable.class.getMethod("compareTo", Object.class),
                    "Scratch.compareTo",
                    "compareTo",
                    new RemoteMethod.Conduct(Style.SYNC, 1, false, Duration.ofSeconds(30)));
        } catch (NoSuchMethodException e) {
            throw new AssertionError(e);
        }
    }

    /** Lets the others wait. */
    @Setup
    public void enterOthers() {
        for (int i = 0; i < others; i++) {
            link.enter(new ScratchCall(method));
        }
    }

    /** Ends all. */
    @TearDown
    public void close() {
        link.close();
        listener.close();
        transport.close();
        timer.close();
    }

    /** Enters a call and takes it out again. */
    @Benchmark
    public boolean enterAndForget() {
        return link.forget(link.enter(new ScratchCall(method)));
    }

    /** Ends a call, and awaits it. */
    @Benchmark
    public long endAndAwait() throws Throwable {
        ScratchCall call = new ScratchCall(method);
        call.succeed(42, null);
        return call.awaitLong();
    }
}
