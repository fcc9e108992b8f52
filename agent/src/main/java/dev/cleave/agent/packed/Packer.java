package dev.cleave.agent.packed;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.zip.Deflater;

/** The build's last step: makes the packed jar from the agent's ordinary one. Not part of what it makes. */
public final class Packer {

    private static final String OWN = PackedClasses.OWN.replace('.', '/');
    private static final String PACKED = OWN + "packed/";
    private static final String CLASS = ".class";
    /** For developers, who have the ordinary jar; not for programs. */
    private static final List<String> TOOLS = List.of(OWN + "cli/", OWN + "corpus/", OWN + "junit/");
    /** What a program without remote calls needs. */
    private static final List<String> AT_START = List.of(
            OWN + "premain/",
            OWN + "scan/",
            OWN + "effect/RemoteCalls",
            OWN + "transform/ExcludedFromWeaving",
            OWN + "transform/Weaver");

    private Packer() {}

    /** Takes two words: the ordinary jar, and the jar to make. */
    public static void main(String[] words) throws IOException {
        if (words.length != 2) {
            throw new IllegalArgumentException("expected: the agent's jar, and the jar to make");
        }
        pack(Path.of(words[0]), Path.of(words[1]));
    }

    /** Makes the packed jar; the same input makes the same bytes. */
    public static void pack(Path ordinary, Path packed) throws IOException {
        ClassArchiveWriter atStart = new ClassArchiveWriter();
        ClassArchiveWriter later = new ClassArchiveWriter();
        try (JarFile in = new JarFile(ordinary.toFile());
                OutputStream file = Files.newOutputStream(packed);
                JarOutputStream out = new JarOutputStream(file)) {
            out.setLevel(Deflater.BEST_COMPRESSION);
            ByteArrayOutputStream manifest = new ByteArrayOutputStream();
            manifest(in.getManifest()).write(manifest);
            add(out, JarFile.MANIFEST_NAME, manifest.toByteArray());
            List<JarEntry> entries =
                    in.stream().sorted(Comparator.comparing(JarEntry::getName)).toList();
            for (JarEntry entry : entries) {
                String name = entry.getName();
                if (!name.startsWith(OWN) || entry.isDirectory() || isLeftOut(name)) {
                    continue;
                }
                byte[] bytes = in.getInputStream(entry).readAllBytes();
                if (!name.endsWith(CLASS) || name.startsWith(PACKED)) {
                    add(out, name, bytes);
                } else {
                    ClassArchiveWriter archive = AT_START.stream().anyMatch(name::startsWith) ? atStart : later;
                    archive.add(name.substring(0, name.length() - CLASS.length()), SlimClasses.slim(bytes));
                }
            }
            add(out, PACKED + PackedClasses.AT_START, bytes(atStart));
            add(out, PACKED + PackedClasses.LATER, bytes(later));
        }
    }

    private static boolean isLeftOut(String name) {
        return TOOLS.stream().anyMatch(name::startsWith)
                || name.endsWith("package-info.class")
                || name.startsWith(PACKED + "Packer")
                || name.startsWith(PACKED + "SlimClasses")
                || name.startsWith(PACKED + "ClassArchiveWriter");
    }

    private static Manifest manifest(Manifest ordinary) {
        Manifest manifest = new Manifest(ordinary);
        manifest.getMainAttributes().put(new Attributes.Name("Premain-Class"), PackedAgent.class.getName());
        return manifest;
    }

    private static byte[] bytes(ClassArchiveWriter archive) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        archive.writeTo(bytes);
        return bytes.toByteArray();
    }

    private static void add(JarOutputStream out, String name, byte[] bytes) throws IOException {
        JarEntry entry = new JarEntry(name);
        entry.setTime(0);
        out.putNextEntry(entry);
        out.write(bytes);
        out.closeEntry();
    }
}
