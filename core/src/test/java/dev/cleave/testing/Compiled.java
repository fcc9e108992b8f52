package dev.cleave.testing;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** One version of a program: classes compiled from texts into a folder. */
public final class Compiled {

    private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();
    private static final StandardJavaFileManager FILES = COMPILER.getStandardFileManager(null, null, null);

    private final Path folder;

    private Compiled(Path folder) {
        this.folder = folder;
    }

    /** Compiles a file of any number of classes, none of them public. */
    public static Compiled of(Path folder, String text) {
        JavaFileObject source =
                new SimpleJavaFileObject(URI.create("string:///Source.java"), JavaFileObject.Kind.SOURCE) {
                    @Override
                    public CharSequence getCharContent(boolean ignored) {
                        return text;
                    }
                };
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        StringWriter messages = new StringWriter();
        List<String> options = List.of(
                "-d", folder.toString(), "-parameters", "-proc:none", "-cp", System.getProperty("java.class.path"));
        if (!COMPILER.getTask(messages, FILES, null, options, null, List.of(source))
                .call()) {
            throw new IllegalArgumentException(messages.toString());
        }
        return new Compiled(folder);
    }

    /** The folder with the class files. */
    public Path folder() {
        return folder;
    }

    /** A loader of its classes above those of the tests. */
    public ClassLoader loader() {
        try {
            URL[] places = {folder.toUri().toURL()};
            return new URLClassLoader(places, Compiled.class.getClassLoader());
        } catch (MalformedURLException e) {
            throw new IllegalArgumentException(e);
        }
    }

    /** Writes the classes into a jar. */
    public Path jar(Path file) {
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(file));
                Stream<Path> files = Files.walk(folder)) {
            for (Path each : files.filter(Files::isRegularFile).sorted().toList()) {
                out.putNextEntry(new JarEntry(folder.relativize(each).toString().replace('\\', '/')));
                out.write(Files.readAllBytes(each));
            }
            return file;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
