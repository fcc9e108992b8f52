package dev.cleave.agent.guest;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.commons.ClassRemapper;
import org.objectweb.asm.commons.Remapper;

/**
 * The agent's jar as the build packages it, made of the classes under test: ASM inside and relocated. Tests run before
 * the build packages anything.
 */
public final class AgentJar {

    private static final String ASM = "org/objectweb/asm/";
    private static final Remapper RELOCATION = new Remapper(Opcodes.ASM9) {
        @Override
        public String map(String internalName) {
            return internalName.startsWith(ASM)
                    ? "dev/cleave/agent/asm/" + internalName.substring(ASM.length())
                    : internalName;
        }
    };
    private static final String NESTED = "dev/cleave/agent/premain/";
    private static final String LOADER = NESTED + "AgentLoader.class";
    private static Path made;

    private AgentJar() {}

    /** The jar that is attached; made once of the same class files, by the first JVM of a build that needs it. */
    public static synchronized Path path() throws IOException {
        if (made == null) {
            Path jar = Path.of("target", "temporary", "cleave-agent-" + stamp() + ".jar")
                    .toAbsolutePath();
            if (!Files.exists(jar)) {
                Path written = Files.createTempFile(Files.createDirectories(jar.getParent()), "cleave-agent", ".jar");
                write(written);
                Files.move(written, jar, StandardCopyOption.ATOMIC_MOVE);
            }
            made = jar;
        }
        return made;
    }

    /** Differs when a file differs in time or size of which the jar is made. */
    private static String stamp() throws IOException {
        CRC32 stamp = new CRC32();
        List<Path> roots = new ArrayList<>(List.of(Path.of("target", "classes"), Path.of("src", "nested")));
        ClassPath.jars("asm-", "asm-tree-", "asm-analysis-").forEach(jar -> roots.add(Path.of(jar)));
        for (Path root : roots) {
            try (Stream<Path> files = Files.walk(root)) {
                for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                    String line = file + " " + Files.size(file) + " " + Files.getLastModifiedTime(file) + "\n";
                    stamp.update(line.getBytes(StandardCharsets.UTF_8));
                }
            }
        }
        return Long.toHexString(stamp.getValue());
    }

    /** Whether an entry is one of those that a list of the build names. */
    static Predicate<String> listed(String list) throws IOException {
        List<PathMatcher> patterns = new ArrayList<>();
        for (String line : Files.readAllLines(Path.of("src", "nested", list))) {
            patterns.add(FileSystems.getDefault().getPathMatcher("glob:" + line));
        }
        return name -> patterns.stream().anyMatch(pattern -> pattern.matches(Path.of(name)));
    }

    private static void write(Path jar) throws IOException {
        Map<String, byte[]> all = new TreeMap<>();
        Path classes = Path.of("target", "classes");
        try (Stream<Path> files = Files.walk(classes)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                all.put(classes.relativize(file).toString().replace('\\', '/'), Files.readAllBytes(file));
            }
        }
        for (String library : ClassPath.jars("asm-", "asm-tree-", "asm-analysis-")) {
            addLibrary(all, library);
        }
        all.keySet().removeIf(listed("tools.txt"));
        Predicate<String> isStart = listed("start.txt");
        Manifest manifest = new Manifest();
        Attributes attributes = manifest.getMainAttributes();
        attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        attributes.putValue("Premain-Class", "dev.cleave.agent.premain.AgentLoader");
        attributes.putValue("Can-Retransform-Classes", "true");
        try (OutputStream out = Files.newOutputStream(jar);
                JarOutputStream zip = new JarOutputStream(out, manifest)) {
            zip.setLevel(Deflater.BEST_SPEED);
            Predicate<String> isOutside = name -> name.equals(LOADER) || !name.endsWith(".class");
            add(zip, all, isOutside);
            add(zip, NESTED + "start.jar", stored(all, isOutside.negate().and(isStart)));
            add(zip, NESTED + "later.jar", stored(all, isOutside.negate().and(isStart.negate())));
        }
    }

    private static byte[] stored(Map<String, byte[]> all, Predicate<String> chosen) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
            zip.setLevel(Deflater.NO_COMPRESSION);
            add(zip, all, chosen);
        }
        return bytes.toByteArray();
    }

    private static void add(ZipOutputStream zip, Map<String, byte[]> all, Predicate<String> chosen) throws IOException {
        for (Map.Entry<String, byte[]> each : all.entrySet()) {
            if (chosen.test(each.getKey())) {
                add(
                        zip,
                        each.getKey(),
                        each.getKey().endsWith(".class") ? relocated(each.getValue()) : each.getValue());
            }
        }
    }

    private static void add(ZipOutputStream zip, String name, byte[] bytes) throws IOException {
        zip.putNextEntry(new ZipEntry(name));
        zip.write(bytes);
        zip.closeEntry();
    }

    private static void addLibrary(Map<String, byte[]> all, String library) throws IOException {
        try (ZipFile file = new ZipFile(library)) {
            for (ZipEntry entry : Collections.list(file.entries())) {
                if (entry.getName().startsWith(ASM) && entry.getName().endsWith(".class")) {
                    all.put(
                            RELOCATION.map(entry.getName()),
                            file.getInputStream(entry).readAllBytes());
                }
            }
        }
    }

    private static byte[] relocated(byte[] classFile) {
        ClassWriter writer = new ClassWriter(0);
        new ClassReader(classFile).accept(new ClassRemapper(writer, RELOCATION), 0);
        return writer.toByteArray();
    }
}
