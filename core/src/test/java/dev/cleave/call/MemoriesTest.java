package dev.cleave.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.concurrent.Timer;
import dev.cleave.testing.FakeTimer;
import dev.cleave.transport.Peer;
import dev.cleave.wire.ConnectionName;
import dev.cleave.wire.Execution;
import dev.cleave.wire.Hello;
import dev.cleave.wire.Recall;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("one-jdk")
class MemoriesTest {

    private final FakeTimer timer = new FakeTimer();
    private final Memories memories = new Memories(timer);
    private final Peer caller = new Peer("caller", 7, 1, Hello.REMEMBERS);
    private final Peer bank = new Peer("bank", 7, 1, Hello.REMEMBERS, "bank");
    private final Peer guest = new Peer("guest", 8, 1, Hello.REMEMBERS, "guest");
    private final List<String> events = new ArrayList<>();

    private void recall(Peer from, ConnectionName connection, long call) {
        memories.recall(from, new Recall(1, connection, call), asker());
    }

    private Remembered.Asker asker() {
        return new Remembered.Asker() {

            @Override
            public void failed(Execution execution, String why) {
                events.add(execution.toString());
            }

            @Override
            public void replied(ByteBuf reply, int highestType) {
                events.add("reply " + reply.getLong(reply.readerIndex()));
            }
        };
    }

    private ConnectionName remembered() {
        ConnectionName name = ConnectionName.random();
        Remembered memory = memories.opened(caller, () -> events.add("cut"), name);
        memory.begins(1);
        memory.ended(1, Unpooled.buffer().writeLong(10), -1);
        return name;
    }

    @Test
    void repliesGoToThoseWhoKnowTheNameOfTheConnection() {
        ConnectionName name = remembered();

        recall(caller, new ConnectionName(name.high(), name.low()), 1);

        assertThat(events).containsExactly("cut", "reply 10");
    }

    @Test
    void whoClaimsToBeTheCallerLearnsNothingAndCutsNothing() {
        ConnectionName name = remembered();

        recall(caller, ConnectionName.NONE, 1);
        recall(caller, new ConnectionName(0, 1), 1);
        recall(caller, new ConnectionName(name.high(), name.low() ^ 1), 1);
        recall(caller, new ConnectionName(name.high() ^ 1, name.low()), 1);

        assertThat(events).containsExactly("MAYBE", "NOT", "NOT", "NOT");
    }

    @Test
    void overAConnectionThatItsCallerHasNotNamedNothingCameNorIsAnythingExecutedThatComesLater() {
        ConnectionName name = ConnectionName.random();

        recall(caller, name, 1);
        recall(caller, name, 2);
        Remembered late = memories.opened(caller, () -> events.add("cut"), name);

        assertThat(late.begins(1)).isFalse();
        recall(caller, name, 1);
        assertThat(events).containsExactly("NOT", "NOT", "cut", "cut", "NOT");
    }

    @Test
    void ofAConnectionThatIsForgottenNobodySaysThatNothingCame() {
        ConnectionName name = ConnectionName.random();
        Remembered memory = memories.opened(caller, () -> events.add("cut"), name);
        memory.begins(1);
        memory.ended(1, Unpooled.buffer().writeLong(10), -1);
        memories.closed(caller, name, memory);
        timer.advance(Memories.KEPT.plusSeconds(1));

        recall(caller, name, 1);

        assertThat(events).containsExactly("MAYBE");
    }

    @Test
    void ofConnectionsThatArePushedOutNobodySaysThatNothingCame() {
        List<ConnectionName> names = new ArrayList<>();
        for (int i = 0; i < Memories.MOST_BROKEN + 10; i++) {
            ConnectionName name = ConnectionName.random();
            names.add(name);
            Remembered memory = memories.opened(caller, () -> {}, name);
            memory.begins(1);
            memories.closed(caller, name, memory);
        }

        names.subList(0, 10).forEach(name -> recall(caller, name, 1));

        assertThat(events).hasSize(10).containsOnly("MAYBE");
    }

    @Test
    void whatIsSaidOfConnectionsThatWereNotHeardOfIsBounded() {
        for (int i = 0; i <= Memories.MOST_UNHEARD; i++) {
            recall(caller, ConnectionName.random(), 1);
        }

        assertThat(events.subList(0, Memories.MOST_UNHEARD)).containsOnly("NOT");
        assertThat(events.get(Memories.MOST_UNHEARD)).isEqualTo("MAYBE");
    }

    @Test
    void whatWasSaidOfThemIsForgottenAfterAnHourInWhichNobodyAsked() {
        ConnectionName asked = ConnectionName.random();
        recall(caller, asked, 1);
        for (int i = 1; i <= Memories.MOST_UNHEARD; i++) {
            recall(caller, ConnectionName.random(), 1);
        }
        timer.advance(Memories.UNHEARD.minusMinutes(1));
        recall(caller, asked, 1);
        events.clear();
        timer.advance(Duration.ofMinutes(3));

        recall(caller, ConnectionName.random(), 1);
        Remembered late = memories.opened(caller, () -> events.add("cut"), asked);

        assertThat(events).containsExactly("NOT", "cut");
        assertThat(late.begins(1)).isFalse();
        timer.advance(Memories.UNHEARD.multipliedBy(2));
        assertThat(timer.pending()).isZero();
    }

    /** What a stopped process finds when it goes on is older than it looks. */
    @Test
    void aLeapOfTheClockMakesNothingOld() {
        FakeTimer leaping = new FakeTimer();
        List<Runnable> due = new ArrayList<>();
        Memories stopped = new Memories(new Timer() {
            @Override
            public long nanos() {
                return leaping.nanos();
            }

            @Override
            public Timeout schedule(Duration delay, Runnable task) {
                due.add(task);
                return () -> due.remove(task);
            }

            @Override
            public Timeout scheduleAt(long atNanos, Runnable task) {
                throw new UnsupportedOperationException();
            }

            @Override
            public void close() {}
        });
        ConnectionName name = ConnectionName.random();
        stopped.recall(caller, new Recall(1, name, 1), asker());
        leaping.advance(Memories.UNHEARD.multipliedBy(3));
        due.remove(0).run();

        assertThat(stopped.opened(caller, () -> {}, name).begins(1)).isFalse();
    }

    @Test
    void aGuestThatAsksForInventedConnectionsTakesNothingFromOthers() {
        for (int i = 0; i < 3 * Memories.MOST_UNHEARD; i++) {
            recall(guest, ConnectionName.random(), 1);
        }
        events.clear();

        recall(bank, ConnectionName.random(), 1);

        assertThat(events).containsExactly("NOT");
    }

    @Test
    void aGuestThatOpensAndClosesConnectionsPushesNoOutcomeOfOthersOut() {
        ConnectionName name = ConnectionName.random();
        Remembered memory = memories.opened(bank, () -> {}, name);
        memory.begins(1);
        memory.ended(1, Unpooled.buffer().writeLong(10), -1);
        memories.closed(bank, name, memory);

        for (int i = 0; i < 3 * Memories.MOST_BROKEN; i++) {
            ConnectionName next = ConnectionName.random();
            memories.closed(guest, next, memories.opened(guest, () -> {}, next));
        }

        recall(bank, name, 1);
        assertThat(events).containsExactly("reply 10");
    }

    @Test
    void aGuestWithManyBytesPushesItsOwnOutcomesOut() {
        ConnectionName name = ConnectionName.random();
        Remembered memory = memories.opened(bank, () -> {}, name);
        memory.begins(1);
        memory.ended(1, Unpooled.buffer().writeLong(10), -1);
        memories.closed(bank, name, memory);

        for (int i = 0; i < 600; i++) { // each with some 64 KiB of marks
            ConnectionName next = ConnectionName.random();
            Remembered full = memories.opened(guest, () -> {}, next);
            full.begins(1);
            full.begins(Remembered.MOST_CALLS - 1);
            memories.closed(guest, next, full);
        }

        recall(bank, name, 1);
        assertThat(events).containsExactly("reply 10");
    }

    @Test
    void connectionsOverWhichNothingBeganLeaveNothingWhenTheyAreForgotten() {
        ConnectionName name = ConnectionName.random();
        memories.closed(caller, name, memories.opened(caller, () -> {}, name));
        timer.advance(Memories.KEPT.plusSeconds(1));

        recall(caller, name, 1);

        assertThat(events).containsExactly("NOT");
    }

    @Test
    void namesThatAreForgottenAreAlwaysFoundAndOthersSeldom() {
        ForgottenNames names = new ForgottenNames();
        List<ConnectionName> added = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            added.add(ConnectionName.random());
        }
        added.forEach(names::add);

        assertThat(added).allMatch(names::mayContain);
        long wrong = added.stream()
                .filter(name -> names.mayContain(ConnectionName.random()))
                .count();
        assertThat(wrong).isLessThan(200);
    }

    @Test
    void aNameIsNeverDrawnTwiceNorShown() {
        assertThat(ConnectionName.random()).isNotEqualTo(ConnectionName.random());
        assertThat(ConnectionName.random()).hasToString("secret");
        assertThat(ConnectionName.NONE.isNone()).isTrue();
    }
}
