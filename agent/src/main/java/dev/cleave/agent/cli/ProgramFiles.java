package dev.cleave.agent.cli;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The files of a jar or folder. Entries have names with slashes, relative to the top. */
interface ProgramFiles extends AutoCloseable {

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
