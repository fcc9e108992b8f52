package dev.cleave.agent.effect;

import org.objectweb.asm.Opcodes;

/** The effects of instructions that neither call nor access fields or elements of arrays. */
final class SimpleOps {

    private SimpleOps() {}

    static Effect effectOf(int opcode) {
        return switch (opcode) {
            case Opcodes.IDIV,
                    Opcodes.LDIV,
                    Opcodes.IREM,
                    Opcodes.LREM,
                    Opcodes.ARRAYLENGTH,
                    Opcodes.CHECKCAST,
                    Opcodes.ATHROW -> Effect.THROWS;
            case Opcodes.NEWARRAY, Opcodes.ANEWARRAY, Opcodes.MULTIANEWARRAY -> Effect.THROWS.allocating();
            default -> Effect.NONE;
        };
    }
}
