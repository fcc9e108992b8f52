package dev.cleave.agent.transform;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TryCatchBlockNode;
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

    /** {@code static int f(int x) { try { [stores]; x = 1; } catch (Throwable t) { return x; } return x; }} */
    private static MethodNode withHandler(AbstractInsnNode... stores) {
        MethodNode method = new MethodNode(Opcodes.ACC_STATIC, "f", "(I)I", null, null);
        LabelNode start = new LabelNode();
        LabelNode end = new LabelNode();
        LabelNode handler = new LabelNode();
        method.instructions.add(start);
        for (AbstractInsnNode store : stores) {
            method.instructions.add(store);
        }
        method.instructions.add(new InsnNode(Opcodes.ICONST_1));
        method.instructions.add(new VarInsnNode(Opcodes.ISTORE, 0));
        method.instructions.add(end);
        method.instructions.add(new VarInsnNode(Opcodes.ILOAD, 0));
        method.instructions.add(new InsnNode(Opcodes.IRETURN));
        method.instructions.add(handler);
        method.instructions.add(new InsnNode(Opcodes.POP));
        method.instructions.add(new VarInsnNode(Opcodes.ILOAD, 0));
        method.instructions.add(new InsnNode(Opcodes.IRETURN));
        method.tryCatchBlocks.add(new TryCatchBlockNode(start, end, handler, null));
        return method;
    }

    @Test
    void aHandlerSeesWhatItsRangeStores() {
        assertThatCode(() -> Verification.check(
                        "p/A", withHandler(new InsnNode(Opcodes.ICONST_5), new VarInsnNode(Opcodes.ISTORE, 0))))
                .doesNotThrowAnyException();
        assertThatThrownBy(() -> Verification.check(
                        "p/A", withHandler(new InsnNode(Opcodes.ACONST_NULL), new VarInsnNode(Opcodes.ASTORE, 0))))
                .as("the int of the handler is a reference for a while")
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> Verification.check(
                        "p/A", withHandler(new InsnNode(Opcodes.LCONST_1), new VarInsnNode(Opcodes.LSTORE, 0))))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aHandlerSeesWhatIsJumpedInWith() {
        MethodNode method = withHandler();
        LabelNode inside = new LabelNode();
        LabelNode outside = new LabelNode();
        // before the range: if (x == 0) { x = null; go into the range behind its start }
        InsnList before = new InsnList();
        before.add(new VarInsnNode(Opcodes.ILOAD, 0));
        before.add(new JumpInsnNode(Opcodes.IFNE, outside));
        before.add(new InsnNode(Opcodes.ACONST_NULL));
        before.add(new VarInsnNode(Opcodes.ASTORE, 0));
        before.add(new JumpInsnNode(Opcodes.GOTO, inside));
        before.add(outside);
        method.instructions.insert(method.instructions.getFirst(), inside);
        method.instructions.insert(before);

        assertThatThrownBy(() -> Verification.check("p/A", method)).isInstanceOf(IllegalStateException.class);
    }
}
