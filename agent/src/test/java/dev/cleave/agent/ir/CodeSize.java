package dev.cleave.agent.ir;

import org.objectweb.asm.ClassReader;

/** The bytes of code in a class file, without tables. */
final class CodeSize {

    private final ClassReader reader;
    private int position;

    private CodeSize(byte[] classFile) {
        reader = new ClassReader(classFile);
        position = reader.header + 6;
    }

    static long of(byte[] classFile) {
        CodeSize size = new CodeSize(classFile);
        size.position += 2 + 2 * size.reader.readUnsignedShort(size.position);
        return size.members() + size.members();
    }

    private long members() {
        long sum = 0;
        int members = next();
        for (int i = 0; i < members; i++) {
            position += 6;
            int attributes = next();
            for (int j = 0; j < attributes; j++) {
                String name = reader.readUTF8(position, new char[reader.getMaxStringLength()]);
                if (name.equals("Code")) {
                    sum += reader.readInt(position + 10);
                }
                position += 6 + reader.readInt(position + 2);
            }
        }
        return sum;
    }

    private int next() {
        position += 2;
        return reader.readUnsignedShort(position - 2);
    }
}
