package dev.cleave.broker.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cleave.config.MemoryBounds;
import dev.cleave.testing.FakeConnection;
import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.FrameKind;
import dev.cleave.wire.Methods;
import dev.cleave.wire.Types;
import dev.cleave.wire.WireException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("one-jdk")
class AnnouncedTest {

    private final FakeConnection to = new FakeConnection("server");
    private final ServerSide server =
            new ServerSide(to.core(RelaySession.FRAMES, 0), new BackPressure(to), new PeerNumbers(), Relay.MAX_PENDING);
    private final Pair pair = new Pair(new FakeClient("client"), server, 7, 3);
    private final Announced announced = new Announced(null);

    private static Methods method(int number, String service) {
        return new Methods(0, List.of(new Methods.Method(number, service, "m()V")));
    }

    @Test
    void aServerGetsWhatItHasNotGotInOrderUnderTheNumberOfTheClient() {
        announced.add(method(0, "first"));
        announced.add(new Types(0, 0, List.of("a.B", "a.C")));
        announced.replay(pair);

        assertThat(to.take(Methods::read))
                .isEqualTo(new Methods(7, method(0, "first").methods()));
        assertThat(to.take(Types::read)).isEqualTo(new Types(7, 0, List.of("a.B", "a.C")));

        announced.add(method(1, "second"));
        announced.replay(pair);
        announced.replay(pair);

        assertThat(to.kinds()).containsExactly(FrameKind.METHODS);
        assertThat(to.flushes).isZero();
    }

    @Test
    void servicesAreFoundByTheNumbersOfMethods() {
        announced.add(method(0, "first"));
        announced.add(method(1, "second"));

        assertThat(announced.service(1)).isEqualTo("second");
        assertThatThrownBy(() -> announced.service(2))
                .isInstanceOf(WireException.class)
                .hasMessage("method number: 2 (expected: one of the 2 announced before)");
    }

    @Test
    void numbersAreDense() {
        announced.add(new Types(0, 0, List.of("a.B")));

        assertThatThrownBy(() -> announced.add(method(1, "service"))).hasMessage("method number: 1 (expected: 0)");
        assertThatThrownBy(() -> announced.add(new Types(0, 2, List.of("a.C"))))
                .hasMessage("type number: 2 (expected: 1)");
    }

    @Test
    void namesAreBounded() {
        String longest = "x".repeat(30_000);

        assertThatThrownBy(() -> {
                    for (int i = 0; i <= Announced.MAX_CHARS / longest.length(); i++) {
                        announced.add(new Types(0, i, List.of(longest)));
                    }
                })
                .isInstanceOfSatisfying(
                        WireException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.TOO_LARGE));
    }

    @Test
    void namesOfAllClientsTogetherAreCountedWhileTheyAreThere() {
        long before = MemoryBounds.NAMES.used();
        for (int i = 0; i < 10; i++) {
            announced.add(new Types(0, i, List.of("x".repeat(30_000))));
        }

        assertThat(MemoryBounds.NAMES.used() - before).isGreaterThan(500_000);
        announced.close();
        assertThat(MemoryBounds.NAMES.used()).isEqualTo(before);
    }

    @Test
    void framesWithoutNamesAreBoundedToo() {
        assertThatThrownBy(() -> {
                    for (int i = 0; i <= Announced.MAX_NAMES; i++) {
                        announced.add(new Types(0, i, List.of("")));
                    }
                })
                .hasMessageContaining("expected: at most " + Announced.MAX_NAMES);
    }
}
