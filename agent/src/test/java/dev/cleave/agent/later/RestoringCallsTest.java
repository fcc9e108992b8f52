package dev.cleave.agent.later;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.agent.conformance.Compiler;
import dev.cleave.agent.plan.verdict.Verdict;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Which calls that change arrays or objects of their caller stay where they are written, and nothing passes them (R9, R75). */
class RestoringCallsTest {

    private static final Map<String, String> SOURCES = Map.of("p.Svc", """
            package p;
            import dev.cleave.*;
            @Remote public interface Svc {
              @Async int sort(@InOut int[] values);
              @Async int fill(@Out int[] values);
              @Async int plus(int a);
              @Async int swap(@InOut java.util.List<String> values);
              @Async int rows(@Out Object[] values);
              int quiet(@Out int[] values);
              @Chained int linked(@InOut int[] values);
              @Pure int first(@InOut int[] values);
            }
            """, "p.Caller", """
            package p;
            public class Caller {
              static int after(Svc s, int[] a) { s.sort(a); return s.plus(a[0]); }
              static int before(Svc s, int[] a) { int x = s.plus(1); s.fill(a); return x + s.plus(2); }
              static int list(Svc s, java.util.List<String> a) { int x = s.plus(1); s.swap(a); return x + s.plus(2); }
              static int objects(Svc s, Object[] a) { int x = s.plus(1); s.rows(a); return x + s.plus(2); }
              static int styleless(Svc s, int[] a) { int x = s.plus(1); s.quiet(a); return x + s.plus(2); }
              static int chained(Svc s, int[] a) { int x = s.plus(1); s.linked(a); return x + s.plus(2); }
              static int loop(Svc s, int[] a) { int t = 0; for (int i = 0; i < 9; i++) { t += s.sort(a) + s.plus(a[0]); } return t; }
              static int pure(Svc s, int[] a) { int t = 0; for (int i = 0; i < 9; i++) { t += s.first(a); a[1]++; } return t; }
              static int free(Svc s, int[] a) { return s.plus(1) + s.plus(2); }
            }
            """);

    @Test
    void whatStaysIsSequentialAndTheReportSaysWhy() {
        Map<String, List<Verdict>> verdicts = new LaterPrograms(Compiler.compile(SOURCES), Set.of())
                .rewritten("p.Caller")
                .verdicts();

        for (String method : List.of("after([I", "list(Ljava/util/List;", "objects([Ljava/lang/Object;")) {
            assertThat(verdicts.get(method.replace("(", "(Lp/Svc;") + ")I"))
                    .as(method)
                    .allSatisfy(verdict -> {
                        assertThat(verdict.outcome()).isEqualTo(Verdict.Outcome.SEQUENTIAL);
                        if (!verdict.call().contains("plus")) {
                            assertThat(verdict.toString())
                                    .contains("the call changes an argument of the caller (@Out or @InOut)");
                        }
                    });
        }
        for (String method : List.of("loop", "pure")) {
            assertThat(verdicts.get(method + "(Lp/Svc;[I)I")).as(method).allSatisfy(verdict -> {
                assertThat(verdict.outcome()).isEqualTo(Verdict.Outcome.SEQUENTIAL);
                assertThat(verdict.refusal().reason())
                        .contains(
                                verdict.call().contains("plus")
                                        ? "which a call sent ahead may need as it was"
                                        : "it may change the same array in each pass");
            });
        }
        for (String method : List.of("styleless", "chained")) {
            assertThat(verdicts.get(method + "(Lp/Svc;[I)I"))
                    .as(method)
                    .allSatisfy(verdict -> assertThat(verdict.outcome()).isEqualTo(Verdict.Outcome.SEQUENTIAL));
        }
        assertThat(verdicts.get("before(Lp/Svc;[I)I"))
                .extracting(Verdict::outcome)
                .containsExactly(Verdict.Outcome.SPLIT, Verdict.Outcome.SPLIT, Verdict.Outcome.SPLIT);
        assertThat(verdicts.get("free(Lp/Svc;[I)I"))
                .extracting(Verdict::outcome)
                .contains(Verdict.Outcome.SPLIT);
    }
}
