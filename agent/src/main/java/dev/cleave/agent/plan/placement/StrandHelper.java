package dev.cleave.agent.plan.placement;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * A helper whose calls are sent by the strands of its callers, with the rows of its calls. Rows count from the first
 * row that a caller names.
 *
 * @param owner internal name of the class that declares it
 * @param calls by instruction, for remote calls their row, for calls of helpers the first one of that helper's
 * @param called the helpers that it calls, by instruction
 * @param walks those of the calls that call a method which calls itself
 * @param mappings the functions that fill maps with calls, by instruction
 * @param keys for the remote calls whose results it puts into maps by hand: what asks the map for the key
 * @param functions the lambda expressions that it is given and calls, with their first rows; it is not rewritten if there are any
 * @param rows how many rows it has
 */
public record StrandHelper(
        String owner,
        MethodNode method,
        Map<AbstractInsnNode, Integer> calls,
        Map<AbstractInsnNode, StrandHelper> called,
        Set<AbstractInsnNode> walks,
        Map<AbstractInsnNode, MapFilling> mappings,
        Map<AbstractInsnNode, AbstractInsnNode> keys,
        List<Given> functions,
        int rows) {

    /** How the names of methods begin that stand for method references, and which no class has. */
    public static final String REFERENCE = "reference$";

    /** A lambda expression, and its first row. */
    public record Given(StrandHelper helper, int row) {}

    /** Whether it stands for a method reference. */
    public boolean isReference() {
        return method.name.startsWith(REFERENCE);
    }

    /** Whether it, or a helper that it calls, fills a map. */
    public boolean fillsMap() {
        return !mappings.isEmpty()
                || !keys.isEmpty()
                || called.values().stream().anyMatch(StrandHelper::fillsMap);
    }
}
