package dev.cleave.broker.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.wire.Rating;
import dev.cleave.wire.RequestHead;
import dev.cleave.wire.RequestOptions;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Calls that wait for room, of clients that send as many on as a test lets them. */
@Tag("one-jdk")
class HeldCallsTest {

    private final HeldCalls line = new HeldCalls(() -> null, () -> false);
    private final List<Long> sentOn = new ArrayList<>();
    private final Queue<Runnable> tasks = new ArrayDeque<>();
    private int room;

    /** A client whose event thread runs when the test says so. */
    private final class Client implements HeldCalls.Client {

        private boolean isStopped;

        @Override
        public void execute(Runnable task) {
            if (isStopped) {
                throw new RejectedExecutionException("stopped");
            }
            tasks.add(task);
        }

        @Override
        public boolean resume(HeldCalls calls, HeldCalls.Held call) {
            if (room == 0) {
                return false;
            }
            room--;
            assertThat(calls.take(this, call.id())).isSameAs(call);
            sentOn.add(call.id());
            return true;
        }
    }

    private static HeldCalls.Held call(HeldCalls.Client client, long id) {
        return call(client, id, Unpooled.buffer().writeZero(10));
    }

    private static HeldCalls.Held rated(HeldCalls.Client client, long id, double priority, boolean prefersBlocked) {
        RequestOptions options = RequestOptions.NONE.rated(new Rating(priority, 0, prefersBlocked));
        RequestHead head = new RequestHead(0, id, 0, 0, options);
        return new HeldCalls.Held(client, head, Unpooled.buffer().writeZero(10), null, 0);
    }

    @Test
    void theGreatestPriorityGoesFirstAndBlockedCallersAsTheirCallsPrefer() {
        Client client = new Client();
        line.add(rated(client, 1, 5, true));
        line.add(rated(client, 2, 7, true));
        line.add(rated(client, 3, 6, false));
        line.add(rated(client, 4, 7, false));
        line.promote(client, 1);
        line.promote(client, 3);
        line.promote(client, 4);
        room = 4;

        line.signal();
        runTasks();

        assertThat(sentOn).containsExactly(1L, 4L, 2L, 3L);
    }

    private static HeldCalls.Held call(HeldCalls.Client client, long id, ByteBuf frame) {
        return new HeldCalls.Held(client, new RequestHead(0, id, 0, 0), frame, null, 0);
    }

    private void runTasks() {
        while (!tasks.isEmpty()) {
            tasks.remove().run();
        }
    }

    @Test
    void callsGoOnInTheOrderInWhichTheyCameWhileThereIsRoom() {
        Client one = new Client();
        Client two = new Client();
        line.add(call(one, 1));
        line.add(call(two, 7));
        line.add(call(one, 2));
        room = 2;

        line.signal();
        runTasks();

        assertThat(sentOn).containsExactly(1L, 7L);
        assertThat(line.isEmpty()).isFalse();
        room = 5;
        line.signal();
        runTasks();
        assertThat(sentOn).containsExactly(1L, 7L, 2L);
        assertThat(line.isEmpty()).isTrue();
    }

    @Test
    void aSignalWhileOneIsSentOnIsNotLost() {
        Client client = new Client();
        line.add(call(client, 1));
        line.signal(); // no room: the task that finds this out is yet to run

        room = 1;
        line.signal();
        runTasks();

        assertThat(sentOn).containsExactly(1L);
    }

    @Test
    void aSignalThatFindsNoRoomIsFollowedByTheOneThatDoes() {
        Client client = new Client();
        line.add(call(client, 1));
        line.signal();
        runTasks();
        assertThat(sentOn).isEmpty();

        room = 1;
        line.signal();
        runTasks();

        assertThat(sentOn).containsExactly(1L);
    }

    @Test
    void aCallThatWasTakenOutMeanwhileIsPassedOver() {
        Client client = new Client();
        line.add(call(client, 1));
        line.add(call(client, 2));
        room = 5;
        line.signal();

        assertThat(line.take(client, 1)).isNotNull();
        runTasks();

        assertThat(sentOn).containsExactly(2L);
        assertThat(line.take(client, 1)).isNull();
    }

    @Test
    void aNumberThatIsUsedTwiceIsRefused() {
        Client client = new Client();

        assertThat(line.add(call(client, 1))).isTrue();
        assertThat(line.add(call(client, 1))).isFalse();
        assertThat(line.add(call(new Client(), 1))).isTrue();
    }

    @Test
    void theCallsOfAClientThatIsGoneAreReleased() {
        Client client = new Client();
        Client other = new Client();
        HeldCalls.Held gone = call(client, 1);
        HeldCalls.Held stays = call(other, 1);
        line.add(gone);
        line.add(stays);

        line.drop(client);

        assertThat(gone.frame().refCnt()).isZero();
        assertThat(stays.frame().refCnt()).isEqualTo(1);
        assertThat(line.isEmpty()).isFalse();
    }

    @Test
    void callsOfAStoppedClientAreDropped() {
        Client client = new Client();
        HeldCalls.Held call = call(client, 1);
        line.add(call);
        client.isStopped = true;

        line.signal();

        assertThat(line.isEmpty()).isTrue();
        assertThat(call.frame().refCnt()).isZero();
    }

    @Test
    void theBytesOfACallThatLeavesAreFreeForOthers() {
        Client client = new Client();
        int half = (int) (HeldCalls.MOST_BYTES / 2);
        ByteBuf large = Unpooled.wrappedBuffer(new byte[half]);

        assertThat(line.add(call(client, 1, large.retainedDuplicate()))).isTrue();
        assertThat(line.add(call(client, 2, large.retainedDuplicate()))).isTrue();
        assertThat(line.add(call(client, 3))).isFalse();

        line.take(client, 1);
        assertThat(line.add(call(client, 3))).isTrue();
    }
}
