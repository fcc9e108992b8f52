package dev.cleave.agent.ir;

import java.util.HashMap;
import java.util.Map;
import org.objectweb.asm.ClassReader;

/** How many bytes of code each method of a class file has. Layout: JVM Specification, 4.1, 4.6 and 4.7. */
final class CodeSizes {

    private CodeSizes() {}

    /** The sizes by name and descriptor; methods without code are left out. */
    static Map<String, Integer> of(byte[] classFile) {
        ClassReader reader = new ClassReader(classFile);
        char[] buffer = new char[reader.getMaxStringLength()];
        Map<String, Integer> sizes = new HashMap<>();
        int at = reader.header + 6; // access flags, this class, super class
        at += 2 + 2 * reader.readUnsignedShort(at); // interfaces
        at = members(reader, at, buffer, new HashMap<>()); // fields
        members(reader, at, buffer, sizes);
        return sizes;
    }

    private static int members(ClassReader reader, int start, char[] buffer, Map<String, Integer> sizes) {
        int at = start + 2;
        for (int member = reader.readUnsignedShort(start); member > 0; member--) {
            String key = reader.readUTF8(at + 2, buffer) + reader.readUTF8(at + 4, buffer);
            int attributes = reader.readUnsignedShort(at + 6);
            at += 8;
            for (int i = 0; i < attributes; i++) {
                if ("Code".equals(reader.readUTF8(at, buffer))) {
                    sizes.put(key, reader.readInt(at + 10)); // after name, length, max stack and max locals
                }
                at += 6 + reader.readInt(at + 2);
            }
        }
        return at;
    }
}
