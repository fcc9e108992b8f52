package dev.cleave.agent.cli;

import java.io.IOException;

/** The jar or folder that is written. */
interface Output extends AutoCloseable {

    /**
     * Writes a file, or a folder if the name ends with a slash.
     *
     * @throws IllegalArgumentException if the name leads out of the output
     */
    void write(String entry, byte[] bytes) throws IOException;

    /** Completes the output; a jar that is not completed is not there. */
    void finish() throws IOException;

    @Override
    void close() throws IOException;
}
