package dev.cleave.agent.ir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cleave.agent.ir.Unsupported.Reason;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.Label;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.MethodNode;

class IrBuilderTest {

    @Test
    void loadsAndStoresAreMoves() {
        assertThat(text("sum")).isEqualTo("""
                        L0
                          t0I = 0
                          l1I = t0I
                        L1
                          t1I = 0
                          l2I = t1I
                        L2
                          t2I = l2I
                          t3A = l0A
                          t4I = ARRAYLENGTH [t3A]
                          IF_ICMPGE [t2I, t4I] goto L3
                          t5I = l1I
                          t6A = l0A
                          t7I = l2I
                          t8I = IALOAD [t6A, t7I]
                          t9I = IADD [t5I, t8I]
                          l1I = t9I
                          l2I = IINC 1 [l2I]
                          goto L2
                        L3
                          t10I = l1I
                          return t10I
                        L4
                        """);
    }

    @Test
    void objectBeforeItsConstructorIsARegisterThatMayCrossBlocks() {
        assertThat(text("choose")).isEqualTo("""
                        L0
                          t0A = NEW java/lang/StringBuilder []
                          t1I = l0I
                          s0A = t0A
                          s1A = t0A
                          IFEQ [t1I] goto L1
                          t2A = "yes"
                          s2A = t2A
                          goto L2
                        L1
                          t3A = "no"
                          s2A = t3A
                        L2
                          INVOKESPECIAL java/lang/StringBuilder.<init>(Ljava/lang/String;)V [s1A, s2A]
                          t4A = l1A
                          t5I = 0
                          t6A = INVOKEINTERFACE java/util/List.get(I)Ljava/lang/Object; [t4A, t5I]
                          t7A = CHECKCAST java/lang/String [t6A]
                          t8A = INVOKEVIRTUAL java/lang/StringBuilder.append(Ljava/lang/String;)Ljava/lang/StringBuilder; [s0A, t7A]
                          t9A = INVOKEVIRTUAL java/lang/StringBuilder.toString()Ljava/lang/String; [t8A]
                          return t9A
                        L3
                        """);
    }

    @Test
    void dupMakesAValueReadTwice() {
        assertThat(text("next")).isEqualTo("""
                        L0
                          t0A = l0A
                          t1I = GETFIELD dev/cleave/agent/ir/Shapes.count [t0A]
                          t2I = 1
                          t3I = IADD [t1I, t2I]
                          PUTFIELD dev/cleave/agent/ir/Shapes.count [t0A, t3I]
                          return t1I
                        L1
                        """);
    }

    @Test
    void handlersKeepTheirOrderAndBeginWithACatch() {
        MethodBody body = Bodies.of(Shapes.class, "guarded");

        assertThat(body.handlers())
                .extracting(Handler::type)
                .containsExactly("java/lang/NumberFormatException", null, null);
        assertThat(body.handlers()).allSatisfy(handler -> assertThat(body.ops().get(body.indexOf(handler.target()) + 1))
                .isInstanceOf(CatchOp.class));
    }

    @Test
    void refusesClassFilesWithoutFrames() {
        assertRefused(Opcodes.V1_5, returning(), Reason.OLD_CLASS_FILE);
    }

    @Test
    void refusesMethodsWithoutCode() {
        MethodNode method = new MethodNode(Opcodes.ACC_ABSTRACT, "m", "()V", null, null);

        assertRefused(Opcodes.V17, method, Reason.NO_CODE);
    }

    @Test
    void refusesSubroutines() {
        MethodNode method = new MethodNode(Opcodes.ACC_STATIC, "m", "()V", null, null);
        Label subroutine = new Label();
        method.visitJumpInsn(Opcodes.JSR, subroutine);
        method.visitInsn(Opcodes.RETURN);
        method.visitLabel(subroutine);
        method.visitVarInsn(Opcodes.ASTORE, 0);
        method.visitVarInsn(Opcodes.RET, 0);
        method.visitMaxs(1, 1);

        assertRefused(Opcodes.V1_6, method, Reason.SUBROUTINE);
    }

    @Test
    void refusesCodeThatTakesFromAnEmptyStack() {
        MethodNode method = new MethodNode(Opcodes.ACC_STATIC, "m", "()V", null, null);
        method.visitInsn(Opcodes.POP);
        method.visitInsn(Opcodes.RETURN);
        method.visitMaxs(1, 1);

        assertRefused(Opcodes.V17, method, Reason.INVALID_CODE);
    }

    @Test
    void codeThatIsGoneToAndThrownToGetsAnEntryForExceptions() throws Unsupported {
        MethodNode method = new MethodNode(Opcodes.ACC_STATIC, "m", "(Ljava/lang/Throwable;)V", null, null);
        Label start = new Label();
        Label shared = new Label();
        method.visitTryCatchBlock(start, shared, shared, null);
        method.visitLabel(start);
        method.visitMethodInsn(Opcodes.INVOKESTATIC, "java/lang/Thread", "yield", "()V", false);
        method.visitVarInsn(Opcodes.ALOAD, 0);
        method.visitLabel(shared);
        method.visitInsn(Opcodes.ATHROW);
        method.visitMaxs(1, 1);

        MethodBody body = IrBuilder.build("A", Opcodes.V17, method);

        assertThat(body.text()).isEqualTo("""
                        L0
                          INVOKESTATIC java/lang/Thread.yield()V []
                          t0A = l0A
                          s0A = t0A
                        L1
                          throw s0A
                        L2
                          t1A = catch
                          s0A = t1A
                          goto L1
                        L0..L1 -> L2 any
                        """);
    }

    private static String text(String method) {
        return Bodies.of(Shapes.class, method).text().replaceAll("(?m)^  line .*\n", "");
    }

    private static MethodNode returning() {
        MethodNode method = new MethodNode(Opcodes.ACC_STATIC, "m", "()V", null, null);
        method.visitInsn(Opcodes.RETURN);
        method.visitMaxs(0, 0);
        return method;
    }

    private static void assertRefused(int version, MethodNode method, Reason reason) {
        assertThatThrownBy(() -> IrBuilder.build("A", version, method))
                .isInstanceOfSatisfying(
                        Unsupported.class, e -> assertThat(e.reason()).isEqualTo(reason));
    }
}
