package dev.cleave.agent.ir;

import dev.cleave.agent.scan.ClassFileSource;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodNode;

/** Bodies and class files of test classes. */
final class Bodies {

    private Bodies() {}

    static byte[] classFile(Class<?> type) {
        byte[] bytes = ClassFileSource.ofResources(
                type.getClassLoader(), type.getName().replace('.', '/'));
        if (bytes == null) {
            throw new AssertionError("no class file of " + type);
        }
        return bytes;
    }

    static ClassNode node(byte[] classFile) {
        ClassNode node = new ClassNode();
        new ClassReader(classFile).accept(node, ClassReader.SKIP_FRAMES);
        return node;
    }

    static MethodNode method(ClassNode node, String name) {
        return node.methods.stream()
                .filter(method -> method.name.equals(name))
                .findFirst()
                .orElseThrow();
    }

    static MethodBody of(Class<?> type, String name) {
        ClassNode node = node(classFile(type));
        try {
            return IrBuilder.build(node.name, node.version, method(node, name));
        } catch (Unsupported e) {
            throw new AssertionError(e);
        }
    }
}
