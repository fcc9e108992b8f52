package dev.cleave.agent.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** A program that differs shrinks to the one statement that does. */
@Tag("one-jdk")
@DisabledForJreRange(min = JRE.JAVA_25, disabledReason = "nothing in it depends on the JDK")
class ShrinkerTest {

    private static final String PROGRAM = """
            package p;
            import dev.cleave.agent.fuzz.*;
            import java.util.*;
            public final class P extends FuzzProgram {
              private static int unused(int x) { return x; }
              @Override public Object run(FuzzService s, FuzzService t, int n, int[] a, List<Integer> xs)
                  throws Exception {
                int v = 3;
                for (int i = 0; i < n; i++) {
                  v += 7;
                  %s
                }
                try { v += xs.size(); } finally { f++; }
                return v;
              }
            }
            """;

    @Test
    void leavesOnlyWhatDiffers() {
        String source = PROGRAM.formatted("if (v > 0) { f = v + (int) System.nanoTime(); }");

        Shrinker.Shrunk shrunk = new Shrinker(1).shrink(source);

        assertThat(shrunk.source()).contains("System.nanoTime()").doesNotContain("unused", "v += 7", "xs.size()");
        assertThat(shrunk.lines()).isLessThan(shrunk.linesBefore());
        assertThat(shrunk.differences()).contains("heap: ");
    }

    @Test
    void saysThatNothingDiffers() {
        Shrinker.Shrunk shrunk = new Shrinker(1).shrink(PROGRAM.formatted("v += s.get(i);"));

        assertThat(shrunk.differences()).contains("does not differ");
    }

    @Test
    @Tag("full") // it waits for the end of its patience, again and again
    void endsProgramsThatDoNotEnd() {
        Shrinker.Shrunk shrunk =
                new Shrinker(1).shrink(PROGRAM.formatted("i = 0; v += s.get(1); f = (int) System.nanoTime();"));

        assertThat(shrunk.differences()).contains("does not differ");
    }
}
