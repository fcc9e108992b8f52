package dev.cleave.agent.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.condition.DisabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.commons.support.HierarchyTraversalMode;

/**
 * Programs of this package as the compiler of Eclipse leaves them, and as javac does without debug information: a sixty-fourth of the
 * test classes by each of the two, with {@code -Dcleave.full=true} all by both.
 */
@DisabledForJreRange(min = JRE.JAVA_25, disabledReason = "JDK 25 runs these programs as javac compiles them")
@Tag("one-jdk")
class OtherCompilersTest {

    private static final boolean FULL = Boolean.getBoolean("cleave.full");
    private static final Path ECJ = Path.of("target", "guests", "ecj.jar");

    @TempDir
    static Path folder;

    @TestFactory
    Stream<DynamicTest> compiledByEclipse() throws Exception {
        assertThat(ECJ).as("put there by mvn test-compile").exists();
        URL jar = ECJ.toUri().toURL();
        JavaCompiler eclipse = ServiceLoader.load(
                        JavaCompiler.class, new URLClassLoader(new URL[] {jar}, ClassLoader.getPlatformClassLoader()))
                .iterator()
                .next();
        assertThat(eclipse.getClass().getName()).startsWith("org.eclipse.");
        return tests(0, sources -> compile(eclipse, sources));
    }

    @TestFactory
    Stream<DynamicTest> withoutDebugInformation() throws Exception {
        return tests(1, sources -> Compiler.compile(sources, "-g:none"));
    }

    /** It wants its sources in files. */
    private Map<String, byte[]> compile(JavaCompiler compiler, Map<String, String> sources) {
        try {
            Path in = Files.createTempDirectory(folder, "sources");
            Path out = Files.createTempDirectory(folder, "classes");
            List<Path> files = new ArrayList<>();
            for (Map.Entry<String, String> source : sources.entrySet()) {
                Path file = in.resolve(source.getKey().replace('.', '/') + ".java");
                Files.createDirectories(file.getParent());
                files.add(Files.writeString(file, source.getValue()));
            }
            StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null);
            String path = System.getProperty("java.class.path");
            List<String> options = List.of(
                    "-g", "-proc:none", "-nowarn", "-source", "17", "-target", "17", "-cp", path, "-d", out + "");
            StringWriter messages = new StringWriter();
            boolean isDone = compiler.getTask(
                            messages, manager, null, options, null, manager.getJavaFileObjectsFromPaths(files))
                    .call();
            assertThat(isDone).as(messages.toString()).isTrue();
            Map<String, byte[]> classes = new HashMap<>();
            try (Stream<Path> made = Files.walk(out)) {
                for (Path file : made.filter(Files::isRegularFile).toList()) {
                    String name = out.relativize(file).toString().replace('/', '.');
                    classes.put(name.substring(0, name.length() - ".class".length()), Files.readAllBytes(file));
                }
            }
            return classes;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Stream<DynamicTest> tests(int turn, Programs.Compilation compilation) throws Exception {
        List<DynamicTest> tests = new ArrayList<>();
        List<Class<?>> programsOf = programs();
        for (int i = FULL ? 0 : turn; i < programsOf.size(); i += FULL ? 1 : 64) {
            Class<?> type = programsOf.get(i);
            tests.add(DynamicTest.dynamicTest(type.getSimpleName(), () -> {
                ProgramTests programs =
                        (ProgramTests) type.getDeclaredConstructor().newInstance();
                for (Method factory : AnnotationSupport.findAnnotatedMethods(
                        type, TestFactory.class, HierarchyTraversalMode.TOP_DOWN)) {
                    factory.setAccessible(true);
                    factory.invoke(programs);
                }
                programs.conformance.check(compilation);
            }));
        }
        assertThat(tests).isNotEmpty();
        return tests.stream();
    }

    private static List<Class<?>> programs() throws IOException, ClassNotFoundException {
        String here = OtherCompilersTest.class.getPackageName();
        List<Class<?>> found = new ArrayList<>();
        try (Stream<Path> files = Files.list(Path.of("target", "test-classes").resolve(here.replace('.', '/')))) {
            for (Path file : files.sorted().toList()) {
                String name = file.getFileName().toString();
                if (name.endsWith("Test.class")) {
                    Class<?> type = Class.forName(here + "." + name.substring(0, name.length() - ".class".length()));
                    if (ProgramTests.class.isAssignableFrom(type)) {
                        found.add(type);
                    }
                }
            }
        }
        return found;
    }
}
