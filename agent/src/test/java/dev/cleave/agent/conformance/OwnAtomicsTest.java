package dev.cleave.agent.conformance;

import dev.cleave.agent.rule.Rule;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Atomic numbers that no other code may have synchronise with nobody (R10); those that others may have do. */
class OwnAtomicsTest extends ProgramTests {

    private static final String COUNT = "AtomicInteger c = new AtomicInteger(); long t = 0; ";

    @TestFactory
    Stream<DynamicTest> programs() {
        own();
        ofOthers();
        return tests();
    }

    @Override
    void add(String name, String body) {
        super.add(name, body.replaceAll("\\b(Atomic[A-Z]|LongAdder|DoubleAdder)", "java.util.concurrent.atomic.$1"));
    }

    private static String each(String body) {
        return "for (int i = 0; i < n; i++) { " + body + " } ";
    }

    private void own() {
        overlaps("counted", COUNT + each("t = t * 3 + s.f(i); c.incrementAndGet();") + "return t + c.get();");
        overlaps("added", COUNT + each("c.addAndGet(s.f(i));") + "return c.get();");
        overlaps("read-beside", COUNT + each("t = t * 3 + s.f(i) + c.getAndIncrement();") + "return t;");
        overlaps(
                "long",
                "AtomicLong c = new AtomicLong(7); " + each("if (s.f(i) % 3 == 0) c.set(i);") + "return c.get();");
        overlaps(
                "flag",
                "AtomicBoolean c = new AtomicBoolean(); long t = 0; "
                        + each("int v = s.f(i); if (v % 3 == 0 && c.compareAndSet(false, true)) t = v; else t += 2;")
                        + "return t;");
        overlaps("adder", "LongAdder c = new LongAdder(); " + each("c.add(s.f(i));") + "return c.sum();");
        overlaps("real-adder", "DoubleAdder c = new DoubleAdder(); " + each("c.add(s.f(i));") + "return c.sum();");
        overlaps(
                "straight-line",
                COUNT + "int a = s.f(n); c.incrementAndGet(); int b = s.g(n); c.addAndGet(a); return b * 3 + c.get();");
        overlaps(
                "asked-by-a-handler",
                COUNT + "try { " + each("c.set(i); t += s.f(i);")
                        + "} catch (RuntimeException e) { t = -1; } return t * 100 + c.get();");
    }

    private void ofOthers() {
        sequential(
                "parameter",
                Rule.R10,
                "return of(s, new AtomicInteger(), n); }\n"
                        + "static Object of(Svc s, AtomicInteger c, int n) { long t = 0; "
                        + each("t += s.f(i); c.incrementAndGet();") + "return t + c.get();");
        sequential(
                "stored",
                Rule.R10,
                COUNT + "Object[] kept = {c}; " + each("t += s.f(i); c.incrementAndGet();")
                        + "return t + kept[0].toString();");
        sequential(
                "passed",
                Rule.R10,
                COUNT + "System.identityHashCode(c); " + each("t += s.f(i); c.incrementAndGet();")
                        + "return t + c.get();");
        sequential(
                "in-a-function",
                Rule.R10,
                COUNT + "Runnable r = c::incrementAndGet; " + each("t += s.f(i); c.incrementAndGet();")
                        + "r.run(); return t + c.get();");
        sequential(
                "two",
                Rule.R10,
                COUNT + "AtomicInteger d = n > 3 ? c : new AtomicInteger(); "
                        + each("t += s.f(i); d.incrementAndGet();") + "return t + c.get();");
        same(
                "straight-line-under-a-handler",
                COUNT
                        + "try { int a = s.f(n); c.incrementAndGet(); int b = s.g(n); c.incrementAndGet(); t = a + b; } catch (RuntimeException e) { t = -1; } return t * 100 + c.get();");
        same("decides", COUNT + each("t = t * 3 + s.f(i); if (c.incrementAndGet() > 3) break;") + "return t;");
        same("argument", COUNT + each("t = t * 3 + s.f(c.getAndIncrement());") + "return t;");
        same("argument-of-the-next", COUNT + each("c.addAndGet(s.f(i)); t += s.g(c.get());") + "return t;");
        same("function", COUNT + each("t += s.f(i); c.updateAndGet(x -> x + 1);") + "return t + c.get();");
        same(
                "null",
                "AtomicInteger c = n > 2 ? null : new AtomicInteger(); long t = 0; "
                        + each("t += s.f(i); c.incrementAndGet();") + "return t;");
    }
}
