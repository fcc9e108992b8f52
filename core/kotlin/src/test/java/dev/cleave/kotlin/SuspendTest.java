package dev.cleave.kotlin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.acme.shop.Inventory;
import com.acme.shop.Part;
import com.acme.shop.Shop;
import com.acme.shop.Warehouse;
import dev.cleave.Cleave;
import dev.cleave.DeadlineException;
import dev.cleave.broker.Broker;
import dev.cleave.broker.BrokerOptions;
import dev.cleave.call.InterfaceReader;
import dev.cleave.config.Bindings;
import dev.cleave.node.Node;
import dev.cleave.node.NodeOptions;
import dev.cleave.transport.Endpoint;
import java.io.File;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import kotlin.coroutines.EmptyCoroutineContext;
import kotlinx.coroutines.BuildersKt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The program of {@code examples/samples/kotlin}, as Kotlin's compiler has compiled it, between two nodes. */
class SuspendTest {

    private Broker broker;
    private Node server;
    private Node client;
    private Inventory inventory;

    @BeforeEach
    void start() {
        broker = Broker.start(BrokerOptions.at(Endpoint.tcp("localhost", 0)));
        server = Node.connect(NodeOptions.DEFAULT.withBroker(broker.endpoint()));
        client = Node.connect(NodeOptions.DEFAULT.withBroker(broker.endpoint()));
        server.bind("inventory", Inventory.class, new Warehouse());
        inventory = client.lookup("inventory", Inventory.class);
    }

    @AfterEach
    void close() {
        client.close();
        server.close();
        broker.close();
    }

    /** Its last result: the number of coroutines that were cancelled at the server. */
    @Test
    void theProgramComputesWhatItComputesWithoutANetwork() {
        List<Object> here = new Shop(new Warehouse()).report(40);

        assertThat(new Shop(inventory).report(40)).isEqualTo(here);
        assertThat(here)
                .contains("reserved", "sold out: 13")
                .contains(List.of(new Part("part 4.1", null), new Part("part 4.2", 2), new Part("part 4.1", null)))
                .endsWith(1);
    }

    @Test
    void aDeadlineEndsTheCall() {
        Inventory hasty = Cleave.withDeadline(inventory, Duration.ofMillis(50));

        assertThatThrownBy(() -> BuildersKt.runBlocking(
                        EmptyCoroutineContext.INSTANCE, (scope, caller) -> hasty.stocktaking(caller)))
                .isInstanceOf(DeadlineException.class)
                .hasMessageContaining("stocktaking");
    }

    /** Beside Kotlin, the interface and the core, but without this module. */
    @Test
    void withoutThisModuleAnInterfaceWithSuspendMethodsIsRefused() throws Exception {
        Path here = Path.of(CoroutineSuspension.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        List<URL> others = new ArrayList<>();
        for (String each : System.getProperty("java.class.path").split(File.pathSeparator)) {
            Path path = Path.of(each).toAbsolutePath();
            if (!path.equals(here)) {
                others.add(path.toUri().toURL());
            }
        }
        try (URLClassLoader loader =
                new URLClassLoader(others.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
            Class<?> bindings = loader.loadClass(Bindings.class.getName());
            Class<?> type = loader.loadClass(InterfaceReader.class.getName());
            Object reader = type.getConstructor(bindings)
                    .newInstance(bindings.getField("NONE").get(null));

            assertThatThrownBy(() -> type.getMethod("read", String.class, Class.class)
                            .invoke(reader, "inventory", loader.loadClass(Inventory.class.getName())))
                    .isInstanceOf(InvocationTargetException.class)
                    .rootCause()
                    .hasMessageContaining("a suspend method (expected: dev.cleave:cleave-kotlin on the class path)");
        }
    }
}
