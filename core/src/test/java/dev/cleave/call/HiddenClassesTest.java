package dev.cleave.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

class HiddenClassesTest {

    /** Knows the JDK and the interface, but not us. */
    private static final class Stranger extends ClassLoader {

        Stranger(ClassLoader parent) {
            super(parent);
        }

        Class<?> service() {
            ClassWriter writer = new ClassWriter(0);
            writer.visit(
                    Opcodes.V17,
                    Opcodes.ACC_PUBLIC | Opcodes.ACC_INTERFACE | Opcodes.ACC_ABSTRACT,
                    "far/Service",
                    null,
                    "java/lang/Object",
                    null);
            writer.visitEnd();
            byte[] bytes = writer.toByteArray();
            return defineClass("far.Service", bytes, 0, bytes.length);
        }
    }

    @Test
    void saysThatTheLoaderDoesNotSeeUs() {
        Class<?> service = new Stranger(null).service();

        assertThatThrownBy(() -> HiddenClasses.define(service, stubOf("far/Service")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("far.Service: its class loader does not see dev/cleave/call/Stub"
                        + " (make Cleave visible to the loader of the interface)");
    }

    @Test
    void definesClassesForInterfacesOfOtherLoaders() throws Exception {
        Class<?> service = new Stranger(HiddenClassesTest.class.getClassLoader()).service();

        Class<?> made = HiddenClasses.define(service, stubOf("far/Service")).getDeclaringClass();

        assertThat(made.getClassLoader()).isSameAs(service.getClassLoader());
        assertThat(made.getPackageName()).isEqualTo("far");
    }

    @Test
    void saysThatThePackageIsNotOpen() {
        assertThatThrownBy(
                        () -> HiddenClasses.define(java.util.function.Supplier.class, stubOf("java/util/function/X")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("java.util.function.Supplier: package java.util.function is not open to ")
                .hasMessageContaining("add 'opens java.util.function' to module-info of module java.base");
    }

    private static byte[] stubOf(String name) {
        ClassWriter writer = new ClassWriter(0);
        writer.visit(Opcodes.V17, Opcodes.ACC_FINAL, name + "$Made", null, "dev/cleave/call/Stub", null);
        MethodVisitor init = writer.visitMethod(0, "<init>", "()V", null, null);
        init.visitCode();
        init.visitInsn(Opcodes.ACONST_NULL);
        init.visitInsn(Opcodes.ATHROW);
        init.visitMaxs(1, 1);
        init.visitEnd();
        writer.visitEnd();
        return writer.toByteArray();
    }
}
