package dev.cleave.agent.corpus;

import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Links every class of a jar as it was and as it was rewritten, with the verifier of the JVM that runs this, and
 * prints each class that fails only when rewritten. Started in a JVM of its own: {@code LinkCheck FOLDER N}, where the
 * lines of {@code FOLDER/jars} name the jars, and {@code FOLDER/N.jar} has what was rewritten of the N-th from 0 on.
 */
public final class LinkCheck {

    /** The file in the folder that names the jars. */
    static final String JARS = "jars";

    /** Stands before each line about a class that fails. */
    static final String FAILED = "failed ";

    /** Stands before the number of classes that were linked. */
    static final String LINKED = "linked ";

    private LinkCheck() {}

    /** Links one of the jars that a folder names. */
    public static void main(String[] args) throws IOException {
        Path folder = Path.of(args[0]);
        List<Path> jars =
                Files.readAllLines(folder.resolve(JARS)).stream().map(Path::of).toList();
        int number = Integer.parseInt(args[1]);
        CorpusJar jar = CorpusJar.read(jars.get(number));
        try (URLClassLoader others = new URLClassLoader(urls(jars), LinkCheck.class.getClassLoader())) {
            SortedMap<String, String> before = failures(jar, Map.of(), others);
            for (Way way : Way.values()) {
                CorpusJar woven = CorpusJar.read(way.woven(folder, number));
                SortedMap<String, String> after = failures(jar, woven.classes(), others);
                after.forEach((name, failure) -> {
                    if (!before.containsKey(name)) {
                        System.out.println(FAILED + jar.name() + ": " + name + way.label() + ": " + failure);
                    }
                });
            }
        }
        System.out.println(LINKED + jar.classes().size());
    }

    private static SortedMap<String, String> failures(CorpusJar jar, Map<String, byte[]> woven, ClassLoader others) {
        Classes classes = new Classes(jar, woven, others);
        SortedMap<String, String> failures = new TreeMap<>();
        for (String name : jar.classes().keySet()) {
            try {
                link(Class.forName(name.replace('/', '.'), false, classes));
            } catch (ClassNotFoundException | LinkageError | RuntimeException e) {
                failures.put(name, String.valueOf(e).lines().findFirst().orElse("?"));
            }
        }
        return failures;
    }

    @SuppressWarnings("ReturnValueIgnored") // to list its methods a class must be linked
    private static void link(Class<?> type) {
        type.getDeclaredMethods();
    }

    private static URL[] urls(List<Path> jars) throws MalformedURLException {
        List<URL> urls = new ArrayList<>();
        for (Path jar : jars) {
            urls.add(jar.toUri().toURL());
        }
        return urls.toArray(URL[]::new);
    }

    /** The classes of one jar first, then all others. */
    private static final class Classes extends ClassLoader {

        private final CorpusJar jar;
        private final Map<String, byte[]> woven;

        Classes(CorpusJar jar, Map<String, byte[]> woven, ClassLoader others) {
            super(others);
            this.jar = jar;
            this.woven = woven;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            byte @Nullable [] original = jar.find(name.replace('.', '/'));
            if (original == null) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
                Class<?> known = findLoadedClass(name);
                if (known != null) {
                    return known;
                }
                byte[] file = woven.getOrDefault(name.replace('.', '/'), original);
                return defineClass(name, file, 0, file.length);
            }
        }
    }
}
