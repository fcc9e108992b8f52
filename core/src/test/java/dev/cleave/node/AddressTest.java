package dev.cleave.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cleave.transport.Endpoint;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("one-jdk")
class AddressTest {

    private static final String HERE = "192.0.2.7"; // reserved for documentation: no machine has it

    @Test
    void aNodeListensAtTheAddressByWhichItReachesItsBrokerAndTellsIt() {
        assertThat(Address.DEFAULT.listening(HERE)).isEqualTo(Endpoint.tcp(HERE, 0));
        assertThat(Address.DEFAULT.told(Endpoint.tcp(HERE, 81), HERE)).isEqualTo(Endpoint.tcp(HERE, 81));
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "127.0.0.9", "[::1]", "localhost"})
    void besideABrokerOnThisMachineItListensAtLoopback(String here) {
        assertThat(Address.DEFAULT.listening(here)).isEqualTo(Endpoint.tcp("localhost", 0));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0", "[::]", "::", "*"})
    void aWildcardIsNeverTold(String wildcard) {
        assertThatThrownBy(() -> new Address(wildcard, null, 0, false))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("a wildcard is none");

        Address everywhere = new Address(null, wildcard, 0, false);

        assertThat(everywhere.told(Endpoint.tcp(wildcard, 81), HERE)).isEqualTo(Endpoint.tcp(HERE, 81));
        assertThat(everywhere.told(Endpoint.tcp(wildcard, 81), "127.0.0.1")).isEqualTo(Endpoint.tcp("localhost", 81));
    }

    @Test
    void aHostThatIsNotOfThisMachineIsToldAndTheNodeListensEverywhere() {
        Address forwarded = new Address(HERE, null, 7500, false);

        assertThat(forwarded.listening("10.0.0.1")).isEqualTo(Endpoint.tcp("0.0.0.0", 7500));
        assertThat(forwarded.told(Endpoint.tcp("0.0.0.0", 7500), "10.0.0.1")).isEqualTo(Endpoint.tcp(HERE, 7500));
    }

    @Test
    void aHostOfThisMachineIsListenedAtAlone() {
        assertThat(new Address("127.0.0.1", null, 0, false).listening(HERE)).isEqualTo(Endpoint.tcp("127.0.0.1", 0));
    }
}
