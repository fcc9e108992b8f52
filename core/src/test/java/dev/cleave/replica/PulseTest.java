package dev.cleave.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cleave.wire.ReplicaState;
import org.junit.jupiter.api.Test;

class PulseTest {

    private final Pulse pulse = new Pulse(ReplicaState.STARTING, 3, 6);

    private void silence(int intervals) {
        for (int i = 0; i < intervals; i++) {
            pulse.onSilence();
        }
    }

    @Test
    void silenceMakesSuspectAndThenDown() {
        pulse.onSign();
        silence(2);
        assertThat(pulse.state()).isEqualTo(ReplicaState.UP);
        silence(1);
        assertThat(pulse.state()).isEqualTo(ReplicaState.SUSPECT);
        silence(2);
        assertThat(pulse.state()).isEqualTo(ReplicaState.SUSPECT);
        assertThat(pulse.isNearlyDown()).isTrue();
        silence(1);
        assertThat(pulse.state()).isEqualTo(ReplicaState.DOWN);
    }

    @Test
    void aSignClearsASuspicionButWakesNobodyWhoIsDown() {
        silence(5);
        pulse.onSign();
        silence(2);
        assertThat(pulse.state()).isEqualTo(ReplicaState.UP);

        silence(4);
        pulse.onSign();

        assertThat(pulse.state()).isEqualTo(ReplicaState.DOWN);
    }

    @Test
    void downComesAfterSuspect() {
        assertThatThrownBy(() -> new Pulse(ReplicaState.UP, 3, 3))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("suspectAfter, downAfter: 3, 3 (expected: at least 1, and more than that)");
    }
}
