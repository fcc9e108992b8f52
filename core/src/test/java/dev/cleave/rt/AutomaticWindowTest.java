package dev.cleave.rt;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.PriorityQueue;
import org.junit.jupiter.api.Test;

/** A loop that calls a server over a link, in virtual time: how wide its window gets, and what that gains. */
class AutomaticWindowTest {

    private static final long STEP = 2_000; // of the program between two calls, in ns
    private static final long MILLI = 1_000_000;

    private Window.Learned learned = Window.Learned.first(2);
    private int widest;

    /** What a server does with calls: each takes one of its workers for a while. */
    private static final class Workers {

        private final PriorityQueue<Long> freeAt = new PriorityQueue<>();
        private final long service;

        Workers(int count, long service) {
            this.service = service;
            for (int i = 0; i < count; i++) {
                freeAt.add(0L);
            }
        }

        long doneAt(long arrival) {
            long end = Math.max(arrival, freeAt.remove()) + service;
            freeAt.add(end);
            return end;
        }
    }

    /** Runs one activation and returns how long it takes, in ns. */
    private long run(int bound, int calls, long roundTrip, Workers server) {
        Window window = new Window(learned, bound);
        Deque<Long> flying = new ArrayDeque<>();
        long now = 0;
        int sent = 0;
        for (int i = 0; i < calls; i++) {
            while (sent < calls && flying.size() < window.size()) {
                flying.add(server.doneAt(now + roundTrip / 2) + roundTrip / 2);
                sent++;
            }
            widest = Math.max(widest, flying.size());
            now += STEP;
            long end = flying.remove();
            window.taken();
            if (end > now) {
                long blocked = end - now;
                now = end;
                if (sent < calls) {
                    window.waited(blocked, STEP, now);
                }
            }
        }
        window.ended(now);
        learned = window.learned();
        return now;
    }

    @Test
    void activationsOfLessThanTwoWindowfulsGetAWiderWindowIfThatPays() {
        for (int i = 0; i < 10; i++) {
            run(Window.AUTOMATIC, 94, MILLI, new Workers(94, MILLI / 5));
        }

        assertThat(learned.size()).isEqualTo(256);
        assertThat(run(Window.AUTOMATIC, 94, MILLI, new Workers(94, MILLI / 5))).isLessThan(3 * MILLI / 2);
    }

    @Test
    void shortActivationsSpareAServerThatIsBusyWithAFewCalls() {
        int wide = 0;
        for (int i = 0; i < 100; i++) {
            widest = 0;
            run(Window.AUTOMATIC, 94, MILLI / 10, new Workers(8, MILLI));
            wide += widest > Window.NARROW ? 1 : 0;
        }

        assertThat(wide).as("trials, each after twice as many activations").isBetween(1, 5);
    }

    @Test
    void activationsWithinOneWindowfulAreNotMeasured() {
        for (int i = 0; i < 10; i++) {
            run(Window.AUTOMATIC, 60, MILLI, new Workers(60, MILLI / 5));
        }

        assertThat(learned.size()).isEqualTo(Window.NARROW);
    }

    @Test
    void thousandCallsOverALongLinkTakeFewRoundTripsAndOneWhenThatIsKnown() {
        long link = 40 * MILLI;

        assertThat(run(64, 1_000, link, new Workers(1_000, 0))).isGreaterThan(16 * link);
        learned = Window.Learned.first(2);
        assertThat(run(Window.AUTOMATIC, 1_000, link, new Workers(1_000, 0))).isLessThan(7 * link);
        assertThat(run(Window.AUTOMATIC, 1_000, link, new Workers(1_000, 0))).isLessThan(link + 4 * MILLI);
    }

    @Test
    void serverThatIsBusyWithAFewCallsIsTriedOnceAndThenSparedForLonger() {
        run(Window.AUTOMATIC, 2_000, MILLI / 10, new Workers(8, MILLI));

        assertThat(widest).as("the trial").isEqualTo(256);
        assertThat(learned.size()).isEqualTo(Window.NARROW);
        assertThat(learned.rest()).isGreaterThan(8);

        widest = 0;
        run(Window.AUTOMATIC, 500, MILLI / 10, new Workers(8, MILLI));
        assertThat(widest).as("while it rests").isEqualTo(Window.NARROW);
    }

    @Test
    void windowIsAsWideAsTheServerHasWorkersForAndNotMuchWider() {
        Workers many = new Workers(200, 10 * MILLI);
        long time = run(Window.AUTOMATIC, 20_000, MILLI, many);

        assertThat(time).isLessThan(20_000L / 200 * 10 * MILLI * 13 / 10);
        assertThat(learned.size()).isEqualTo(256);
    }

    @Test
    void numberIsABoundThatNoTrialPasses() {
        run(16, 1_000, 40 * MILLI, new Workers(1_000, 0));

        assertThat(widest).isEqualTo(16);
    }

    @Test
    void neverGrowsBeyondTheWidest() {
        run(Window.AUTOMATIC, 100_000, 40 * MILLI, new Workers(1 << 16, 0));

        assertThat(widest).isEqualTo(Window.WIDEST);
    }

    @Test
    void programThatNeverWaitsKeepsItsWindow() {
        run(Window.AUTOMATIC, 10_000, 100, new Workers(1, 0));

        assertThat(widest).isLessThanOrEqualTo(2);
    }

    @Test
    void refusalHalvesAWideWindowAndItGrowsByOneFromThenOn() {
        run(Window.AUTOMATIC, 1_000, 40 * MILLI, new Workers(1_000, 0));
        Window window = new Window(learned, Window.AUTOMATIC);
        assertThat(window.size()).isEqualTo(Window.WIDEST);

        window.refused(1, 2);

        assertThat(window.size()).isEqualTo(512);
        for (int i = 0; i < 512; i++) {
            window.taken();
            window.waited(MILLI, STEP, i * MILLI);
        }
        assertThat(window.size()).isEqualTo(513);
    }

    @Test
    void callsBeyondTheFirstOfAllLoopsTakeAShareOfTheHeapTogether() {
        WideCalls wide = new WideCalls(10);
        LoopSite loop = new LoopSite(200, 1, wide);
        LoopQueue first = filled(loop);
        LoopQueue second = filled(loop);

        assertThat(wide.count()).isEqualTo(10);
        first.close();
        assertThat(wide.count())
                .as("the second one has what the first one left")
                .isZero();
        second.close();
        assertThat(wide.count()).isZero();
        assertThat(WideCalls.most(1L << 30)).isEqualTo(4_096);
    }

    private static LoopQueue filled(LoopSite loop) {
        loop.shrunk(new Window(200, 200));
        LoopQueue queue = loop.open();
        queue.begin();
        for (int i = 0; queue.hasRoom(); i++) {
            queue.put(new SentCall(new IntHandle(i, true), new Site("AutomaticWindowTest", 1, "Doubler.twice")), 0);
            queue.ahead();
        }
        return queue;
    }
}
