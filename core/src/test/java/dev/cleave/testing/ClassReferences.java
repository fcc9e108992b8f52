package dev.cleave.testing;

import java.io.DataInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/** What the classes of a folder refer to by name: classes ({@code a/b/C}) and methods and fields ({@code a/b/C.name}). */
public final class ClassReferences {

    private static final int UTF8 = 1;
    private static final int LONG = 5;
    private static final int DOUBLE = 6;
    private static final int CLASS = 7;
    private static final int STRING = 8;
    private static final int FIELD = 9;
    private static final int INTERFACE_METHOD = 11;
    private static final int NAME_AND_TYPE = 12;
    private static final int METHOD_HANDLE = 15;
    private static final int METHOD_TYPE = 16;
    private static final int MODULE = 19;
    private static final int PACKAGE = 20;

    private ClassReferences() {}

    /** The references of each class below a folder, by its path in that folder without {@code .class}. */
    public static Map<String, Set<String>> read(Path folder) throws IOException {
        Map<String, Set<String>> all = new TreeMap<>();
        List<Path> files;
        try (Stream<Path> found = Files.walk(folder)) {
            files = found.filter(file -> file.toString().endsWith(".class")).toList();
        }
        for (Path file : files) {
            String name = folder.relativize(file).toString().replace('\\', '/');
            all.put(name.substring(0, name.length() - ".class".length()), references(file));
        }
        return all;
    }

    private static Set<String> references(Path file) throws IOException {
        try (DataInputStream in = new DataInputStream(new java.io.BufferedInputStream(Files.newInputStream(file)))) {
            in.skipNBytes(2 * Integer.BYTES);
            int count = in.readUnsignedShort();
            int[] tags = new int[count];
            int[] first = new int[count];
            int[] second = new int[count];
            String[] texts = new String[count];
            for (int i = 1; i < count; i++) {
                tags[i] = in.readUnsignedByte();
                switch (tags[i]) {
                    case UTF8 -> texts[i] = in.readUTF();
                    case CLASS, STRING, METHOD_TYPE, MODULE, PACKAGE -> first[i] = in.readUnsignedShort();
                    case METHOD_HANDLE -> in.skipNBytes(1 + Short.BYTES);
                    default -> {
                        if (tags[i] >= FIELD && tags[i] <= NAME_AND_TYPE || tags[i] > METHOD_TYPE) {
                            first[i] = in.readUnsignedShort();
                            second[i] = in.readUnsignedShort();
                        } else {
                            in.skipNBytes(tags[i] == LONG || tags[i] == DOUBLE ? Long.BYTES : Integer.BYTES);
                        }
                    }
                }
                if (tags[i] == LONG || tags[i] == DOUBLE) {
                    i++;
                }
            }
            Set<String> names = new TreeSet<>();
            for (int i = 1; i < count; i++) {
                if (tags[i] == CLASS) {
                    names.add(texts[first[i]]);
                } else if (tags[i] >= FIELD && tags[i] <= INTERFACE_METHOD) {
                    names.add(texts[first[first[i]]] + "." + texts[first[second[i]]]);
                }
            }
            return names;
        }
    }
}
