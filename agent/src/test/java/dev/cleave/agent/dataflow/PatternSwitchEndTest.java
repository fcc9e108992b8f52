package dev.cleave.agent.dataflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.agent.ir.IrBuilder;
import dev.cleave.agent.ir.Unsupported;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.MethodNode;

/** Switches on patterns whose guards go back: they end if the index grows, whatever compilers write otherwise. */
class PatternSwitchEndTest {

    private static final Handle BOOTSTRAP = new Handle(
            Opcodes.H_INVOKESTATIC,
            "java/lang/runtime/SwitchBootstraps",
            "typeSwitch",
            "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/invoke/MethodType;[Ljava/lang/Object;)"
                    + "Ljava/lang/invoke/CallSite;",
            false);

    private final Label again = new Label();
    private final Label back = new Label();
    private final Label first = new Label();
    private final Label second = new Label();
    private final Label otherwise = new Label();

    /** A switch with two labels, whose guards go back to it with an index. */
    private boolean ends(int index, Label ofSecond, Label ofOthers, boolean isAdded) throws Unsupported {
        return ends(index, ofSecond, ofOthers, isAdded, BOOTSTRAP);
    }

    private boolean ends(int index, Label ofSecond, Label ofOthers, boolean isAdded, Handle bootstrap)
            throws Unsupported {
        MethodNode method = new MethodNode(Opcodes.ASM9, Opcodes.ACC_STATIC, "go", "(Ljava/lang/Object;)I", null, null);
        method.visitInsn(Opcodes.ICONST_0);
        method.visitVarInsn(Opcodes.ISTORE, 1);
        method.visitLabel(again);
        method.visitVarInsn(Opcodes.ALOAD, 0);
        method.visitVarInsn(Opcodes.ILOAD, 1);
        method.visitInvokeDynamicInsn(
                "typeSwitch",
                "(Ljava/lang/Object;I)I",
                bootstrap,
                Type.getObjectType("java/lang/String"),
                Type.getObjectType("java/lang/Long"));
        method.visitTableSwitchInsn(0, 1, ofOthers, first, ofSecond);
        method.visitLabel(first);
        method.visitVarInsn(Opcodes.ALOAD, 0);
        method.visitJumpInsn(Opcodes.IFNULL, back);
        method.visitInsn(Opcodes.ICONST_1);
        method.visitInsn(Opcodes.IRETURN);
        method.visitLabel(back);
        if (isAdded) {
            method.visitIincInsn(1, index);
        } else {
            method.visitIntInsn(Opcodes.BIPUSH, index);
            method.visitVarInsn(Opcodes.ISTORE, 1);
        }
        method.visitJumpInsn(Opcodes.GOTO, again);
        method.visitLabel(second);
        method.visitInsn(Opcodes.ICONST_2);
        method.visitInsn(Opcodes.IRETURN);
        method.visitLabel(otherwise);
        method.visitInsn(Opcodes.ICONST_3);
        method.visitInsn(Opcodes.IRETURN);
        method.visitMaxs(2, 2);
        return CertainEnd.isOfAll(IrBuilder.build("p/Program", Opcodes.V17, method));
    }

    @Test
    void endsIfTheIndexIsBehindThatOfTheLabel() throws Unsupported {
        assertThat(ends(1, second, otherwise, false)).isTrue();
    }

    @Test
    void mayNotEndIfTheSameLabelIsTriedAgain() throws Unsupported {
        assertThat(ends(0, second, otherwise, false)).isFalse();
    }

    @Test
    void mayNotEndIfALaterLabelIsTriedAgain() throws Unsupported {
        assertThat(ends(1, back, otherwise, false)).isFalse();
    }

    @Test
    void endsIfBothGuardsGoBehindBothLabels() throws Unsupported {
        assertThat(ends(2, back, otherwise, false)).isTrue();
    }

    @Test
    void mayNotEndIfWhatMatchesNoLabelGoesBack() throws Unsupported {
        assertThat(ends(1, second, back, false)).isFalse();
    }

    @Test
    void mayNotEndIfAWayBackLeavesTheIndex() throws Unsupported {
        assertThat(ends(1, again, otherwise, false)).isFalse();
    }

    @Test
    void mayNotEndIfTheIndexIsNoConstant() throws Unsupported {
        assertThat(ends(1, second, otherwise, true)).isFalse();
    }

    @Test
    void mayNotEndIfAnotherBootstrapChooses() throws Unsupported {
        Handle other = new Handle(
                BOOTSTRAP.getTag(), "p/Program", BOOTSTRAP.getName(), BOOTSTRAP.getDesc(), BOOTSTRAP.isInterface());
        assertThat(ends(1, second, otherwise, false, other)).isFalse();
    }
}
