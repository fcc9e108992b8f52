package dev.cleave.agent.conformance;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Calls that give the server objects to call back: they stay where they are, and nothing passes them (R9). */
class CallbackTest extends ProgramTests {

    private static final String RUN = "public static Object run(Svc s, Svc z, int n) {\n";

    @Override
    void add(String name, String body) {
        conformance.add(name, "static int heard;\n" + RUN + "heard = 0;\n" + body + "}");
    }

    @TestFactory
    Stream<DynamicTest> patterns() {
        sequential(
                "callback-changes-argument",
                "int a = s.tell(x -> heard += x, n); int b = s.tell(x -> heard += x, heard); return a + b * 31 + heard;");
        sequential(
                "callback-in-loop",
                "int t = 0; for (int i = 0; i < 5; i++) { t += s.tell(x -> heard += x, i); }\n" + "return t + heard;");
        sequential(
                "callback-in-list",
                "java.util.List<Svc.Hearer> all = java.util.List.of(x -> heard += x);\n"
                        + "int a = s.tellAll(all, n); int b = s.tellAll(all, 3); return a + b + heard;");
        sequential(
                "callback-in-record",
                "var one = new Svc.Letter(x -> heard += x, n); int a = s.tellIn(one); int b = s.tellIn(one);\n"
                        + "return a + b + heard;");
        sequential(
                "value-by-reference",
                "Svc.Box box = new Svc.Box(n); dev.cleave.Ref<Svc.Box> ref = new dev.cleave.Ref<>() {\n"
                        + "public Svc.Box get() { return box; } public void set(Svc.Box b) {} public int length() { return 0; }\n"
                        + "public Svc.Box read(int from, int to) { return box; } public void write(int at, Svc.Box b) {}\n"
                        + "public void free() {} };\n"
                        + "int a = s.look(ref); int b = s.look(ref); return a + b;");
        sequential(
                "call-behind-a-callback", "int a = s.tell(x -> heard += x, n); int b = s.f(2); return a + b + heard;");
        overlaps(
                "calls-before-a-callback",
                "int a = s.f(1); int b = s.g(2); int c = s.tell(x -> heard += x, n); return a + b + c + heard;");
        return tests();
    }
}
