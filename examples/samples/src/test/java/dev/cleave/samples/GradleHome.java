package dev.cleave.samples;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeSet;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.commons.ClassRemapper;
import org.objectweb.asm.commons.Remapper;

/**
 * Gradle, laid out from the one jar in which its API is published at Maven Central. That jar has all classes of Gradle, and for
 * each module the list of what the module needs, but its modules are no files; and the classes that run JUnit in the JVM of a
 * test task call a JUnit that is renamed. A distribution has a file for each module, and calls the project's JUnit.
 */
final class GradleHome {

    private static final String RENAMED = "org/gradle/internal/impldep/org/junit/";
    private static final String RENAMED_NAMES = "org.gradle.internal.impldep.org.junit";
    private static final String RUNS_JUNIT = "org/gradle/api/internal/tasks/testing/junitplatform";
    private static final String LISTS = "-classpath.properties";
    private static final String BEACON = "org/gradle/internal/installation/beacon/InstallationBeacon";
    /** The module whose file has the classes of all: every JVM that Gradle starts has it on its class path. */
    private static final String ALL = "gradle-worker-processes";

    private final Path library;
    private final String version;

    private GradleHome(Path library, String version) {
        this.library = library;
        this.version = version;
    }

    /**
     * Lays Gradle out.
     *
     * @param jars a folder with the jar of the API, and with those of Groovy and Kotlin that it needs
     * @param home an empty folder
     */
    static GradleHome lay(Path jars, Path home) throws IOException {
        Path api = named(jars, "gradle-api-").get(0);
        GradleHome gradle = new GradleHome(
                Files.createDirectories(home.resolve("lib")),
                api.getFileName().toString().replaceAll("gradle-api-|\\.jar", ""));
        Files.createDirectories(home.resolve("lib/plugins"));
        List<String> others = new ArrayList<>();
        for (Path jar : Stream.concat(named(jars, "groovy-").stream(), named(jars, "kotlin-").stream())
                .toList()) {
            others.add(jar.getFileName().toString());
            Files.createSymbolicLink(gradle.library.resolve(jar.getFileName()), jar.toAbsolutePath());
        }
        Path all = Files.copy(api, gradle.module(ALL));
        try (FileSystem file = FileSystems.newFileSystem(all)) {
            Path root = file.getPath("/");
            Files.delete(root.resolve("META-INF/INDEX.LIST")); // of a jar with another name
            callTheProjectsJunit(root.resolve(RUNS_JUNIT));
            gradle.addModules(root, String.join(",", others));
        }
        return gradle;
    }

    private static List<Path> named(Path jars, String prefix) throws IOException {
        try (Stream<Path> files = Files.list(jars)) {
            return files.filter(file -> file.getFileName().toString().startsWith(prefix))
                    .sorted()
                    .toList();
        }
    }

    private Path module(String name) {
        return library.resolve(name + "-" + version + ".jar");
    }

    private static void callTheProjectsJunit(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file :
                    files.filter(each -> each.toString().endsWith(".class")).toList()) {
                ClassWriter renamed = new ClassWriter(0);
                Remapper names = new Remapper(Opcodes.ASM9) {
                    @Override
                    public String map(String name) {
                        return name.startsWith(RENAMED) ? "org/junit/" + name.substring(RENAMED.length()) : name;
                    }

                    @Override
                    public Object mapValue(Object value) {
                        return value instanceof String text
                                ? text.replace(RENAMED_NAMES, "org.junit")
                                : super.mapValue(value);
                    }
                };
                new ClassReader(Files.readAllBytes(file)).accept(new ClassRemapper(renamed, names), 0);
                Files.write(file, renamed.toByteArray());
            }
        }
    }

    /** Writes a jar for each module that needs the jar of all, and empty ones in place of the libraries that this has inside. */
    private void addModules(Path root, String others) throws IOException {
        Map<String, String> projects = new LinkedHashMap<>();
        TreeSet<String> libraries = new TreeSet<>();
        for (Path list : listsOf(root)) {
            Properties needs = read(list);
            projects.put(list.getFileName().toString().replace(LISTS, ""), needs.getProperty("projects", ""));
            libraries.addAll(List.of(needs.getProperty("runtime", "").split(",")));
        }
        for (String plugins : List.of("gradle-plugins.properties", "gradle-implementation-plugins.properties")) {
            for (String module :
                    read(root.resolve(plugins)).getProperty("plugins", "").split(",")) {
                projects.putIfAbsent(module, "");
            }
        }
        projects.put(
                "gradle-instrumentation-agent", ""); // who starts a daemon asks for it, also where it is switched off
        projects.remove(ALL);
        for (Map.Entry<String, String> module : projects.entrySet()) {
            String needs =
                    "projects=" + module.getValue() + "\nruntime=" + module(ALL).getFileName() + "," + others + "\n";
            write(
                    module(module.getKey()),
                    manifest(module.getKey(), others),
                    module.getKey() + LISTS,
                    needs.getBytes(StandardCharsets.ISO_8859_1));
        }
        write(module("gradle-installation-beacon"), new Manifest(), BEACON + ".class", emptyClass(BEACON));
        for (String library : libraries) {
            if (!library.isEmpty() && Files.notExists(this.library.resolve(library))) {
                write(this.library.resolve(library), new Manifest(), "empty", new byte[0]);
            }
        }
    }

    private static List<Path> listsOf(Path root) throws IOException {
        Pattern list = Pattern.compile("gradle-.*" + Pattern.quote(LISTS));
        try (Stream<Path> files = Files.list(root)) {
            return files.filter(
                            file -> list.matcher(file.getFileName().toString()).matches())
                    .sorted()
                    .toList();
        }
    }

    private static Properties read(Path file) throws IOException {
        Properties properties = new Properties();
        try (InputStream in = Files.newInputStream(file)) {
            properties.load(in);
        }
        return properties;
    }

    /** The class path of a daemon is the launcher's jar alone, whose manifest names the others. */
    private Manifest manifest(String module, String others) {
        Manifest manifest = new Manifest();
        if (module.equals("gradle-launcher")) {
            Attributes main = manifest.getMainAttributes();
            main.put(Attributes.Name.MANIFEST_VERSION, "1.0");
            main.put(
                    Attributes.Name.CLASS_PATH,
                    module("gradle-installation-beacon").getFileName() + " "
                            + module(ALL).getFileName() + " " + others.replace(',', ' '));
        }
        return manifest;
    }

    private static void write(Path jar, Manifest manifest, String entry, byte[] content) throws IOException {
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar), manifest)) {
            out.putNextEntry(new JarEntry(entry));
            out.write(content);
        }
    }

    /** The class by whose place Gradle finds its distribution. */
    private static byte[] emptyClass(String name) {
        ClassWriter writer = new ClassWriter(0);
        writer.visit(Opcodes.V1_8, Opcodes.ACC_PUBLIC, name, null, "java/lang/Object", null);
        return writer.toByteArray();
    }

    /** The folder that is laid out as a distribution. */
    Path folder() {
        return library.getParent();
    }

    /**
     * The options of a build that takes all artifacts from a folder.
     *
     * @param repository what stands in place of Maven Central
     * @param caches an existing or new folder for the script that says so
     */
    static List<String> options(Path repository, Path caches) throws IOException {
        Path init = Files.writeString(Files.createDirectories(caches).resolve("init.gradle"), """
                allprojects {
                    buildscript { repositories { maven { url = '%1$s' } } }
                    repositories { maven { url = '%1$s' } }
                    tasks.withType(JavaCompile).configureEach { // the jar lacks the plug-in of javac for fewer classes at a time
                        options.fork = true
                        options.forkOptions.executable = '%2$s/bin/javac'
                    }
                }
                """.formatted(
                        repository.toUri(), System.getProperty("java.home")));
        return List.of("--offline", "-I", init.toString(), "-Dmaven.repo.local=" + repository);
    }

    /**
     * The line of a shell script that runs Gradle in one JVM; a JVM with other options than these would start a second one.
     *
     * @param repository what stands in place of Maven Central
     * @param caches where Gradle puts its caches
     */
    String script(Path repository, Path caches) throws IOException {
        String path = Stream.concat(
                        Stream.of(module("gradle-installation-beacon"), module(ALL), module("gradle-launcher")),
                        Stream.concat(named(library, "groovy-").stream(), named(library, "kotlin-").stream()))
                .map(Path::toString)
                .collect(Collectors.joining(":"));
        return "exec '" + System.getProperty("java.home") + "/bin/java' -Xms256m -Xmx512m -XX:MaxMetaspaceSize=384m"
                + " -XX:+HeapDumpOnOutOfMemoryError -Dorg.gradle.internal.instrumentation.agent=false"
                + " --add-opens java.base/java.util=ALL-UNNAMED --add-opens java.base/java.lang=ALL-UNNAMED"
                + " -cp '" + path + "' org.gradle.launcher.GradleMain --no-daemon --gradle-user-home '" + caches + "' '"
                + String.join("' '", options(repository, caches)) + "' \"$@\"";
    }
}
