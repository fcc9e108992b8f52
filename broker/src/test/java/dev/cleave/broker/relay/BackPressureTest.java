package dev.cleave.broker.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.testing.FakeConnection;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("one-jdk")
class BackPressureTest {

    private final FakeConnection connection = new FakeConnection("client");
    private final BackPressure pressure = new BackPressure(connection);

    @Test
    void readsAgainWhenTheLastReasonHasGone() {
        pressure.hold("one");
        pressure.hold("two");
        assertThat(connection.isReading).isFalse();

        pressure.release("one");
        assertThat(connection.isReading).isFalse();
        assertThat(pressure.isHeld()).isTrue();

        pressure.release("two");
        assertThat(connection.isReading).isTrue();
        assertThat(pressure.isHeld()).isFalse();
    }

    @Test
    void aReasonCountsOnceHoweverOftenItIsGiven() {
        Object reason = new Object();
        pressure.hold(reason);
        pressure.hold(reason);

        pressure.release(reason);

        assertThat(connection.isReading).isTrue();
    }

    @Test
    void reasonsThatAreEqualAreTwo() {
        pressure.hold(new String("reason"));
        pressure.release(new String("reason"));

        assertThat(connection.isReading).isFalse();
    }

    @Test
    void aPeerThatDoesNotReadItsAnswersIsNotReadFromUntilItDoes() {
        pressure.answered();
        assertThat(connection.isReading).isTrue();

        connection.isWritable = false;
        pressure.answered();
        assertThat(connection.isReading).isFalse();

        connection.isWritable = true;
        pressure.onWritable();
        assertThat(connection.isReading).isTrue();
    }

    /** In whichever order the event of the connection and the end of its reading come. */
    @Test
    void aPeerThatHasReadWhenReadingFromItEndsIsReadFromAgain() {
        connection.isWritable = false;
        connection.whenReading = enabled -> {
            connection.isWritable = true;
            if (!enabled) {
                pressure.onWritable();
            }
        };
        pressure.answered();
        assertThat(connection.isReading).isTrue();

        connection.isWritable = false;
        connection.whenReading = enabled -> connection.isWritable = true; // told before
        pressure.answered();
        assertThat(connection.isReading).isTrue();
        assertThat(pressure.isHeld()).isFalse();
    }

    @Test
    void knowsTheTypesOfItsReasons() {
        pressure.hold("one");

        assertThat(pressure.isHeldBy(String.class)).isTrue();
        assertThat(pressure.isHeldBy(Integer.class)).isFalse();
    }
}
