package dev.cleave.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.stream.AheadRoom;
import dev.cleave.stream.ReceiveBudget;
import org.junit.jupiter.api.Test;

class TakenRoomTest {

    private static final long BYTES = AheadRoom.LEAST;

    private final AheadRoom room = new ReceiveBudget(100 * BYTES).ahead();

    @Test
    void aResultKeepsItsRoomUntilTheProgramTakesIt() {
        TakenRoom taken = TakenRoom.always(room, BYTES, BYTES);
        taken.ended(true, false);
        assertThat(room.taken()).isEqualTo(BYTES);

        taken.taken(true);
        assertThat(room.taken()).isZero();
    }

    @Test
    void aCallThatEndsBetweenTheProgramsLookAndItsWordGivesItsRoomBack() {
        TakenRoom taken = TakenRoom.always(room, BYTES, BYTES);
        taken.ended(true, false);

        taken.taken(false);
        assertThat(room.taken()).isZero();
    }
}
