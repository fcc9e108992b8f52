package dev.cleave.agent.ir;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.objectweb.asm.ClassReader;

/** The methods of a class file as raw bytes. */
final class MethodBytes {

    private final byte[] classFile;
    private final ClassReader reader;
    private final char[] buffer;
    private final Map<String, byte[]> methods = new LinkedHashMap<>();
    private int position;
    private long codeSize;

    private MethodBytes(byte[] classFile) {
        this.classFile = classFile;
        reader = new ClassReader(classFile);
        buffer = new char[reader.getMaxStringLength()];
        position = reader.header + 6;
        position += 2 + 2 * reader.readUnsignedShort(position);
        readMembers();
        methods.clear();
        readMembers();
    }

    /** The bytes of each method with all its attributes, by name and descriptor. */
    static Map<String, byte[]> of(byte[] classFile) {
        return new MethodBytes(classFile).methods;
    }

    /** The bytes of code in a class file, without tables. */
    static long codeSize(byte[] classFile) {
        return new MethodBytes(classFile).codeSize;
    }

    private void readMembers() {
        int members = readShort();
        for (int i = 0; i < members; i++) {
            int start = position;
            String key = reader.readUTF8(position + 2, buffer) + reader.readUTF8(position + 4, buffer);
            position += 6;
            int attributes = readShort();
            for (int j = 0; j < attributes; j++) {
                if (reader.readUTF8(position, buffer).equals("Code")) {
                    codeSize += reader.readInt(position + 10);
                }
                position += 6 + reader.readInt(position + 2);
            }
            methods.put(key, Arrays.copyOfRange(classFile, start, position));
        }
    }

    private int readShort() {
        position += 2;
        return reader.readUnsignedShort(position - 2);
    }
}
