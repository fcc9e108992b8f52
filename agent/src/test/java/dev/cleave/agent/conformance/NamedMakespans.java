package dev.cleave.agent.conformance;

import dev.cleave.agent.completeness.Makespan;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/** How long the named programs of the conformance tests take in virtual time; chains have none in {@link TimedService}. */
public final class NamedMakespans {

    private static final List<Supplier<ProgramTests>> TESTS = List.of(
            StraightLineTest::new,
            AwaitTest::new,
            BarrierTest::new,
            SpeculationTest::new,
            ConstructorTest::new,
            LoopTest::new,
            LoopRuleTest::new,
            LoopStageTest::new,
            LoopTrapTest::new,
            SpeculativeLoopTest::new,
            NestTest::new,
            HelperTest::new,
            StreamTest::new,
            StretchTest::new,
            PrefetchTest::new,
            PrefetchHelperTest::new,
            OwnWritesTest::new,
            AdversaryTest::new,
            AttackTest::new,
            CertainEndTest::new,
            OrdinaryShapesTest::new,
            GivenFunctionTest::new,
            StrandTest::new,
            StrandTrapTest::new,
            StrandArrayTest::new,
            StrandChainTest::new,
            StrandQueueTest::new,
            StrandHandlerTest::new,
            StrandLineTest::new,
            StrandCacheTest::new,
            RecursionTest::new);

    private NamedMakespans() {}

    /** Those of the programs of each test class that come to an end by themselves. */
    public static Map<String, List<Makespan>> ofClasses(int n) {
        Map<String, List<Makespan>> all = new TreeMap<>();
        for (Supplier<ProgramTests> maker : TESTS) {
            ProgramTests tests = maker.get();
            tests.prepare();
            List<Makespan> found = new ArrayList<>();
            for (String program : tests.conformance.names()) {
                try {
                    found.add(tests.conformance.programs().makespan(program, n));
                } catch (AssertionError | IllegalStateException e) { // throws an exception, or is too long for a clock
                    continue;
                }
            }
            all.put(tests.getClass().getSimpleName(), found);
        }
        return all;
    }
}
