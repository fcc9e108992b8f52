package dev.cleave.rt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.transport.WaitCondition;
import org.junit.jupiter.api.Test;

class LoopStagesTest {

    private final Site site = new Site("LoopStagesTest", 1, "Doubler.twice");
    private final LoopQueue first = new LoopSite(8, 1).open();
    private final LoopQueue second = LoopQueue.behind(first, 1);

    private IntHandle put(LoopQueue queue, int value, int position, boolean done) {
        IntHandle handle = new IntHandle(value, done);
        queue.put(new SentCall(handle, site), position);
        queue.ahead();
        return handle;
    }

    /** A result that arrives while a thread lingers, or does not. */
    private static final class Late extends IntHandle {

        private final boolean arrives;
        private boolean done;
        private int lingered;
        private int origins;

        Late(boolean arrives) {
            super(1, false);
            this.arrives = arrives;
        }

        @Override
        public void origin() {
            origins++;
        }

        @Override
        public boolean isDone() {
            return done;
        }

        @Override
        public void linger(WaitCondition other, long atNanos) {
            assertThat(other.isDone())
                    .as("the call of this iteration has ended")
                    .isFalse();
            lingered++;
            done = arrives;
        }
    }

    /** Lets the second stage wait for the first result, sent a millisecond ago, and send for it; the next result comes later. */
    private Late follow(boolean arrives, boolean hasEnded) {
        begin();
        first.put(new SentCall(new IntHandle(0, false), site, System.nanoTime() - 1_000_000), 0);
        first.ahead();
        Late next = new Late(arrives);
        first.put(new SentCall(next, site), 0);
        first.ahead();
        assertThat(second.look(0)).isTrue();
        put(second, 10, 1, hasEnded);
        return next;
    }

    private void begin() {
        first.begin();
        second.begin();
    }

    @Test
    void stageGoesOnlyAsFarAsResultsAreHere() {
        begin();
        put(first, 0, 0, true);
        put(first, 1, 0, false);

        assertThat(second.hasRoom()).as("the iteration that the program is at").isTrue();
        put(second, 10, 1, false);
        assertThat(second.hasRoom()).as("the next, whose result is not here").isFalse();
    }

    @Test
    void stageWaitsForTheNextResultWhileTheProgramWouldWaitForItsCall() {
        Late next = follow(true, false);

        assertThat(second.hasRoom()).isTrue();
        assertThat(next.lingered).isOne();
        assertThat(next.origins).as("the program has not come to that call").isZero();
        put(second, 11, 1, false);
        assertThat(second.hasRoom()).as("no more was sent by the first stage").isFalse();
    }

    @Test
    void stageLeavesTheNextResultThatDoesNotComeSoon() {
        Late next = follow(false, false);

        assertThat(second.hasRoom()).isFalse();
        assertThat(next.lingered).isOne();
    }

    @Test
    void stageDoesNotKeepTheProgramFromACallThatHasEnded() {
        Late next = follow(true, true);

        assertThat(second.hasRoom()).isFalse();
        assertThat(next.lingered).isZero();
    }

    @Test
    void looksAtResultsWithoutTakingThem() throws Throwable {
        begin();
        put(first, 7, 0, true);

        assertThat(second.look(0)).isTrue();
        assertThat(second.seen().awaitInt()).isEqualTo(7);
        assertThat(first.take(0)).isNotNull();
    }

    @Test
    void failureIsSeenAndLeftToTheProgram() {
        begin();
        put(first, -1, 0, true);

        assertThat(second.look(0)).isFalse();
        assertThat(second.hasRoom()).isTrue();
        assertThat(first.take(0)).isNotNull();
    }

    @Test
    void stageEndsWhereNothingWasSent() {
        begin();

        assertThat(second.look(0)).isFalse();
        assertThat(second.hasRoom()).isFalse();
    }

    @Test
    void windowBoundsAllStagesTogether() {
        begin();
        put(first, 0, 0, true);
        put(second, 10, 1, false);
        put(first, 1, 0, false);

        assertThat(first.hasRoom()).as("two of two are in flight").isFalse();
    }

    @Test
    void leavingOutGivesUpWhatThePassesBeforeAndTheWayToACallHold() {
        LoopQueue queue = new LoopSite(8, 2).open();
        queue.leaveOut();
        queue.begin();
        IntHandle stale = new IntHandle(0, true);
        queue.put(new SentCall(stale, site), 0);
        queue.ahead();
        IntHandle passed = new IntHandle(1, true);
        queue.put(new SentCall(passed, site), 0);
        IntHandle wanted = new IntHandle(2, true);
        queue.put(new SentCall(wanted, site), 1);
        queue.ahead();
        queue.begin();

        assertThat(stale.discarded).isTrue();
        assertThat(queue.take(1)).isNotNull();
        assertThat(passed.discarded).isTrue();
        assertThat(wanted.discarded).isFalse();
    }
}
