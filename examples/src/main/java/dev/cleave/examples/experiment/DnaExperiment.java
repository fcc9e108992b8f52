package dev.cleave.examples.experiment;

import dev.cleave.broker.cli.Application;
import dev.cleave.broker.cli.CommandException;
import dev.cleave.broker.cli.Progress;
import dev.cleave.examples.dna.Search;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The search of the CORD paper's introduction, with and without the agent, beside local processes. */
final class DnaExperiment implements Experiment {

    static final String LINK = "/link-1ms";

    private static final int REPLICAS = 2;
    private static final int QUERIES = 8;
    private static final int WARM_QUERIES = 2;
    private static final String ONE = "local/1";
    private static final String ALL = "local/" + REPLICAS;

    @Override
    public String name() {
        return "dna";
    }

    @Override
    public List<String> notes() {
        return List.of(
                "dna: " + QUERIES + " new sequences, each compared with 158 known ones, on " + REPLICAS
                        + " replicas of one worker each.",
                "ideal: the same pieces of the search in as many local processes, without Cleave, in the same round.");
    }

    @Override
    public List<Measurement> run(int rounds, Stage stage, Progress progress) throws IOException {
        progress.show("dna: starting brokers, replicas and local processes");
        Path near = Home.file("dna.yaml");
        Path far = Home.file("dna-1ms.yaml");
        Searcher nearby = new Searcher(stage, near, stage.serve(near), "");
        Searcher faraway = new Searcher(stage, far, stage.serve(far), LINK);
        LocalSearches local = stage.localSearches(REPLICAS);
        progress.show("dna: warming up");
        nearby.search("warm", Calls.SEQUENTIAL, WARM_QUERIES);
        faraway.search("warm", Calls.SEQUENTIAL, WARM_QUERIES);
        local.all(0, WARM_QUERIES);
        local.one(0, WARM_QUERIES);
        Cases times = new Cases();
        for (int round = 1; round <= rounds; round++) {
            progress.show("dna: round " + round + " of " + rounds);
            nearby.compare(times);
            times.add(ONE, local.one(0, QUERIES));
            times.add(ALL, local.all(0, QUERIES));
            faraway.compare(times);
        }
        return measurements(times);
    }

    private static List<Measurement> measurements(Cases times) {
        List<Measurement> measurements = new ArrayList<>();
        for (String suffix : List.of("", LINK)) {
            String sequential = "sequential" + suffix;
            String cleaved = "cleaved" + suffix;
            measurements.add(time(sequential, times.median(sequential), times.median(ONE)));
            measurements.add(speedup(sequential, 1, 1.0));
            measurements.add(time(cleaved, times.median(cleaved), times.median(ALL)));
            double ideal = suffix.isEmpty() ? times.medianRatio(ONE, ALL) : times.medianRatio(sequential, ALL);
            measurements.add(speedup(cleaved, times.medianRatio(sequential, cleaved), ideal));
        }
        return measurements;
    }

    private static Measurement time(String caseName, double seconds, double ideal) {
        return new Measurement("dna", caseName, "time", seconds, "s", null, ideal);
    }

    private static Measurement speedup(String caseName, double ratio, double ideal) {
        return new Measurement("dna", caseName, "speedup", ratio, "ratio", null, ideal);
    }

    /**
     * Runs the search against one set of servers.
     *
     * @param suffix the end of the names of its cases
     */
    private record Searcher(Stage stage, Path file, Application servers, String suffix) {

        Run search(String name, Calls calls, int queries) throws IOException {
            String unique = name + suffix.replace('/', '-');
            return stage.run(
                    new Client(unique, calls, file, servers, Search.class, List.of(Integer.toString(queries))));
        }

        void compare(Cases times) throws IOException {
            Run sequential = search("sequential", Calls.SEQUENTIAL, QUERIES);
            Run cleaved = search("cleaved", Calls.CLEAVED, QUERIES);
            if (!sequential.sameOutput(cleaved)) {
                throw new CommandException("the outputs differ: " + sequential.output() + ", " + cleaved.output());
            }
            times.add("sequential" + suffix, sequential.time());
            times.add("cleaved" + suffix, cleaved.time());
        }
    }
}
