package dev.cleave.agent.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Programs that were generated, or stand beside such ones, and once did something else than as written. */
@Tag("one-jdk")
class FormerDifferencesTest {

    private static final String FRAME = """
            package p;

            import dev.cleave.agent.fuzz.*;
            import java.util.*;

            public final class %s extends FuzzProgram {
              @Override public Object run(FuzzService s, FuzzService t, int n, int[] a, List<Integer> xs) throws Exception {
                int v0 = n, v1 = 1, v2 = 2;
                %s
                return v0 + "," + v1 + "," + v2;
              }
            }
            """;

    /** Without line numbers nothing stands between an element and the head of the loop for it: each step made a pass. */
    private static final Map<String, String> PASSES = Map.of(
            "EmptyInnerLoop",
            "for (int o : xs) { for (int i = 0; i < o; i++) { } if (s.flag(o)) break; v0 += s.get(o); }",
            "InnerLoops",
            "for (int o : xs) { for (int i = 0; i < o; i++) v1 += i; if (s.flag(o)) break; for (int i = 0; i < 3; i++) v0 += s.get(o + i); }",
            "InnerCondition",
            "for (int o : xs) { v1++; for (int i = 0; i < o; i++) if (v1 == 7) v2++; if (s.flag(o)) break; v0 += s.get(o); }",
            "GuessedCall",
            "for (int o : xs) { for (int i = 0; i < o; i++) { } if (s.perhaps(1)) if (v0 == 2) break; }",
            "InnerWhile",
            "for (int o : xs) { while (v2 < o) v2++; if (s.flag(v2)) break; v0 = v0 * 3 + s.get(o); }");

    private final TwoForms.Factory factory = new TwoForms.Factory();

    @Test
    void aPassBeginsOnceBeforeAnInnerLoop() {
        assertThat(differences(PASSES)).isEmpty();
    }

    private List<String> differences(Map<String, String> bodies) {
        Map<String, String> sources = new HashMap<>();
        bodies.forEach((name, body) -> sources.put(TwoForms.PACKAGE + '.' + name, String.format(FRAME, name, body)));
        List<String> differences = new ArrayList<>();
        for (boolean isDebug : List.of(true, false)) {
            Map<String, byte[]> classes = factory.compile(sources, isDebug);
            sources.keySet().forEach(name -> {
                TwoForms forms = factory.of(name, classes);
                for (ProgramRun.Setting setting : FuzzBatch.settings(name.hashCode())) {
                    for (String found : forms.rewritten(setting).differences(forms.written(setting))) {
                        differences.add(
                                name + (isDebug ? "" : " without debug information") + ", " + setting + ": " + found);
                    }
                }
            });
        }
        return differences;
    }
}
