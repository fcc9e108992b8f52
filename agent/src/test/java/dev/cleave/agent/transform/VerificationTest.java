package dev.cleave.agent.transform;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.VarInsnNode;

class VerificationTest {

    private static MethodNode method(int... opcodes) {
        MethodNode method = new MethodNode(Opcodes.ACC_STATIC, "sum", "(J)I", null, null);
        for (int opcode : opcodes) {
            boolean isLoad = opcode >= Opcodes.ILOAD && opcode <= Opcodes.ALOAD;
            method.instructions.add(isLoad ? new VarInsnNode(opcode, 0) : new InsnNode(opcode));
        }
        return method;
    }

    @Test
    void passesWhatTheJvmAccepts() {
        assertThatCode(() -> Verification.check("p/A", method(Opcodes.LLOAD, Opcodes.L2I, Opcodes.IRETURN)))
                .doesNotThrowAnyException();
    }

    @Test
    void refusesWrongKindsAndAnEmptyStack() {
        assertThatThrownBy(() -> Verification.check("p/A", method(Opcodes.LLOAD, Opcodes.IRETURN)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("sum would not verify: ");
        assertThatThrownBy(() -> Verification.check("p/A", method(Opcodes.IADD, Opcodes.IRETURN)))
                .isInstanceOf(IllegalStateException.class);
    }
}
