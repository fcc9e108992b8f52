package dev.cleave.agent.packed;

import java.util.List;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.RecordComponentNode;
import org.objectweb.asm.tree.TryCatchBlockNode;

/**
 * Leaves out of class files what only compilers, debuggers and reflection read: annotations, generic signatures, names of
 * variables and parameters, declared exceptions. Code and lines stay.
 */
final class SlimClasses {

    private SlimClasses() {}

    /** The class file without them. */
    static byte[] slim(byte[] classFile) {
        ClassNode read = new ClassNode();
        new ClassReader(classFile).accept(read, 0);
        read.signature = null;
        read.visibleAnnotations = null;
        read.invisibleAnnotations = null;
        read.visibleTypeAnnotations = null;
        read.invisibleTypeAnnotations = null;
        read.fields.forEach(SlimClasses::slim);
        read.methods.forEach(SlimClasses::slim);
        List<RecordComponentNode> components = read.recordComponents;
        if (components != null) {
            components.replaceAll(each -> new RecordComponentNode(each.name, each.descriptor, null));
        }
        ClassWriter written = new ClassWriter(0);
        read.accept(written);
        return written.toByteArray();
    }

    private static void slim(FieldNode field) {
        field.signature = null;
        field.visibleAnnotations = null;
        field.invisibleAnnotations = null;
        field.visibleTypeAnnotations = null;
        field.invisibleTypeAnnotations = null;
    }

    private static void slim(MethodNode method) {
        method.signature = null;
        method.exceptions = List.of();
        method.parameters = null;
        method.localVariables = null;
        method.visibleAnnotations = null;
        method.invisibleAnnotations = null;
        method.visibleTypeAnnotations = null;
        method.invisibleTypeAnnotations = null;
        method.visibleParameterAnnotations = null;
        method.invisibleParameterAnnotations = null;
        method.visibleAnnotableParameterCount = 0;
        method.invisibleAnnotableParameterCount = 0;
        method.visibleLocalVariableAnnotations = null;
        method.invisibleLocalVariableAnnotations = null;
        for (AbstractInsnNode insn : method.instructions) {
            insn.visibleTypeAnnotations = null;
            insn.invisibleTypeAnnotations = null;
        }
        for (TryCatchBlockNode block : method.tryCatchBlocks) {
            block.visibleTypeAnnotations = null;
            block.invisibleTypeAnnotations = null;
        }
    }
}
