package dev.cleave.agent.cli;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A folder inside a jar that is on the class path of the program in it; its classes are told with those of the jar. */
final class PackedFolder implements ProgramFiles {

    private final Jar jar;
    private final String folder;

    PackedFolder(Jar jar, String folder) {
        this.jar = jar;
        this.folder = folder;
    }

    @Override
    public List<String> entries() {
        return List.of();
    }

    @Override
    public byte[] read(String entry) throws IOException {
        return jar.read(folder + entry);
    }

    @Override
    public List<String> classes() {
        return List.of();
    }

    @Override
    public byte @Nullable [] find(String name) throws IOException {
        return jar.find(folder + name);
    }

    @Override
    public void close() {} // the jar is closed as a part of its own
}
