package dev.cleave.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.Remote;
import dev.cleave.config.Bindings;
import dev.cleave.node.Node;
import dev.cleave.node.NodeOptions;
import dev.cleave.testing.TestKeys;
import dev.cleave.transport.Endpoint;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Large arrays go over encrypted sockets as they are, many one after the other, both ways. */
@Tag("one-jdk")
@Timeout(300)
class TlsArraysTest {

    private static final String FILE = """
            security:
              rights:
                - {identity: server, register: [arrays]}
                - {identity: client, call: [arrays]}
            """;
    private static final boolean FULL = Boolean.getBoolean("cleave.full");
    private static final int ELEMENTS = FULL ? 1 << 20 : 1 << 17; // 8 or 1 MiB of double; C1 encrypts slowly
    private static final int CALLS = FULL ? 100 : 4;

    /** The service. */
    @Remote
    interface Arrays {

        /** The first element that is not its index times {@code factor}; -1 if there is none. */
        int wrong(double[] values, double factor);

        /** Elements that are their indices times {@code factor}. */
        double[] of(double factor);
    }

    private static final class RealArrays implements Arrays {

        @Override
        public int wrong(double[] values, double factor) {
            for (int i = 0; i < values.length; i++) {
                if (values[i] != i * factor) {
                    return i;
                }
            }
            return values.length == ELEMENTS ? -1 : values.length;
        }

        @Override
        public double[] of(double factor) {
            double[] values = new double[ELEMENTS];
            for (int i = 0; i < values.length; i++) {
                values[i] = i * factor;
            }
            return values;
        }
    }

    @TempDir
    static Path directory;

    @Test
    void manyLargeArraysArriveAsTheyWere() {
        TestKeys keys = new TestKeys(directory);
        Bindings file = Bindings.parse(FILE, "cleave.yaml");
        RealArrays here = new RealArrays();
        try (Broker broker = Broker.start(BrokerOptions.at(Endpoint.tcp("localhost", 0))
                        .with(file)
                        .with(keys.of("broker")));
                Node server = node("server", broker, file, keys);
                Node client = node("client", broker, file, keys)) {
            server.bind("arrays", here);
            Arrays arrays = client.lookup("arrays", Arrays.class);
            for (int call = 1; call <= CALLS; call++) {
                assertThat(arrays.wrong(here.of(call), call))
                        .as("argument of call %s", call)
                        .isEqualTo(-1);
                assertThat(here.wrong(arrays.of(call), call))
                        .as("result of call %s", call)
                        .isEqualTo(-1);
            }
        }
    }

    private static Node node(String name, Broker broker, Bindings file, TestKeys keys) {
        return Node.connect(NodeOptions.DEFAULT
                .withName(name)
                .withBroker(broker.endpoint().of(null))
                .withBindings(file)
                .withKeys(keys.of(name)));
    }
}
