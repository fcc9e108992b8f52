package dev.cleave.agent.premain;

import dev.cleave.agent.transform.CoreNames;
import java.lang.instrument.Instrumentation;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Lets named modules read the core, whose few methods rewritten classes link: a module that only knows remote interfaces of
 * others need not require it.
 */
final class CoreReads implements Predicate<Module> {

    private static final String PACKAGE =
            CoreNames.RT.substring(0, CoreNames.RT.lastIndexOf('/')).replace('/', '.');

    private final Instrumentation instrumentation;

    CoreReads(Instrumentation instrumentation) {
        this.instrumentation = instrumentation;
    }

    /** Whether classes of a module can link the core, from now on at the latest. */
    @Override
    public boolean test(Module module) {
        if (!module.isNamed()) {
            return true;
        }
        Module core = core(module.getLayer());
        if (core == null) {
            core = ClassLoader.getSystemClassLoader().getUnnamedModule(); // it is on the class path
        }
        if (!module.canRead(core)) {
            instrumentation.redefineModule(module, Set.of(core), Map.of(), Map.of(), Set.of(), Map.of());
        }
        return module.canRead(core);
    }

    /** The module of the core in a layer or one above it, null if there is none. */
    private static @Nullable Module core(@Nullable ModuleLayer layer) {
        if (layer == null) {
            return null;
        }
        for (Module module : layer.modules()) {
            if (module.getPackages().contains(PACKAGE)) {
                return module;
            }
        }
        for (ModuleLayer parent : layer.parents()) {
            Module found = core(parent);
            if (found != null) {
                return found;
            }
        }
        return null;
    }
}
