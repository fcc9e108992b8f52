package dev.cleave.broker.cli;

import dev.cleave.config.Bindings;
import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The class path that an application file names. */
final class ApplicationClasses {

    private static final String ALL_JARS = "*";

    private ApplicationClasses() {}

    /**
     * Returns the entries of the class path as absolute paths, the jars of {@code FOLDER/*} one by one.
     *
     * @throws CommandException if an entry does not exist; the message names the file
     */
    static List<String> path(Path file, Bindings bindings) {
        return path(file, bindings.classPath());
    }

    /**
     * Returns some entries of the class path as absolute paths, the jars of {@code FOLDER/*} one by one.
     *
     * @throws CommandException if one does not exist; the message names the file
     */
    static List<String> path(Path file, List<String> entries) {
        Path folder = file.toAbsolutePath().getParent();
        List<String> path = new ArrayList<>();
        for (String entry : entries) {
            boolean isFolderOfJars = entry.equals(ALL_JARS) || entry.endsWith("/" + ALL_JARS);
            String name = isFolderOfJars ? entry.substring(0, entry.length() - 1) : entry;
            Path found = (folder == null ? Path.of(name) : folder.resolve(name)).normalize();
            if (!Files.exists(found)) {
                throw new CommandException(file + ": classpath: " + found
                        + " does not exist (expected: a jar or a folder; is the application built?)");
            }
            if (isFolderOfJars) {
                path.addAll(jars(file, found));
            } else {
                path.add(found.toString());
            }
        }
        return path;
    }

    private static List<String> jars(Path file, Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(Path::toString)
                    .filter(name -> name.endsWith(".jar"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new CommandException(file + ": classpath: " + folder + " cannot be listed: " + e.getMessage(), e);
        }
    }

    /** Lets this thread find the classes of an application file that are not on the class path of this JVM. */
    static void addToContext(Path file, Bindings bindings) throws IOException {
        List<String> here = List.of(System.getProperty("java.class.path").split(File.pathSeparator));
        List<String> further = path(file, bindings).stream()
                .filter(entry -> !here.contains(entry))
                .toList();
        if (further.isEmpty()) {
            return;
        }
        URL[] urls = new URL[further.size()];
        for (int i = 0; i < urls.length; i++) {
            urls[i] = Path.of(further.get(i)).toUri().toURL();
        }
        Thread thread = Thread.currentThread();
        thread.setContextClassLoader(new URLClassLoader("application", urls, thread.getContextClassLoader()));
    }
}
