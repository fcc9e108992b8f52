package dev.cleave.broker.health;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.broker.registry.Registry;
import dev.cleave.config.Bindings;
import dev.cleave.config.Pings;
import dev.cleave.replica.ReplicaSet;
import dev.cleave.wire.Load;
import dev.cleave.wire.RegisterReplica;
import dev.cleave.wire.ReplicaState;
import dev.cleave.wire.Replicas;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("one-jdk")
class HealthTest {

    private static final Load IDLE = new Load(0, 0, 0, 4);

    private long now;
    private final List<String> alarms = new ArrayList<>();
    private final Registry registry = new Registry(Bindings.NONE, Duration.ofMinutes(10), () -> now);
    private final Health health = new Health(registry, Pings.DEFAULT, () -> now, alarms::add);
    private final List<FakePatient> patients = new ArrayList<>();

    /** A node that answers as a test says. */
    private final class FakePatient implements Patient {

        private final String name;
        private boolean answers = true;
        private boolean speaks;
        private boolean given;
        private Load load = IDLE;

        private FakePatient(String name) {
            this.name = name;
            patients.add(this);
            health.joined(this);
        }

        private FakePatient offering() {
            registry.register(
                    this, new RegisterReplica(1, "s", name, 1, List.of("tcp://h:1"), "a.B", List.of("m()V"), 600_000));
            health.registered(this);
            return this;
        }

        @Override
        public void ping(long id) {
            if (answers) {
                health.answered(this, id, load);
            }
        }

        @Override
        public boolean isHeld() {
            return false;
        }

        @Override
        public boolean takeHeard() {
            return speaks;
        }

        @Override
        public void giveUp(String why) {
            given = true;
            registry.lost(this);
        }

        @Override
        public String address() {
            return name;
        }

        @Override
        public void changed(ReplicaSet replicas) {}
    }

    private void seconds(int count) {
        for (int i = 0; i < count; i++) {
            now += 1_000_000_000L;
            health.onInterval();
            registry.expire();
        }
    }

    private List<ReplicaState> states() {
        return registry.lookup("s").replicas().stream()
                .map(Replicas.Replica::state)
                .toList();
    }

    private void servers(int count) {
        for (int i = 0; i < count; i++) {
            FakePatient unused = new FakePatient("r" + i).offering();
        }
    }

    @Test
    void oneSilentServerIsSuspectAndThenGivenUp() {
        servers(3);
        patients.get(0).answers = false;

        seconds(3);
        assertThat(states()).containsExactly(ReplicaState.SUSPECT, ReplicaState.UP, ReplicaState.UP);
        seconds(3);

        assertThat(patients.get(0).given).isTrue();
        assertThat(states()).containsExactly(ReplicaState.UP, ReplicaState.UP);
    }

    @Test
    void whenManyAreSilentAtOnceNobodyIsGivenUp() {
        servers(10);
        patients.subList(0, 3).forEach(p -> p.answers = false);

        seconds(9);

        assertThat(patients).noneMatch(p -> p.given);
        assertThat(alarms).containsExactly("3 of 10 servers are silent at once: none is given up");
        assertThat(states()).filteredOn(s -> s == ReplicaState.SUSPECT).hasSize(3);
        patients.subList(0, 3).forEach(p -> p.answers = true);
        seconds(1);
        assertThat(states()).containsOnly(ReplicaState.UP);
    }

    @Test
    void whenTheOthersComeBackTheOneThatStaysSilentIsGivenUp() {
        servers(10);
        patients.subList(0, 3).forEach(p -> p.answers = false);
        seconds(8);
        patients.subList(1, 3).forEach(p -> p.answers = true);

        seconds(2);

        assertThat(patients).filteredOn(p -> p.given).containsExactly(patients.get(0));
    }

    @Test
    void nobodyIsBlamedForAPauseOfTheBrokerItself() {
        servers(2);
        patients.forEach(p -> p.answers = false);
        seconds(2);

        now += 3_600_000_000_000L;
        health.onInterval();
        registry.expire();

        assertThat(states()).containsOnly(ReplicaState.UP);
        assertThat(patients).noneMatch(p -> p.given);
        assertThat(alarms).containsExactly("stopped for 3599000 ms: this time counts against no peer");
    }

    @Test
    void connectionsThatClosedDuringAPauseOfTheBrokerAreGivenTimeToComeBack() {
        servers(2);
        seconds(2);
        assertThat(health.wasStopped()).isFalse();

        now += 10_000_000_000L;
        assertThat(health.wasStopped()).as("before the first interval").isTrue();
        patients.forEach(p -> {
            health.lost(p);
            registry.hold(p, Health.COME_BACK);
        });
        health.onInterval();
        registry.expire();
        assertThat(states()).containsExactly(ReplicaState.SUSPECT, ReplicaState.SUSPECT);
        patients.get(0).offering();
        seconds(3);

        assertThat(states()).containsExactly(ReplicaState.UP, ReplicaState.SUSPECT);
        seconds(2);
        assertThat(states()).containsExactly(ReplicaState.UP);
        assertThat(health.wasStopped()).isFalse();
    }

    @Test
    void aServerWhoseWorkersAreStuckIsSuspectAndNeverGivenUp() {
        servers(2);
        FakePatient stuck = patients.get(0);
        for (int age = 1_000; age <= 30_000; age += 1_000) {
            stuck.load = new Load(5, age, 4, 4);
            seconds(1);
        }
        assertThat(states()).containsExactly(ReplicaState.SUSPECT, ReplicaState.UP);
        assertThat(stuck.given).isFalse();

        stuck.load = new Load(4, 900, 4, 4);
        seconds(1);

        assertThat(states()).containsOnly(ReplicaState.UP);
    }

    @Test
    void aServerThatIsBusyAndGetsOnIsUp() {
        servers(1);
        for (int i = 0; i < 20; i++) {
            patients.get(0).load = new Load(500, 8_000 + i % 3 * 100, 4, 4);
            seconds(1);
        }
        assertThat(states()).containsExactly(ReplicaState.UP);
    }

    @Test
    void aClientNeedNotAnswerWhileItSpeaks() {
        FakePatient speaking = new FakePatient("speaking");
        FakePatient silent = new FakePatient("silent");
        speaking.answers = false;
        speaking.speaks = true;
        silent.answers = false;

        seconds(6);

        assertThat(speaking.given).isFalse();
        assertThat(silent.given).isTrue();
    }
}
