package dev.cleave.agent.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.agent.rule.Rule;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** R1: calls in constructors and class initialisers. */
class ConstructorTest extends ProgramTests {

    /** The program is the class itself: {@code make} in the body makes one. */
    private static String made(String className, String members) {
        return "return new " + className + "(s, n).toString(); }\n" + members + "\nstatic void end() {";
    }

    @TestFactory
    Stream<DynamicTest> patterns() {
        overlaps(
                "two-calls",
                made(
                        "PTwoCalls",
                        "int a; int b; PTwoCalls(Svc s, int n) { a = s.f(n); b = s.g(n); } public String toString() { return a + \",\" + b; }"));
        overlaps(
                "final-fields",
                made(
                        "PFinalFields",
                        "final int a; final int b; PFinalFields(Svc s, int n) { a = s.f(n); b = s.g(2); } public String toString() { return a + \",\" + b; }"));
        overlaps(
                "delegating",
                made(
                        "PDelegating",
                        "int a; int b; PDelegating(int x) { b = x; } PDelegating(Svc s, int n) { this(n); a = s.f(n); b += s.g(n); } public String toString() { return a + \",\" + b; }"));
        overlaps(
                "field-initialisers",
                made(
                        "PFieldInitialisers",
                        "int k = 3; int a; int b; PFieldInitialisers(Svc s, int n) { a = s.f(k); b = s.g(n + k); } public String toString() { return a + \",\" + b; }"));
        overlaps(
                "loop-in-constructor",
                made(
                        "PLoopInConstructor",
                        "int t; PLoopInConstructor(Svc s, int n) { for (int i = 0; i < n; i++) t = t * 3 + s.f(i); } public String toString() { return \"\" + t; }"));
        overlaps(
                "catch-in-constructor",
                made(
                        "PCatchInConstructor",
                        "int a; String b = \"\"; PCatchInConstructor(Svc s, int n) { try { a = s.f(n); a += s.g(n); } catch (RuntimeException e) { b = \"caught\"; } } public String toString() { return a + b; }"));
        overlaps(
                "record",
                "return new R(s, n).toString(); }\nrecord R(int a, int b) { R(Svc s, int n) { this(n, n); int x = s.f(a); int y = s.g(b); if (x == y) throw new IllegalStateException(); } ");
        sequential(
                "argument-of-super",
                made(
                        "PArgumentOfSuper",
                        "static class Base { int x; Base(int a, int b) { x = a * 31 + b; } } static class Sub extends Base { Sub(Svc s, int n) { super(s.f(n), s.g(n)); } } int x; PArgumentOfSuper(Svc s, int n) { x = new Sub(s, n).x; } public String toString() { return \"\" + x; }"));
        same(
                "conditional-argument-of-super",
                made(
                        "PConditionalArgumentOfSuper",
                        "static class Base { int x; Base(int a) { x = a; } } static class Sub extends Base { Sub(Svc s, int n) { super(n > 1 ? s.f(n) : s.g(n)); x += s.f(1) + s.g(2); } } int x; PConditionalArgumentOfSuper(Svc s, int n) { x = new Sub(s, n).x; } public String toString() { return \"\" + x; }"));
        same(
                "final-field-read-by-slice",
                made(
                        "PFinalFieldReadBySlice",
                        "final int k; int a; int b; PFinalFieldReadBySlice(Svc s, int n) { a = s.f(n); k = n + 5; b = s.g(this.k); } public String toString() { return a + \",\" + b; }"));
        same(
                "final-field-read-by-helper",
                made(
                        "PFinalFieldReadByHelper",
                        "final int k; int a; int b; PFinalFieldReadByHelper(Svc s, int n) { a = s.f(n); k = n + 5; b = s.g(key()); } private int key() { return k; } public String toString() { return a + \",\" + b; }"));
        same(
                "final-field-read-by-lambda",
                made(
                        "PFinalFieldReadByLambda",
                        "final int k; int a; int b; PFinalFieldReadByLambda(Svc s, int n) { a = s.f(n); k = n + 5; java.util.function.IntSupplier q = () -> this.k; b = s.g(q.getAsInt()); } public String toString() { return a + \",\" + b; }"));
        same(
                "failure-leaves-field",
                made(
                        "PFailureLeavesField",
                        "static int seen; int a; PFailureLeavesField(Svc s, int n) { a = 1; seen = 1; try { s.f(n); int k = 0; for (int i = 0; i < 9; i++) k += i; a = k; s.g(n); } catch (RuntimeException e) { seen = a; } } public String toString() { return \"caught\" + a + seen; }"));
        sequential(
                "class-initialiser",
                "Holder.service.set(s); try { return Holder.x; } catch (LinkageError e) { return \"caught\"; } }\nstatic class Holder { static final ThreadLocal<Svc> service = new ThreadLocal<>(); static int x = 3; ");
        test("class-initialiser-verdict", () -> {
            Conformance one = new Conformance();
            one.add(
                    "class-initialiser-verdict",
                    "static Svc s = new LocalSvc(); static int x = s.f(1) + s.f(2);\npublic static Object run(Svc s, Svc z, int n) { return x; }");
            assertThat(one.verdicts("class-initialiser-verdict")).hasSize(2).allSatisfy(verdict -> {
                assertThat(verdict.refusal()).isNotNull();
                assertThat(verdict.refusal().rule()).isEqualTo(Rule.R1);
            });
        });
        return tests();
    }
}
