package dev.cleave.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.cleave.Cleave;
import dev.cleave.Pending;
import dev.cleave.Remote;
import dev.cleave.RemoteFailureException;
import dev.cleave.Serial;
import dev.cleave.WaitCycleException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls that served methods make, and the order in which those that wait are run. */
@Tag("one-jdk")
@Timeout(120)
class NestedCallsTest extends TcpNodesUnderTest {

    /** Hands a number on to another service, as often as it says. */
    @Remote
    interface Hop {

        int hop(int left);

        CompletableFuture<Integer> hopLater(int left);

        int note(int number);
    }

    private Hopper second;

    /** Calls the next service while something is left. */
    private static class Hopper implements Hop {

        final Node node;
        final String next;
        final List<Integer> noted = new CopyOnWriteArrayList<>();
        final Semaphore gate = new Semaphore(0);
        volatile WaitCycleException cycle;

        Hopper(Node node, String next) {
            this.node = node;
            this.next = next;
        }

        @Override
        public int hop(int left) {
            try {
                return left == 0 ? 0 : 1 + node.lookup(next, Hop.class).hop(left - 1);
            } catch (WaitCycleException e) {
                cycle = e;
                throw e;
            }
        }

        @Override
        public CompletableFuture<Integer> hopLater(int left) {
            Hop hop = node.lookup(next, Hop.class);
            return CompletableFuture.completedFuture(
                    left == 0 ? 0 : 1 + hop.hopLater(left - 1).join());
        }

        @Override
        public int note(int number) {
            if (number < 0) {
                gate.acquireUninterruptibly();
            }
            noted.add(number);
            return number;
        }
    }

    @Serial
    private static final class SerialHopper extends Hopper {

        SerialHopper(Node node, String next) {
            super(node, next);
        }

        /** Does not wait for the call that comes back. */
        @Override
        public int note(int number) {
            if (number == 100) {
                Pending<Integer> unused =
                        Cleave.async(() -> node.lookup(next, Hop.class).hop(1));
                return number;
            }
            return super.note(number);
        }
    }

    private Node node(String name) {
        return node(name, 1, "services: {marker: {workers: 1}}");
    }

    private Hop circle(boolean serial) {
        Node a = node("a");
        Node b = node("b");
        a.bind("a", serial ? new SerialHopper(a, "b") : new Hopper(a, "b"));
        second = new Hopper(b, "a");
        b.bind("b", second);
        return node("client").lookup("a", Hop.class);
    }

    @Test
    void servicesWithOneWorkerEachMayCallOneAnotherInACircle() {
        Hop hop = circle(false);

        assertThat(hop.hop(20)).isEqualTo(20);
        assertThat(hop.hopLater(20).join()).isEqualTo(20);
    }

    @Test
    void manyAtATimeMayToo() {
        Hop hop = circle(false);
        List<Pending<Integer>> sent = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            sent.add(Cleave.async(() -> hop.hop(7)));
        }

        assertThat(sent.stream().map(Pending::await)).hasSize(50).containsOnly(7);
    }

    @Test
    void aCallThatComesBackToASerialObjectWhichWaitsForItFails() {
        Hop hop = circle(true);

        assertThat(hop.hop(1)).as("a waits for b alone").isEqualTo(1);
        WaitCycleException seen = catchThrowableOfType(WaitCycleException.class, () -> hop.hop(2));
        assertThat(seen).as("two nodes away").hasMessage(second.cycle.getMessage());
        assertThat(seen.executed()).as("what was called from here was executed").isTrue();
        assertThat(seen.service()).isEqualTo("a");
        assertThat(seen.replica()).isEqualTo("a");
        assertThat(seen)
                .hasCauseInstanceOf(RemoteFailureException.class)
                .cause()
                .hasMessageContaining(WaitCycleException.class.getName());
        assertThat(seen.getStackTrace())
                .as("of the caller, and of the method that let it out")
                .anySatisfy(frame -> assertThat(frame.getClassName()).isEqualTo(NestedCallsTest.class.getName()))
                .anySatisfy(frame -> assertThat(frame.getClassName()).isEqualTo(Hopper.class.getName()));
        assertThat(second.cycle)
                .hasMessageContaining(
                        "Hop.hop of service a (replica a): it would wait for itself: the object is @Serial")
                .hasMessageContaining("Hop.hop, which it serves, waits for a call that led to this one; it waits")
                .hasMessageContaining("at " + Hopper.class.getName() + ".hop(NestedCallsTest.java:");
        assertThat(second.cycle.notExecuted()).isTrue();
        assertThat(second.cycle.getStackTrace())
                .as("the stack of the call that came back")
                .anySatisfy(frame -> assertThat(frame.getClassName()).isEqualTo(Hopper.class.getName()));
        assertThat(hop.hop(1)).as("nothing is left behind").isEqualTo(1);
    }

    @Test
    void aCallThatComesBackButIsNotWaitedForRuns() {
        Hop hop = circle(true);

        assertThat(hop.note(100)).isEqualTo(100);
        assertThat(hop.note(5)).isEqualTo(5);
    }

    @Test
    void callsThatSomebodyIsBlockedOnOvertakeThoseThatAreOnlySentAhead() {
        Node server = node("server");
        Hopper served = new Hopper(server, "none");
        server.bind("hop", served);
        Node client = node("client");
        Hop hop = client.lookup("hop", Hop.class);
        Pending<Integer> first = Cleave.async(() -> hop.note(-1));
        await().until(served.gate::hasQueuedThreads);
        List<Pending<Integer>> ahead = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            int number = i;
            ahead.add(Cleave.async(() -> hop.note(number)));
        }
        Thread blocked = new Thread(() -> ahead.get(8).await());
        blocked.start();
        Thread direct = new Thread(() -> hop.note(50));
        direct.start();

        await().until(() ->
                server.awaitedCalls() == 2); // no further calls: every sixteenth that is taken is the oldest
        served.gate.release();

        await().until(() -> served.noted.size() == 12); // before anybody is blocked on one of the others
        ahead.forEach(Pending::await);
        assertThat(first.await()).isEqualTo(-1);
        assertThat(served.noted.subList(1, 3)).containsExactlyInAnyOrder(8, 50);
        assertThat(served.noted.subList(3, 12)).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 9);
    }
}
