package dev.cleave.agent.scan;

import java.lang.ref.WeakReference;
import java.util.List;
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

    /**
     * The internal names of classes whose files stand beside that of a class, in the same folder of the same folder or jar;
     * empty if they cannot be listed.
     */
    default List<String> beside(String internalName) {
        return List.of();
    }

    /** The same class files, but for one class. */
    default ClassFiles with(String name, byte[] classFile) {
        ClassFiles all = this;
        return new ClassFiles() {
            @Override
            public byte @Nullable [] read(String internalName) {
                return internalName.equals(name) ? classFile : all.read(internalName);
            }

            @Override
            public List<String> beside(String internalName) {
                return all.beside(internalName);
            }
        };
    }

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
