package dev.cleave.agent.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The jar or folder that is written. */
interface Output extends AutoCloseable {

    /** A jar if the name ends so or is that of a file, else a folder, which may exist. */
    static Output open(Path target, ProgramFiles source) throws IOException {
        boolean isJar = target.toString().endsWith(".jar") ? !Files.isDirectory(target) : Files.isRegularFile(target);
        return isJar ? JarOutput.open(target, source) : new FolderOutput(target);
    }

    /**
     * Writes a file, or a folder if the name ends with a slash.
     *
     * @throws ToolException if the name leads out of the output
     */
    void write(String entry, byte[] bytes) throws IOException;

    /** Makes what was written valid; without it a jar is not there. */
    void finish() throws IOException;

    @Override
    void close() throws IOException;
}
