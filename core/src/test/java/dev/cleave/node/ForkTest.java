package dev.cleave.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.cleave.Fork;
import dev.cleave.Pending;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("one-jdk")
class ForkTest extends TcpNodesUnderTest {

    private RealShop served;

    private Shop shop(int workers) {
        served = new RealShop("one");
        node("one", workers, "application: test").bind("shop", served);
        client = node("client", 1, "application: test");
        return client.lookup("shop", Shop.class);
    }

    @Test
    void callsRunSideBySideAndEndTogether() {
        Shop shop = shop(4);
        served.gate = new CountDownLatch(1);

        try (Fork fork = new Fork()) {
            Pending<Integer> sum = fork.async(() -> shop.add(1, 2));
            Pending<String> name = fork.async(() -> shop.replica());
            Pending<Void> nothing = fork.async(() -> shop.nothing());
            await().until(() -> served.executed.get() == 3);
            served.gate.countDown();
            fork.join();

            assertThat(sum.isDone() && name.isDone() && nothing.isDone()).isTrue();
            assertThat(sum.await() + name.await()).isEqualTo("3one");
        }
    }

    @Test
    void theFirstFailureCountsAndTheOthersAreGivenUp() throws Exception {
        Shop shop = shop(1);
        served.gate = new CountDownLatch(1);

        try (Fork fork = new Fork()) {
            Pending<Void> failing = fork.async(() -> shop.fail("checked"));
            Pending<Void> blocking = fork.async(() -> shop.nothing());
            Pending<Integer> queued = fork.async(() -> shop.pure(3));
            served.entered.await();
            await().until(failing::isDone);
            served.gate.countDown();

            assertThatThrownBy(fork::join).isInstanceOf(IOException.class).hasMessage("disk");
            assertThat(blocking.isDone() && queued.isDone()).isTrue();
        }
    }

    @Test
    void noCallOutlivesTheBlock() throws Exception {
        Shop shop = shop(1);
        served.gate = new CountDownLatch(1);
        Pending<Void> running;
        Pending<Integer> queued;
        Fork leaked;
        try (Fork fork = new Fork()) {
            leaked = fork;
            running = fork.async(() -> shop.nothing());
            served.entered.await();
            queued = fork.async(() -> shop.add(1, 1));
            Thread opener = new Thread(() -> served.gate.countDown());
            opener.start();
        }

        assertThat(running.isDone() && queued.isDone()).isTrue();
        int executed = served.executed.get();
        shop.nothing();
        assertThat(served.executed).as("nothing ran behind the block").hasValue(executed + 1);
        assertThatThrownBy(() -> leaked.async(() -> shop.add(1, 1)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("the fork is closed");
    }
}
