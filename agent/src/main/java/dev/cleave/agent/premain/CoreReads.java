package dev.cleave.agent.premain;

import dev.cleave.agent.transform.CoreNames;
import java.lang.instrument.Instrumentation;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Lets named modules read the core, whose methods rewritten classes link: so a module that only calls remote interfaces
 * of other modules need not require the core.
 */
final class CoreReads implements Predicate<Module> {

    private static final String PACKAGE =
            CoreNames.RT.substring(0, CoreNames.RT.lastIndexOf('/')).replace('/', '.');

    private final Instrumentation instrumentation;

    CoreReads(Instrumentation instrumentation) {
        this.instrumentation = instrumentation;
    }

    /** Lets a module read the core, and says whether its classes can link it. */
    @Override
    public boolean test(Module module) {
        if (!module.isNamed()) {
            return true;
        }
        Module core = core(module.getLayer());
        if (core == null) {
            core = ClassLoader.getSystemClassLoader().getUnnamedModule(); // the core is on the class path
        }
        if (!module.canRead(core)) {
            instrumentation.redefineModule(module, Set.of(core), Map.of(), Map.of(), Set.of(), Map.of());
        }
        return module.canRead(core);
    }

    /** The module of the core in a layer or a parent layer, null if there is none. */
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
