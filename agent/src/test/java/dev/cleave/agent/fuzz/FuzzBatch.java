package dev.cleave.agent.fuzz;

import dev.cleave.rt.Strands;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.BiFunction;

/** Generates the programs of some consecutive seeds, compiles them together, and compares their two forms. */
public final class FuzzBatch implements BiFunction<Long, Integer, FuzzResult> {

    /** In how many settings each program runs. */
    static final int SETTINGS = 8;

    private final TwoForms.Factory factory = new TwoForms.Factory();
    private List<Map<String, String>> compiledSources = List.of();
    private Map<String, byte[]> compiled = Map.of();

    /** Makes one; it keeps what it has read of the class path. */
    public FuzzBatch() {}

    @Override
    public FuzzResult apply(Long firstSeed, Integer programs) {
        Map<String, String> withNames = new LinkedHashMap<>();
        Map<String, String> without = new LinkedHashMap<>();
        Map<String, Integer> shapes = new TreeMap<>();
        for (int i = 0; i < programs; i++) {
            String source = ProgramGenerator.program("P" + i, firstSeed + i);
            (isDebug(firstSeed + i) ? withNames : without).put(name(i), StatementLines.of(firstSeed + i, source));
            FuzzShape.of(source).forEach(shape -> shapes.merge(shape, 1, Integer::sum));
        }
        Map<String, byte[]> classes = compile(withNames, without);
        FuzzResult result = new FuzzResult(0, 0, 0, 0, 0, Map.of(), shapes, List.of());
        for (int i = 0; i < programs; i++) {
            TwoForms forms = factory.of(name(i), classes, showsNested(firstSeed + i));
            result = result.with(compare(forms, firstSeed + i));
        }
        return result;
    }

    /** Compiles them; the programs of the last time are not compiled again, as each mutant of the agent meets the same ones. */
    private Map<String, byte[]> compile(Map<String, String> withNames, Map<String, String> without) {
        List<Map<String, String>> sources = List.of(withNames, without);
        if (!sources.equals(compiledSources)) {
            compiled = factory.compile(withNames, true);
            compiled.putAll(factory.compile(without, false));
            compiledSources = sources;
        }
        return compiled;
    }

    /** Whether a program is compiled with the names of its variables. */
    static boolean isDebug(long seed) {
        return seed % 2 == 0;
    }

    /** The settings in which the program of a seed runs. */
    static List<ProgramRun.Setting> settings(long seed) {
        Random random = new Random(seed * 31);
        List<ProgramRun.Setting> settings = new ArrayList<>();
        for (int i = 0; i < SETTINGS; i++) {
            settings.add(ProgramRun.Setting.random(random));
        }
        return settings;
    }

    /** Whether the nested classes of the program of a seed are rewritten, as those of most are. */
    static boolean showsNested(long seed) {
        return seed % 5 != 0;
    }

    private static String name(int program) {
        return TwoForms.PACKAGE + ".P" + program;
    }

    private static FuzzResult compare(TwoForms forms, long seed) {
        int mostInFlight = 0;
        boolean haveLooked = false;
        long sent = Strands.sent();
        long unlinked = Strands.unlinked();
        long broken = Strands.broken();
        StringBuilder differences = new StringBuilder();
        for (ProgramRun.Setting setting : settings(seed)) {
            ProgramRun rewritten = forms.rewritten(setting);
            mostInFlight = Math.max(mostInFlight, rewritten.server().mostInFlight());
            haveLooked |= rewritten.server().isLookedAt();
            List<String> found = rewritten.differences(forms.written(setting));
            if (!found.isEmpty()) {
                differences
                        .append(setting)
                        .append(":\n  ")
                        .append(String.join("\n  ", found))
                        .append('\n');
            }
        }
        forms.defects().forEach(defect -> differences.append(defect).append('\n'));
        if (Strands.unlinked() > unlinked) {
            differences.append("strands that do not link: ").append(Strands.unlinked() - unlinked);
        }
        if (Strands.broken() > broken) {
            differences.append("strands that ended with an error: ").append(Strands.broken() - broken);
        }
        List<FuzzResult.Divergence> divergences =
                differences.isEmpty() ? List.of() : List.of(new FuzzResult.Divergence(seed, differences.toString()));
        int stranded = Strands.sent() > sent ? 1 : 0;
        int looking = haveLooked ? 1 : 0;
        return new FuzzResult(1, SETTINGS, mostInFlight, stranded, looking, forms.verdicts(), Map.of(), divergences);
    }
}
