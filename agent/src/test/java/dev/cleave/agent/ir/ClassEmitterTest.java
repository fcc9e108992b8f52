package dev.cleave.agent.ir;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.agent.scan.ClassFileSource;
import dev.cleave.agent.scan.ClassHierarchy;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.Label;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.util.Textifier;
import org.objectweb.asm.util.TraceMethodVisitor;

class ClassEmitterTest {

    private final byte[] original = Bodies.classFile(Shapes.class);
    private final ClassHierarchy hierarchy =
            new ClassHierarchy(name -> ClassFileSource.ofResources(Shapes.class.getClassLoader(), name));

    @Test
    void codeOfJavacComesOutAsItWentIn() throws Unsupported {
        ClassNode node = Bodies.node(original);
        for (MethodNode method : node.methods) {
            if (!method.name.equals("choose") && !method.name.equals("next")) {
                MethodNode emitted = IrEmitter.emit(IrBuilder.build(node.name, node.version, method));

                assertThat(text(emitted)).isEqualTo(text(method));
            }
        }
    }

    @Test
    void copiesOtherMethodsByteByByte() throws Unsupported {
        ClassNode node = Bodies.node(original);
        MethodNode sum = Bodies.method(node, "sum");
        MethodBody body = IrBuilder.build(node.name, node.version, sum);
        body.insertAtStart(List.of(InsnOp.invokeStatic("java/lang/Thread", "onSpinWait", "()V", null, List.of())));

        byte[] written = new ClassEmitter(original, hierarchy)
                .emit(List.of(IrEmitter.emit(body)))
                .classFile();

        Map<String, byte[]> before = MethodBytes.of(original);
        Map<String, byte[]> after = MethodBytes.of(written);
        assertThat(after.remove("sum([I)I")).isNotEqualTo(before.remove("sum([I)I"));
        assertThat(after).hasSize(4).containsOnlyKeys(before.keySet());
        after.forEach((method, bytes) -> assertThat(bytes).as(method).isEqualTo(before.get(method)));
    }

    @Test
    void refusesOnlyTheMethodThatNeedsAnUnknownClass() throws Unsupported {
        ClassHierarchy ignorant = new ClassHierarchy(name -> null);
        ClassNode node = Bodies.node(original);
        MethodNode sum = IrEmitter.emit(IrBuilder.build(node.name, node.version, Bodies.method(node, "sum")));
        MethodNode choose = Bodies.method(node, "choose");
        choose.instructions.insert(mergeOf("java/lang/Integer", "java/lang/Long"));

        ClassEmitter.Emitted emitted = new ClassEmitter(original, ignorant).emit(List.of(sum, choose));

        assertThat(MethodBytes.of(emitted.classFile()).get(choose.name + choose.desc))
                .isEqualTo(MethodBytes.of(original).get(choose.name + choose.desc));
        assertThat(emitted.refused()).containsOnlyKeys(choose.name + choose.desc);
        assertThat(emitted.refused().get(choose.name + choose.desc).reason())
                .isEqualTo(Unsupported.Reason.UNKNOWN_CLASS);
    }

    @Test
    void refusesAMethodThatTheJitWouldNotCompileAnyMore() throws Unsupported {
        ClassNode node = Bodies.node(original);
        MethodNode choose = Bodies.method(node, "choose");
        MethodNode sum = Bodies.method(node, "sum");
        grow(choose, 8_000);
        grow(sum, 7_000);

        ClassEmitter.Emitted emitted = new ClassEmitter(original, hierarchy).emit(List.of(choose, sum));

        assertThat(emitted.refused()).containsOnlyKeys(choose.name + choose.desc);
        assertThat(emitted.refused().get(choose.name + choose.desc).reason()).isEqualTo(Unsupported.Reason.TOO_LARGE);
        Map<String, byte[]> before = MethodBytes.of(original);
        Map<String, byte[]> after = MethodBytes.of(emitted.classFile());
        assertThat(after.get(choose.name + choose.desc)).isEqualTo(before.get(choose.name + choose.desc));
        assertThat(after.get(sum.name + sum.desc)).hasSizeGreaterThan(7_000);
    }

    private static void grow(MethodNode method, int bytes) {
        InsnList nothing = new InsnList();
        for (int i = 0; i < bytes; i++) {
            nothing.add(new InsnNode(Opcodes.NOP));
        }
        method.instructions.insert(nothing);
    }

    @Test
    void writesTheOthersAfterSeveralAttemptsHaveFailed() throws Unsupported {
        ClassHierarchy ignorant = new ClassHierarchy(name -> null);
        ClassNode node = Bodies.node(original);
        List<MethodNode> replaced = new ArrayList<>();
        for (MethodNode method : node.methods) {
            MethodNode emitted = IrEmitter.emit(IrBuilder.build(node.name, node.version, method));
            if (method.desc.contains(";")) {
                emitted.instructions.insert(mergeOf("java/lang/Integer", "java/lang/Long"));
            }
            replaced.add(emitted);
        }

        ClassEmitter.Emitted emitted = new ClassEmitter(original, ignorant).emit(replaced);

        assertThat(emitted.refused()).hasSize(2);
        assertThat(Bodies.node(emitted.classFile()).methods).hasSameSizeAs(node.methods);
    }

    @Test
    void refusesOnlyTheMethodThatIsTooLarge() throws Unsupported {
        ClassNode node = Bodies.node(original);
        MethodNode sum = IrEmitter.emit(IrBuilder.build(node.name, node.version, Bodies.method(node, "sum")));
        MethodNode next = Bodies.method(node, "next");
        InsnList filling = new InsnList();
        for (int i = 0; i < 70_000; i++) {
            filling.add(new InsnNode(Opcodes.NOP));
        }
        next.instructions.insert(filling);

        ClassEmitter.Emitted emitted = new ClassEmitter(original, hierarchy).emit(List.of(sum, next));

        assertThat(emitted.refused()).containsOnlyKeys("next()I");
        assertThat(emitted.refused().get("next()I"))
                .hasMessageMatching("code size: 70\\d{3} \\(expected: 1\\.\\.65535\\)");
        assertThat(MethodBytes.of(emitted.classFile()).get("next()I"))
                .isEqualTo(MethodBytes.of(original).get("next()I"));
    }

    private static InsnList mergeOf(String first, String second) {
        MethodNode code = new MethodNode();
        Label other = new Label();
        Label end = new Label();
        code.visitVarInsn(Opcodes.ILOAD, 0);
        code.visitJumpInsn(Opcodes.IFEQ, other);
        code.visitInsn(Opcodes.ACONST_NULL);
        code.visitTypeInsn(Opcodes.CHECKCAST, first);
        code.visitJumpInsn(Opcodes.GOTO, end);
        code.visitLabel(other);
        code.visitInsn(Opcodes.ACONST_NULL);
        code.visitTypeInsn(Opcodes.CHECKCAST, second);
        code.visitLabel(end);
        code.visitInsn(Opcodes.POP);
        return code.instructions;
    }

    private static String text(MethodNode method) {
        Textifier textifier = new Textifier();
        method.accept(new TraceMethodVisitor(textifier));
        StringWriter out = new StringWriter();
        textifier.print(new PrintWriter(out, true));
        return out.toString().replaceAll("(?m)^ *(L\\d+|MAX.*)\n", "").replaceAll("\\bL\\d+\\b", "L");
    }
}
