package dev.cleave.agent.ir;

import org.objectweb.asm.Opcodes;

/** Facts about JVM opcodes. */
final class Opcode {

    private static final String[] NAMES = """
            NOP ACONST_NULL ICONST_M1 ICONST_0 ICONST_1 ICONST_2 ICONST_3 ICONST_4 ICONST_5 LCONST_0 LCONST_1 FCONST_0 \
            FCONST_1 FCONST_2 DCONST_0 DCONST_1 BIPUSH SIPUSH LDC _ _ ILOAD LLOAD FLOAD DLOAD ALOAD _ _ _ _ _ _ _ _ _ \
            _ _ _ _ _ _ _ _ _ _ _ IALOAD LALOAD FALOAD DALOAD AALOAD BALOAD CALOAD SALOAD ISTORE LSTORE FSTORE \
            DSTORE ASTORE _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ IASTORE LASTORE FASTORE DASTORE AASTORE BASTORE \
            CASTORE SASTORE POP POP2 DUP DUP_X1 DUP_X2 DUP2 DUP2_X1 DUP2_X2 SWAP IADD LADD FADD DADD ISUB LSUB FSUB \
            DSUB IMUL LMUL FMUL DMUL IDIV LDIV FDIV DDIV IREM LREM FREM DREM INEG LNEG FNEG DNEG ISHL LSHL ISHR LSHR \
            IUSHR LUSHR IAND LAND IOR LOR IXOR LXOR IINC I2L I2F I2D L2I L2F L2D F2I F2L F2D D2I D2L D2F I2B I2C I2S \
            LCMP FCMPL FCMPG DCMPL DCMPG IFEQ IFNE IFLT IFGE IFGT IFLE IF_ICMPEQ IF_ICMPNE IF_ICMPLT IF_ICMPGE \
            IF_ICMPGT IF_ICMPLE IF_ACMPEQ IF_ACMPNE GOTO JSR RET TABLESWITCH LOOKUPSWITCH IRETURN LRETURN FRETURN \
            DRETURN ARETURN RETURN GETSTATIC PUTSTATIC GETFIELD PUTFIELD INVOKEVIRTUAL INVOKESPECIAL INVOKESTATIC \
            INVOKEINTERFACE INVOKEDYNAMIC NEW NEWARRAY ANEWARRAY ARRAYLENGTH ATHROW CHECKCAST INSTANCEOF MONITORENTER \
            MONITOREXIT _ MULTIANEWARRAY IFNULL IFNONNULL""".strip().split("\\s+");

    private Opcode() {}

    /** The name of an opcode, as in the JVM specification but in capitals. */
    static String name(int opcode) {
        return NAMES[opcode];
    }

    /** Whether an instruction may complete abruptly; linkage errors count. */
    static boolean mayThrow(int opcode) {
        return switch (opcode) {
            case Opcodes.IDIV, Opcodes.LDIV, Opcodes.IREM, Opcodes.LREM -> true;
            case Opcodes.IALOAD, Opcodes.LALOAD, Opcodes.FALOAD, Opcodes.DALOAD -> true;
            case Opcodes.AALOAD, Opcodes.BALOAD, Opcodes.CALOAD, Opcodes.SALOAD -> true;
            case Opcodes.IASTORE, Opcodes.LASTORE, Opcodes.FASTORE, Opcodes.DASTORE -> true;
            case Opcodes.AASTORE, Opcodes.BASTORE, Opcodes.CASTORE, Opcodes.SASTORE -> true;
            default -> opcode >= Opcodes.GETSTATIC && opcode <= Opcodes.MULTIANEWARRAY;
        };
    }

    /** The kind of the result of an instruction without field, method or constant. */
    static RegisterKind resultOf(int opcode) {
        if (opcode >= Opcodes.IADD && opcode <= Opcodes.DNEG) {
            return RegisterKind.values()[(opcode - Opcodes.IADD) % 4];
        }
        if (opcode >= Opcodes.ISHL && opcode <= Opcodes.LXOR) {
            return RegisterKind.values()[(opcode - Opcodes.ISHL) % 2];
        }
        return switch (opcode) {
            case Opcodes.LALOAD, Opcodes.I2L, Opcodes.F2L, Opcodes.D2L -> RegisterKind.LONG;
            case Opcodes.FALOAD, Opcodes.I2F, Opcodes.L2F, Opcodes.D2F -> RegisterKind.FLOAT;
            case Opcodes.DALOAD, Opcodes.I2D, Opcodes.L2D, Opcodes.F2D -> RegisterKind.DOUBLE;
            case Opcodes.AALOAD, Opcodes.NEWARRAY, Opcodes.ANEWARRAY, Opcodes.CHECKCAST -> RegisterKind.REFERENCE;
            default -> RegisterKind.INT;
        };
    }
}
