package dev.cleave.agent.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The files of a jar or folder. Entries have names with slashes, relative to the top. */
interface ProgramFiles extends AutoCloseable {

    /**
     * Opens a jar or a folder.
     *
     * @throws ToolException if it is neither
     */
    static ProgramFiles open(String name) throws IOException {
        Path path = Path.of(name);
        if (Files.isDirectory(path)) {
            return new Folder(path);
        }
        if (!Files.exists(path)) {
            throw ToolException.failed(name + ": no such file (expected: a jar or a folder with classes)");
        }
        return Jar.open(path);
    }

    /** All files, and of a jar also its entries of folders, whose names end with a slash; in a fixed order. */
    List<String> entries();

    /** The bytes of one of the entries. */
    byte[] read(String entry) throws IOException;

    /** The entries that are class files as this JVM would choose among their versions. */
    List<String> classes();

    /** The bytes that a class loader of this JVM would find under a name, null if there are none. */
    byte @Nullable [] find(String name) throws IOException;

    @Override
    void close() throws IOException;
}
