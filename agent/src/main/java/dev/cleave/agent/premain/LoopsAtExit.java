package dev.cleave.agent.premain;

import dev.cleave.agent.report.CallersLoops;
import dev.cleave.agent.scan.ClassFileSource;
import dev.cleave.agent.scan.ProgramClasses;
import dev.cleave.agent.scan.ProgramTypes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Searches at exit the loops of loaded classes that reach calls of other classes through an interface or a superclass;
 * like {@link Remedies} it reads class files a second time. Only for calls that are alone in their method, in classes
 * with an interface or a superclass, and for half a second at most.
 */
final class LoopsAtExit {

    private static final long NANOS = 500_000_000L;

    private final Class<?>[] loaded;
    private final LongSupplier clock;

    /** Creates a search.
     *
     * @param loaded all classes that are loaded
     */
    LoopsAtExit(Class<?>[] loaded, LongSupplier clock) {
        this.loaded = loaded.clone();
        this.clock = clock;
    }

    /** Returns the same verdicts, with the loops that reach the calls. */
    List<Findings.Found> named(List<Findings.Found> classes) {
        Set<ClassLoader> loaders = Collections.newSetFromMap(new IdentityHashMap<>());
        for (Findings.Found found : classes) {
            ClassLoader loader = found.loader().get();
            boolean isAlone = found.verdicts().values().stream()
                    .anyMatch(verdicts -> verdicts.stream().anyMatch(CallersLoops::mayConcern));
            if (loader != null && isAlone && hasTypesAbove(loader, found.name())) {
                loaders.add(loader);
            }
        }
        if (loaders.isEmpty()) {
            return classes;
        }
        ProgramTypes program = read(loaders);
        List<Findings.Found> named = new ArrayList<>();
        for (Findings.Found found : classes) {
            named.add(new Findings.Found(
                    found.loader(), found.name(), CallersLoops.on(found.name(), found.verdicts(), program)));
        }
        return named;
    }

    private boolean hasTypesAbove(ClassLoader loader, String name) {
        for (Class<?> each : loaded) {
            if (each.getClassLoader() == loader && each.getName().equals(name)) {
                Class<?> above = each.getSuperclass();
                boolean extendsOne = above != null && isProgram(above);
                return extendsOne || List.of(each.getInterfaces()).stream().anyMatch(LoopsAtExit::isProgram);
            }
        }
        return false;
    }

    private ProgramTypes read(Set<ClassLoader> loaders) {
        ProgramTypes program = new ProgramTypes();
        long begun = clock.getAsLong();
        for (Class<?> each : loaded) {
            ClassLoader loader = each.getClassLoader();
            if (loader == null || !loaders.contains(loader) || each.isArray() || each.isHidden() || !isProgram(each)) {
                continue;
            }
            if (clock.getAsLong() - begun >= NANOS) {
                break;
            }
            byte @Nullable [] file = ClassFileSource.ofResources(loader, nameOf(each));
            if (file != null) {
                program.add(file);
            }
        }
        return program;
    }

    private static boolean isProgram(Class<?> type) {
        return ProgramClasses.isProgram(nameOf(type));
    }

    private static String nameOf(Class<?> type) {
        return type.getName().replace('.', '/');
    }
}
