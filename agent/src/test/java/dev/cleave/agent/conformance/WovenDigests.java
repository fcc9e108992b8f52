package dev.cleave.agent.conformance;

import dev.cleave.Remote;
import dev.cleave.agent.corpus.CorpusJar;
import dev.cleave.agent.effect.RemoteCalls;
import dev.cleave.agent.fuzz.ProgramGenerator;
import dev.cleave.agent.later.KernelGenerator;
import dev.cleave.agent.scan.CallSetting;
import dev.cleave.agent.scan.CallSettings;
import dev.cleave.agent.scan.ClassFileSource;
import dev.cleave.agent.scan.ClassFiles;
import dev.cleave.agent.scan.Reading;
import dev.cleave.agent.scan.RemoteInterfaceIndex;
import dev.cleave.agent.transform.ClassRewriter;
import dev.cleave.agent.transform.Rewritten;
import dev.cleave.agent.transform.Weaver;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Writes a line for each class that the agent meets in the conformance suite, in random programs, in kernels of later
 * arguments and in jars whose interfaces are taken as remote: its name, a digest of its rewritten class file and a digest
 * of its verdicts. Two files of two versions of the agent that are equal show that a change leaves all code as it was. A
 * program, not a test: {@code WovenDigests FILE [JAR...]}.
 */
public final class WovenDigests {

    private static final int PROGRAMS = 400;
    private static final int KERNELS = 100;
    private static final ClassLoader LOADER = WovenDigests.class.getClassLoader();
    private static final ClassFiles OUTER = ClassFiles.of(LOADER);
    private static final RemoteInterfaceIndex INDEX =
            new RemoteInterfaceIndex(ClassFileSource::ofResources, CallSettings.NONE);

    private final PrintWriter out;

    private WovenDigests(PrintWriter out) {
        this.out = out;
    }

    /** Writes the digests to the file that is named first, those of the jars behind it included. */
    public static void main(String[] args) throws IOException, ReflectiveOperationException {
        try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(Path.of(args[0])))) {
            WovenDigests digests = new WovenDigests(out);
            digests.ofConformance();
            digests.ofRandomPrograms();
            digests.ofKernels();
            for (String jar : List.of(args).subList(1, args.length)) {
                digests.ofJar(Path.of(jar));
            }
        }
    }

    private void ofConformance() throws IOException, ReflectiveOperationException {
        File here = new File(WovenDigests.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .getPath());
        String folder = WovenDigests.class.getPackageName().replace('.', '/');
        List<String> names;
        try (Stream<Path> files = Files.list(here.toPath().resolve(folder))) {
            names = files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith("Test.class"))
                    .map(name -> name.substring(0, name.length() - ".class".length()))
                    .sorted()
                    .toList();
        }
        for (String name : names) {
            Class<?> type = Class.forName(WovenDigests.class.getPackageName() + '.' + name);
            if (ProgramTests.class.isAssignableFrom(type)) {
                var constructor = type.getDeclaredConstructor();
                constructor.setAccessible(true);
                ProgramTests tests = (ProgramTests) constructor.newInstance();
                tests.prepare();
                Map<String, byte[]> classes = Compiler.compile(tests.conformance.sources());
                write(name, classes, rewriter(classes)::rewrite);
            }
        }
    }

    private void ofRandomPrograms() {
        Map<String, String> sources = new TreeMap<>();
        for (int i = 0; i < PROGRAMS; i++) {
            sources.put(
                    ProgramGenerator.class.getPackageName() + ".P" + i,
                    ProgramGenerator.program("P" + i, 20_261_123L + i));
        }
        Map<String, byte[]> classes = new Compiler(WovenDigests.class, Remote.class)
                .classes(sources, "-g", "-nowarn", "-proc:none", "-implicit:none");
        write("random", classes, rewriter(classes)::rewrite);
    }

    private void ofKernels() {
        KernelGenerator generator = new KernelGenerator(new Random(20_261_122L));
        Map<String, String> sources = new TreeMap<>();
        sources.put("p.Run", """
                package p;
                import dev.cleave.*;
                @Remote public interface Run { long run(@Later int[] a, @Later int[] b, @Later int[][] m, int n); }
                """);
        for (int i = 0; i < KERNELS; i++) {
            sources.put("p.K" + i, """
                    package p;
                    public class K%d implements Run {
                    static long touch(int[] x, int i) { return x[i]; }
                    public long run(int[] a, int[] b, int[][] m, int n) {
                    %s}
                    }
                    """.formatted(i, generator.body()));
        }
        Map<String, byte[]> classes = Compiler.compile(sources);
        ClassFileSource files = (loader, name) -> files(classes).read(name);
        Weaver weaver = new Weaver(new RemoteInterfaceIndex(files, CallSettings.NONE), files);
        write("later", classes, file -> weaver.weave(null, file));
    }

    /** All calls of interfaces of a jar are remote, with the settings in turn, by the hash of their names. */
    private void ofJar(Path path) throws IOException {
        CorpusJar jar = CorpusJar.read(path);
        ClassFiles files = name -> {
            byte[] own = jar.classes().get(name);
            return own != null ? own : ClassFileSource.ofResources(null, name);
        };
        List<CallSetting> settings = List.of(
                CallSetting.async(8),
                CallSetting.of(CallSetting.Style.CHAINED, 8),
                CallSetting.async(8).with(Reading.PURE),
                CallSetting.async(8).with(Reading.readOnly(Duration.ZERO)),
                new CallSetting(CallSetting.Style.ASYNC, 64, true, "", Reading.NONE),
                CallSetting.async(4));
        RemoteCalls remote = (owner, name, descriptor) ->
                owner.startsWith("java/") || !jar.classes().containsKey(owner)
                        ? null
                        : settings.get(Math.floorMod((owner + name).hashCode(), settings.size()));
        write(path.getFileName().toString(), jar.classes(), new ClassRewriter(files, remote)::rewrite);
    }

    private static ClassFiles files(Map<String, byte[]> classes) {
        return name -> {
            byte[] own = classes.get(name.replace('/', '.'));
            return own != null ? own : OUTER.read(name);
        };
    }

    private static ClassRewriter rewriter(Map<String, byte[]> classes) {
        return new ClassRewriter(
                files(classes), (owner, name, descriptor) -> INDEX.call(LOADER, owner, name, descriptor));
    }

    private void write(String batch, Map<String, byte[]> classes, Function<byte[], Rewritten> rewriting) {
        int changed = 0;
        for (Map.Entry<String, byte[]> entry : new TreeMap<>(classes).entrySet()) {
            Rewritten rewritten = rewriting.apply(entry.getValue());
            changed += rewritten.changed() ? 1 : 0;
            String verdicts = new TreeMap<>(rewritten.verdicts()).toString();
            out.println(batch
                    + ' '
                    + entry.getKey()
                    + ' '
                    + digest(rewritten.classFile())
                    + ' '
                    + digest(verdicts.getBytes(StandardCharsets.UTF_8)));
        }
        System.out.println(batch + ": " + classes.size() + " classes, " + changed + " changed");
    }

    private static String digest(byte[] bytes) {
        try {
            byte[] whole = MessageDigest.getInstance("SHA-256").digest(bytes);
            return HexFormat.of().formatHex(whole, 0, 8);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }
}
