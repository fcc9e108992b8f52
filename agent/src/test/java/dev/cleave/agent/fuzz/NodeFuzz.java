package dev.cleave.agent.fuzz;

import dev.cleave.node.NodeOptions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;

/**
 * Compares the two forms of generated programs with services of two real nodes, on one thread. Only programs whose calls
 * wait: a one-way call may be executed when its program has ended.
 */
final class NodeFuzz {

    private static final int BATCH = 50;
    private static final int SETTINGS = 3;

    private final long seed;
    private final int programs;
    private final int queue;
    private int taken;
    private int promised;

    /**
     * Makes one for a number of programs of consecutive seeds, of which it takes those that it can.
     *
     * @param queue how many calls wait at most at each server: a loop sends more than a short queue takes
     */
    NodeFuzz(long seed, int programs, int queue) {
        this.seed = seed;
        this.programs = programs;
        this.queue = queue;
    }

    /** The programs that it has run. */
    int taken() {
        return taken;
    }

    /** The calls in them that are given results of others. */
    int promised() {
        return promised;
    }

    /**
     * Runs them, up to the first that differs.
     *
     * @param options of the nodes
     * @param progress is told how many seeds are done
     * @return what differs, empty if nothing does
     */
    List<String> run(NodeOptions options, IntConsumer progress) {
        TwoForms.Factory factory = new TwoForms.Factory();
        List<String> found = new ArrayList<>();
        try (NodeServices services = new NodeServices(options, queue)) {
            for (int first = 0; first < programs && found.isEmpty(); first += BATCH) {
                Map<String, String> sources = new LinkedHashMap<>();
                for (int i = first; i < Math.min(programs, first + BATCH); i++) {
                    String source = ProgramGenerator.program("P" + i, seed + i);
                    if (!source.contains(".tip(") && !source.contains(".tell(")) {
                        sources.put(TwoForms.PACKAGE + ".P" + i, StatementLines.of(seed + i, source));
                    }
                }
                Map<String, byte[]> classes = factory.compile(sources, true);
                for (String name : sources.keySet()) {
                    long own = seed + Long.parseLong(name.substring(name.lastIndexOf('P') + 1));
                    found.addAll(compare(factory.of(name, classes), services, own));
                }
                progress.accept(Math.min(programs, first + BATCH));
            }
        }
        return found;
    }

    private List<String> compare(TwoForms forms, NodeServices services, long own) {
        taken++;
        promised += forms.verdicts().getOrDefault("PROMISED", 0);
        List<String> found = new ArrayList<>();
        for (ProgramRun.Setting setting : FuzzBatch.settings(own).subList(0, SETTINGS)) {
            List<String> differences = forms.differences(services, setting);
            if (!differences.isEmpty()) {
                found.add("program of seed " + own + ", " + setting + ": " + differences);
            }
        }
        return found;
    }
}
