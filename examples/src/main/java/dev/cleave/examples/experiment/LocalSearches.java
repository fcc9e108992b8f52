package dev.cleave.examples.experiment;

import dev.cleave.broker.process.Fleet;
import dev.cleave.broker.process.JvmCommand;
import dev.cleave.broker.process.Member;
import dev.cleave.examples.dna.LocalSearch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The search split over independent processes of this machine, without Cleave: the floor of the same run. */
public final class LocalSearches {

    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private final List<Member> processes;

    private LocalSearches(List<Member> processes) {
        this.processes = List.copyOf(processes);
    }

    static LocalSearches start(Fleet fleet, List<String> jvmOptions, int count) {
        List<Member> processes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String name = "local-" + (i + 1);
            JvmCommand command = new JvmCommand(name, jvmOptions, LocalSearch.class.getName(), List.of());
            processes.add(fleet.start(command, line -> {}));
        }
        processes.forEach(process -> process.awaitLine("ready", PATIENCE));
        return new LocalSearches(processes);
    }

    /** Searches for the queries of a range with all processes, and returns the seconds until the last ends. */
    public double all(int from, int to) {
        return run(from, to, processes.size());
    }

    /** Searches for the queries of a range with one process, and returns the seconds. */
    public double one(int from, int to) {
        return run(from, to, 1);
    }

    private double run(int from, int to, int pieces) {
        long begin = System.nanoTime();
        for (int piece = 0; piece < pieces; piece++) {
            processes.get(piece).send(from + " " + to + " " + piece + " " + pieces);
        }
        for (int piece = 0; piece < pieces; piece++) {
            processes.get(piece).awaitLine("done", PATIENCE);
        }
        return (System.nanoTime() - begin) / 1e9;
    }
}
