package dev.cleave.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.cleave.concurrent.SystemTimer;
import dev.cleave.config.KeyFiles;
import dev.cleave.metrics.Refusals;
import dev.cleave.testing.TestKeys;
import dev.cleave.transport.Connection;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.FrameHandler;
import dev.cleave.transport.Handshake;
import dev.cleave.transport.HandshakeException;
import dev.cleave.transport.Transport;
import dev.cleave.transport.TransportException;
import dev.cleave.wire.Challenge;
import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.Frame;
import dev.cleave.wire.FrameKind;
import dev.cleave.wire.GoAway;
import dev.cleave.wire.Header;
import dev.cleave.wire.Hello;
import dev.cleave.wire.Ping;
import dev.cleave.wire.Proof;
import io.netty.buffer.ByteBuf;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Peers that have a token and no certificate. */
@Tag("one-jdk")
@Timeout(120)
class TokenIdentityTest {

    @TempDir
    Path directory;

    private TestKeys keys;
    private final SystemTimer timer = SystemTimer.create("token-test");
    private final List<Transport> transports = new CopyOnWriteArrayList<>();
    private final List<String> met = new CopyOnWriteArrayList<>();

    @BeforeEach
    void certify() {
        keys = new TestKeys(directory);
    }

    @AfterEach
    void close() {
        transports.forEach(Transport::close);
        timer.close();
    }

    @Test
    void theIdentityIsThatOfTheToken() {
        Endpoint door = listen(keys.takingTokens("server"));

        Connection connection = dial(keys.token("ann", "broker", "server"), door);

        assertThat(connection.identity()).isEqualTo("server");
        await().untilAsserted(() -> assertThat(met).containsExactly("ann"));
    }

    @Test
    void aPeerWithACertificateNeedsNoToken() {
        Endpoint door = listen(keys.takingTokens("server"));

        Connection connection = dial(keys.of("client"), door);

        assertThat(connection.identity()).isEqualTo("server");
        await().untilAsserted(() -> assertThat(met).containsExactly("client"));
    }

    @Test
    void expiredForeignAndMisdirectedTokensAreRefused() {
        Endpoint door = listen(keys.takingTokens("server"));
        long denied = Refusals.of("denied.token");

        refused(keys.token("ann", Instant.now().minusSeconds(1_801), "server"), door, "has expired");
        refused(keys.token("ann", Instant.now().plusSeconds(600), "server"), door, "not yet");
        refused(keys.token("ann", "bank"), door, "is for [bank] (expected: server)");
        refused(keys.foreignToken("ann", "server"), door, "not signed by the issuer that is trusted here");

        assertThat(met).isEmpty();
        assertThat(Refusals.of("denied.token")).isGreaterThanOrEqualTo(denied + 4);
    }

    @Test
    void whereNoKeyOfTokensIsNamedNoneIsTaken() {
        Endpoint door = listen(keys.of("server"));

        assertThatThrownBy(() -> dial(keys.token("ann", "server"), door))
                .isInstanceOfAny(TransportException.class, HandshakeException.class);
        assertThat(met).isEmpty();
    }

    @Test
    void aProofOfOneConnectionIsRefusedOnAnother() {
        Endpoint door = listen(keys.takingTokens("server"));
        Transport ann = transport(keys.token("ann", "server"));
        Listening first = new Listening();
        Connection one = ann.connect(door, first);
        Proof proof = prove(one, first);

        Listening second = new Listening();
        say(ann.connect(door, second), Hello.of("ann", 1), proof);
        say(one, Hello.of("ann", 1), proof);

        await().untilAsserted(() -> assertThat(second.said).containsExactly(FrameKind.CHALLENGE, FrameKind.GOAWAY));
        assertThat(second.why).isEqualTo(ErrorCode.DENIED);
        await().untilAsserted(() -> assertThat(first.said).containsExactly(FrameKind.CHALLENGE, FrameKind.HELLO));
        assertThat(met).containsExactly("ann");
    }

    /** A server to which a token is shown asks for a proof that it can use at another server of the audience. */
    @Test
    void aServerCannotPassAProofOn() {
        Endpoint honest = listen(keys.takingTokens("server"));
        Endpoint impostor = listen(keys.takingTokens("impostor"));
        Transport ann = transport(keys.token("ann", "server", "impostor"));
        Listening asked = new Listening();
        Connection toHonest = ann.connect(honest, asked); // by the impostor, who has the token's text
        await().until(() -> asked.challenge != null);
        Proof passedOn = prove(ann.connect(impostor, new Listening()), asked);

        say(toHonest, Hello.of("ann", 1), passedOn);

        await().untilAsserted(() -> assertThat(asked.said).containsExactly(FrameKind.CHALLENGE, FrameKind.GOAWAY));
        assertThat(met).isEmpty();
    }

    @Test
    void beforeItsProofAPeerIsToldNothingAndMaySayNothingElse() {
        Endpoint door = listen(keys.takingTokens("server"));
        Transport ann = transport(keys.token("ann", "server"));
        for (List<Frame> said : List.<List<Frame>>of(
                List.of(new Ping(1)),
                List.of(Hello.of("ann", 1), new Ping(1)),
                List.of(Hello.of("ann", 1), Hello.of("ann", 1)),
                List.of(new Proof("a", "b")),
                List.of(Hello.of("ann", 1), new Proof("", "")))) {
            Listening heard = new Listening();
            Connection connection = ann.connect(door, heard);
            say(connection, said.toArray(Frame[]::new));

            await().untilAsserted(() -> assertThat(heard.isClosed).isTrue());
            assertThat(heard.said).as("%s", said).containsExactly(FrameKind.CHALLENGE, FrameKind.GOAWAY);
        }
        assertThat(met).isEmpty();
    }

    @Test
    void beforeItsProofNoFrameMayBeLongerThanAHello() {
        Endpoint door = listen(keys.takingTokens("server"));
        Listening heard = new Listening();
        Connection connection = transport(keys.token("ann", "server")).connect(door, heard);
        say(connection, Hello.of("ann", 1));
        connection.write(
                connection.allocator().buffer().writeInt(Header.HELLO_LIMIT + 1).writeByte(FrameKind.REQUEST.number()));
        connection.flush();

        await().untilAsserted(() -> assertThat(heard.isClosed).isTrue());
    }

    @Test
    void nobodyListensWithATokenAlone() {
        assertThatThrownBy(() -> listen(keys.token("ann", "server")))
                .isInstanceOf(TransportException.class)
                .hasMessageContaining("no certificate");
    }

    private void refused(KeyFiles files, Endpoint door, String why) {
        assertThatThrownBy(() -> dial(files, door))
                .isInstanceOf(HandshakeException.class)
                .hasMessageContaining(why);
    }

    private static Proof prove(Connection connection, Listening heard) {
        await().until(() -> heard.challenge != null);
        try {
            return connection.prover().prove(heard.challenge);
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    private static void say(Connection connection, Frame... frames) {
        for (Frame frame : frames) {
            connection.write(frame.write(connection.allocator()));
        }
        connection.flush();
    }

    private Connection dial(KeyFiles files, Endpoint door) {
        return new Handshake(Hello.of("a-node", 1), timer)
                .connect(transport(files), door, (connection, peer) -> new Listening());
    }

    private Endpoint listen(KeyFiles files) {
        return new Handshake(Hello.of("server", 1), timer)
                .listen(transport(files), TcpPorts.free(), (connection, peer) -> {
                    met.add(String.valueOf(peer.identity()));
                    return new Listening();
                })
                .endpoint();
    }

    private Transport transport(KeyFiles files) {
        Transport made = NettyTransport.create(NettyOptions.DEFAULT, files);
        transports.add(made);
        return made;
    }

    /** Keeps what it hears. */
    private static final class Listening implements FrameHandler {

        final List<FrameKind> said = new CopyOnWriteArrayList<>();
        volatile @Nullable Challenge challenge;
        volatile @Nullable ErrorCode why;
        volatile boolean isClosed;

        @Override
        public void onOpen(Connection connection) {}

        @Override
        public void onFrame(Connection connection, ByteBuf frame) {
            FrameKind kind = Header.kind(frame);
            if (kind == FrameKind.CHALLENGE) {
                challenge = Challenge.read(frame);
            } else if (kind == FrameKind.GOAWAY) {
                why = GoAway.read(frame).code();
            }
            said.add(kind);
        }

        @Override
        public void onClose(Connection connection, @Nullable Throwable cause) {
            isClosed = true;
        }
    }
}
