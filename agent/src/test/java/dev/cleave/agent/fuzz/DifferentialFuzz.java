package dev.cleave.agent.fuzz;

import dev.cleave.agent.plan.Verdict;
import dev.cleave.agent.scan.CallSettings;
import dev.cleave.agent.scan.ClassFileSource;
import dev.cleave.agent.scan.RemoteInterfaceIndex;
import dev.cleave.agent.transform.ClassRewriter;
import dev.cleave.agent.transform.Rewritten;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Compiles generated programs, rewrites them, runs both forms, and lists every difference. */
final class DifferentialFuzz {

    private final Path directory;
    private final long seed;
    private final Map<Verdict.Outcome, Integer> outcomes = new EnumMap<>(Verdict.Outcome.class);
    private final List<String> differences = new ArrayList<>();
    private final Set<Long> failing = new TreeSet<>();
    private int runs;
    private int mostInFlight;

    DifferentialFuzz(Path directory, long seed) {
        this.directory = directory;
        this.seed = seed;
    }

    /** Runs this many programs, each in this many settings. */
    void run(int programs, int settings) throws ReflectiveOperationException {
        compile(programs);
        for (int i = 0; i < programs; i++) {
            String name = "dev.cleave.agent.fuzz.P" + i;
            byte[] written = read(directory.resolve("dev/cleave/agent/fuzz/P" + i + ".class"));
            byte[] rewritten = rewrite(written);
            Class<?> before = new OneProgram(name, written).loadClass(name);
            Class<?> after = new OneProgram(name, rewritten).loadClass(name);
            Random random = new Random(seed * 31 + i);
            for (int j = 0; j < settings; j++) {
                compare(i, before, after, ProgramRun.Setting.random(random));
            }
        }
    }

    List<String> differences() {
        return differences;
    }

    int runs() {
        return runs;
    }

    int mostInFlight() {
        return mostInFlight;
    }

    int count(Verdict.Outcome outcome) {
        return outcomes.getOrDefault(outcome, 0);
    }

    private void compare(int program, Class<?> before, Class<?> after, ProgramRun.Setting setting)
            throws ReflectiveOperationException {
        ProgramRun written = ProgramRun.of(before, setting);
        ProgramRun rewritten = ProgramRun.of(after, setting);
        runs++;
        mostInFlight = Math.max(mostInFlight, rewritten.server().mostInFlight());
        List<String> found = rewritten.differences(written);
        if (!found.isEmpty()) {
            failing.add(seed + program);
            differences.add(
                    "program of seed " + (seed + program) + ", " + setting + ":\n  " + String.join("\n  ", found));
        }
    }

    private byte[] rewrite(byte[] written) {
        ClassLoader loader = getClass().getClassLoader();
        RemoteInterfaceIndex index = new RemoteInterfaceIndex(ClassFileSource::ofResources, CallSettings.NONE);
        Rewritten rewritten = new ClassRewriter(
                        name -> {
                            byte[] own = generated(name);
                            return own != null ? own : ClassFileSource.ofResources(loader, name);
                        },
                        (owner, name, descriptor) -> index.call(loader, owner, name, descriptor))
                .rewrite(written);
        rewritten
                .verdicts()
                .values()
                .forEach(found -> found.forEach(v -> outcomes.merge(v.outcome(), 1, Integer::sum)));
        return rewritten.classFile();
    }

    private void compile(int programs) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            List<Path> sources = new ArrayList<>();
            for (int i = 0; i < programs; i++) {
                sources.add(Files.writeString(
                        directory.resolve("P" + i + ".java"), ProgramGenerator.program("P" + i, seed + i)));
            }
            boolean compiled = compiler.getTask(
                            null,
                            files,
                            null,
                            List.of(
                                    seed % 2 == 0 ? "-g" : "-g:none",
                                    "-nowarn",
                                    "-proc:none",
                                    "-d",
                                    directory.toString()),
                            null,
                            files.getJavaFileObjectsFromPaths(sources))
                    .call();
            if (!compiled) {
                throw new AssertionError("seed " + seed + ": a program does not compile");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The class file of a generated class, null if there is none. */
    private byte[] generated(String internalName) {
        Path file = directory.resolve(internalName + ".class");
        return Files.exists(file) ? read(file) : null;
    }

    private static byte[] read(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Defines one class and those nested in it, and leaves all others to the loader of the tests. */
    private final class OneProgram extends ClassLoader {

        private final String name;
        private final byte[] bytes;

        OneProgram(String name, byte[] bytes) {
            super(DifferentialFuzz.class.getClassLoader());
            this.name = name;
            this.bytes = bytes;
        }

        @Override
        protected Class<?> findClass(String wanted) throws ClassNotFoundException {
            byte[] found = wanted.equals(name) ? bytes : generated(wanted.replace('.', '/'));
            if (found == null) {
                throw new ClassNotFoundException(wanted);
            }
            return defineClass(wanted, found, 0, found.length);
        }
    }

    /** Prints what {@code args}: first seed, programs, settings, finds. */
    public static void main(String[] args) throws ReflectiveOperationException, IOException {
        Path directory = Files.createTempDirectory("fuzz");
        DifferentialFuzz fuzz = new DifferentialFuzz(directory, Long.parseLong(args[0]));
        fuzz.run(Integer.parseInt(args[1]), Integer.parseInt(args[2]));
        System.out.println(fuzz.outcomes + ", runs " + fuzz.runs + ", most in flight " + fuzz.mostInFlight);
        fuzz.differences.stream().limit(8).forEach(System.out::println);
        System.out.println(fuzz.differences.size() + " differences in runs of " + fuzz.failing.size() + " programs");
        fuzz.failing.stream().limit(2).forEach(seed -> System.out.println(ProgramGenerator.program("P" + seed, seed)));
        try (Stream<Path> left = Files.walk(directory)) {
            left.sorted((a, b) -> b.compareTo(a)).collect(Collectors.toList()).forEach(file -> file.toFile()
                    .delete());
        }
    }
}
