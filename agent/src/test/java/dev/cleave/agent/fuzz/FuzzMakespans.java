package dev.cleave.agent.fuzz;

import dev.cleave.agent.completeness.Makespan;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntConsumer;

/** How long random programs take in virtual time: two stubs, no failures, nothing declined. */
final class FuzzMakespans {

    private static final int BATCH = 100;
    private static final int SIZE = 7;

    private final TwoForms.Factory factory = new TwoForms.Factory();
    private final Map<String, List<Makespan>> ofShapes = new TreeMap<>();
    private final List<Makespan> all = new ArrayList<>();
    private final WaitReasons waits = new WaitReasons();

    /** Runs the programs of some consecutive seeds. */
    void run(long seed, int programs, IntConsumer progress) {
        for (int first = 0; first < programs; first += BATCH) {
            progress.accept(first);
            runBatch(seed + first, Math.min(BATCH, programs - first));
        }
    }

    private void runBatch(long seed, int programs) {
        Map<String, String> sources = new LinkedHashMap<>();
        for (int i = 0; i < programs; i++) {
            sources.put(name(seed + i), ProgramGenerator.program("P" + (seed + i), seed + i));
        }
        Map<String, String> lines = new LinkedHashMap<>();
        for (int i = 0; i < programs; i++) {
            lines.put(name(seed + i), StatementLines.of(seed + i, sources.get(name(seed + i))));
        }
        Map<String, byte[]> classes = factory.compile(lines, true);
        for (int i = 0; i < programs; i++) {
            String name = name(seed + i);
            ProgramRun.Setting setting = new ProgramRun.Setting(0, 4, SIZE, false, seed + i, 0);
            Makespan makespan;
            try {
                makespan = factory.makespan(name, classes, setting, waits);
            } catch (IllegalStateException e) { // too long for a clock
                continue;
            }
            all.add(makespan);
            FuzzShape.of(sources.get(name)).forEach(shape -> ofShapes.computeIfAbsent(shape, key -> new ArrayList<>())
                    .add(makespan));
        }
    }

    private static String name(long seed) {
        return TwoForms.PACKAGE + ".P" + seed;
    }

    List<Makespan> all() {
        return all;
    }

    /** What the rewritten ones wait for. */
    WaitReasons waits() {
        return waits;
    }

    /** Those of the programs in which each shape occurs. */
    Map<String, List<Makespan>> ofShapes() {
        return ofShapes;
    }
}
