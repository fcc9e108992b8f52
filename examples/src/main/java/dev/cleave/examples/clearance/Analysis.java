package dev.cleave.examples.clearance;

import dev.cleave.node.Node;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The client: computes the distances of all pairs, one call each, as if they were computed here.
 *
 * <p>Takes the number of pairs, and as {@code KEY=VALUE} the options of the server that computes without calls. Prints {@code
 * ready}, then obeys the lines of its standard input: {@code local RUN}, or {@code SERVICE RUN}. It answers {@code done SECONDS
 * BUSY LOADS ERROR}: the seconds until the last, those that servers were busy, how many parts they loaded, and the farthest that
 * a distance is from that of all triangles. It ends with its input.
 */
public final class Analysis {

    private final List<Assembly.Pair> pairs;
    private final double[] expected;

    private Analysis(Assembly assembly) {
        pairs = assembly.pairs();
        expected = pairs.stream()
                .mapToDouble(pair -> assembly.mesh(pair.part()).distanceOfAll(assembly.mesh(pair.other())))
                .toArray();
    }

    /** Takes the number of pairs, and the options of the local server. */
    public static void main(String[] args) throws IOException {
        Analysis analysis = new Analysis(Assembly.generate(Integer.parseInt(args[0])));
        Map<String, String> options = new HashMap<>();
        for (String option : List.of(args).subList(1, args.length)) {
            options.put(option.split("=")[0], option.split("=")[1]);
        }
        Clearance local = new PacedClearance(options);
        BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        try (Node node = Node.connect()) {
            System.out.println("ready");
            for (String line = commands.readLine(); line != null; line = commands.readLine()) {
                String[] words = line.split(" ");
                Clearance service = words[0].equals("local") ? local : node.lookup(words[0], Clearance.class);
                System.out.println(analysis.run(service, Integer.parseInt(words[1])));
            }
        }
    }

    private String run(Clearance service, int run) {
        int[] regions = pairs.stream().mapToInt(Assembly.Pair::region).toArray();
        int[] ones = pairs.stream().mapToInt(Assembly.Pair::part).toArray();
        int[] others = pairs.stream().mapToInt(Assembly.Pair::other).toArray();
        long begin = System.nanoTime();
        double[][] results = distances(service, run, regions, ones, others);
        double seconds = (System.nanoTime() - begin) / 1e9;
        double busy = 0;
        double loads = 0;
        double error = 0;
        for (int i = 0; i < results.length; i++) {
            error = Math.max(error, Math.abs(results[i][0] - expected[i]));
            busy += results[i][1];
            loads += results[i][2];
        }
        return String.format(Locale.ROOT, "done %.6f %.6f %.0f %.3e", seconds, busy, loads, error);
    }

    private static double[][] distances(Clearance service, int run, int[] regions, int[] ones, int[] others) {
        double[][] results = new double[regions.length][];
        for (int i = 0; i < regions.length; i++) {
            results[i] = service.between(run, regions[i], ones[i], others[i]);
        }
        return results;
    }
}
