package dev.cleave.agent.completeness;

import dev.cleave.agent.ir.ClassEmitter;
import dev.cleave.agent.ir.IrBuilder;
import dev.cleave.agent.ir.IrEmitter;
import dev.cleave.agent.ir.MethodBody;
import dev.cleave.agent.ir.Unsupported;
import dev.cleave.agent.scan.ClassFiles;
import dev.cleave.agent.scan.ClassHierarchy;
import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodNode;

/** Makes classes tell the {@link DataFlowClock} what they do. */
public final class ClockedClasses {

    static {
        // by this machine's clock a place may be faster as written, and would send nothing
        System.getProperties().putIfAbsent("cleave.comparison", "off");
    }

    private ClockedClasses() {}

    /**
     * An instrumented class file.
     *
     * @param files what its loader sees
     * @throws IllegalStateException if a method is too long for that
     */
    public static byte[] instrument(byte[] classFile, ClassFiles files) {
        ClassNode node = new ClassNode();
        new ClassReader(classFile).accept(node, ClassReader.EXPAND_FRAMES);
        List<MethodNode> clocked = new ArrayList<>();
        for (MethodNode method : node.methods) {
            if ((method.access & (Opcodes.ACC_ABSTRACT | Opcodes.ACC_NATIVE)) == 0 && !method.name.equals("<clinit>")) {
                clocked.add(clocked(node, method));
            }
        }
        ClassHierarchy hierarchy = new ClassHierarchy(files);
        hierarchy.add(classFile);
        ClassEmitter.Emitted emitted = new ClassEmitter(classFile, hierarchy).emit(clocked);
        if (!emitted.refused().isEmpty()) {
            throw new IllegalStateException(node.name + ": " + emitted.refused());
        }
        return emitted.classFile();
    }

    private static MethodNode clocked(ClassNode owner, MethodNode method) {
        try {
            MethodBody body = IrBuilder.build(owner.name, owner.version & 0xFFFF, method);
            ClockedMethod.instrument(body);
            return IrEmitter.emit(body);
        } catch (Unsupported e) {
            throw new IllegalStateException(owner.name + "." + method.name, e);
        }
    }
}
