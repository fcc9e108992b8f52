package dev.cleave.agent.premain;

import dev.cleave.agent.plan.verdict.Verdict;
import dev.cleave.agent.report.MethodVerdicts;
import dev.cleave.agent.report.Notes;
import dev.cleave.agent.scan.ClassFileSource;
import dev.cleave.agent.transform.Weaver;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * The words that would free sequential calls, looked for at exit: class files are read once more, and nothing of this
 * burdens the loading of classes. Ends after a fixed time; classes that it did not come to are told without.
 */
final class Remedies {

    private static final long NANOS = 1_000_000_000L;

    private final Weaver weaver;
    private final LongSupplier clock;
    private int left;

    Remedies(Weaver weaver, LongSupplier clock) {
        this.weaver = weaver;
        this.clock = clock;
    }

    List<MethodVerdicts> of(List<Findings.Found> classes) {
        long begun = clock.getAsLong();
        List<MethodVerdicts> methods = new ArrayList<>();
        for (Findings.Found found : classes) {
            boolean hasTime = clock.getAsLong() - begun < NANOS;
            left += hasTime || !hasSequential(found) ? 0 : 1;
            methods.addAll(MethodVerdicts.of(found.name(), hasTime ? remedied(found) : found.verdicts()));
        }
        return methods;
    }

    /** How many classes were left out: their calls have no words, but some word may free them. */
    List<String> notes() {
        return left == 0 ? List.of() : List.of(Notes.withoutWords(left));
    }

    private static boolean hasSequential(Findings.Found found) {
        return found.verdicts().values().stream()
                .flatMap(List::stream)
                .anyMatch(verdict -> verdict.outcome() == Verdict.Outcome.SEQUENTIAL);
    }

    private Map<String, List<Verdict>> remedied(Findings.Found found) {
        ClassLoader loader = found.loader().get();
        byte[] classFile = loader == null
                ? null
                : ClassFileSource.ofResources(loader, found.name().replace('.', '/'));
        return classFile == null ? found.verdicts() : weaver.remedied(loader, classFile, found.verdicts());
    }
}
