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
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a stub says of the exceptions that its calls throw: whether their messages and texts run code of the program. */
@Timeout(180)
@Tag("one-jdk")
class PlainExceptionsTest extends NodesUnderTest {

    /** Declares an exception that says what it is given. */
    @Remote
    public interface Plain {
        int of(int x) throws Missing;
    }

    /** Declares one that makes its message anew. */
    @Remote
    public interface Counting {
        int of(int x) throws Counted;
    }

    /** An exception as most are. */
    public static class Missing extends Exception {
        private static final long serialVersionUID = 1L;

        public Missing(String message) {
            super(message);
        }
    }

    /** An exception whose message is code. */
    public static class Counted extends Exception {
        private static final long serialVersionUID = 1L;

        public int asked;

        @Override
        public String getMessage() {
            return "asked " + ++asked;
        }
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
    void itIsKnownByTheClassesThatMayTravel() {
        Node server = node(NodeOptions.DEFAULT);
        server.bind("plain", (Plain) x -> {
            throw new Missing("no " + x);
        });
        server.bind("counting", (Counting) x -> x);
        client = node(NodeOptions.DEFAULT);
        Plain plain = client.lookup("plain", Plain.class);
        Counting counting = client.lookup("counting", Counting.class);

        assertThat(Rt.throwsOnlyPlainExceptions(plain)).isTrue();
        assertThat(Rt.throwsOnlyPlainExceptions(counting)).isFalse();
        assertThatThrownBy(() -> plain.of(3))
                .isExactlyInstanceOf(Missing.class)
                .satisfies(e -> assertThat(Rt.isValue(e)).isTrue());
        assertThat(Rt.isValue(new Counted())).isFalse();
        assertThat(Rt.isValue(new IllegalStateException(new Counted())))
                .as("what has caused it")
                .isFalse();
        Exception suppressing = new Exception("x");
        suppressing.addSuppressed(new Counted());
        assertThat(Rt.isValue(suppressing)).isFalse();
    }

    @Test
    void interceptorsMayThrowAnything() {
        node(NodeOptions.DEFAULT).bind("plain", (Plain) x -> x);
        client = node(NodeOptions.DEFAULT.withInterceptor(new Silent()));

        assertThat(Rt.throwsOnlyPlainExceptions(client.lookup("plain", Plain.class)))
                .isFalse();
        assertThat(Rt.throwsOnlyPlainExceptions(new Object())).isFalse();
    }
}
