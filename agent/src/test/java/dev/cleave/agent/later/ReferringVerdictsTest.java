package dev.cleave.agent.later;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.agent.conformance.Compiler;
import dev.cleave.agent.plan.verdict.Verdict;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls with references as arguments are sent with those that return the references, and stay otherwise (R9, R50). */
@Tag("one-jdk")
class ReferringVerdictsTest {

    private static final Map<String, String> SOURCES = Map.of("p.Svc", """
            package p;
            import dev.cleave.*;
            @Remote @Async public interface Svc {
              Ref<int[]> make(int n);
              Ref<int[]> grow(Ref<int[]> r);
              int sum(Ref<int[]> r);
              int mixed(Ref<int[]> r, java.util.function.IntSupplier f, Hearer h);
              @Async(group = "g") int ofGroup(Ref<int[]> r);
              int plus(int a);
            }
            """, "p.Hearer", """
            package p;
            @dev.cleave.Remote public interface Hearer { void hear(int n); }
            """, "p.Caller", """
            package p;
            import dev.cleave.Ref;
            public class Caller {
              static int x;
              static int row(Svc s, Svc t) { return s.sum(t.grow(s.make(1))); }
              static int onlyOne(Svc s, Svc t) { Ref<int[]> r = s.make(1); return t.sum(r); }
              static int sameStub(Svc s, Svc t) { Ref<int[]> r = s.make(1); return s.sum(r) + s.sum(r); }
              static int own(Svc s, Ref<int[]> r) { return s.sum(r) + s.plus(1); }
              static int callback(Svc s, Hearer h) { return s.mixed(s.make(1), () -> 1, h); }
              static int group(Svc s, Svc t) { return s.ofGroup(s.make(1)); }
              static int freed(Svc s, Svc t) { Ref<int[]> r = s.make(1); r.free(); return s.sum(r); }
              static int other(Svc s, Svc t) { Ref<int[]> r = s.make(1); return s.sum(r) + t.sum(r); }
              static int behind(Svc s, Ref<int[]> own) {
                Ref<int[]> r = s.make(1); int a = s.sum(own); return a + s.sum(r) + s.plus(2);
              }
            }
            """);

    private static final Map<String, List<Verdict>> VERDICTS = new LaterPrograms(Compiler.compile(SOURCES), Set.of())
            .rewritten("p.Caller")
            .verdicts();

    private static List<Verdict> of(String method) {
        return VERDICTS.entrySet().stream()
                .filter(entry -> entry.getKey().startsWith(method + "("))
                .findFirst()
                .orElseThrow()
                .getValue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"row", "onlyOne", "sameStub"})
    void aReferenceThatACallReturnsIsPassedOn(String method) {
        assertThat(of(method)).allSatisfy(verdict -> assertThat(verdict.outcome())
                .as(verdict.toString())
                .isIn(Verdict.Outcome.SPLIT, Verdict.Outcome.PROMISED));
        assertThat(of(method)).extracting(Verdict::outcome).contains(Verdict.Outcome.PROMISED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"own", "callback", "group", "freed", "behind"})
    void otherReferencesStay(String method) {
        assertThat(of(method))
                .filteredOn(verdict -> verdict.call().matches("Svc.(sum|mixed|ofGroup)"))
                .isNotEmpty()
                .allSatisfy(verdict ->
                        assertThat(verdict.outcome()).as(verdict.toString()).isEqualTo(Verdict.Outcome.SEQUENTIAL));
    }

    @Test
    void twoStubsDoNotUseOneValueAtOnce() {
        assertThat(of("other"))
                .filteredOn(verdict -> verdict.call().equals("Svc.sum"))
                .extracting(Verdict::outcome)
                .containsExactly(Verdict.Outcome.PROMISED, Verdict.Outcome.SEQUENTIAL);
    }
}
