package dev.cleave.agent.guest;

import dev.cleave.agent.packed.Packer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import java.util.zip.ZipFile;
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
    private static Path made;
    private static Path ordinary;

    private AgentJar() {}

    /** The packed jar; made once in this JVM. */
    public static synchronized Path path() throws IOException {
        if (made == null) {
            Path jar = Files.createTempFile("cleave-agent-packed", ".jar");
            jar.toFile().deleteOnExit();
            Packer.pack(ordinary(), jar);
            made = jar;
        }
        return made;
    }

    /** The jar with ordinary class files, from which the other one is made. */
    public static synchronized Path ordinary() throws IOException {
        if (ordinary == null) {
            Path jar = Files.createTempFile("cleave-agent", ".jar");
            jar.toFile().deleteOnExit();
            write(jar);
            ordinary = jar;
        }
        return ordinary;
    }

    private static void write(Path jar) throws IOException {
        Manifest manifest = new Manifest();
        Attributes attributes = manifest.getMainAttributes();
        attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        attributes.putValue("Premain-Class", "dev.cleave.agent.premain.CleaveAgent");
        attributes.putValue("Can-Retransform-Classes", "true");
        try (OutputStream out = Files.newOutputStream(jar);
                JarOutputStream zip = new JarOutputStream(out, manifest)) {
            zip.setLevel(Deflater.BEST_SPEED);
            Path classes = Path.of("target", "classes");
            try (Stream<Path> files = Files.walk(classes)) {
                for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                    add(zip, classes.relativize(file).toString().replace('\\', '/'), Files.readAllBytes(file));
                }
            }
            for (String library : ClassPath.jars("asm-", "asm-tree-", "asm-analysis-")) {
                addLibrary(zip, library);
            }
        }
    }

    private static void addLibrary(JarOutputStream zip, String library) throws IOException {
        try (ZipFile file = new ZipFile(library)) {
            List<String> names = file.stream()
                    .map(entry -> entry.getName())
                    .filter(name -> name.startsWith(ASM))
                    .toList();
            for (String name : names) {
                if (name.endsWith(".class")) {
                    add(
                            zip,
                            RELOCATION.map(name),
                            file.getInputStream(file.getEntry(name)).readAllBytes());
                }
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private static void add(JarOutputStream zip, String name, byte[] bytes) throws IOException {
        zip.putNextEntry(new JarEntry(name));
        zip.write(name.endsWith(".class") ? relocated(bytes) : bytes);
        zip.closeEntry();
    }

    private static byte[] relocated(byte[] classFile) {
        ClassWriter writer = new ClassWriter(0);
        new ClassReader(classFile).accept(new ClassRemapper(writer, RELOCATION), 0);
        return writer.toByteArray();
    }
}
