package dev.cleave.agent.packed;

import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.zip.InflaterInputStream;
import org.jspecify.annotations.Nullable;

/**
 * Class files that were taken apart into columns of like things, each column compressed as a whole: what repeats from class
 * to class, most of all the strings of their constant pools, is there once.
 *
 * <pre>
 * archive = count of classes (4), directory, STRINGS, HEADS, INDEXES, REFERENCES, BODIES
 *   column     = length when inflated (4), length as it is (4), zlib stream
 *   directory  = column: per class: length of its name (2), name, then the bytes it has in HEADS, in INDEXES, in
 *                REFERENCES and in BODIES (4 each)
 *   STRINGS    = all strings in the order of their bytes, each with its length (2) in front
 *   HEADS      = per class: the first 10 bytes of its file, then the tags of its constant pool
 *   INDEXES    = per string of a constant pool: its place in STRINGS (2)
 *   REFERENCES = what is behind the tags of other entries
 *   BODIES     = what is behind the constant pool
 * </pre>
 *
 * Immutable once read; any thread may use it.
 */
final class ClassArchive {

    private static final int DIRECTORY_NUMBERS = 4;

    private final Map<String, int[]> begins = new HashMap<>();
    private final byte[] strings;
    private final int[] stringBegins;
    private final byte[] heads;
    private final byte[] indexes;
    private final byte[] references;
    private final byte[] bodies;

    /** Reads an archive to its end and inflates it. */
    ClassArchive(InputStream stream) throws IOException {
        DataInputStream in = new DataInputStream(new BufferedInputStream(stream));
        int classes = in.readInt();
        byte[] directory = column(in);
        strings = column(in);
        stringBegins = begins(strings);
        heads = column(in);
        indexes = column(in);
        references = column(in);
        bodies = column(in);
        int[] next = new int[DIRECTORY_NUMBERS];
        int at = 0;
        for (int i = 0; i < classes; i++) {
            int length = ConstantPool.unsignedShort(directory, at);
            String name = new String(directory, at + 2, length, StandardCharsets.US_ASCII);
            at += 2 + length;
            int[] span = new int[2 * DIRECTORY_NUMBERS];
            for (int column = 0; column < DIRECTORY_NUMBERS; column++) {
                span[column] = next[column];
                next[column] += integer(directory, at);
                span[DIRECTORY_NUMBERS + column] = next[column];
                at += Integer.BYTES;
            }
            begins.put(name, span);
        }
    }

    private static byte[] column(DataInputStream in) throws IOException {
        byte[] inflated = new byte[in.readInt()];
        byte[] deflated = new byte[in.readInt()];
        in.readFully(deflated);
        try (InflaterInputStream inflater = new InflaterInputStream(new ByteArrayInputStream(deflated))) {
            if (inflater.readNBytes(inflated, 0, inflated.length) != inflated.length) {
                throw new IOException("the archive of the agent's classes is cut off");
            }
        }
        return inflated;
    }

    private static int[] begins(byte[] strings) {
        int[] begins = new int[1024];
        int count = 0;
        for (int at = 0; at < strings.length; at += 2 + ConstantPool.unsignedShort(strings, at)) {
            if (count == begins.length) {
                begins = Arrays.copyOf(begins, 2 * count);
            }
            begins[count++] = at;
        }
        return Arrays.copyOf(begins, count);
    }

    private static int integer(byte[] bytes, int at) {
        return ConstantPool.unsignedShort(bytes, at) << 16 | ConstantPool.unsignedShort(bytes, at + 2);
    }

    /** The class file of a binary name with slashes, byte by byte as it was, or null if it is not in here. */
    byte @Nullable [] classFile(String name) {
        int[] span = begins.get(name);
        if (span == null) {
            return null;
        }
        int tag = span[0] + ConstantPool.HEAD;
        int endOfHead = span[DIRECTORY_NUMBERS];
        byte[] file = new byte[length(span)];
        System.arraycopy(heads, span[0], file, 0, ConstantPool.HEAD);
        int at = ConstantPool.HEAD;
        int index = span[1];
        int reference = span[2];
        for (; tag < endOfHead; tag++) {
            file[at++] = heads[tag];
            if (heads[tag] == ConstantPool.UTF8) {
                int begin = stringBegins[ConstantPool.unsignedShort(indexes, index)];
                int size = 2 + ConstantPool.unsignedShort(strings, begin);
                System.arraycopy(strings, begin, file, at, size);
                at += size;
                index += 2;
            } else {
                int size = ConstantPool.size(heads[tag]);
                System.arraycopy(references, reference, file, at, size);
                at += size;
                reference += size;
            }
        }
        System.arraycopy(bodies, span[3], file, at, file.length - at);
        return file;
    }

    private int length(int[] span) {
        int length = 0;
        for (int column = 0; column < DIRECTORY_NUMBERS; column++) {
            length += column == 1 ? 0 : span[DIRECTORY_NUMBERS + column] - span[column];
        }
        for (int index = span[1]; index < span[DIRECTORY_NUMBERS + 1]; index += 2) {
            length += 2 + ConstantPool.unsignedShort(strings, stringBegins[ConstantPool.unsignedShort(indexes, index)]);
        }
        return length;
    }
}
