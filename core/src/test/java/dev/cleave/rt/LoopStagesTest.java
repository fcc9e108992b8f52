package dev.cleave.rt;

import static org.assertj.core.api.Assertions.assertThat;

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
