package dev.cleave.rt;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("one-jdk")
class LoopQueueTest {

    private final Site site = new Site("LoopQueueTest", 1, "Doubler.twice");
    private final List<IntHandle> handles = new ArrayList<>();
    private final IntHandle forgotten = new IntHandle(0, true);

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
    void noTwoCallsInFlightChangeOneArray() {
        LoopQueue queue = opened(16, 1);
        LoopQueue stage = LoopQueue.behind(queue, 1);
        int[] first = {1};
        int[] second = {1};
        queue.begin();

        assertThat(queue.mayChange(first)).isTrue();
        assertThat(queue.put(sent(true), 0)).isTrue();
        queue.ahead();
        assertThat(stage.mayChange(first)).isFalse();
        assertThat(queue.mayChange(second)).isTrue();
        assertThat(queue.mayChange(null)).isTrue();
        assertThat(queue.put(sent(true), 0)).isTrue();
        assertThat(queue.mayChange(second)).isFalse();

        assertThat(queue.take(0)).isNotNull();
        assertThat(stage.mayChange(first)).isTrue();
        assertThat(stage.put(null, 1)).isFalse();
        assertThat(queue.mayChange(first)).as("the send was declined").isTrue();
        queue.close();
        assertThat(queue.mayChange(second)).isTrue();
    }

    private static LoopQueue opened(int window, int sends) {
        return new LoopSite(window, sends).open();
    }

    /** Runs the loop as far as its next iterations need no more than {@code waits} waits; returns what was in flight then. */
    private int afterWaits(LoopQueue queue, int waits) throws Throwable {
        int open = 0;
        for (int i = 0; i < waits; i++) {
            queue.begin();
            open += runAhead(queue, false);
            SentCall call = queue.take(0);
            assertThat(call).isNotNull();
            call.awaitInt();
            open--;
        }
        queue.begin();
        return open + runAhead(queue, false);
    }

    @Test
    void windowBeginsAtTwoAndGrowsWhileTheProgramWaitsUpToItsBound() throws Throwable {
        assertThat(afterWaits(opened(16, 1), 0)).isEqualTo(2);
        assertThat(afterWaits(opened(16, 1), 1)).isBetween(4, 16);
        assertThat(afterWaits(opened(16, 1), 3)).isEqualTo(16);
        assertThat(afterWaits(opened(16, 1), 20)).isEqualTo(16);
    }

    @Test
    void aChangedFileBindsALoopFromItsNextSendOn() throws Throwable {
        LoopSite loop = new LoopSite(16, 1);
        LoopQueue running = loop.open();
        assertThat(afterWaits(running, 3)).isEqualTo(16);

        Bounds.change(this, Map.of("Doubler.twice", 4, "Doubler.other", 1));
        try {
            for (int i = 0; i < 14; i++) {
                SentCall call = running.take(0);
                assertThat(call).isNotNull();
                call.awaitInt();
                running.begin();
            }
            assertThat(runAhead(running, false)).isEqualTo(2);
            assertThat(afterWaits(loop.open(), 8)).isEqualTo(4);
            Bounds.change(site, Map.of("Doubler.twice", 64));
            assertThat(afterWaits(loop.open(), 8)).isEqualTo(4);
        } finally {
            Bounds.change(this, Map.of());
        }
        try {
            assertThat(afterWaits(loop.open(), 8)).isEqualTo(64);
        } finally {
            Bounds.change(site, Map.of());
        }
        assertThat(afterWaits(loop.open(), 8)).isEqualTo(16);
    }

    @Test
    void windowStaysWhileResultsAreHere() throws Throwable {
        LoopQueue queue = opened(16, 1);
        queue.begin();
        runAhead(queue, true);
        SentCall call = queue.take(0);
        assertThat(call).isNotNull();
        call.awaitInt();
        queue.begin();

        assertThat(runAhead(queue, true)).isEqualTo(1);
    }

    @Test
    void nextActivationBeginsWithTheWindowThatTheLastOneHadGrown() throws Throwable {
        LoopSite loop = new LoopSite(16, 1);
        afterWaits(loop.open(), 10);

        assertThat(afterWaits(loop.open(), 0)).isEqualTo(16);
    }

    @Test
    void windowHalvesWhenAServerHasNoRoomAndSoDoesThatOfTheNextActivation() throws Throwable {
        LoopSite loop = new LoopSite(16, 1);
        LoopQueue queue = loop.open();
        afterWaits(queue, 10);
        SentCall refused = new SentCall(
                new IntHandle(-1, true) {
                    @Override
                    public boolean wasOverload() {
                        return true;
                    }
                },
                site);
        refused.belongsTo(queue, 99, 0);

        assertThat(refused.succeeds()).isFalse();
        queue.finish();

        assertThat(afterWaits(loop.open(), 0)).isEqualTo(8);
    }

    @Test
    void activationThatGaveUpCallsIsFollowedByOneThatBeginsAtTwo() throws Throwable {
        LoopSite loop = new LoopSite(16, 1);
        LoopQueue queue = loop.open();
        afterWaits(queue, 10);
        queue.close();

        assertThat(afterWaits(loop.open(), 0)).isEqualTo(2);
    }

    @Test
    void activationThatTookAllItSentIsNoReasonToBeginAnew() throws Throwable {
        LoopSite loop = new LoopSite(16, 1);
        LoopQueue queue = loop.open();
        afterWaits(queue, 10);
        queue.finish();
        for (SentCall call = queue.take(0); call != null; call = queue.take(0)) {
            call.awaitInt();
            queue.begin();
        }
        queue.close();

        assertThat(afterWaits(loop.open(), 0)).isEqualTo(16);
    }

    @Test
    void ringHoldsNoMoreThanTheWindowHoweverLongTheLoop() throws Throwable {
        LoopQueue queue = opened(64, 1);
        for (int i = 0; i < 1_000_000; i++) {
            queue.begin();
            runAhead(queue, false);
            SentCall call = queue.take(0);
            assertThat(call != null && call.awaitInt() == i).isTrue();
            handles.set(i, forgotten);
        }

        assertThat(queue.capacity()).isEqualTo(64);
    }

    @Test
    void keepsOrderOverManyIterations() throws Throwable {
        LoopQueue queue = opened(64, 1);
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
        LoopQueue queue = opened(8, 1);
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
        LoopQueue queue = opened(8, 2);
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
        LoopQueue queue = opened(8, 2);
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
        LoopQueue queue = opened(8, 1);
        queue.begin();
        runAhead(queue, true);
        queue.take(0);
        queue.close();

        assertThat(handles).extracting(handle -> handle.discarded).containsExactly(false, true);
        assertThat(queue.hasRoom()).isFalse();
    }

    @Test
    void iterationsThatSendNothingRunAheadBoundedly() {
        LoopQueue queue = opened(4, 1);
        queue.begin();
        int count = 0;
        while (queue.hasRoom()) {
            queue.ahead();
            count++;
        }

        assertThat(count).isEqualTo(33);
    }
}
