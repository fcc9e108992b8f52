package dev.cleave.examples.demo;

import com.sun.management.OperatingSystemMXBean;
import dev.cleave.broker.cli.Application;
import dev.cleave.broker.cli.Progress;
import dev.cleave.broker.cli.Subcommand;
import dev.cleave.examples.experiment.Stage;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code cleave demo}: runs the search and the look-ups without and with the agent, and compares them. */
@Command(
        name = "demo",
        description = "Search real DNA sequences over processes on this machine, without and with the agent.",
        mixinStandardHelpOptions = true)
public final class DemoCommand implements Subcommand {

    private static final int MOST_QUERIES = 32;
    private static final long LOOK_NANOS = 1_000_000_000;

    @Option(names = "--queries", paramLabel = "N", description = "New sequences to search for, 1 to 32.")
    private int queries = MOST_QUERIES;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        if (queries < 1 || queries > MOST_QUERIES) {
            throw new ParameterException(
                    spec.commandLine(), "--queries: " + queries + " (expected: 1.." + MOST_QUERIES + ")");
        }
        PrintWriter out = spec.commandLine().getOut();
        try (Progress progress = Progress.on(spec.commandLine().getErr());
                Stage stage = Stage.open(line -> progress.say("cleave: " + line))) {
            progress.show("looking whether the machine is idle");
            String busy = Demo.busy(usedByOthers(), Runtime.getRuntime().availableProcessors());
            progress.show("starting the broker and the replicas");
            Application servers = stage.serve(Demo.file());
            Outcome outcome = new Demo(stage, servers, queries, busy, out, progress).run();
            progress.show("");
            outcome.table().lines().forEach(out::println);
            out.flush();
            return outcome.isIdentical() ? 0 : 1;
        }
    }

    /** Returns the part of the processors that is in use while this program waits a second; negative if unknown. */
    private static double usedByOthers() {
        if (!(ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system)) {
            return -1;
        }
        double unused = system.getCpuLoad(); // begins the time that the next call looks at
        LockSupport.parkNanos(LOOK_NANOS);
        return system.getCpuLoad();
    }
}
