package dev.cleave.agent.flow;

import dev.cleave.agent.ir.IrBuilder;
import dev.cleave.agent.ir.MethodBody;
import dev.cleave.agent.ir.Unsupported;
import dev.cleave.agent.scan.ClassFileSource;
import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodNode;

/** Real method bodies with loops, switches and handlers, small enough for brute force. */
public final class SampleBodies {

    private static final List<String> CLASSES = List.of(
            "org/assertj/core/util/Files",
            "org/assertj/core/util/diff/myers/MyersDiff",
            "org/assertj/core/internal/Strings",
            "org/junit/platform/commons/util/ReflectionUtils",
            "org/junit/jupiter/engine/descriptor/TestMethodTestDescriptor",
            "dev/cleave/agent/ir/IrBuilder",
            "dev/cleave/agent/dataflow/CertainEnd",
            "dev/cleave/agent/flow/LoopShapes");

    private SampleBodies() {}

    /** The bodies of at most this many ops. */
    public static List<MethodBody> ofAtMost(int ops) {
        List<MethodBody> bodies = new ArrayList<>();
        for (String name : CLASSES) {
            byte[] bytes = ClassFileSource.ofResources(SampleBodies.class.getClassLoader(), name);
            if (bytes == null) {
                throw new AssertionError("no class file of " + name);
            }
            ClassNode node = new ClassNode();
            new ClassReader(bytes).accept(node, 0);
            for (MethodNode method : node.methods) {
                if (method.instructions.size() > 0 && method.instructions.size() <= ops) {
                    try {
                        bodies.add(IrBuilder.build(name, node.version, method));
                    } catch (Unsupported refused) {
                        throw new AssertionError(name + "." + method.name + ": " + refused, refused);
                    }
                }
            }
        }
        return bodies;
    }
}
