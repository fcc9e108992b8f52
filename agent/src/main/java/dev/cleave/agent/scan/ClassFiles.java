package dev.cleave.agent.scan;

import java.lang.ref.WeakReference;
import org.jspecify.annotations.Nullable;

/** The class files that one class loader sees; called from any thread. */
@FunctionalInterface
public interface ClassFiles {

    /**
     * The bytes of a class file.
     *
     * @param internalName such as {@code java/util/List}
     * @return null if there is no such class file
     */
    byte @Nullable [] read(String internalName);

    /** Reads class files as resources of a loader, which is held weakly; null is the boot loader. */
    static ClassFiles of(@Nullable ClassLoader loader) {
        if (loader == null) {
            return internalName -> ClassFileSource.ofResources(null, internalName);
        }
        WeakReference<ClassLoader> reference = new WeakReference<>(loader);
        return internalName -> {
            ClassLoader held = reference.get();
            return held == null ? null : ClassFileSource.ofResources(held, internalName);
        };
    }
}
