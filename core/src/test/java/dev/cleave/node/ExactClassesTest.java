package dev.cleave.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cleave.Remote;
import dev.cleave.intercept.CallObserver;
import dev.cleave.intercept.ClientInterceptor;
import dev.cleave.intercept.OutgoingCall;
import dev.cleave.rt.Rt;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.Transport;
import dev.cleave.transport.local.LocalTransport;
import java.io.Serializable;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a stub says of the classes of the objects that its calls return: whether some may be of subclasses. */
@Timeout(180)
@Tag("one-jdk")
class ExactClassesTest extends NodesUnderTest {

    private static final String CHAIR = Chair.class.getName();

    /** Names one class. */
    @Remote
    public interface Desk {
        Chair chair(int x);
    }

    /** Names a subclass as well. */
    @Remote
    public interface Shop {
        Chair chair(int x);

        List<Armchair> best();
    }

    /** A result that may be extended. */
    public static class Chair implements Serializable {
        private static final long serialVersionUID = 1L;

        public int legs = 4;
    }

    /** Its subclass. */
    public static final class Armchair extends Chair {
        private static final long serialVersionUID = 1L;
    }

    private static final class Silent implements ClientInterceptor {

        @Override
        public @Nullable CallObserver sends(OutgoingCall call) {
            return null;
        }
    }

    @Override
    Transport transport() {
        return LocalTransport.create();
    }

    @Override
    Endpoint door() {
        return Endpoint.local("broker-" + UUID.randomUUID());
    }

    @Test
    void theyAreKnownByTheClassesThatMayTravel() {
        Node server = node(NodeOptions.DEFAULT);
        server.bind("desk", (Desk) x -> x == 0 ? new Chair() : new Armchair());
        server.bind("shop", new Shop() {
            @Override
            public Chair chair(int x) {
                return new Armchair();
            }

            @Override
            public List<Armchair> best() {
                return List.of();
            }
        });
        client = node(NodeOptions.DEFAULT);
        Desk desk = client.lookup("desk", Desk.class);
        Shop shop = client.lookup("shop", Shop.class);

        assertThat(Rt.returnsNoSubclassOf(desk, CHAIR)).isTrue();
        assertThat(Rt.returnsNoSubclassOf(shop, CHAIR)).isFalse();
        assertThat(Rt.returnsNoSubclassOf(shop, Armchair.class.getName())).isTrue();
        assertThat(desk.chair(0)).isExactlyInstanceOf(Chair.class);
        assertThatThrownBy(() -> desk.chair(1)).hasMessageContaining("Armchair");
        assertThat(shop.chair(1)).isExactlyInstanceOf(Armchair.class);
    }

    @Test
    void interceptorsMayReturnAnything() {
        node(NodeOptions.DEFAULT).bind("desk", (Desk) x -> new Chair());
        client = node(NodeOptions.DEFAULT.withInterceptor(new Silent()));

        assertThat(Rt.returnsNoSubclassOf(client.lookup("desk", Desk.class), CHAIR))
                .isFalse();
        assertThat(Rt.returnsNoSubclassOf(new Object(), CHAIR)).isFalse();
    }
}
