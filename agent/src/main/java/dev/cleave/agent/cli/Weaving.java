package dev.cleave.agent.cli;

import dev.cleave.agent.plan.verdict.Verdict;
import dev.cleave.agent.report.CallersLoops;
import dev.cleave.agent.report.HelperFates;
import dev.cleave.agent.report.MethodVerdicts;
import dev.cleave.agent.report.Notes;
import dev.cleave.agent.report.Report;
import dev.cleave.agent.scan.ProgramTypes;
import dev.cleave.agent.transform.Rewritten;
import dev.cleave.agent.transform.Weaver;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;

/** Weaves class after class, and keeps the verdicts on them. */
final class Weaving {

    private final Weaver weaver;
    private final Function<byte[], byte @Nullable []> rmi;
    private final List<Decided> decided = new ArrayList<>();
    private final HelperFates fates = new HelperFates();
    private final ProgramTypes program = new ProgramTypes();
    private final Set<String> woven = new LinkedHashSet<>();
    private final List<String> failures = new ArrayList<>();

    /**
     * The verdicts on a class.
     *
     * @param remedies adds to its verdicts the words that would free sequential calls
     */
    private record Decided(
            String place,
            String name,
            Map<String, List<Verdict>> verdicts,
            UnaryOperator<Map<String, List<Verdict>>> remedies) {}

    /** Splits the calls of classes as {@code weaver} decides. */
    Weaving(Weaver weaver) {
        this(weaver, file -> null);
    }

    /**
     * Splits the calls of classes that have been rewritten for Cleave if they use RMI.
     *
     * @param rmi rewrites a class that uses RMI; returns null for all others
     */
    Weaving(Weaver weaver, Function<byte[], byte @Nullable []> rmi) {
        this.weaver = weaver;
        this.rmi = rmi;
    }

    /**
     * Decides about a file.
     *
     * @param place its name, for messages
     * @return the woven class file, or the very bytes given if it stays as it is
     */
    byte[] weave(String place, byte[] file) {
        return decide(place, file, verdicts -> verdicts);
    }

    /** Decides about a file, and looks for the words that would free its sequential calls. */
    void explain(String place, byte[] file) {
        program.add(file);
        decide(place, file, verdicts -> weaver.remedied(null, file, verdicts));
    }

    private byte[] decide(String place, byte[] file, UnaryOperator<Map<String, List<Verdict>>> remedies) {
        try {
            byte[] ofRmi = rmi.apply(file);
            if (ofRmi != null) {
                return decided(place, ofRmi, remedies);
            }
            return decided(place, file, remedies);
        } catch (RuntimeException e) { // one class that cannot be read must not hide the others
            failures.add(Notes.failed(place, e));
            return file;
        }
    }

    private byte[] decided(String place, byte[] file, UnaryOperator<Map<String, List<Verdict>>> remedies) {
        try {
            if (!weaver.concerns(null, file)) {
                return file;
            }
            if (Weaver.isWoven(file)) {
                woven.add(new ClassReader(file).getClassName().replace('/', '.'));
                return file;
            }
            Rewritten rewritten = weaver.weave(null, file);
            fates.add(rewritten.uses());
            decided.add(new Decided(place, rewritten.name(), rewritten.verdicts(), remedies));
            return rewritten.classFile();
        } catch (RuntimeException e) { // one class that cannot be read must not hide the others
            failures.add(Notes.failed(place, e));
            return file;
        }
    }

    /**
     * Returns the report on all calls.
     *
     * @param missing classes whose files were not found
     */
    Report report(Set<String> missing) {
        List<MethodVerdicts> methods = new ArrayList<>();
        for (Decided each : decided) {
            Map<String, List<Verdict>> verdicts =
                    CallersLoops.on(each.name(), fates.on(each.name(), each.verdicts()), program);
            try {
                methods.addAll(MethodVerdicts.of(each.name(), each.remedies().apply(verdicts)));
            } catch (RuntimeException e) { // the verdicts themselves are known
                methods.addAll(MethodVerdicts.of(each.name(), verdicts));
                failures.add(Notes.failed(each.place(), e));
            }
        }
        List<String> notes = new ArrayList<>(failures);
        if (!woven.isEmpty()) {
            notes.add(0, Notes.woven(woven));
        }
        if (!missing.isEmpty()) {
            notes.add(0, Notes.missing(missing));
        }
        return new Report(methods, notes);
    }
}
