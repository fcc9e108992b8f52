package dev.cleave.agent.effect;

import org.objectweb.asm.Opcodes;

/** The array instructions of the JVM. */
final class ArrayAccess {

    private static final String KINDS = "IJFDABCS";

    private ArrayAccess() {}

    static boolean isLoad(int opcode) {
        return opcode >= Opcodes.IALOAD && opcode <= Opcodes.SALOAD;
    }

    static boolean isStore(int opcode) {
        return opcode >= Opcodes.IASTORE && opcode <= Opcodes.SASTORE;
    }

    /** The kind of elements that an instruction reads or writes, as in {@link HeapRegion.Elements}. */
    static char kindOf(int opcode) {
        return KINDS.charAt(opcode - (isLoad(opcode) ? Opcodes.IALOAD : Opcodes.IASTORE));
    }
}
