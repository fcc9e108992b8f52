package dev.cleave.shaded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cleave.Async;
import dev.cleave.Remote;
import dev.cleave.broker.Broker;
import dev.cleave.broker.BrokerOptions;
import dev.cleave.node.Node;
import dev.cleave.transport.Endpoint;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The jar that the shade plug-in has made works without what it was made of. */
class ShadedTest {

    /** A remote interface with a value that Kryo carries. */
    @Remote
    public interface Words {

        /** Returns the words of a text. */
        @Async
        List<String> words(String text);
    }

    @Test
    void callsTravelThroughTheRelocatedNettyAndKryo() {
        assertMissing("io.netty.channel.Channel");
        assertMissing("com.esotericsoftware.kryo.Kryo");
        assertMissing("org.snakeyaml.engine.v2.api.Load");
        assertMissing("picocli.CommandLine");
        try (Broker broker = Broker.start(BrokerOptions.at(Endpoint.tcp("localhost", 0)));
                Node server = Node.connect(broker.endpoint().toString());
                Node client = Node.connect(broker.endpoint().toString())) {
            server.bind("words", (Words) text -> List.of(text.split(" ")));

            assertThat(client.lookup("words", Words.class).words("to be or not"))
                    .containsExactly("to", "be", "or", "not");
        }
    }

    @Test
    void theRelocatedNettyLoadsItsNativeLibrary() throws ReflectiveOperationException {
        Class<?> epoll = Class.forName("dev.cleave.shaded.io.netty.channel.epoll.Epoll");
        Object cause = epoll.getMethod("unavailabilityCause").invoke(null);

        assertThat(cause == null || !System.getProperty("os.name").equals("Linux"))
                .as("%s", cause)
                .isTrue();
    }

    private static void assertMissing(String name) {
        assertThatThrownBy(() -> Class.forName(name)).isInstanceOf(ClassNotFoundException.class);
    }
}
