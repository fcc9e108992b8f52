package dev.cleave.agent.transform;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.agent.conformance.Compiler;
import dev.cleave.agent.plan.verdict.Verdict;
import dev.cleave.agent.rule.Rule;
import dev.cleave.agent.scan.CallSetting;
import dev.cleave.agent.scan.ClassFileSource;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** An exception of the agent costs the method on which it fails, and no other; and is told. */
class AgentDefectTest {

    private static final Map<String, byte[]> COMPILED = Compiler.compile(Map.of("p.Two", """
            package p;
            import dev.cleave.agent.conformance.Svc;
            public class Two {
                static int odd(Svc s, int x) {
                    int a = s.f(x);
                    int b = Odd.twice(x);
                    return a + b + s.f(b);
                }
                static int even(Svc s, int x) {
                    int a = s.f(x);
                    int b = s.f(x + 1);
                    return a + b;
                }
            }
            class Odd {
                static int twice(int x) { return 2 * x; }
            }
            """));

    @Test
    void costsTheMethodAloneAndIsTold() {
        ClassRewriter rewriter = new ClassRewriter(
                AgentDefectTest::read,
                (owner, name, descriptor) -> owner.endsWith("/Svc") ? CallSetting.async(8) : null);

        Rewritten rewritten = rewriter.rewrite(COMPILED.get("p.Two"));

        assertThat(rewritten.defects())
                .singleElement()
                .asString()
                .startsWith("odd: java.lang.IllegalStateException: a defect at dev.cleave.agent.");
        assertThat(of(rewritten, "odd"))
                .allSatisfy(verdict -> assertThat(verdict.refusal().rule()).isEqualTo(Rule.R52));
        assertThat(of(rewritten, "even"))
                .allSatisfy(verdict -> assertThat(verdict.outcome()).isEqualTo(Verdict.Outcome.SPLIT));
    }

    private static byte @Nullable [] read(String name) {
        if (name.equals("p/Odd")) {
            throw new IllegalStateException("a defect");
        }
        byte[] own = COMPILED.get(name.replace('/', '.'));
        return own == null ? ClassFileSource.ofResources(AgentDefectTest.class.getClassLoader(), name) : own;
    }

    private static List<Verdict> of(Rewritten rewritten, String method) {
        List<Verdict> found = rewritten.verdicts().entrySet().stream()
                .filter(entry -> entry.getKey().startsWith(method + "("))
                .flatMap(entry -> entry.getValue().stream())
                .toList();
        assertThat(found).isNotEmpty();
        return found;
    }
}
