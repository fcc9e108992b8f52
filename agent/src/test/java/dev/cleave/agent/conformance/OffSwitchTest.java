package dev.cleave.agent.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.rt.Sites;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** R54: calls are switched off and on while programs run. */
class OffSwitchTest {

    private final Conformance conformance = new Conformance();

    @BeforeEach
    void addPrograms() {
        conformance.addBody(
                "switched-loop", "int t = 0; for (int i = 0; i < n; i++) { t += s.f(i); t -= s.g(i); } return t;");
        conformance.add(
                "switched-helpers",
                "static StringBuilder seen = new StringBuilder(); static java.util.function.IntConsumer lib = x -> seen.append(x);\n"
                        + "public static Object run(Svc s, Svc z, int n) { seen.setLength(0); int t = 0; for (int i = 0; i < n; i++) t = t * 3 + split(s, i);\n"
                        + "for (int i = 0; i < n; i++) { t = t * 3 + reads(s, i); } return t + \" \" + seen; }\n"
                        + "static int split(Svc s, int x) { return s.f(x) * 2 - s.g(x); }\n"
                        + "static int reads(Svc s, int x) { int v = s.pure(x); lib.accept(v); return v + s.peek(x); }");
        conformance.addBody("switched-row", "return s.f(n) + s.g(n) * s.f(n + 1);");
    }

    @AfterEach
    void switchOn() {
        Sites.switchOn();
    }

    @Test
    void callsOverlapWhileOn() {
        conformance.overlaps("switched-loop");
        conformance.overlaps("switched-row");
        conformance.overlaps("switched-helpers");
    }

    @Test
    void programsRunAsWrittenWhileOff() {
        Sites.switchOff("PSwitchedLoop");
        Sites.switchOff("PSwitchedRow.run");
        Sites.switchOff("PSwitchedHelpers");

        assertThat(conformance.check("switched-loop")).isLessThanOrEqualTo(1);
        assertThat(conformance.check("switched-row")).isLessThanOrEqualTo(1);
        assertThat(conformance.check("switched-helpers")).isLessThanOrEqualTo(1);
    }

    @Test
    void oneOfTwoCallsOfALoopMayBeOff() {
        Sites.switchOff("Svc.g");

        conformance.check("switched-loop");
        conformance.check("switched-row");
        conformance.check("switched-helpers");
        Sites.switchOff("Svc.pure");
        conformance.check("switched-helpers");
    }

    @Test
    void theSwitchMayMoveInTheMiddleOfALoop() throws InterruptedException {
        AtomicBoolean done = new AtomicBoolean();
        Thread switching = new Thread(() -> {
            while (!done.get()) {
                Sites.switchOff("PSwitchedLoop");
                Sites.switchOff("PSwitchedHelpers.reads");
                Sites.switchOff("PSwitchedHelpers.split");
                Thread.yield();
                Sites.switchOn("PSwitchedLoop");
                Sites.switchOn("PSwitchedHelpers.split");
                Sites.switchOn("PSwitchedHelpers.reads");
                Thread.yield();
            }
        });
        switching.start();
        try {
            for (int round = 0; round < 3; round++) {
                conformance.check("switched-loop");
                conformance.check("switched-helpers");
            }
        } finally {
            done.set(true);
            switching.join();
        }
    }
}
