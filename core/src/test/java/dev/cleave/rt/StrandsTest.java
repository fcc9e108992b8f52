package dev.cleave.rt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.transport.WaitCondition;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A nest of two levels with its strands, written by hand as the agent generates them. */
class StrandsTest {

    private static final int ORDERS = 0;
    private static final int PRICE = 1;

    private final Site site = new Site("StrandsTest", 1, "Shop.any");
    private final List<Result> made = new ArrayList<>();
    private final List<String> log = new ArrayList<>();
    private final Strands nest = new Strands(2, null);
    private boolean begun;

    /** A result that the test lets arrive. */
    private static final class Result extends IntHandle {

        private final List<Thread> woken = new ArrayList<>();
        private boolean done;
        private boolean lost;
        private boolean full;
        private int hurried;
        private Runnable whenAwaited = () -> done = true;

        Result(int value) {
            super(value, false);
        }

        @Override
        public boolean isDone() {
            return done;
        }

        @Override
        public boolean isUnanswered() {
            return lost;
        }

        @Override
        public boolean wasOverload() {
            return full;
        }

        @Override
        public boolean isRefusedForNow() {
            return full;
        }

        @Override
        public void wakes(Thread thread) {
            woken.add(thread);
        }

        @Override
        public void hurry() {
            hurried++;
        }

        @Override
        public boolean awaitOr(WaitCondition other, long since) {
            whenAwaited.run();
            assertThat(done || other.isDone())
                    .as("it waits for something that has come")
                    .isTrue();
            return done;
        }
    }

    /** Sends {@code orders(c)} for each customer. */
    private final class Customers extends Strand {

        private final int customers;
        private int c;

        Customers(int customers) {
            this.customers = customers;
        }

        @Override
        protected void step() {
            while (c < customers) {
                if (!hasRoom(ORDERS)) {
                    return;
                }
                put(send("orders " + c, c % 3), ORDERS);
                c++;
                if (!pass()) {
                    return;
                }
            }
            end();
        }
    }

    /** Sends {@code price(c, i)} for each order of each customer, once the number of orders is here. */
    private final class Orders extends Strand {

        private final int customers;
        private int c;
        private int i;
        private int orders;

        Orders(int customers) {
            this.customers = customers;
        }

        @Override
        protected void step() throws Throwable {
            while (c < customers) {
                if (at == 0) {
                    if (!look(ORDERS)) {
                        return;
                    }
                    orders = seenInt();
                    i = 0;
                    at = 1;
                }
                for (; i < orders; i++) {
                    if (!hasRoom(PRICE)) {
                        return;
                    }
                    if (!put(send("price " + c + " " + i, 100 * c + i), PRICE)) {
                        return;
                    }
                }
                at = 0;
                c++;
                if (!pass()) {
                    return;
                }
            }
            end();
        }
    }

    private SentCall send(String call, int value) {
        log.add(call);
        Result result = new Result(value);
        made.add(result);
        return new SentCall(result, site);
    }

    private void open(int customers, int window) {
        Strands.add(nest, new Customers(customers), String.valueOf((char) ORDERS), String.valueOf((char) window), "");
        Strands.add(
                nest,
                new Orders(customers),
                String.valueOf((char) PRICE),
                String.valueOf((char) window),
                String.valueOf((char) ORDERS));
    }

    /** The program begins its first pass. */
    private void begin() {
        begun = true;
        Strands.begin(nest);
    }

    private void arrive(String call) {
        made.get(log.indexOf(call)).done = true;
    }

    private void arriveAll() {
        made.forEach(result -> result.done = true);
    }

    /** The program as written, with its claims. */
    private long run(int customers) throws Throwable {
        long sum = 0;
        for (int c = 0; c < customers; c++) {
            if (c > 0 || !begun) {
                Strands.begin(nest);
            }
            int orders = result(ORDERS, "orders " + c, c % 3);
            for (int i = 0; i < orders; i++) {
                sum = 31 * sum + result(PRICE, "price " + c + " " + i, 100 * c + i);
            }
        }
        Strands.close(nest);
        return sum;
    }

    private int result(int row, String call, int value) throws Throwable {
        Object taken = Strands.take(nest, row);
        if (taken == null) {
            log.add("written " + call);
            return value;
        }
        return ((SentCall) taken).awaitInt();
    }

    private static long asWritten(int customers) {
        long sum = 0;
        for (int c = 0; c < customers; c++) {
            for (int i = 0; i < c % 3; i++) {
                sum = 31 * sum + 100 * c + i;
            }
        }
        return sum;
    }

    @Test
    void anActivationThatIsTimedAsWrittenSendsNothing() {
        SelfComparison comparison = new SelfComparison();
        Strands timed = new Strands(1, Trial.begin(comparison, SelfComparison.Way.TIMED));
        String row = String.valueOf((char) ORDERS);
        assertThat(Strands.add(timed, new Customers(9), row, row + (char) 64, ""))
                .isSameAs(timed);
        for (int c = 0; c < 9; c++) {
            Strands.begin(timed);
            assertThat(Strands.take(timed, ORDERS)).isNull();
        }
        Strands.close(timed);
        assertThat(log).isEmpty();
    }

    @Test
    void boundsThatArriveLetTheirCallsBeSent() {
        open(9, 64);
        begin();
        assertThat(log).hasSize(9).allMatch(call -> call.startsWith("orders"));

        arrive("orders 0");
        arrive("orders 2");
        nest.pump();
        assertThat(log).as("orders 1 is not here").hasSize(9);

        arrive("orders 1");
        nest.pump();
        assertThat(log).endsWith("price 1 0", "price 2 0", "price 2 1");
    }

    @Test
    void programTakesWhatWasSentInItsOrder() throws Throwable {
        long missed = Strands.missed();
        open(20, 64);
        begin();
        arriveAll();

        assertThat(run(20)).isEqualTo(asWritten(20));
        assertThat(log).noneMatch(call -> call.startsWith("written")).doesNotHaveDuplicates();
        assertThat(Strands.missed() - missed).isZero();
    }

    @Test
    void strandIsNeverBehindTheProgram() throws Throwable {
        long missed = Strands.missed();
        long forced = Strands.forced();
        open(20, 1);

        assertThat(run(20)).isEqualTo(asWritten(20));
        assertThat(log).noneMatch(call -> call.startsWith("written")).doesNotHaveDuplicates();
        assertThat(Strands.missed() - missed).isZero();
        assertThat(Strands.forced() - forced)
                .as("a window of one leaves no room ahead")
                .isNotNegative();
    }

    @Test
    void windowBoundsTheCallsOfItsMethodInFlight() {
        open(20, 3);
        begin();
        assertThat(log).containsExactly("orders 0", "orders 1", "orders 2");

        arrive("orders 1");
        nest.pump();
        assertThat(log).as("behind one that is still in flight").hasSize(3);

        arrive("orders 0");
        nest.pump();
        assertThat(log).contains("orders 3", "orders 4", "price 1 0").doesNotContain("orders 5");
    }

    @Test
    void failureEndsTheStrandsThatNeedTheResult() throws Throwable {
        open(9, 64);
        begin();
        made.get(1).lost = true;
        arriveAll();
        nest.pump();
        assertThat(log).as("orders 0 has none, orders 1 is lost").noneMatch(call -> call.startsWith("price"));

        assertThat(run(9)).isEqualTo(asWritten(9));
        assertThat(log).contains("written price 1 0", "written price 8 1").doesNotContain("written orders 1");
    }

    @Test
    void strandWaitsForACallThatIsMadeAgainAtItsPlace() throws Throwable {
        open(9, 64);
        begin();
        made.get(1).full = true;
        arriveAll();
        nest.pump();
        assertThat(log).noneMatch(call -> call.startsWith("price"));

        assertThat(run(9)).isEqualTo(asWritten(9));
        assertThat(log).contains("price 1 0", "price 8 1").noneMatch(call -> call.startsWith("written"));
    }

    @Test
    void declinedSendEndsItsStrandAlone() throws Throwable {
        Strand declining = new Strand() {
            @Override
            protected void step() {
                put(null, ORDERS);
            }
        };
        Strands.add(nest, declining, String.valueOf((char) ORDERS), "@", "");
        Strands.add(nest, new Orders(9), String.valueOf((char) PRICE), "@", String.valueOf((char) ORDERS));

        assertThat(run(9)).isEqualTo(asWritten(9));
        assertThat(log).allMatch(call -> call.startsWith("written"));
    }

    @Test
    void whatAStrandThrowsIsLeftToTheProgram() throws Throwable {
        Strand throwing = new Strand() {
            @Override
            protected void step() {
                put(send("orders 0", 0), ORDERS);
                throw new ArithmeticException();
            }
        };
        Strands.add(nest, throwing, String.valueOf((char) ORDERS), "@", "");

        assertThat(run(4)).isEqualTo(asWritten(4));
        assertThat(log).startsWith("orders 0", "written orders 1");
    }

    @Test
    void exceptionGivesUpWhatWasSent() {
        open(9, 64);
        begin();
        arrive("orders 0");
        Strands.close(nest);

        assertThat(made).allMatch(result -> result.discarded);
        nest.pump();
        assertThat(log).as("nothing more is sent").hasSize(9);
    }

    @Test
    void strandsGoOnWhileTheProgramWaits() {
        open(9, 64);
        begin();
        arrive("orders 0");
        arrive("orders 1");
        nest.pump();
        Result price = made.get(log.indexOf("price 1 0"));
        Result orders = made.get(2);
        price.whenAwaited = () -> {
            price.whenAwaited = () -> price.done = true;
            orders.done = true;
        };
        assertThat(Strands.take(nest, ORDERS)).isNotNull();
        Strands.begin(nest);
        assertThat(Strands.take(nest, ORDERS)).isNotNull();
        assertThat(Strands.take(nest, PRICE)).isNotNull();

        assertThat(log).as("orders 2 came while the program waited").endsWith("price 2 0", "price 2 1");
        assertThat(price.woken).contains(Thread.currentThread());
        assertThat(orders.woken).contains(Thread.currentThread());
        assertThat(made.get(8).hurried)
                .as("the call written last goes before the thread waits")
                .isEqualTo(1);
    }

    @Test
    void callThatTheProgramAwaitsCountsInItsWindow() {
        open(9, 3);
        begin();
        Result first = made.get(0);
        Result second = made.get(1);
        first.whenAwaited = () -> {
            first.whenAwaited = () -> first.done = true;
            second.done = true;
        };

        assertThat(Strands.take(nest, ORDERS)).isNotNull();

        assertThat(log)
                .as("two and the awaited one in flight")
                .filteredOn(call -> call.startsWith("orders"))
                .containsExactly("orders 0", "orders 1", "orders 2", "orders 3");
    }

    @Test
    void callOfAnotherPassIsNotTaken() throws Throwable {
        open(9, 64);
        begin();
        Strands.begin(
                nest); // as if another thread had changed what decides: the program has not called in its first pass
        assertThat(Strands.take(nest, ORDERS)).isNull();

        assertThat(made).allMatch(result -> result.discarded);
        assertThat(Strands.take(nest, ORDERS)).isNull();
    }

    @Test
    void resultIsKeptUntilAllThatNeedItHaveLooked() throws Throwable {
        open(40, 2);
        assertThat(run(40)).isEqualTo(asWritten(40));
        assertThat(log).noneMatch(call -> call.startsWith("written"));
    }
}
