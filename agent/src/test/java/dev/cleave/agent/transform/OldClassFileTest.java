package dev.cleave.agent.transform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.cleave.agent.conformance.Compiler;
import dev.cleave.agent.plan.verdict.Refusal;
import dev.cleave.agent.scan.CallSetting;
import dev.cleave.agent.scan.ClassFileSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Class files of version 50: the JVM forgives them wrong frames, and does not any more when they are of a later version. */
class OldClassFileTest {

    private static final String NAME = "p.Old";
    private static final String SOURCE = """
            package p;
            import dev.cleave.agent.conformance.Svc;
            public class Old {
                public static int run(Svc s, int x) {
                    int a = s.f(x);
                    int b = s.f(x + 1);
                    return a + b;
                }
                static Number other(boolean first, Object kept) {
                    Number n = first ? Integer.valueOf(1) : Long.valueOf(2);
                    try {
                        return kept == null ? null : n;
                    } finally {
                        kept = "";
                    }
                }
            }
            """;

    /** How the frames of the method that is not rewritten are. */
    private enum Frames {
        RIGHT,
        MISSING,
        WRONG
    }

    private static byte[] version50(Frames frames, boolean hasSubroutine) {
        ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
        new ClassReader(Compiler.compile(Map.of(NAME, SOURCE)).get(NAME))
                .accept(
                        new ClassVisitor(Opcodes.ASM9, writer) {
                            @Override
                            public void visit(
                                    int version,
                                    int access,
                                    String name,
                                    String signature,
                                    String above,
                                    String[] faces) {
                                super.visit(Opcodes.V1_6, access, name, signature, above, faces);
                            }

                            @Override
                            public MethodVisitor visitMethod(
                                    int access, String name, String descriptor, String signature, String[] exceptions) {
                                MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
                                return new MethodVisitor(Opcodes.ASM9, next) {
                                    @Override
                                    public void visitFrame(
                                            int type, int locals, Object[] local, int depth, Object[] stack) {
                                        if (frames == Frames.WRONG) {
                                            super.visitFrame(
                                                    Opcodes.F_NEW,
                                                    1,
                                                    new Object[] {"java/util/List"},
                                                    0,
                                                    new Object[0]);
                                        } else if (frames == Frames.RIGHT) {
                                            super.visitFrame(type, locals, local, depth, stack);
                                        }
                                    }
                                };
                            }

                            @Override
                            public void visitEnd() {
                                if (hasSubroutine) {
                                    subroutine(writer);
                                }
                                super.visitEnd();
                            }
                        },
                        ClassReader.EXPAND_FRAMES);
        return writer.toByteArray();
    }

    private static void subroutine(ClassWriter writer) {
        MethodVisitor method = writer.visitMethod(Opcodes.ACC_STATIC, "sub", "()V", null, null);
        Label begin = new Label();
        method.visitCode();
        method.visitJumpInsn(Opcodes.JSR, begin);
        method.visitInsn(Opcodes.RETURN);
        method.visitLabel(begin);
        method.visitVarInsn(Opcodes.ASTORE, 0);
        method.visitVarInsn(Opcodes.RET, 0);
        method.visitMaxs(1, 1);
        method.visitEnd();
    }

    private static Rewritten rewritten(byte[] classFile) {
        return new ClassRewriter(
                        name -> name.equals("p/Old")
                                ? classFile
                                : ClassFileSource.ofResources(OldClassFileTest.class.getClassLoader(), name),
                        (owner, name, descriptor) -> owner.endsWith("/Svc") ? CallSetting.async(8) : null)
                .rewrite(classFile);
    }

    private static int version(byte[] classFile) {
        return classFile[7];
    }

    private static void link(byte[] classFile) {
        ClassLoader loader = new ClassLoader(OldClassFileTest.class.getClassLoader()) {
            @Override
            protected Class<?> findClass(String name) {
                return defineClass(name, classFile, 0, classFile.length);
            }
        };
        try {
            assertThat(Class.forName(NAME, true, loader).getDeclaredMethods()).isNotEmpty();
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void isRewrittenAsOneOfVersion51WithFramesOfItsOwn() {
        for (Frames frames : Frames.values()) {
            byte[] classFile = version50(frames, false);
            link(classFile);

            Rewritten rewritten = rewritten(classFile);

            assertThat(rewritten.changed()).as("rewritten, frames " + frames).isTrue();
            assertThat(version(rewritten.classFile())).isEqualTo(51);
            link(rewritten.classFile());
        }
    }

    @Test
    void framesThatAreWrongAreAnErrorOfVersion51() {
        byte[] raised = version50(Frames.WRONG, false);
        raised[7] = 51;
        assertThat(catchThrowable(() -> link(raised))).isInstanceOf(VerifyError.class);
    }

    @Test
    void oneWithASubroutineInAnotherMethodStaysAsItIs() {
        byte[] classFile = version50(Frames.RIGHT, true);
        link(classFile);

        Rewritten rewritten = rewritten(classFile);

        assertThat(rewritten.changed()).isFalse();
        assertThat(rewritten.classFile()).isSameAs(classFile);
        assertThat(rewritten.verdicts().values().stream()
                        .flatMap(List::stream)
                        .flatMap(verdict -> Optional.ofNullable(verdict.refusal()).stream())
                        .map(Refusal::reason))
                .isNotEmpty()
                .allMatch(reason -> reason.startsWith("class file version: 50, and no frames can be computed: "));
    }
}
