package dev.cleave.agent.plan.stream;

import dev.cleave.agent.effect.HeapRegion;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.MethodInsnNode;

/**
 * A stream as the program's text has it, from its source to its end; ops are named by their index.
 *
 * @param source the op that makes the stream
 * @param reads the heap region from which it takes its elements; a cursor if they cannot change
 * @param stages the operations on it, in order; the last one runs it
 */
record Pipeline(int source, HeapRegion reads, List<Stage> stages) {

    /**
     * One operation of a stream.
     *
     * @param functions for each argument the op that makes it, -1 if that is not known
     */
    record Stage(int op, MethodInsnNode call, List<Integer> functions) {

        /** The stage of a function whose stage is not known. */
        static final Stage NOWHERE =
                new Stage(-1, new MethodInsnNode(Opcodes.INVOKEINTERFACE, "", "", "()V", true), List.of());

        Stage {
            functions = List.copyOf(functions);
        }

        String name() {
            return call.name;
        }
    }

    Pipeline {
        stages = List.copyOf(stages);
    }

    /** Returns the stage to which the function of an op is given. */
    Stage stageOf(int function) {
        for (Stage stage : stages) {
            if (stage.functions().contains(function)) {
                return stage;
            }
        }
        if (end().name().equals("collect")) {
            return end(); // its collector is given the function
        }
        throw new IllegalArgumentException("function: " + function + " (expected: one of " + stages + ")");
    }

    /** Returns the heap region that the end of the stream writes, one element at a time, null if it writes none. */
    @Nullable
    HeapRegion writes() {
        return switch (end().name()) {
            case "replaceAll", "removeIf" -> new HeapRegion.Contents();
            case "setAll" -> elements(end().call().desc.charAt(2));
            default -> null;
        };
    }

    private static HeapRegion elements(char kind) {
        return new HeapRegion.Elements(kind == 'L' ? 'A' : kind);
    }

    Stage end() {
        return stages.get(stages.size() - 1);
    }

    /**
     * Whether a stage gets its elements only when all functions of an earlier one have run: a comparator sorts them in between. A stream
     * sorted by nature may pass on elements of a sorted source at once.
     */
    boolean isBehindSort(Stage stage, Stage calling) {
        return stages.subList(stages.indexOf(calling) + 1, stages.indexOf(stage)).stream()
                .anyMatch(each ->
                        each.name().equals("sorted") && !each.functions().isEmpty());
    }

    /** The stages in front of one. */
    List<Stage> before(Stage stage) {
        return stages.subList(0, stages.indexOf(stage));
    }
}
