package dev.cleave.agent.fuzz;

import dev.cleave.Remote;
import dev.cleave.agent.completeness.ClockedClasses;
import dev.cleave.agent.completeness.DataFlowClock;
import dev.cleave.agent.completeness.Makespan;
import dev.cleave.agent.conformance.Compiler;
import dev.cleave.agent.effect.RemoteCalls;
import dev.cleave.agent.plan.verdict.Verdict;
import dev.cleave.agent.scan.CallSettings;
import dev.cleave.agent.scan.ClassFileSource;
import dev.cleave.agent.scan.RemoteInterfaceIndex;
import dev.cleave.agent.transform.ClassRewriter;
import dev.cleave.agent.transform.Rewritten;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** A program as written and rewritten. */
final class TwoForms {

    /** Of the programs: a package of programs, as the agent takes those of Cleave for none. */
    static final String PACKAGE = "p";

    private final Class<?> written;
    private final Class<?> rewritten;
    private final Map<String, Integer> verdicts;
    private final Map<ProgramPlace, List<Verdict>> ofPlaces;
    private final InFlightBound bound;
    private final List<String> defects;

    private TwoForms(
            Class<?> written,
            Class<?> rewritten,
            Map<String, Integer> verdicts,
            Map<ProgramPlace, List<Verdict>> ofPlaces,
            InFlightBound bound,
            List<String> defects) {
        this.written = written;
        this.rewritten = rewritten;
        this.verdicts = verdicts;
        this.ofPlaces = ofPlaces;
        this.bound = bound;
        this.defects = defects;
    }

    /** Runs it as written. */
    ProgramRun written(ProgramRun.Setting setting) {
        return ProgramRun.of(written, setting, InFlightBound.ONE);
    }

    /** Runs it rewritten. */
    ProgramRun rewritten(ProgramRun.Setting setting) {
        return ProgramRun.of(rewritten, setting, bound);
    }

    /** Runs it in both forms with services of nodes; what may not be. */
    List<String> differences(NodeServices services, ProgramRun.Setting setting) {
        ProgramRun asWritten = ProgramRun.over(services, written, setting);
        return asWritten.isEndless()
                ? List.of()
                : ProgramRun.over(services, rewritten, setting).differences(asWritten);
    }

    /** How many calls ended in each verdict. */
    Map<String, Integer> verdicts() {
        return verdicts;
    }

    /** On what the agent failed by a defect of its own. */
    List<String> defects() {
        return defects;
    }

    /** Compiles and rewrites programs; keeps what it has read. Confined to one thread. */
    static final class Factory {

        private static final ClassLoader LOADER = TwoForms.class.getClassLoader();

        private final Compiler compiler = new Compiler(TwoForms.class, Remote.class);
        private final RemoteInterfaceIndex index =
                new RemoteInterfaceIndex(ClassFileSource::ofResources, CallSettings.NONE);
        private final RemoteCalls remote = (owner, name, descriptor) -> index.call(LOADER, owner, name, descriptor);
        private final Map<String, Optional<byte[]>> files = new HashMap<>();

        /** Class files by binary name. */
        Map<String, byte[]> compile(Map<String, String> sources, boolean isDebug) {
            return sources.isEmpty()
                    ? new HashMap<>()
                    : compiler.classes(sources, isDebug ? "-g" : "-g:none", "-nowarn", "-proc:none", "-implicit:none");
        }

        /** How long one of the compiled programs takes, and what the rewritten one waits for. */
        Makespan makespan(String name, Map<String, byte[]> classes, ProgramRun.Setting setting, WaitReasons waits) {
            TwoForms forms = of(name, classes);
            ProgramRun.timed(forms.rewritten, setting, forms.bound); // its nested classes show themselves
            Map<String, byte[]> clocked = new HashMap<>(classes);
            clocked.replaceAll((each, file) -> each.equals(name) || each.startsWith(name + '$')
                    ? ClockedClasses.instrument(file, wanted -> file(wanted, classes))
                    : file);
            Class<?> program = load(name, clocked.get(name), clocked);
            ScriptedServer rewritten =
                    ProgramRun.timed(forms.rewritten, setting, forms.bound).server();
            waits.add(rewritten.waits(), forms.ofPlaces);
            return new Makespan(
                    name,
                    ProgramRun.timed(forms.written, setting, InFlightBound.ONE)
                            .server()
                            .now(),
                    rewritten.now(),
                    DataFlowClock.measure(remote, () -> ProgramRun.timed(program, setting, InFlightBound.ONE)),
                    DataFlowClock.measureWithinWindows(
                            remote, () -> ProgramRun.timed(program, setting, InFlightBound.ONE)));
        }

        /** Rewrites one of the compiled programs, with its nested classes. */
        TwoForms of(String name, Map<String, byte[]> classes) {
            return of(name, classes, true);
        }

        /**
         * Rewrites one of the compiled programs.
         *
         * @param showsNested whether the nested classes are rewritten; else they never show what they take
         */
        TwoForms of(String name, Map<String, byte[]> classes, boolean showsNested) {
            ClassRewriter rewriter = new ClassRewriter(file -> file(file, classes), remote);
            Rewritten result = rewriter.rewrite(classes.get(name));
            List<String> defects = new ArrayList<>(result.defects());
            Map<String, List<Verdict>> all = new HashMap<>(result.verdicts());
            Map<ProgramPlace, List<Verdict>> ofPlaces = new HashMap<>();
            result.verdicts().values().forEach(found -> place(name, found, ofPlaces));
            Map<String, byte[]> nested = new HashMap<>(classes);
            classes.forEach((other, file) -> {
                if (other.startsWith(name + '$')) {
                    Rewritten inner = rewriter.rewrite(file);
                    defects.addAll(inner.defects());
                    inner.verdicts().forEach((method, verdicts) -> {
                        all.put(other + '.' + method, verdicts);
                        place(other, verdicts, ofPlaces);
                    });
                    nested.put(other, showsNested ? inner.classFile() : file);
                }
            });
            Map<String, Integer> verdicts = new TreeMap<>();
            result.verdicts()
                    .values()
                    .forEach(found -> found.forEach(
                            verdict -> verdicts.merge(verdict.outcome().name(), 1, Integer::sum)));
            return new TwoForms(
                    load(name, classes.get(name), classes),
                    load(name, result.classFile(), nested),
                    verdicts,
                    ofPlaces,
                    InFlightBound.of(all),
                    defects);
        }

        private static void place(String type, List<Verdict> verdicts, Map<ProgramPlace, List<Verdict>> ofPlaces) {
            verdicts.forEach(verdict -> ofPlaces.computeIfAbsent(
                            new ProgramPlace(type, verdict.line()), place -> new ArrayList<>())
                    .add(verdict));
        }

        /** What becomes of one of the compiled classes by itself. */
        Rewritten rewritten(String name, Map<String, byte[]> classes) {
            return new ClassRewriter(file -> file(file, classes), remote).rewrite(classes.get(name));
        }

        private byte[] file(String internalName, Map<String, byte[]> classes) {
            byte[] own = classes.get(internalName.replace('/', '.'));
            return own != null
                    ? own
                    : files.computeIfAbsent(
                                    internalName,
                                    wanted -> Optional.ofNullable(ClassFileSource.ofResources(LOADER, wanted)))
                            .orElse(null);
        }

        private static Class<?> load(String name, byte[] main, Map<String, byte[]> classes) {
            try {
                return new Loader(name, main, classes).loadClass(name);
            } catch (ClassNotFoundException e) {
                throw new AssertionError(e);
            }
        }
    }

    /** Defines one class and those nested in it, and leaves all others to the loader of the tests. */
    private static final class Loader extends ClassLoader {

        private final String name;
        private final byte[] main;
        private final Map<String, byte[]> classes;

        Loader(String name, byte[] main, Map<String, byte[]> classes) {
            super(Factory.LOADER);
            this.name = name;
            this.main = main;
            this.classes = classes;
        }

        @Override
        protected Class<?> findClass(String wanted) throws ClassNotFoundException {
            byte[] found = wanted.equals(name) ? main : classes.get(wanted);
            if (found == null) {
                throw new ClassNotFoundException(wanted);
            }
            byte[] fuelled = Fuel.meter(found);
            return defineClass(wanted, fuelled, 0, fuelled.length);
        }
    }
}
