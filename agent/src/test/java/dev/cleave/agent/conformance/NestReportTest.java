package dev.cleave.agent.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.agent.plan.verdict.Overlap;
import dev.cleave.agent.plan.verdict.Verdict;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests that verdicts tell which calls of a nest wait for which others (R71, R72). */
@Tag("one-jdk")
class NestReportTest {

    private final Conformance conformance = new Conformance();

    private List<Overlap> nests(String name, String body) {
        conformance.addBody(name, body);
        return conformance.verdicts(name).stream()
                .map(Verdict::overlap)
                .filter(Objects::nonNull)
                .toList();
    }

    private static String text(Overlap.Step step) {
        return step.depth() + (step.follows() ? " > " : " ") + step.call() + " " + step.waitsFor();
    }

    @Test
    void callsOfANestWaitForTheResultsThatTheyNeed() {
        List<Overlap> nests = nests(
                "report",
                "long t = 0; for (int c = 0; c < n; c++) { String name = s.s(\"n\" + c); for (int id : s.row(c)) t += order(s, id) + name.length(); } return t; }\n"
                        + "private static long order(Svc s, int id) { long o = 0; for (int sku : s.row(id + 1)) o += s.g(sku); return o;");

        assertThat(nests).singleElement().satisfies(nest -> {
            assertThat(nest.steps())
                    .extracting(NestReportTest::text)
                    .containsExactly("1 Svc.s []", "1 Svc.row []", "2 Svc.row [Svc.row]", "3 Svc.g [Svc.row]");
            assertThat(nest.steps().get(3).place()).isEqualTo("p.PReport.order");
            assertThat(nest.length()).isEqualTo(3);
            assertThat(nest.stays()).isEmpty();
            assertThat(Objects.requireNonNull(nest.last()).call()).isEqualTo("Svc.g");
        });
    }

    @Test
    void callOfAChainFollowsTheOneBefore() {
        List<Overlap> nests = nests(
                "pages",
                "int at = 1; long t = 0; for (int k = 0; k < n; k++) { at = s.f(at) % 50; for (int id : s.row(at)) t = t * 3 + s.g(id); } return t;");

        assertThat(nests).singleElement().satisfies(nest -> {
            assertThat(nest.steps())
                    .extracting(NestReportTest::text)
                    .containsExactly("1 > Svc.f [Svc.f]", "2 Svc.row [Svc.f]", "3 Svc.g [Svc.row]");
            assertThat(Objects.requireNonNull(nest.last()).call()).isEqualTo("Svc.f");
        });
    }

    @Test
    void nextLevelOfARecursionWaitsForTheOneBefore() {
        List<Overlap> nests = nests(
                "walk",
                "return walk(s, 0, n) + 1; }\n"
                        + "private static long walk(Svc s, int x, int n) { long t = s.f(x); for (int c : s.row(2 * x + 1)) if (c < n) t = t * 3 + walk(s, c, n); return t;");

        assertThat(nests).singleElement().satisfies(nest -> {
            assertThat(nest.shape()).isEqualTo(Overlap.Shape.RECURSION);
            assertThat(nest.steps()).extracting(NestReportTest::text).containsExactly("1 Svc.f []", "1 > Svc.row []");
        });
    }

    @Test
    void callsThatStayAreNamedWithTheReason() {
        List<Overlap> nests = nests(
                "stays",
                "long t = 0; for (int c = 0; c < n; c++) for (int id : s.row(c)) { t = t * 3 + s.g(id); t += s.plain((int) t & 7); } return t;");

        assertThat(nests)
                .allSatisfy(nest ->
                        assertThat(nest.stays()).extracting(Overlap.Stay::call).contains("Svc.plain"));
    }
}
