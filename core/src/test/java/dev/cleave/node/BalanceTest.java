package dev.cleave.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.cleave.Cleave;
import dev.cleave.OverloadException;
import dev.cleave.Pending;
import dev.cleave.Remote;
import dev.cleave.Selection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** How calls that go directly are spread over replicas. */
@Tag("one-jdk")
@Timeout(120)
class BalanceTest extends TcpNodesUnderTest {

    @Remote
    interface Work {

        int run(int job);
    }

    /** Works when it is let. */
    private static final class GatedWork implements Work {

        final Semaphore gate = new Semaphore(0);
        final List<Integer> begun = new CopyOnWriteArrayList<>();

        @Override
        public int run(int job) {
            begun.add(job);
            gate.acquireUninterruptibly();
            return job;
        }
    }

    private final GatedWork one = new GatedWork();
    private final GatedWork two = new GatedWork();

    @AfterEach
    void open() {
        one.gate.release(10_000);
        two.gate.release(10_000);
    }

    private Node node(String name, String file) {
        return node(name, 8, file);
    }

    private Node client(String balance) {
        node("one", "").bind("work", one);
        node("two", "").bind("work", two);
        return node("client", "services: {work: {balance: " + balance + "}}");
    }

    /** Sends jobs from a thread of its own, which may have to wait. */
    private static List<Pending<Integer>> sent(Work work, int jobs) {
        List<Pending<Integer>> sent = new CopyOnWriteArrayList<>();
        Thread thread = new Thread(() -> {
            for (int i = 0; i < jobs; i++) {
                int job = i;
                sent.add(Cleave.async(() -> work.run(job)));
            }
        });
        thread.setDaemon(true);
        thread.start();
        return sent;
    }

    @Test
    void noReplicaHasMoreThanItsDemandAndAResultIsTheNextOne() {
        Work work = client("demand(2)").lookup("work", Work.class);

        List<Pending<Integer>> sent = sent(work, 10);
        await().until(() -> one.begun.size() == 2 && two.begun.size() == 2);
        one.gate.release(4);

        await().until(() -> one.begun.size() == 6);
        assertThat(two.begun).as("the slow one gets no more").hasSize(2);
        one.gate.release(100);
        two.gate.release(100);
        await().until(() -> sent.size() == 10);
        assertThat(sent.stream().map(Pending::await)).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
        assertThat(one.begun.size() + two.begun.size()).isEqualTo(10);
    }

    @Test
    void aReplicaThatPullsGetsTheNextCallWhenItBeginsOne() {
        node("one", "").bind("work", one); // eight workers each
        node("two", "").bind("work", two);
        Work work = node("client", "services: {work: {balance: pull(2)}}").lookup("work", Work.class);

        List<Pending<Integer>> sent = sent(work, 30);

        await().until(() -> one.begun.size() == 8 && two.begun.size() == 8); // and two more wait at each
        await().until(() -> sent.size() == 20);
        one.gate.release(4);
        await().until(() -> one.begun.size() == 12);
        await().until(() -> sent.size() == 24);
        assertThat(two.begun).as("the slow one gets no more").hasSize(8);
        one.gate.release(100);
        two.gate.release(100);
        await().until(() -> sent.size() == 30);
        assertThat(sent.stream().map(Pending::await))
                .containsExactlyElementsOf(IntStream.range(0, 30).boxed().toList());
    }

    /** Everything to the last of the replicas, at most three calls. */
    public static final class ThreeAtTheLast implements Selection {

        @Override
        public String select(List<Candidate> candidates, Object key) {
            Candidate last = candidates.get(candidates.size() - 1);
            return last.outstanding() < 3 ? last.name() : null;
        }
    }

    @Test
    void aClassOfTheApplicationSelects() {
        Work work = client("class(" + ThreeAtTheLast.class.getName() + ")").lookup("work", Work.class);

        List<Pending<Integer>> sent = sent(work, 10);

        await().until(() -> two.begun.size() == 3);
        two.gate.release(100);
        await().until(() -> sent.size() == 10);
        assertThat(sent.stream().map(Pending::await)).hasSize(10);
        assertThat(one.begun).isEmpty();
    }

    @Test
    void aSelectionThatCannotBeMadeIsToldAtTheLookup() {
        Node none = client("class(com.example.Nobody)");
        assertThatThrownBy(() -> none.lookup("work", Work.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "balance: class(com.example.Nobody): not on the class path of the node that balances the calls");
        Node other = node("other", "services: {work: {balance: class(java.lang.String)}}");
        assertThatThrownBy(() -> other.lookup("work", Work.class))
                .hasMessage("balance: class(java.lang.String): no dev.cleave.Selection");
    }

    @Test
    void whoFindsNoRoomUntilTheDeadlineFailsUnexecuted() {
        node("one", "").bind("work", one);
        Node client = node("client", "services: {work: {balance: demand(1), deadline: 200ms}}");
        Work work = client.lookup("work", Work.class);
        List<Pending<Integer>> held = sent(work, 1);
        await().until(() -> one.begun.size() == 1);

        // the call in front has failed at its own deadline by then, or this one fails for want of room
        assertThatThrownBy(() -> {
                    work.run(1);
                    work.run(2);
                })
                .isInstanceOfAny(OverloadException.class, dev.cleave.DeadlineException.class);
        assertThat(held).hasSize(1);
    }

    @Test
    void leastLoadedHearsOfWhatOthersDo() {
        node("one", "").bind("work", one);
        Work busy = node("other", "").lookup("work", Work.class);
        List<Pending<Integer>> load = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            load.add(Cleave.async(() -> busy.run(1_000)));
        }
        await().until(() -> one.begun.size() == 8); // and 32 wait
        node("two", "").bind("work", two);
        Work work = node("client", "services: {work: {balance: least-loaded}}").lookup("work", Work.class);
        two.gate.release(10_000);
        List<Pending<Integer>> sent = new ArrayList<>();
        List<Pending<Integer>> batch = new ArrayList<>();
        await().atMost(Duration.ofSeconds(30))
                .until(
                        () -> { // once it has heard of one, all of a batch go to two
                            if (!batch.isEmpty() && batch.stream().allMatch(Pending::isDone)) {
                                return true;
                            }
                            batch.clear();
                            for (int i = 0; i < 20; i++) {
                                batch.add(Cleave.async(() -> work.run(2)));
                            }
                            sent.addAll(batch);
                            return false;
                        });

        one.gate.release(10_000);
        assertThat(load.stream().map(Pending::await)).containsOnly(1_000);
        sent.forEach(Pending::await);
    }

    @Test
    void policiesChangeWithTheFile(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("cleave.yaml"), "services: {work: {balance: demand(1)}}");
        Node client = client("demand(1)");
        client.follow(file);
        Work work = client.lookup("work", Work.class);
        List<Pending<Integer>> sent = sent(work, 8);
        await().until(() -> one.begun.size() == 1 && two.begun.size() == 1);

        Files.writeString(file, "services: {work: {balance: demand(4)}}  # more");

        await().until(() -> one.begun.size() == 4 && two.begun.size() == 4);
        one.gate.release(100);
        two.gate.release(100);
        assertThat(sent.stream().map(Pending::await)).hasSize(8);
    }
}
