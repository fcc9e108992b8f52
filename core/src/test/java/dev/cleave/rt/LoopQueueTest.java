package dev.cleave.rt;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LoopQueueTest {

    private final Site site = new Site("LoopQueueTest", 1, "Doubler.twice");
    private final List<IntHandle> handles = new ArrayList<>();

    private SentCall sent(boolean done) {
        IntHandle handle = new IntHandle(handles.size(), done);
        handles.add(handle);
        return new SentCall(handle, site);
    }

    /** Runs ahead as far as there is room; returns the number of iterations. */
    private int runAhead(LoopQueue queue, boolean done) {
        int count = 0;
        while (queue.hasRoom()) {
            queue.put(sent(done), 0);
            queue.ahead();
            count++;
        }
        return count;
    }

    @Test
    void windowBeginsAtTwoAndDoublesWhileTheProgramWaits() {
        LoopQueue queue = new LoopQueue(new Window(16), 1);
        List<Integer> inFlight = new ArrayList<>();
        int open = 0;
        for (int i = 0; i < 6; i++) {
            queue.begin();
            open += runAhead(queue, false);
            inFlight.add(open);
            assertThat(queue.take(0)).isNotNull();
            open--;
        }

        assertThat(inFlight).containsExactly(2, 4, 8, 16, 16, 16);
    }

    @Test
    void windowStaysWhileResultsAreHere() {
        LoopQueue queue = new LoopQueue(new Window(16), 1);
        queue.begin();
        runAhead(queue, true);
        queue.take(0);
        queue.begin();

        assertThat(runAhead(queue, true)).isEqualTo(1);
    }

    @Test
    void keepsOrderOverManyIterations() throws Throwable {
        LoopQueue queue = new LoopQueue(new Window(64), 1);
        for (int i = 0; i < 1000; i++) {
            queue.begin();
            runAhead(queue, false);
            SentCall call = queue.take(0);
            assertThat(call).isNotNull();
            assertThat(call.awaitInt()).isEqualTo(i);
        }
    }

    @Test
    void declinedSendEndsRunningAhead() {
        LoopQueue queue = new LoopQueue(new Window(8), 1);
        queue.begin();
        queue.put(sent(true), 0);
        queue.ahead();

        assertThat(queue.put(null, 0)).isFalse();
        assertThat(queue.hasRoom()).isFalse();
        assertThat(queue.take(0)).isNotNull();
        queue.begin();
        assertThat(queue.take(0)).isNull();
    }

    @Test
    void givesOnlyTheCallOfTheIterationAndThePlace() {
        LoopQueue queue = new LoopQueue(new Window(8), 2);
        queue.begin();
        queue.put(sent(true), 0);
        queue.put(sent(true), 1);
        queue.ahead();
        queue.put(sent(true), 0);

        assertThat(queue.take(1)).isNull();
        assertThat(queue.take(0)).isNotNull();
        assertThat(queue.take(1)).isNotNull();
        assertThat(queue.take(0)).as("of the next iteration").isNull();
        queue.begin();
        assertThat(queue.take(0)).isNotNull();
    }

    @Test
    void skippingGivesUpWhatTheIterationLeavesOut() {
        LoopQueue queue = new LoopQueue(new Window(8), 2);
        queue.begin();
        queue.put(sent(true), 0);
        queue.put(sent(true), 1);
        queue.ahead();
        queue.put(sent(true), 0);
        queue.take(0);
        queue.skip(0);
        queue.skip(1);

        assertThat(handles).extracting(handle -> handle.discarded).containsExactly(false, true, false);
    }

    @Test
    void closingGivesUpTheRestInOrder() {
        LoopQueue queue = new LoopQueue(new Window(8), 1);
        queue.begin();
        runAhead(queue, true);
        queue.take(0);
        queue.close();

        assertThat(handles).extracting(handle -> handle.discarded).containsExactly(false, true);
        assertThat(queue.hasRoom()).isFalse();
    }

    @Test
    void iterationsThatSendNothingRunAheadBoundedly() {
        LoopQueue queue = new LoopQueue(new Window(4), 1);
        queue.begin();
        int count = 0;
        while (queue.hasRoom()) {
            queue.ahead();
            count++;
        }

        assertThat(count).isEqualTo(33);
    }
}
