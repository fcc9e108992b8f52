package dev.cleave.agent.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.agent.rule.Rule;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/** A program reads its own writes, and no later ones (R24): a call that may change never overlaps one that reads. */
@Tag("one-jdk")
class OwnWritesTest extends ProgramTests {

    @TestFactory
    Stream<DynamicTest> programs() {
        rows();
        loops();
        helpers();
        streams();
        return tests();
    }

    private void rows() {
        sequential("write-then-read", Rule.R60, "s.set(1, n + 5); int a = s.load(1); return a;");
        sequential("read-then-write", "int a = s.load(1); int b = s.set(1, n + 5); return a * 31 + b;");
        sequential("write-then-read-with-age", "s.set(1, n + 5); return s.peek(1);");
        sequential(
                "writes-and-reads",
                "s.set(1, 5); int a = s.load(1); s.set(1, 6); int b = s.peek(1); return a * 31 + b;");
        sequential("write-then-read-of-another-stub", "s.set(1, n + 5); return z.load(1);");
        sequential(
                "write-then-read-in-a-branch",
                "int a = s.set(1, n); int b = 0; if (n > 1) b = s.load(1); return a + b;");
        same(
                "three-with-a-read-between",
                "int a = s.set(1, n); int b = s.load(1); int c = s.set(1, 9); return a + b * 31 + c;");
        same("write-awaited-late", "int a = s.set(1, n); int c = s.f(2); int b = s.load(1); return a * 31 + b + c;");
        overlaps("writes-beside-each-other", "int a = s.set(1, n); int b = s.set(2, n); return a * 31 + b;");
        overlaps("reads-beside-each-other", "int a = s.load(1); int b = s.load(2); return a * 31 + b;");
        overlaps("write-beside-pure", "int a = s.set(1, n); int b = s.pure(2); return a * 31 + b;");
        overlaps(
                "write-of-a-group-beside-read-of-another",
                "int a = s.putDesk(1, n); int b = s.shelf(2); return a + b;");
        sequential("write-without-group-then-read-of-a-group", "s.set(1, n); return s.shelf(1);");
        sequential("write-of-a-group-then-read-without", "s.putDesk(1, n); return s.load(1);");
        add("write-of-a-group-and-read-without", "int a = s.putDesk(1, n); int b = s.load(1); return a + b;");
        test("write-of-a-group-and-read-without", () -> {
            conformance.staysSequential("write-of-a-group-and-read-without");
            assertThat(conformance.verdicts("write-of-a-group-and-read-without"))
                    .anySatisfy(verdict -> {
                        assertThat(verdict.refusal()).isNotNull();
                        assertThat(verdict.refusal().reason()).isEqualTo("Svc.putDesk may change what Svc.load reads");
                        assertThat(verdict.refusal().advice())
                                .contains("give both a group")
                                .endsWith("Svc.putDesk has \"desk\", Svc.load has none");
                    });
        });
    }

    private void loops() {
        sequential(
                "write-and-read-in-loop",
                Rule.R24,
                "int t = 0; for (int i = 0; i < n; i++) { s.set(1, i); t = t * 31 + s.load(1); } return t;");
        sequential(
                "read-and-write-in-loop",
                "int t = 0; for (int i = 0; i < n; i++) { t = t * 31 + s.load(i & 1); s.set(1, i); } return t;");
        sequential(
                "read-with-age-and-write-in-loop",
                "int t = 0; for (int i = 0; i < n; i++) { t = t * 31 + s.peek(1); s.set(1, t & 7); } return t;");
        overlaps(
                "pure-beside-both-in-loop",
                "int t = 0; for (int i = 0; i < n; i++) { s.set(1, i); t = t * 31 + s.load(1) + s.pure(i); } return t;");
        same(
                "write-in-loop-read-behind",
                "int t = 0; for (int i = 0; i < n; i++) s.set(i, i + 1); for (int i = 0; i < n; i++) t = t * 31 + s.load(i); return t;");
        same(
                "write-in-inner-loop",
                "int t = 0; for (int i = 0; i < n; i++) { t = t * 31 + s.load(i & 1); for (int k = 0; k < 2; k++) s.set(k, i + k); } return t;");
        overlaps("writes-in-loop", "int t = 0; for (int i = 0; i < n; i++) t = t * 31 + s.set(i, i); return t;");
        overlaps("reads-in-loop", "int t = 0; for (int i = 0; i < n; i++) t = t * 31 + s.load(i); return t;");
    }

    private void helpers() {
        String write = "static int write(Svc s, int k, int v) { return s.set(k, v) + 1; }\n";
        String read = "static int read(Svc s, int k) { return s.load(k) + 1;";
        sequential(
                "write-then-read-in-helpers",
                "int a = write(s, 1, n); int b = read(s, 1); return a * 31 + b; }\n" + write + read);
        sequential(
                "write-then-read-in-helpers-in-loop",
                "int t = 0; for (int i = 0; i < n; i++) { t += write(s, 1, i); t = t * 31 + read(s, 1); } return t; }\n"
                        + write + read);
        sequential(
                "one-helper-of-both",
                "int t = 0; for (int i = 0; i < n; i++) t = t * 31 + both(s, i); return t; }\n"
                        + "static int both(Svc s, int i) { int a = s.set(1, i); return a + s.load(1);");
        same(
                "one-helper-of-either",
                "int t = 0; for (int i = 0; i < n; i++) t = t * 31 + either(s, i); return t; }\n"
                        + "static int either(Svc s, int i) { return (i & 1) == 0 ? s.set(1, i) : s.load(1);");
        overlaps(
                "writes-in-helpers",
                "int a = write(s, 1, n); int b = write(s, 2, n); return a * 31 + b; }\n" + write + read);
    }

    private void streams() {
        String list = "List<Integer> x = new ArrayList<>(); for (int i = 0; i < n; i++) x.add(i); ";
        sequential(
                "write-and-read-in-stages",
                list + "return x.stream().map(i -> s.set(1, i)).map(i -> s.load(1)).toList();");
        sequential(
                "write-and-read-in-one-stage",
                list + "return x.stream().map(i -> { s.set(1, i); return s.load(1); }).toList();");
        overlaps("writes-in-a-stream", list + "return x.stream().map(i -> s.set(i, i)).toList();");
    }
}
