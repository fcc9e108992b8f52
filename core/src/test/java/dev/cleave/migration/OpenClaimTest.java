package dev.cleave.migration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.config.Bindings;
import dev.cleave.config.Linkage;
import dev.cleave.testing.FakeTimer;
import dev.cleave.wire.Loaded;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A replica leaves while a claim is open, as one does that moves to another broker, and comes back. */
@Tag("one-jdk")
class OpenClaimTest {

    private static final List<Linkage> LINKAGES = Bindings.parse("""
            services:
              work:
                replicas: [{name: slow}, {name: fast}]
                migrate: ["slow # fast(uc: load == 0) : [1/2]"]
            """, "cleave.yaml")
            .service("work")
            .orElseThrow()
            .dispatch()
            .migrate();

    private final FakeTimer timer = new FakeTimer();
    private final Migration migration = new Migration("work", LINKAGES, timer::nanos);

    private List<Migration.Order> report(String replica, int waiting) {
        return migration.loaded(replica, new Loaded("work", waiting, 0, 0));
    }

    private void claim() {
        migration.joined("slow");
        migration.joined("fast");
        assertThat(report("fast", 0)).isEmpty();
        assertThat(report("slow", 8)).hasSize(1);
    }

    @Test
    void theReceiverGetsCallsOfAnOwnerThatHasComeBack() {
        claim();

        migration.left("slow");
        migration.joined("slow");

        assertThat(report("slow", 8)).singleElement().satisfies(order -> assertThat(order.owner())
                .isEqualTo("slow"));
    }

    @Test
    void theReceiverGetsCallsOfANewProcessOfTheOwner() {
        claim();

        migration.joined("slow");

        assertThat(report("slow", 8)).hasSize(1);
    }

    @Test
    void theOwnerGivesCallsToAReceiverThatHasComeBackWhenTheClaimHasEnded() {
        claim();

        migration.left("fast");
        migration.joined("fast");
        assertThat(report("fast", 0)).isEmpty();
        timer.advance(Duration.ofMillis(Migration.ANSWER_MILLIS));
        assertThat(migration.due()).isEmpty();
        timer.advance(Duration.ofMillis(Migration.FIRST_PAUSE_MILLIS));

        assertThat(migration.due()).hasSize(1);
    }
}
