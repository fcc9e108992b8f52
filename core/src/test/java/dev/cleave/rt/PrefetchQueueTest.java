package dev.cleave.rt;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.call.Encoded;
import dev.cleave.call.Epoch;
import dev.cleave.call.Handle;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PrefetchQueueTest {

    private static final long AGE = 1_000_000;

    private final List<IntHandle> sent = new ArrayList<>();
    private long now = 1;
    private String group = "";

    private final class Call extends Encoded {

        final int argument;
        private final boolean answers;

        Call(int argument, boolean answers) {
            this.argument = argument;
            this.answers = answers;
        }

        @Override
        public Handle send() {
            IntHandle handle = new IntHandle(argument, false) {
                @Override
                public boolean hasAnswer() {
                    return answers;
                }
            };
            sent.add(handle);
            return handle;
        }

        @Override
        public boolean isSameCall(Encoded other) {
            return other instanceof Call call && call.argument == argument;
        }

        @Override
        public String group() {
            return group;
        }

        @Override
        public int size() {
            return 4;
        }
    }

    private Call call(int argument) {
        return new Call(argument, true);
    }

    private static PrefetchSite site(PrefetchSite.Kind kind) {
        return new PrefetchSite(new Site("PrefetchQueueTest.program", 1, "Svc.get"), kind, AGE);
    }

    private PrefetchQueue queue(PrefetchSite site, int window, int firstPass) {
        return new PrefetchQueue(new PrefetchPlace(window, firstPass, List.of(site)), () -> now);
    }

    private PrefetchQueue queue(PrefetchSite.Kind kind) {
        PrefetchQueue queue = queue(site(kind), 64, 0);
        queue.begin();
        return queue;
    }

    private void ahead(PrefetchQueue queue, int argument) {
        assertThat(queue.hasRoom()).isTrue();
        assertThat(queue.send(0, call(argument))).isTrue();
        queue.ahead();
    }

    @Test
    void claimsTheCallWithEqualArgumentsOnce() throws Throwable {
        PrefetchQueue queue = queue(PrefetchSite.Kind.PURE);
        ahead(queue, 7);

        SentCall claimed = queue.claim(0, call(7));

        assertThat(claimed).isNotNull();
        assertThat(claimed.awaitInt()).isEqualTo(7);
        assertThat(queue.mayClaim(0)).isFalse();
        assertThat(queue.claim(0, call(7))).isNull();
    }

    @Test
    void givesUpWhatDoesNotFit() {
        PrefetchQueue queue = queue(PrefetchSite.Kind.PURE);
        ahead(queue, 7);

        assertThat(queue.claim(0, call(8))).isNull();
        assertThat(sent.get(0).discarded).isTrue();
    }

    @Test
    void givesUpWhatTheProgramHasPassedBy() {
        PrefetchQueue queue = queue(PrefetchSite.Kind.PURE);
        ahead(queue, 7);

        queue.begin();

        assertThat(sent.get(0).discarded).isTrue();
        assertThat(queue.claim(0, call(7))).isNull();
    }

    @Test
    void givesUpTheRestAtTheEnd() {
        PrefetchQueue queue = queue(PrefetchSite.Kind.PURE);
        ahead(queue, 7);
        ahead(queue, 8);

        queue.close();

        assertThat(sent).allMatch(handle -> handle.discarded);
        assertThat(queue.hasRoom()).isFalse();
    }

    @Test
    void doesNotClaimWhatAWriteMayHaveChanged() {
        PrefetchQueue queue = queue(PrefetchSite.Kind.READ_ONLY);
        ahead(queue, 7);
        Epoch.changing("");

        assertThat(queue.claim(0, call(7))).isNull();

        ahead(queue, 8);
        assertThat(queue.claim(0, call(8))).isNotNull();
    }

    @Test
    void aWriteOfAnotherGroupDoesNotCount() {
        group = "a";
        PrefetchQueue queue = queue(PrefetchSite.Kind.READ_ONLY);
        ahead(queue, 7);
        Epoch.changing("b");
        assertThat(queue.claim(0, call(7))).isNotNull();

        ahead(queue, 8);
        Epoch.changing("a");
        assertThat(queue.claim(0, call(8))).isNull();
    }

    @Test
    void groupsAreDeclaredOnBothSides() {
        group = "a";
        PrefetchQueue queue = queue(PrefetchSite.Kind.READ_ONLY);
        ahead(queue, 7);
        Epoch.changing("");
        assertThat(queue.claim(0, call(7))).isNull();

        group = "";
        ahead(queue, 8);
        Epoch.changing("b");
        assertThat(queue.claim(0, call(8))).isNull();
    }

    @Test
    void claimsWhatDependsOnArgumentsAloneAfterAWrite() {
        PrefetchQueue queue = queue(PrefetchSite.Kind.PURE);
        ahead(queue, 7);
        Epoch.changing("");
        queue.stale();

        assertThat(queue.claim(0, call(7))).isNotNull();
    }

    @Test
    void doesNotClaimWhatWasReadBeforeUnknownCode() {
        PrefetchQueue queue = queue(PrefetchSite.Kind.READ_ONLY);
        ahead(queue, 7);
        queue.stale();
        ahead(queue, 8);

        assertThat(queue.claim(0, call(7))).isNull();
        queue.begin();
        assertThat(queue.claim(0, call(8))).isNotNull();
    }

    @Test
    void claimsWhatIsNotTooOldWhereAnAgeIsGiven() {
        PrefetchQueue queue = queue(PrefetchSite.Kind.READ_ONLY_FOR);
        ahead(queue, 7);
        queue.stale();
        now += AGE;
        assertThat(queue.claim(0, call(7))).isNotNull();

        ahead(queue, 8);
        now += AGE + 1;
        queue.begin();
        assertThat(queue.claim(0, call(8))).isNull();
    }

    @Test
    void makesACallAgainThatFailedByItself() {
        PrefetchQueue queue = queue(PrefetchSite.Kind.PURE);
        queue.hasRoom();
        queue.send(0, new Call(7, false));

        assertThat(queue.claim(0, call(7))).isNull();
    }

    @Test
    void staysWithinItsWindowAndGrowsWhenItWaits() {
        PrefetchQueue queue = queue(PrefetchSite.Kind.PURE);
        ahead(queue, 0);
        ahead(queue, 1);
        assertThat(queue.hasRoom()).isFalse();

        queue.claim(0, call(0));

        ahead(queue, 2);
        ahead(queue, 3);
        ahead(queue, 4);
        assertThat(queue.hasRoom()).isFalse();
    }

    @Test
    void sendsNothingInAProgramOfOnePassWhoseSecondIsAGuess() {
        PrefetchQueue queue = queue(site(PrefetchSite.Kind.PURE), 64, 1);
        queue.begin();
        assertThat(queue.hasRoom()).isFalse();

        queue.begin();
        assertThat(queue.hasRoom()).isTrue();
        assertThat(queue.send(0, call(0))).isTrue(); // the pass that the program has made itself
        assertThat(sent).isEmpty();
    }

    /** Runs a program of some passes, of which the run-ahead knows no end; returns how many calls were in flight at first. */
    private int run(PrefetchPlace place, int passes) {
        PrefetchQueue queue = requireNonNull(PrefetchQueue.open(place));
        int before = sent.size();
        int first = 0;
        int next = 0;
        for (int pass = 0; pass < passes; pass++) {
            queue.begin();
            while (queue.hasRoom()) {
                queue.send(0, call(next++));
                queue.ahead();
            }
            first = pass == 0 ? sent.size() - before : first;
            queue.claim(0, call(pass));
        }
        queue.close();
        return first;
    }

    @Test
    void beginsInTheFirstPassAfterSomeActivationsThatCameToTheirSecond() {
        PrefetchPlace place = new PrefetchPlace(64, 1, List.of(site(PrefetchSite.Kind.PURE)));
        for (int i = 0; i < 4; i++) {
            assertThat(run(place, 400)).as("activation %d", i).isZero();
        }
        assertThat(run(place, 400)).isEqualTo(64);
        assertThat(run(place, 1)).isEqualTo(64);
        assertThat(run(place, 400)).as("after one of a single pass").isZero();
    }

    @Test
    void beginsWithAQuarterOfWhatWasClaimedWhereCallsWereGivenUp() {
        PrefetchPlace place = new PrefetchPlace(64, 0, List.of(site(PrefetchSite.Kind.PURE)));
        assertThat(run(place, 400)).as("nothing is known").isEqualTo(2);
        assertThat(run(place, 80)).isEqualTo(64);
        assertThat(run(place, 400)).isEqualTo(20);
        assertThat(run(place, 1)).isEqualTo(64);
        assertThat(run(place, 1)).as("it begins small again").isEqualTo(2);
    }

    @Test
    void endsAtAReceiverThatIsNoStub() {
        PrefetchQueue queue = queue(PrefetchSite.Kind.PURE);

        assertThat(queue.send(0, null)).isFalse();
        assertThat(queue.hasRoom()).isFalse();
    }

    @Test
    void boundsTheStepsAndArraysOfAPass() {
        PrefetchQueue queue = queue(PrefetchSite.Kind.PURE);
        queue.hasRoom();

        assertThat(queue.mayMake(1 << 20)).isFalse();
        int steps = 0;
        while (queue.step()) {
            steps++;
        }
        assertThat(steps).isLessThanOrEqualTo(10_000);
    }

    @Test
    void stopsAfterAFewMisses() {
        PrefetchSite site = site(PrefetchSite.Kind.PURE);
        PrefetchQueue queue = queue(site, 64, 0);
        for (int i = 0; i < 100; i++) {
            queue.begin();
            while (queue.hasRoom()) {
                queue.send(0, call(i));
                queue.ahead();
            }
            queue.claim(0, call(-i - 1));
        }

        assertThat(site.isStopped()).isTrue();
        assertThat(sent).hasSizeLessThan(10);
        assertThat(site.site().counters().note()).startsWith("fewer than four of five");
        assertThat(PrefetchQueue.open(new PrefetchPlace(64, 0, List.of(site)))).isNull();
    }

    private PrefetchQueue row(PrefetchSite... sites) {
        return new PrefetchQueue(PrefetchPlace.stretch(List.of(sites)), () -> now);
    }

    @Test
    void callsInARowAreSentAtOnceAndClaimedOnce() {
        PrefetchQueue queue = row(site(PrefetchSite.Kind.PURE), site(PrefetchSite.Kind.PURE));
        queue.send(0, call(1));
        queue.send(1, call(1));
        queue.ahead();

        assertThat(sent).hasSize(2);
        assertThat(queue.claim(1, call(1))).isNotNull();
        assertThat(queue.claim(1, call(1))).isNull();
        assertThat(queue.claim(0, call(1))).isNotNull();
    }

    @Test
    void callsInARowThatAreNeverReachedStopThatCallOnly() {
        PrefetchSite reached = site(PrefetchSite.Kind.PURE);
        PrefetchSite passedBy = site(PrefetchSite.Kind.PURE);
        for (int i = 0; i < 20; i++) {
            PrefetchQueue queue = row(reached, passedBy);
            now += 1000;
            queue.send(0, call(i));
            if (queue.wants(1)) {
                queue.send(1, call(i));
            }
            now += 1000;
            assertThat(queue.claim(0, call(i))).isNotNull();
            queue.close();
        }

        assertThat(passedBy.isStopped()).isTrue();
        assertThat(reached.isStopped()).isFalse();
        assertThat(sent).hasSizeLessThan(30);
    }

    @Test
    void callsInARowBeforeWhichNothingRunsStop() {
        PrefetchSite busy = site(PrefetchSite.Kind.PURE);
        PrefetchSite idle = site(PrefetchSite.Kind.PURE);
        for (int i = 0; i < 100; i++) {
            busy.overlapped(i % 9 == 0 ? 200_000 : 10, 1_000_000);
            idle.overlapped(5_000, 1_000_000);
        }

        assertThat(busy.isStopped()).isFalse();
        assertThat(idle.site().counters().note()).startsWith("next to nothing runs between");
    }

    @Test
    void goesOnWhileFourOfFiveClaimsSucceed() {
        PrefetchSite site = site(PrefetchSite.Kind.PURE);
        for (int i = 0; i < 1000; i++) {
            if (i % 6 == 5) {
                site.failed();
            } else {
                site.claimed();
            }
        }

        assertThat(site.isStopped()).isFalse();
    }

    @Test
    void stopsWhereCallsAreFasterThanRunningAhead() {
        PrefetchSite site = site(PrefetchSite.Kind.PURE);
        for (int i = 0; i < 100; i++) {
            site.timed(1_000_000, 50_000);
        }

        assertThat(site.site().counters().note()).isEqualTo("calls are faster than running ahead");
    }

    @Test
    void isTriedAgainAfterAWhileWhereItDidNotPay() {
        PrefetchSite site = site(PrefetchSite.Kind.PURE);
        PrefetchPlace place = new PrefetchPlace(64, 0, List.of(site));
        for (int i = 0; i < 5; i++) {
            site.failed();
        }
        assertThat(site.isStopped()).isTrue();

        List<Integer> tried = new ArrayList<>();
        for (int activation = 1; activation <= 200; activation++) {
            PrefetchQueue queue = PrefetchQueue.open(place);
            if (queue != null) {
                tried.add(activation);
                for (int i = 0; i < 5; i++) {
                    site.failed();
                }
            }
        }
        assertThat(tried).as("activations, still bad").containsExactly(32, 96);

        for (int activation = 0; activation < 128; activation++) {
            PrefetchQueue.open(place);
        }
        for (int i = 0; i < 200; i++) {
            site.claimed();
        }
        assertThat(site.isStopped()).as("with other data").isFalse();
        assertThat(site.site().counters().note()).isEmpty();
    }
}
