package dev.cleave.agent.ir;

import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/** The five kinds of values of the JVM's locals and operand stack. */
public enum RegisterKind {
    /** {@code int}, and the types that the JVM keeps as an int: boolean, byte, char, short. */
    INT('I', 1, 0),
    LONG('J', 2, 1),
    FLOAT('F', 1, 2),
    DOUBLE('D', 2, 3),
    /** A reference, also the uninitialised object between {@code new} and its constructor. */
    REFERENCE('A', 1, 4);

    private final char letter;
    private final int size;
    private final int opcodeOffset;

    RegisterKind(char letter, int size, int opcodeOffset) {
        this.letter = letter;
        this.size = size;
        this.opcodeOffset = opcodeOffset;
    }

    /**
     * The kind of values of a type.
     *
     * @param type any type but void and method types
     */
    public static RegisterKind of(Type type) {
        return switch (type.getSort()) {
            case Type.BOOLEAN, Type.BYTE, Type.CHAR, Type.SHORT, Type.INT -> INT;
            case Type.LONG -> LONG;
            case Type.FLOAT -> FLOAT;
            case Type.DOUBLE -> DOUBLE;
            case Type.ARRAY, Type.OBJECT -> REFERENCE;
            default -> throw new IllegalArgumentException("type: " + type + " (expected: a type of values)");
        };
    }

    /** One letter: I, J, F, D or A. */
    public char letter() {
        return letter;
    }

    /** The number of JVM local slots a value takes: 1 or 2. */
    public int size() {
        return size;
    }

    /** The opcode that loads a local of this kind. */
    public int loadOpcode() {
        return Opcodes.ILOAD + opcodeOffset;
    }

    /** The opcode that stores into a local of this kind. */
    public int storeOpcode() {
        return Opcodes.ISTORE + opcodeOffset;
    }

    /** The opcode that returns a value of this kind. */
    public int returnOpcode() {
        return Opcodes.IRETURN + opcodeOffset;
    }
}
