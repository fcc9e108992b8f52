package dev.cleave.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.config.MemoryBounds;
import dev.cleave.testing.FakeConnection;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Whatever ends the reading from a peer, an event begins it again. */
@Tag("one-jdk")
class UnreadGateTest {

    private final FakeConnection connection = new FakeConnection("peer");
    private boolean awaits;
    private final UnreadGate gate = new UnreadGate(connection, false, () -> awaits);

    @AfterEach
    void close() {
        gate.close();
    }

    /** The peer leaves much unread, and the gate is checked. */
    private void leaveUnread() {
        connection.isWritable = false;
        connection.unsent = MemoryBounds.UNREAD_PER_PEER + 1;
        gate.check();
    }

    private void read() {
        connection.isWritable = true;
        connection.unsent = 0;
    }

    @Test
    void aPeerThatReadsIsReadFromAgain() {
        leaveUnread();
        assertThat(connection.isReading).isFalse();
        assertThat(gate.isHeld()).isTrue();

        read();
        gate.open();

        assertThat(connection.isReading).isTrue();
        assertThat(gate.isHeld()).isFalse();
    }

    @Test
    void aPeerThatHasReadWhenReadingFromItEndsIsReadFromAgain() {
        connection.whenReading = enabled -> read(); // its event has come before

        leaveUnread();

        assertThat(connection.isReading).isTrue();
        assertThat(gate.isHeld()).isFalse();
    }

    @Test
    void aPeerFromWhichSomethingIsAwaitedIsReadFromAgainWithTheNextInterval() {
        leaveUnread();

        awaits = true;
        assertThat(gate.interval()).isFalse();

        assertThat(connection.isReading).isTrue();
        gate.check();
        assertThat(connection.isReading).isTrue();
        awaits = false;
        gate.check();
        assertThat(connection.isReading).isFalse();
    }

    @Test
    void whatIsCountedIsGivenBack() {
        long before = MemoryBounds.UNREAD.used();
        leaveUnread();
        assertThat(MemoryBounds.UNREAD.used()).isGreaterThan(before);

        gate.close();

        assertThat(MemoryBounds.UNREAD.used()).isEqualTo(before);
    }
}
