package dev.cleave.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.wire.Execution;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RememberedTest {

    private final Remembered memory = new Remembered();
    private final List<String> told = new ArrayList<>();

    private void recall(long id) {
        memory.recall(id, new Remembered.Asker() {

            @Override
            public void failed(Execution execution, String why) {
                told.add(id + " " + execution);
            }

            @Override
            public void replied(ByteBuf reply, int highestType) {
                told.add(id + " reply " + reply.getLong(reply.readerIndex()));
            }
        });
    }

    private static ByteBuf reply(long value) {
        return Unpooled.buffer().writeLong(value);
    }

    @Test
    void tellsWhatHasBecomeOfEach() {
        assertThat(memory.begins(1)).isTrue();
        assertThat(memory.begins(2)).isTrue();
        assertThat(memory.begins(3)).isTrue();
        assertThat(memory.begins(5)).isTrue();
        memory.ended(1, reply(10), -1);
        memory.ended(2, null, -1);
        memory.notExecuted(5);
        memory.shut();

        recall(1);
        recall(2);
        recall(3);
        recall(4);
        recall(5);
        recall(1_000_000);
        assertThat(told).containsExactly("1 reply 10", "2 EXECUTED", "4 NOT", "5 NOT", "1000000 NOT");
        memory.ended(3, reply(30), -1);

        assertThat(told).endsWith("3 reply 30");
    }

    @Test
    void nothingBeginsAnyMoreWhenItIsShut() {
        memory.shut();

        assertThat(memory.begins(1)).isFalse();
        recall(1);
        assertThat(told).containsExactly("1 NOT");
    }

    @Test
    void whoIsAskedForTwiceAnswersTheLast() {
        assertThat(memory.begins(1)).isTrue();
        memory.shut();
        recall(1);
        recall(1);

        memory.ended(1, null, -1);

        assertThat(told).containsExactly("1 EXECUTED");
    }

    @Test
    void whatIsSettledOrTooOldIsForgottenAndInDoubt() {
        for (long id = 1; id <= Remembered.MOST_CALLS + 10; id++) {
            assertThat(memory.begins(id)).isTrue();
            memory.ended(id, null, -1);
        }
        memory.shut();
        recall(10);
        recall(11);
        assertThat(told).containsExactly("10 MAYBE", "11 EXECUTED");

        memory.settled(20);
        recall(19);
        recall(20);

        assertThat(told).endsWith("19 MAYBE", "20 EXECUTED");
    }

    @Test
    void absurdNumbersHarmNothing() {
        assertThat(memory.begins(1)).isTrue();
        assertThat(memory.begins(Long.MAX_VALUE)).isTrue();
        assertThat(memory.begins(-1)).isTrue();
        memory.ended(-1, null, -1);
        memory.ended(Long.MAX_VALUE, null, -1);
        memory.notExecuted(Long.MIN_VALUE);
        memory.shut();

        recall(1);
        recall(-1);
        recall(Long.MAX_VALUE);
        memory.settled(Long.MAX_VALUE);
        recall(5);

        assertThat(told).containsExactly("1 MAYBE", "-1 MAYBE", Long.MAX_VALUE + " EXECUTED", "5 MAYBE");
    }

    @Test
    void whatTheCallerDoesNotHaveStaysHoweverLongNothingComes() {
        memory.begins(1);
        memory.ended(1, reply(10), -1);
        memory.begins(2);
        memory.settled(1);

        for (int i = 0; i < 5; i++) {
            memory.interval();
        }
        memory.shut();
        recall(1);
        recall(2);
        memory.ended(2, reply(20), -1);
        recall(3);

        assertThat(told).containsExactly("1 reply 10", "2 reply 20", "3 NOT");
    }

    @Test
    void whatTheCallerHasIsGivenBackAndWhatComesLaterIsRemembered() {
        memory.begins(1);
        memory.ended(1, reply(10), -1);
        memory.settled(2);
        memory.interval();
        assertThat(memory.bytes()).as("a call has begun in that interval").isPositive();

        memory.interval();
        assertThat(memory.bytes()).isZero();

        memory.begins(1_000);
        memory.begins(2);
        memory.ended(2, reply(20), -1);
        memory.shut();
        recall(1);
        recall(2);
        recall(3);
        memory.ended(1_000, reply(30), -1);
        recall(1_000);

        assertThat(told).containsExactly("1 MAYBE", "2 reply 20", "3 NOT", "1000 reply 30");
    }
}
