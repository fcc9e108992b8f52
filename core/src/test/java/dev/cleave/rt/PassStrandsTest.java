package dev.cleave.rt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.transport.WaitCondition;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.Test;

/** Articles whose supplier is asked again when it is busy: each pass has a strand of its own, as the agent generates it. */
class PassStrandsTest {

    private static final int QUOTE = 0;
    private static final int ATTEMPTS = 3;
    private static final int PAGE = 0;
    private static final int ITEM = 1;

    private final Site site = new Site("PassStrandsTest", 1, "Supplier.quote");
    private final List<Result> made = new ArrayList<>();
    private final List<String> log = new ArrayList<>();
    private final PassStrands nest = new PassStrands(1, null);
    private IntPredicate isBusy = attempt -> false; // by 10 * article + attempt
    private boolean begun;

    private static final class Busy extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    /** An answer that the test lets arrive. */
    private static final class Result extends IntHandle {

        private final boolean isBusy;
        private final List<Thread> woken = new ArrayList<>();
        private boolean done;
        private boolean lost;
        private boolean full;
        private Runnable whenAwaited = () -> done = true;

        Result(int value, boolean isBusy) {
            super(value, false);
            this.isBusy = isBusy;
        }

        @Override
        public boolean isDone() {
            return done;
        }

        @Override
        public boolean isUnanswered() {
            return lost || full;
        }

        @Override
        public boolean isRefusedForNow() {
            return full;
        }

        @Override
        public boolean wasOverload() {
            return full;
        }

        @Override
        public void wakes(Thread thread) {
            woken.add(thread);
        }

        @Override
        public boolean awaitOr(WaitCondition other, long since) {
            whenAwaited.run();
            assertThat(done || other.isDone())
                    .as("it waits for something that has come")
                    .isTrue();
            return done;
        }

        @Override
        public void awaitVoid() {
            if (isBusy) {
                throw new Busy();
            }
        }
    }

    /** The guide, which begins at 0, and the strand of a pass, which begins at 1. */
    private final class Articles extends Strand {

        private final int articles;
        private int article;
        private int attempt;

        Articles(int articles) {
            this.articles = articles;
        }

        @Override
        protected void step() throws Throwable {
            if (at == 0) {
                while (article < articles) {
                    if (!fork()) {
                        return;
                    }
                    article++;
                    if (!pass()) {
                        return;
                    }
                }
                end();
                return;
            }
            while (attempt < ATTEMPTS) {
                if (at == 1) {
                    if (!hasRoom(QUOTE)) {
                        return;
                    }
                    put(send(article, attempt), QUOTE);
                    at = 2;
                }
                if (!look(QUOTE)) {
                    return;
                }
                if (failure() == null) {
                    end();
                    return;
                }
                attempt++;
                at = 1;
            }
            end();
        }
    }

    /** Pages behind a cursor, with an item each: the guide needs each page; strands of a pass send its page, and then its item. */
    private final class Pages extends Strand {

        @Override
        protected void step() {
            if (at == 1 && hasRoom(PAGE)) {
                put(send("page"), PAGE);
                end();
            } else if (at == 2 && look(PAGE) && hasRoom(ITEM)) {
                put(send("item"), ITEM);
                end();
            }
            while (at == 0 && fork() || at == 3 && look(PAGE)) {
                at = 3 - at;
                if (at == 0 && !pass()) {
                    return;
                }
            }
        }

        private SentCall send(String call) {
            log.add(call);
            made.add(new Result(made.size(), false));
            return new SentCall(made.get(made.size() - 1), site);
        }
    }

    private SentCall send(int article, int attempt) {
        log.add("quote " + article + " " + attempt);
        Result result = new Result(7 * article + attempt, isBusy.test(10 * article + attempt));
        made.add(result);
        return new SentCall(result, site);
    }

    private void open(int articles, int window) {
        Articles strand = new Articles(articles);
        Strands.add(nest, strand, "", "", "");
        String quote = String.valueOf((char) QUOTE);
        Strands.add(nest, strand, quote, String.valueOf((char) window), quote);
    }

    private void begin() {
        begun = true;
        Strands.begin(nest);
    }

    private void arrive(String call) {
        made.get(log.indexOf(call)).done = true;
    }

    /** The program as written, with its claims. */
    private long run(int articles) throws Throwable {
        long sum = 0;
        for (int article = 0; article < articles; article++) {
            if (article > 0 || !begun) {
                Strands.begin(nest);
            }
            for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
                try {
                    sum = 31 * sum + quote(article, attempt);
                    break;
                } catch (Busy e) {
                    sum++;
                }
            }
        }
        Strands.close(nest);
        return sum;
    }

    private int quote(int article, int attempt) throws Throwable {
        Object taken = Strands.take(nest, QUOTE);
        boolean fails = isBusy.test(10 * article + attempt);
        int value = 7 * article + attempt;
        if (taken == null) {
            log.add("written " + article + " " + attempt);
        } else {
            assertThat(((SentCall) taken).awaitInt()).isEqualTo(value);
        }
        if (fails) {
            throw new Busy();
        }
        return value;
    }

    private long asWritten(int articles) {
        long sum = 0;
        for (int article = 0; article < articles; article++) {
            for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
                if (!isBusy.test(10 * article + attempt)) {
                    sum = 31 * sum + 7 * article + attempt;
                    break;
                }
                sum++;
            }
        }
        return sum;
    }

    @Test
    void passesDoNotWaitForTheRetriesOfOthers() {
        isBusy = x -> x == 30;
        open(9, 64);
        begin();
        assertThat(log).hasSize(9).allMatch(call -> call.endsWith(" 0"));

        arrive("quote 3 0");
        nest.begin(); // any event lets strands go on
        assertThat(log).endsWith("quote 3 1");
    }

    @Test
    void whatDecidesAboutTheNextPassIsSentBeforeTheOtherCallsOfThisOne() {
        PassStrands pages = new PassStrands(2, null);
        String page = String.valueOf((char) PAGE);
        String item = String.valueOf((char) ITEM);
        String window = String.valueOf((char) 64);
        Strands.add(pages, new Pages(), "", "", page);
        Strands.add(pages, new Pages(), page, window, "");
        Strands.add(pages, new Pages(), item, window, page);
        Strands.begin(pages);
        assertThat(log).containsExactly("page");

        made.get(0).done = true;
        assertThat(Strands.take(pages, PAGE)).isNotNull();
        assertThat(log).containsExactly("page", "page", "item");
        Strands.close(pages);
    }

    @Test
    void programTakesTheCallsOfItsPass() throws Throwable {
        long missed = Strands.missed();
        long unclaimed = Strands.unclaimed();
        isBusy = x -> x % 10 < x / 10 % 4;
        open(40, 64);

        assertThat(run(40)).isEqualTo(asWritten(40));
        assertThat(log).noneMatch(call -> call.startsWith("written")).doesNotHaveDuplicates();
        assertThat(Strands.missed() - missed).isZero();
        assertThat(Strands.unclaimed() - unclaimed).isZero();
    }

    @Test
    void strandIsNeverBehindTheProgram() throws Throwable {
        isBusy = x -> x % 3 == 0;
        open(20, 1);

        assertThat(run(20)).isEqualTo(asWritten(20));
        assertThat(log).noneMatch(call -> call.startsWith("written")).doesNotHaveDuplicates();
    }

    @Test
    void windowBoundsTheCallsInFlightAndNearPassesGoFirst() {
        isBusy = x -> x == 10;
        open(9, 3);
        begin();
        assertThat(log).containsExactly("quote 0 0", "quote 1 0", "quote 2 0");

        arrive("quote 0 0");
        arrive("quote 1 0");
        assertThat(Strands.take(nest, QUOTE)).isNotNull();
        assertThat(log).containsExactly("quote 0 0", "quote 1 0", "quote 2 0", "quote 1 1", "quote 3 0");
    }

    @Test
    void lostCallEndsTheStrandOfItsPassAlone() throws Throwable {
        isBusy = x -> x % 10 == 0;
        open(9, 64);
        begin();
        made.get(4).lost = true;
        made.forEach(result -> result.done = true);

        assertThat(run(9)).isEqualTo(asWritten(9));
        assertThat(log).contains("written 4 1", "quote 3 1", "quote 5 1").doesNotContain("written 4 0", "written 5 1");
    }

    @Test
    void strandWaitsForACallThatIsMadeAgainAtItsPlace() throws Throwable {
        isBusy = x -> x % 10 == 0;
        open(9, 64);
        begin();
        Result refused = made.get(4);
        refused.full = true;
        made.forEach(result -> result.done = true);
        nest.begin();
        assertThat(log).contains("quote 3 1", "quote 5 1").doesNotContain("quote 4 1");
    }

    @Test
    void exceptionGivesUpAllPasses() {
        open(9, 64);
        begin();
        arrive("quote 3 0");
        Strands.close(nest);

        assertThat(made).allMatch(result -> result.discarded);
        Strands.begin(nest);
        assertThat(log).as("nothing more is sent").hasSize(9);
        assertThat(Strands.take(nest, QUOTE)).isNull();
    }

    @Test
    void whatThePassBeforeHasLeftIsGivenUp() {
        open(3, 64);
        begin();
        Strands.begin(nest); // as if another thread had changed what decides

        assertThat(made.get(0).discarded).isTrue();
        assertThat(made.get(1).discarded).isFalse();
        assertThat(Strands.take(nest, QUOTE)).isNotNull();
    }

    @Test
    void passesGoOnWhileTheProgramWaits() {
        isBusy = x -> x == 20;
        open(3, 64);
        begin();
        Result first = made.get(0);
        first.whenAwaited = () -> {
            first.whenAwaited = () -> first.done = true;
            made.get(2).done = true;
        };
        assertThat(Strands.take(nest, QUOTE)).isNotNull();

        assertThat(log).endsWith("quote 2 1");
        assertThat(made.get(2).woken).contains(Thread.currentThread());
    }
}
