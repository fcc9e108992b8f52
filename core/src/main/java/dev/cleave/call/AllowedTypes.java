package dev.cleave.call;

import dev.cleave.ValueCodec;
import dev.cleave.config.Bindings;
import dev.cleave.serial.TypePolicy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.net.JarURLConnection;
import java.net.URI;
import java.net.URL;
import java.net.URLConnection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The classes that an application file allows, and the codecs that it names or that are on the class path. */
final class AllowedTypes {

    private static final String SUFFIX = ".class";

    private final Bindings bindings;
    private final @Nullable ClassLoader loader;

    /** Looks up classes with the loader of an interface; null for that of the JDK. */
    AllowedTypes(Bindings bindings, @Nullable ClassLoader loader) {
        this.bindings = bindings;
        this.loader = loader;
    }

    /**
     * The allowed classes; of a package those that can be sent.
     *
     * @throws IllegalArgumentException if a name does not help
     */
    List<Class<?>> allowed() {
        List<Class<?>> allowed = new ArrayList<>();
        for (String name : bindings.allow()) {
            if (name.endsWith(".*")) {
                allowed.addAll(inPackage(name.substring(0, name.length() - 2)));
            } else {
                Class<?> type = load("allow", name);
                String useless = TypePolicy.uselessToAllow(type);
                if (useless != null) {
                    throw new IllegalArgumentException("allow: " + name + " does not help: " + useless);
                }
                allowed.add(type);
            }
        }
        return allowed;
    }

    /**
     * The codecs: those of a service, those of all services, those of {@link ServiceLoader}; the first for a type holds.
     *
     * @throws IllegalArgumentException if one cannot be made
     */
    List<ValueCodec<?>> codecs(List<String> ofService) {
        List<ValueCodec<?>> codecs = new ArrayList<>();
        ofService.forEach(name -> codecs.add(codec(name)));
        bindings.codecs().forEach(name -> codecs.add(codec(name)));
        try {
            ServiceLoader.load(ValueCodec.class, loader).forEach(codecs::add);
        } catch (ServiceConfigurationError e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
        return codecs;
    }

    private ValueCodec<?> codec(String name) {
        try {
            var constructor = load("codecs", name).asSubclass(ValueCodec.class).getDeclaredConstructor();
            constructor.setAccessible(true);
            return constructor.newInstance();
        } catch (InvocationTargetException e) {
            throw new IllegalArgumentException("codecs: " + name + ": " + e.getCause(), e.getCause());
        } catch (ReflectiveOperationException | RuntimeException e) {
            throw new IllegalArgumentException(
                    "codecs: " + name + ": " + e + " (expected: a dev.cleave.ValueCodec with a constructor without"
                            + " parameters)",
                    e);
        }
    }

    private Class<?> load(String key, String name) {
        try {
            return Class.forName(name, false, loader);
        } catch (ClassNotFoundException | LinkageError e) {
            throw new IllegalArgumentException(key + ": " + name + ": no such class on the class path", e);
        }
    }

    private List<Class<?>> inPackage(String name) {
        List<Class<?>> found = new ArrayList<>();
        for (String each : classNames(name)) {
            try {
                Class<?> type = Class.forName(each, false, loader);
                if (TypePolicy.isSendable(type)) {
                    found.add(type);
                }
            } catch (ClassNotFoundException | LinkageError e) {
                // it needs a class that is not here, so no object of it can be here
            }
        }
        if (found.isEmpty()) {
            throw new IllegalArgumentException("allow: " + name
                    + ".* does not help: the class path has no class in this package that can be sent");
        }
        return found;
    }

    /** The classes of a package, without those of packages below it. */
    private Set<String> classNames(String name) {
        Set<String> names = new LinkedHashSet<>();
        String folder = name.replace('.', '/');
        ClassLoader source = loader == null ? ClassLoader.getSystemClassLoader() : loader;
        try {
            for (URL place : (Iterable<URL>) () -> resources(source, folder).iterator()) {
                URLConnection connection = place.openConnection();
                if (connection instanceof JarURLConnection jar) {
                    jar.getJarFile().stream().forEach(entry -> add(names, folder, entry.getName()));
                } else if (place.getProtocol().equals("file")) {
                    try (Stream<Path> files = Files.list(Path.of(URI.create(place.toString())))) {
                        files.forEach(file -> add(names, folder, folder + '/' + file.getFileName()));
                    }
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return names;
    }

    private static Stream<URL> resources(ClassLoader source, String folder) {
        try {
            List<URL> all = new ArrayList<>();
            source.getResources(folder).asIterator().forEachRemaining(all::add);
            return all.stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void add(Set<String> names, String folder, String file) {
        if (file.endsWith(SUFFIX) && file.lastIndexOf('/') == folder.length() && file.startsWith(folder)) {
            names.add(file.substring(0, file.length() - SUFFIX.length()).replace('/', '.'));
        }
    }
}
