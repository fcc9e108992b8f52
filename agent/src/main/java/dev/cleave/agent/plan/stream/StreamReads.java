package dev.cleave.agent.plan.stream;

import dev.cleave.agent.effect.Access;
import dev.cleave.agent.effect.Effect;
import dev.cleave.agent.effect.HeapRegion;
import dev.cleave.agent.ir.Register;
import dev.cleave.agent.plan.method.Function;
import dev.cleave.agent.plan.method.Helper;
import dev.cleave.agent.plan.method.Method;
import dev.cleave.agent.plan.placement.StreamPlan;
import dev.cleave.agent.plan.slice.Aliases;
import dev.cleave.agent.plan.verdict.Refused;
import dev.cleave.agent.rule.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The heap regions that must not change while a stream runs ahead, and those that the stream changes meanwhile (R33).
 */
final class StreamReads {

    private final Method method;
    private final HeapRegion source;
    private @Nullable HeapRegion behind;
    private final List<Access> reads = new ArrayList<>();
    private final List<Access> ofResults = new ArrayList<>(); // objects that were made after the stream
    private final List<Access> writes = new ArrayList<>();
    private final List<StreamPlan.Given> filled = new ArrayList<>();
    private final List<StreamPlan.Given> apart = new ArrayList<>();

    StreamReads(Method method, HeapRegion source) {
        this.method = method;
        this.source = source;
    }

    void reads(List<Access> places) {
        reads.addAll(places);
    }

    /**
     * Adds the reads of a function that calls. Arrays that it was made with are tested at run time, as the one that the stream
     * fills may be another one.
     *
     * @param made the op that makes it
     */
    void reads(Helper helper, Function function, int made, int stage) {
        HeapRegion own = behind;
        Set<Integer> arrays = own instanceof HeapRegion.Elements
                ? FunctionEffect.arrays(function, helper, method.helpers(), own)
                : Set.of();
        for (int captured : arrays) {
            apart.add(new StreamPlan.Given(stage, made, method.op(made).uses().get(captured), null));
        }
        for (Access read : helper.reads()) {
            boolean isTested = own != null
                    && !arrays.isEmpty()
                    && read.place() instanceof HeapRegion.Elements
                    && own.meets(read.place());
            if (!isTested) {
                reads.add(read);
            }
        }
    }

    /** Adds a place in the results of calls, which no object that the stream was made with can be. */
    void readsResults(HeapRegion place) {
        ofResults.add(new Access(place, null, null));
    }

    /** Notes that the end of the stream writes to its source, but only to elements whose function has run. */
    void writesBehind(@Nullable HeapRegion place) {
        behind = place;
    }

    /** Adds the effects of a function behind the calls. */
    void add(Pipeline.Stage stage, int made, FunctionEffect effect) {
        writes.addAll(effect.writes());
        for (int captured : effect.filled()) {
            filled.add(new StreamPlan.Given(
                    stage.op(), made, method.op(made).uses().get(captured), null));
        }
    }

    /**
     * Adds the reads of a helper that is run a second time for its result; refuses one whose second run has effects.
     */
    void look(Helper helper, int stage) throws Refused {
        Method code = method.helpers().method(helper.body());
        Aliases aliases = new Aliases(code, code.whole());
        boolean prints = false;
        for (int i = 0; i < code.graph().size(); i++) {
            Effect effect = code.effects().of(code.op(i));
            if (helper.slice().sends().contains(i)) {
                continue;
            }
            prints |= effect.output();
            for (Access read : effect.reads()) {
                Register base = read.base();
                int made = base == null ? -1 : code.whole().origin(i, base);
                if (made >= 0 && helper.slice().sends().contains(made) && code.helper(made) == null) {
                    readsResults(read.place());
                } else if (base == null || aliases.ownObject(i, base) < 0) {
                    reads.add(new Access(read.place(), null, null));
                }
            }
        }
        if (prints || !helper.writes().isEmpty()) {
            throw method.refused(
                    Rule.R69,
                    stage,
                    "the next call needs a result behind which the function has effects",
                    "move them to a function of their own");
        }
        for (Helper called : helper.called().values()) {
            look(called, stage);
        }
    }

    /** Returns the objects to which functions write, which are tested at run time. */
    List<StreamPlan.Given> filled() {
        return filled;
    }

    /** The arrays that functions read, which are tested at run time. */
    List<StreamPlan.Given> apart() {
        return apart;
    }

    void check(int end) throws Refused {
        HeapRegion own = behind;
        if (own != null && reads.stream().anyMatch(read -> own.meets(read.place()))) {
            throw changes(end, own);
        }
        for (Access write : writes) {
            boolean meetsSource = write.place().meets(source);
            boolean meetsRead = Stream.of(reads, ofResults)
                    .flatMap(List::stream)
                    .anyMatch(read -> write.place().meets(read.place()));
            if (meetsSource || meetsRead) {
                throw changes(end, write.place());
            }
        }
        boolean readsContents = reads.stream().anyMatch(read -> read.place().meets(new HeapRegion.Contents()));
        if (!filled.isEmpty() && readsContents) {
            throw method.refused(
                    Rule.R33, end, "the stream changes a collection, and a call needs one", "collect to a list");
        }
    }

    private Refused changes(int end, HeapRegion place) {
        return method.refused(
                Rule.R33,
                end,
                "the stream changes " + place + ", which a call sent ahead may need as it was",
                "collect the results, and use them afterwards");
    }
}
