package dev.cleave.agent.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Loops that end, or branch, by results (R37, R38): ahead of that are only calls that may be started in vain. */
@Tag("one-jdk")
class SpeculativeLoopTest extends ProgramTests {

    private static final int N = 512;
    private static final int ONE_STAGE = N / 64 + 8;

    private void takes(String name, int atMost, String body) {
        conformance.addBody(name, body);
        test(name, () -> conformance.takes(name, N, atMost));
    }

    @TestFactory
    Stream<DynamicTest> programs() {
        exits();
        branches();
        traps();
        return tests();
    }

    private void exits() {
        takes("return-if-found", ONE_STAGE, "for (int i = 0; i < n; i++) if (s.tryInt(i) < 0) return i; return -1;");
        takes(
                "break-if-found",
                ONE_STAGE,
                "long t = 0; for (int i = 0; i < n; i++) { int v = s.tryInt(i); if (v == 14 || v > 5000) break; t = t * 5 + v; } return t;");
        takes(
                "break-and-work",
                ONE_STAGE,
                "StringBuilder l = new StringBuilder(); int i; for (i = 0; i < n; i++) { int v = s.tryInt(i); l.append(v); if (v > 5000) { l.append('B'); break; } l.append(','); } return l.append(i).toString();");
        takes("loop-while-result", ONE_STAGE, "int i = 0; while (s.tryInt(i) < 2800) { i++; } return i;");
        takes(
                "found-in-nest",
                40,
                "for (int y = 0; y < n / 2; y++) for (int x = 0; x < 2; x++) if (s.tryInt(y * 2 + x) > 3000) return y + \" \" + x; return -1;");
        takes(
                "exact-behind-speculative",
                2 * ONE_STAGE,
                "long t = 0; for (int i = 0; i < n; i++) { int v = s.tryInt(i); if (v > 5000) break; t = t * 3 + s.f(v); } return t;");
        takes(
                "first-that-answers",
                ONE_STAGE,
                "StringBuilder l = new StringBuilder(); for (int i = 0; i < n; i++) { try { int v = s.tryInt(i); l.append(v); if (v > 5000) break; } catch (RuntimeException e) { l.append('!'); } } return \"caught\" + l;");
    }

    private void branches() {
        takes(
                "guard-of-result-before",
                ONE_STAGE,
                "long t = 0; boolean go = true; for (int i = 0; i < n; i++) { if (go) { int v = s.tryInt(i); t = t * 3 + v; go = v % 5 != 3; } else { go = true; t++; } } return t;");
        takes(
                "continue-by-result-before",
                ONE_STAGE,
                "long t = 0; int v = 0; for (int i = 0; i < n; i++) { if (v % 7 == 4) { v = 0; t++; continue; } v = s.tryInt(i); t = t * 3 + v; } return t;");
        takes(
                "call-behind-an-assumed-one",
                2 * ONE_STAGE,
                "long t = 0; boolean go = true; for (int i = 0; i < n; i++) { if (go) { int v = s.tryInt(i); t = t * 3 + v; go = v % 5 != 3; } else { go = true; t++; } t = t * 7 + s.f(i); } return t;");
        takes(
                "assumed-call-behind-another",
                ONE_STAGE,
                "long t = 0; boolean go = true; for (int i = 0; i < n; i++) { if (go) { int v = s.tryInt(i); t = t * 3 + v; go = v % 5 != 3; } else { go = true; t++; } t = t * 7 + s.tryInt(i + 1000); } return t;");
        takes(
                "speculative-behind-result",
                2 * ONE_STAGE,
                "long t = 0; for (int i = 0; i < n; i++) if (s.f(i) % 2 == 0) t = t * 3 + s.tryInt(i); return t;");
    }

    private void traps() {
        sequential(
                "exit-and-plain-call",
                "long t = 0; for (int i = 0; i < n; i++) { t = t * 3 + s.f(i); if (t % 7 == 3) break; } return t;");
        same(
                "exit-by-plain-result-beside-speculative",
                "long t = 0; for (int i = 0; i < n; i++) { t = t * 3 + s.tryInt(i); if (s.f(i) > 30) break; } return t;");
        same(
                "counter-changed-by-result",
                "long t = 0; boolean go = true; for (int i = 0; i < n; i++) { if (go) { int v = s.tryInt(i); t = t * 3 + v; go = v % 5 != 3; } else { go = true; i += 2; } } return t;");
        same(
                "argument-changed-in-branch",
                "long t = 0; int k = 0; boolean go = true; for (int i = 0; i < n; i++) { if (go) { k++; int v = s.tryInt(k); t = t * 3 + v; go = v % 5 != 3; } else { go = true; } } return t;");
        same(
                "counter-of-inner-loop-changed-in-branch",
                "long t = 0; boolean go = true; for (int y = 0; y < n; y++) { int k = 1; for (int i = 0; i < 4; i++) { if (go) { k++; int v = s.tryInt(k); t = t * 3 + v; go = v % 5 != 3; } else { go = true; } } } return t;");
        same(
                "argument-chosen-by-result",
                "long t = 0; int v = 0; for (int i = 0; i < n; i++) { int k = v % 2 == 0 ? i : -i; v = s.tryInt(k); t = t * 3 + v; } return t;");
        same(
                "inner-exit-by-result",
                "long t = 0; for (int y = 0; y < n && y < 20; y++) for (int x = 0; x < 4; x++) { int v = s.tryInt(y * 4 + x); t = t * 3 + v; if (v % 5 == 3) break; } return t;");
        same(
                "labelled-exit-by-result",
                "long t = 0; outer: for (int y = 0; y < n && y < 20; y++) for (int x = 0; x < 4; x++) { int v = s.tryInt(y * 4 + x); t = t * 3 + v; if (v % 5 == 3) continue outer; if (v > 500) break outer; } return t;");
        same(
                "exit-then-plain-call",
                "long t = 0; for (int i = 0; i < n; i++) { int v = s.tryInt(i); if (v > 100) break; t = t * 3 + v; } return t + s.sync(1);");
        same(
                "loop-entered-again",
                "long t = 0; int i = 0; for (int k = 0; k < 3; k++) { while (i < n) { int v = s.tryInt(i++); t = t * 3 + v; if (v % 11 == 4) break; } t += k; } return t + i;");
        same(
                "iterator-of-two-entries",
                "List<Integer> xs = new ArrayList<>(); for (int i = 0; i < n; i++) xs.add(i); Iterator<Integer> it = xs.iterator(); long t = 0;\n"
                        + "for (int k = 0; k < 3; k++) { t += s.plain(k); while (it.hasNext()) { int v = s.tryInt(it.next()); t = t * 3 + v; if (v % 7 == 3) break; } } return t;");
        same(
                "iterator-used-behind-exit",
                "List<Integer> xs = new ArrayList<>(); for (int i = 0; i < n; i++) xs.add(i); long t = 0; Iterator<Integer> it = xs.iterator();\n"
                        + "while (it.hasNext()) { int v = s.tryInt(it.next()); t = t * 3 + v; if (v > 60) break; } while (it.hasNext()) t = t * 5 + it.next(); return t;");
    }

    @Test
    void overshootsByNoMoreThanTheWindow() {
        conformance.addBody("overshoot", "for (int i = 0; i < n; i++) if (s.tryInt(i) > 300) return i; return -1;");

        Outcome outcome = Outcome.of(conformance.programs().rewritten("p.POvershoot"), Schedule.ok(1), 1000);

        assertThat(outcome.result()).isEqualTo("value 28");
        assertThat(outcome.discarded()).isBetween(1, 64);
    }

    /** A call that the program leaves out would otherwise stand in the queue before all that it makes later. */
    @Test
    void discardsCallsThatTheProgramLeavesOutAndNoOthers() {
        conformance.addBody(
                "left-out",
                "int left = 0; boolean go = true; for (int i = 0; i < n; i++) { if (go) { int v = s.tryInt(i); go = v % 5 != 3; } else { go = true; left++; } left += s.tryInt(i + 1000) & 0; } return left;");

        Outcome outcome = Outcome.of(conformance.programs().rewritten("p.PLeftOut"), Schedule.ok(1), 100);

        assertThat(outcome.discarded()).isPositive();
        assertThat(outcome.result()).isEqualTo("value " + outcome.discarded());
    }
}
