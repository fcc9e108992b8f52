package dev.cleave.agent.cli;

import dev.cleave.agent.scan.CallSettings;
import dev.cleave.agent.scan.ClassFileSource;
import dev.cleave.agent.scan.ProgramClasses;
import dev.cleave.agent.scan.RemoteInterfaceIndex;
import dev.cleave.agent.scan.SiblingFiles;
import dev.cleave.agent.transform.CoreNames;
import dev.cleave.agent.transform.Weaver;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The class path of a program that is not run: its jars and folders, behind them what this JVM has itself. */
final class ProgramPath implements ClassFileSource, AutoCloseable {

    private final List<ProgramFiles> parts = new ArrayList<>();
    private final Set<String> missing = new TreeSet<>();

    private ProgramPath() {}

    /**
     * Opens jars and folders.
     *
     * @throws IllegalArgumentException if one is neither, or the core is in none of them
     */
    static ProgramPath open(List<String> paths) throws IOException {
        ProgramPath path = new ProgramPath();
        try {
            for (String name : paths) {
                ProgramFiles files = files(name);
                path.parts.add(files);
                if (files instanceof Jar jar) {
                    path.parts.addAll(PackedJar.in(jar));
                }
            }
            if (path.read(null, CoreNames.RT) == null) {
                throw new IllegalArgumentException(
                        "cleave-core is not on the class path (expected: the jar, as a path or with -cp)");
            }
            return path;
        } catch (IOException | RuntimeException e) {
            path.close();
            throw e;
        }
    }

    /**
     * Opens a jar or a folder.
     *
     * @throws IllegalArgumentException if it is neither
     */
    private static ProgramFiles files(String name) throws IOException {
        Path path = Path.of(name);
        if (Files.isDirectory(path)) {
            return new Folder(path);
        }
        if (!Files.exists(path)) {
            throw new IllegalArgumentException(name + ": no such file (expected: a jar or a folder with classes)");
        }
        return Jar.open(path);
    }

    /**
     * Returns the loader that finds the core, and the classes that the program needs and its jars and folders do not
     * have.
     */
    static ClassLoader loader() {
        ClassLoader loader = ProgramPath.class.getClassLoader();
        return loader == null ? ClassLoader.getSystemClassLoader() : loader;
    }

    List<ProgramFiles> parts() {
        return parts;
    }

    /** A weaver of the program's classes, which it knows under the loader null. */
    Weaver weaver(CallSettings settings) {
        return new Weaver(new RemoteInterfaceIndex(this::readInterface, settings), this);
    }

    @Override
    public byte @Nullable [] read(@Nullable ClassLoader loader, String internalName) {
        byte[] own = ofProgram(internalName);
        return own != null ? own : ClassFileSource.ofResources(loader(), internalName);
    }

    @Override
    public List<String> beside(@Nullable ClassLoader loader, String internalName) {
        for (ProgramFiles part : parts) {
            List<String> files = part.classes();
            if (files.contains(internalName + ".class")) {
                return SiblingFiles.among(files, internalName);
            }
        }
        return List.of();
    }

    /** Reads a class that may be a remote interface, and keeps its name if there is no class file. */
    private byte @Nullable [] readInterface(@Nullable ClassLoader loader, String internalName) {
        byte[] found = read(loader, internalName);
        if (found == null && ProgramClasses.isProgram(internalName)) {
            missing.add(internalName.replace('/', '.'));
        }
        return found;
    }

    /**
     * Returns the interfaces that classes call and whose class files are not found. The agent sees no remote calls of
     * them.
     */
    Set<String> missing() {
        return Collections.unmodifiableSet(missing);
    }

    /** The class file in the program's jars and folders, null if there is none or it cannot be read. */
    byte @Nullable [] ofProgram(String internalName) {
        for (ProgramFiles part : parts) {
            try {
                byte[] found = part.find(internalName + ".class");
                if (found != null) {
                    return found;
                }
            } catch (IOException e) {
                return null; // as a loader that cannot read what it finds
            }
        }
        return null;
    }

    @Override
    public void close() throws IOException {
        for (ProgramFiles part : parts) {
            part.close();
        }
    }
}
