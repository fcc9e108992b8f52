package dev.cleave.agent.plan.placement;

import dev.cleave.agent.ir.Register;
import dev.cleave.agent.plan.method.CrossClassGuard;
import dev.cleave.agent.plan.method.Helper;
import dev.cleave.agent.plan.method.PrefetchHelper;
import dev.cleave.agent.plan.method.ReadCall;
import dev.cleave.agent.plan.verdict.Verdict;
import java.util.BitSet;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.tree.FieldInsnNode;

/**
 * A stream that sends ahead (R64, R69); ops are named by their index.
 *
 * @param source the op that makes the stream
 * @param stages the stages that run ahead: all up to the last function that makes remote calls
 * @param end the op that runs the stream
 * @param hooks where something stands in the stream, in the order in which elements come by
 * @param filled the objects to which stages behind the first call write
 * @param apart the arrays that functions read, which must be others than the one that the stream fills
 * @param served the receivers of calls behind the first one, which must be stubs
 * @param window the most calls in flight
 * @param nest what its strands do, null if its functions are asked to send
 */
public record StreamPlan(
        int source,
        List<Stage> stages,
        int end,
        List<Hook> hooks,
        List<Given> filled,
        List<Given> apart,
        List<Given> served,
        int window,
        Mode mode,
        @Nullable StreamNest nest)
        implements CallPlacement {

    /** How calls are sent ahead. */
    public enum Mode {
        /** Sends exactly the calls that the program makes. */
        SPLIT,
        /** Sends calls on a guess, as far as the stream is certain to go on. */
        PREFETCHING,
        /** Sends calls on a guess, and guesses that the stream goes on: it sends none before the second element. */
        GUESSING
    }

    /**
     * Something that happens in front of a stage for each element.
     *
     * @param call the number of the calling function to which the stage gives the element next, {@link #STEP} or
     *     {@link #STALE}
     */
    public record Hook(int op, int call) {

        /** Some elements are run ahead. */
        public static final int STEP = -1;

        /** Code that the agent does not know runs next. */
        public static final int STALE = -2;
    }

    /**
     * A stage.
     *
     * @param kind the letter by which the core names its operation
     * @param callee the function that makes remote calls in it, null if it makes none
     * @param operand negative, or the number of the function among the arguments of the op, which makes a collector
     */
    public record Stage(int op, char kind, @Nullable Callee callee, int operand) {

        /** Makes a stage that is given its function itself. */
        public Stage(int op, char kind, @Nullable Callee callee) {
            this(op, kind, callee, -1);
        }

        /** Whether it has a function. */
        public boolean hasFunction() {
            return kind != 'L' && kind != 'D';
        }
    }

    /**
     * A function that makes remote calls.
     *
     * @param made the op that makes it
     * @param helper the function, if its call is split; null if not
     * @param ahead the function, if its calls are prefetched; null if not
     * @param reads the calls that are prefetched
     * @param doors the guards that it has to pass
     */
    public record Callee(
            int made,
            @Nullable Helper helper,
            @Nullable PrefetchHelper ahead,
            List<ReadCall> reads,
            List<CrossClassGuard> doors) {

        /** Copies its components. */
        public Callee {
            reads = List.copyOf(reads);
            doors = List.copyOf(doors);
        }

        /** Returns the key of its helper, null if it is a reference to the remote method. */
        public @Nullable String key() {
            if (helper != null) {
                return helper.key();
            }
            return ahead == null ? null : ahead.key();
        }
    }

    /**
     * An object that a function of the stream is made with.
     *
     * @param op the stage
     * @param made the op that makes the function of that stage
     * @param object holds it there; null for a static field
     * @param field the field of it that is meant, null for the object itself
     */
    public record Given(
            int op,
            int made,
            @Nullable Register object,
            @Nullable FieldInsnNode field) {}

    public StreamPlan {
        stages = List.copyOf(stages);
        hooks = List.copyOf(hooks);
        filled = List.copyOf(filled);
        apart = List.copyOf(apart);
        served = List.copyOf(served);
    }

    /** Whether it is no stream, but a call such as {@code forEach} that gives each element to its function. */
    public boolean isLoop() {
        return source == end;
    }

    /** Whether calls are prefetched. */
    public boolean isPrefetching() {
        return mode != Mode.SPLIT;
    }

    /** Returns nothing: its functions call, and the verdicts on them are theirs. */
    @Override
    public List<Integer> calls() {
        return List.of();
    }

    @Override
    public Verdict.Outcome outcome(int made) {
        return isPrefetching() ? Verdict.Outcome.PREFETCHED : Verdict.Outcome.PIPELINED;
    }

    @Override
    public BitSet closed() {
        return new BitSet();
    }

    @Override
    public List<Helper> splitFunctions() {
        return callees().stream()
                .flatMap(callee -> Stream.ofNullable(callee.helper()))
                .toList();
    }

    @Override
    public List<PrefetchHelper> prefetched() {
        return callees().stream()
                .flatMap(callee -> Stream.ofNullable(callee.ahead()))
                .toList();
    }

    /** The functions that call. */
    public List<Callee> callees() {
        return stages.stream()
                .map(Stage::callee)
                .filter(callee -> callee != null)
                .toList();
    }
}
