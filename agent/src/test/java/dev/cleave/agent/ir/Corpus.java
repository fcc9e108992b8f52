package dev.cleave.agent.ir;

import dev.cleave.agent.scan.ClassFileSource;
import dev.cleave.agent.scan.ClassHierarchy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodNode;

/** Puts every method of many class files into register form and back, and links what comes out. */
final class Corpus {

    /** How many of what; errors in the order in which they came up. */
    record Figures(
            int classes,
            int methods,
            long bytesBefore,
            long bytesAfter,
            Map<Unsupported.Reason, Integer> refused,
            List<String> errors) {

        double ratio() {
            return (double) bytesAfter / bytesBefore;
        }
    }

    private final Consumer<MethodBody> pass;
    private final Map<String, byte[]> originals = new TreeMap<>();
    private final Map<Unsupported.Reason, Integer> refused = new TreeMap<>();
    private final List<String> errors = new ArrayList<>();
    private int methods;
    private long bytesBefore;
    private long bytesAfter;

    private Corpus(Consumer<MethodBody> pass) {
        this.pass = pass;
    }

    /** Takes the classes of jars or class folders, except versioned ones; each body goes through a pass. */
    static Corpus of(List<Path> paths, Consumer<MethodBody> pass) {
        Corpus corpus = new Corpus(pass);
        paths.forEach(corpus::read);
        return corpus;
    }

    /** Takes classes that are on the class path of the tests; each body goes through a pass. */
    static Corpus ofClasses(List<Class<?>> classes, Consumer<MethodBody> pass) {
        Corpus corpus = new Corpus(pass);
        for (Class<?> type : classes) {
            byte[] bytes = ClassFileSource.ofResources(
                    type.getClassLoader(), type.getName().replace('.', '/'));
            if (bytes == null) {
                throw new AssertionError("no class file of " + type);
            }
            corpus.add(bytes);
        }
        return corpus;
    }

    public static void main(String[] arguments) {
        List<Path> paths = Arrays.stream(arguments).map(Path::of).toList();
        for (Pass pass : Pass.values()) {
            print(pass, of(paths, pass).run());
        }
    }

    private static void print(Pass pass, Figures figures) {
        figures.errors().stream().limit(40).forEach(System.out::println);
        System.out.printf(
                "%s: classes %d methods %d code ratio %.3f refused %s errors %d%n",
                pass,
                figures.classes(),
                figures.methods(),
                figures.ratio(),
                figures.refused(),
                figures.errors().size());
    }

    Figures run() {
        ClassLoader after = new MapLoader(rewritten());
        ClassLoader before = new MapLoader(originals);
        for (String name : originals.keySet()) {
            String error = linkError(after, name);
            if (error != null && !error.equals(linkError(before, name))) {
                errors.add(name + ": " + error);
            }
        }
        return new Figures(originals.size(), methods, bytesBefore, bytesAfter, refused, errors);
    }

    /** The class files as they were, by internal name. */
    Map<String, byte[]> originals() {
        return originals;
    }

    /** The class files after the round trip, by internal name. */
    Map<String, byte[]> rewritten() {
        ClassHierarchy hierarchy = new ClassHierarchy(name -> {
            byte[] known = originals.get(name);
            return known != null ? known : ClassFileSource.ofResources(null, name);
        });
        Map<String, byte[]> rewritten = new TreeMap<>();
        originals.forEach((name, bytes) -> rewritten.put(name, roundTrip(name, bytes, hierarchy)));
        return rewritten;
    }

    private void read(Path path) {
        try {
            if (Files.isDirectory(path)) {
                try (Stream<Path> files = Files.walk(path)) {
                    for (Path file :
                            files.filter(f -> f.toString().endsWith(".class")).toList()) {
                        add(Files.readAllBytes(file));
                    }
                }
                return;
            }
            try (JarFile jar = new JarFile(path.toFile())) {
                for (var entry : Collections.list(jar.entries())) {
                    if (entry.getName().endsWith(".class") && !entry.getName().startsWith("META-INF/")) {
                        add(jar.getInputStream(entry).readAllBytes());
                    }
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void add(byte[] classFile) {
        String name = new ClassReader(classFile).getClassName();
        if (!name.endsWith("module-info")) {
            originals.putIfAbsent(name, classFile);
        }
    }

    private byte[] roundTrip(String name, byte[] bytes, ClassHierarchy hierarchy) {
        ClassNode node = new ClassNode();
        new ClassReader(bytes).accept(node, ClassReader.SKIP_FRAMES);
        List<MethodNode> replaced = new ArrayList<>();
        for (MethodNode method : node.methods) {
            if (method.instructions.size() > 0) {
                methods++;
                try {
                    MethodBody body = IrBuilder.build(name, node.version, method);
                    pass.accept(body);
                    replaced.add(IrEmitter.emit(body));
                } catch (Unsupported e) {
                    refused.merge(e.reason(), 1, Integer::sum);
                } catch (RuntimeException e) {
                    errors.add(name + "." + method.name + method.desc + ": " + e + " " + e.getStackTrace()[0]);
                }
            }
        }
        try {
            ClassEmitter.Emitted emitted = new ClassEmitter(bytes, hierarchy).emit(replaced);
            emitted.refused().forEach((method, why) -> {
                refused.merge(why.reason(), 1, Integer::sum);
                if (System.getProperty("corpus.verbose") != null) {
                    System.out.println(name + "." + method + ": " + why.getMessage());
                }
            });
            if (!replaced.isEmpty()) {
                bytesBefore += MethodBytes.codeSize(bytes);
                bytesAfter += MethodBytes.codeSize(emitted.classFile());
            }
            return emitted.classFile();
        } catch (RuntimeException e) {
            errors.add(name + ": " + e + " " + Arrays.toString(e.getStackTrace()));
            return bytes;
        }
    }

    private static String linkError(ClassLoader loader, String name) {
        try {
            Class<?> type = Class.forName(name.replace('/', '.'), false, loader);
            type.getDeclaredMethods();
            return null;
        } catch (LinkageError | ClassNotFoundException e) {
            return e.toString();
        }
    }

    /** Defines classes from a map, before it asks the class path. */
    static final class MapLoader extends ClassLoader {

        private final Map<String, byte[]> classFiles;

        MapLoader(Map<String, byte[]> classFiles) {
            super(Corpus.class.getClassLoader());
            this.classFiles = classFiles;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            synchronized (getClassLoadingLock(name)) {
                byte[] bytes = classFiles.get(name.replace('.', '/'));
                Class<?> loaded = findLoadedClass(name);
                if (loaded == null && bytes != null) {
                    loaded = defineClass(name, bytes, 0, bytes.length);
                }
                return loaded != null ? loaded : super.loadClass(name, resolve);
            }
        }
    }
}
