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
    }

    @Test
    void programsRunAsWrittenWhileOff() {
        Sites.switchOff("PSwitchedLoop");
        Sites.switchOff("PSwitchedRow.run");

        assertThat(conformance.check("switched-loop")).isLessThanOrEqualTo(1);
        assertThat(conformance.check("switched-row")).isLessThanOrEqualTo(1);
    }

    @Test
    void oneOfTwoCallsOfALoopMayBeOff() {
        Sites.switchOff("Svc.g");

        conformance.check("switched-loop");
        conformance.check("switched-row");
    }

    @Test
    void theSwitchMayMoveInTheMiddleOfALoop() throws InterruptedException {
        AtomicBoolean done = new AtomicBoolean();
        Thread switching = new Thread(() -> {
            while (!done.get()) {
                Sites.switchOff("PSwitchedLoop");
                Thread.yield();
                Sites.switchOn("PSwitchedLoop");
                Thread.yield();
            }
        });
        switching.start();
        try {
            for (int round = 0; round < 3; round++) {
                conformance.check("switched-loop");
            }
        } finally {
            done.set(true);
            switching.join();
        }
    }
}
