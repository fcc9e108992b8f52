package dev.cleave.agent.scan;

import java.io.IOException;
import java.net.URL;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads class files as a loader would find them, without loading or defining classes. */
@FunctionalInterface
public interface ClassFileSource {

    /**
     * Reads class files as resources of loaders. Not a method reference: it is used where no call site may be linked
     * for the first time.
     */
    ClassFileSource OF_LOADERS = new ClassFileSource() {
        @Override
        public byte @Nullable [] read(@Nullable ClassLoader loader, String internalName) {
            return ofResources(loader, internalName);
        }

        @Override
        public byte @Nullable [] readLikely(@Nullable ClassLoader loader, String internalName) {
            byte[] found = ClassPathFiles.read(loader, internalName);
            return found == null ? ofResources(loader, internalName) : found;
        }

        @Override
        public List<String> beside(@Nullable ClassLoader loader, String internalName) {
            return SiblingFiles.of(loader, internalName);
        }
    };

    /** The bytes of the class file, or null if the loader finds none or cannot read it. */
    byte @Nullable [] read(@Nullable ClassLoader loader, String internalName);

    /**
     * The bytes of the class file that the loader most likely finds, or null. It may be another one where several have the name, so
     * it serves to decide whether to look closer, and for nothing else. Much faster than {@link #read}, for which the JVM
     * looks into all of its modules first.
     */
    default byte @Nullable [] readLikely(@Nullable ClassLoader loader, String internalName) {
        return read(loader, internalName);
    }

    /**
     * The internal names of classes whose files stand beside that of a class, in the same folder of the same folder or jar;
     * empty if they cannot be listed.
     */
    default List<String> beside(@Nullable ClassLoader loader, String internalName) {
        return List.of();
    }

    /**
     * Asks the loader for the class file as a resource. Jars that the loader keeps open as long as the JVM runs are read
     * through the cache of open jars, which is some twenty times faster; other jars are not, because an open jar in the
     * cache would outlive its loader, or be closed while other code uses it.
     */
    static byte @Nullable [] ofResources(@Nullable ClassLoader loader, String internalName) {
        String path = internalName + ".class";
        try {
            URL url = loader == null ? ClassLoader.getSystemResource(path) : loader.getResource(path);
            return url == null ? null : ClassPathFiles.ofUrl(loader, url);
        } catch (IOException
                | IllegalStateException e) { // the loader is closed: that of a web application at the end of Tomcat
            return null;
        }
    }
}
