package dev.cleave.agent.packed;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;

/** Writes what {@link ClassArchive} reads. The same class files make the same bytes. */
final class ClassArchiveWriter {

    private static final int MOST_STRINGS = 1 << 16;

    private final SortedMap<byte[], int[]> strings = new TreeMap<>(Arrays::compareUnsigned);
    private final ByteArrayOutputStream directory = new ByteArrayOutputStream();
    private final ByteArrayOutputStream heads = new ByteArrayOutputStream();
    private final List<int[]> places = new ArrayList<>();
    private final ByteArrayOutputStream references = new ByteArrayOutputStream();
    private final ByteArrayOutputStream bodies = new ByteArrayOutputStream();
    private int classes;

    /**
     * Takes a class file apart.
     *
     * @param name its binary name with slashes
     */
    void add(String name, byte[] file) throws IOException {
        int head = heads.size();
        int index = places.size();
        int reference = references.size();
        heads.write(file, 0, ConstantPool.HEAD);
        int count = ConstantPool.unsignedShort(file, ConstantPool.HEAD - 2);
        int at = ConstantPool.HEAD;
        int number = 1;
        while (number < count) {
            int tag = file[at++];
            heads.write(tag);
            if (tag == ConstantPool.UTF8) {
                int end = at + 2 + ConstantPool.unsignedShort(file, at);
                byte[] string = Arrays.copyOfRange(file, at + 2, end);
                places.add(strings.computeIfAbsent(string, first -> new int[1])); // known when all strings are
                at = end;
            } else {
                references.write(file, at, ConstantPool.size(tag));
                at += ConstantPool.size(tag);
            }
            number += ConstantPool.slots(tag);
        }
        bodies.write(file, at, file.length - at);
        DataOutputStream entry = new DataOutputStream(directory);
        byte[] ascii = name.getBytes(StandardCharsets.US_ASCII);
        entry.writeShort(ascii.length);
        entry.write(ascii);
        entry.writeInt(heads.size() - head);
        entry.writeInt(2 * (places.size() - index));
        entry.writeInt(references.size() - reference);
        entry.writeInt(file.length - at);
        classes++;
    }

    /** Writes the archive; afterwards nothing more can be added. */
    void writeTo(OutputStream stream) throws IOException {
        if (strings.size() > MOST_STRINGS) {
            throw new IOException(strings.size() + " different strings (at most " + MOST_STRINGS + ")");
        }
        ByteArrayOutputStream sorted = new ByteArrayOutputStream();
        DataOutputStream texts = new DataOutputStream(sorted);
        int number = 0;
        for (SortedMap.Entry<byte[], int[]> string : strings.entrySet()) {
            texts.writeShort(string.getKey().length);
            texts.write(string.getKey());
            string.getValue()[0] = number++;
        }
        ByteArrayOutputStream indexes = new ByteArrayOutputStream();
        for (int[] place : places) {
            new DataOutputStream(indexes).writeShort(place[0]);
        }
        DataOutputStream out = new DataOutputStream(stream);
        out.writeInt(classes);
        for (ByteArrayOutputStream column : List.of(directory, sorted, heads, indexes, references, bodies)) {
            byte[] deflated = deflated(column.toByteArray());
            out.writeInt(column.size());
            out.writeInt(deflated.length);
            out.write(deflated);
        }
        out.flush();
    }

    private static byte[] deflated(byte[] bytes) throws IOException {
        ByteArrayOutputStream result = new ByteArrayOutputStream();
        Deflater deflater = new Deflater(Deflater.BEST_COMPRESSION);
        try (DeflaterOutputStream out = new DeflaterOutputStream(result, deflater)) {
            out.write(bytes);
        } finally {
            deflater.end();
        }
        return result.toByteArray();
    }
}
