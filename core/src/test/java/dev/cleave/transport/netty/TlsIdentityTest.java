package dev.cleave.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.cleave.config.KeyFiles;
import dev.cleave.metrics.Refusals;
import dev.cleave.testing.TestKeys;
import dev.cleave.transport.Connection;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.FrameHandler;
import dev.cleave.transport.Transport;
import dev.cleave.transport.TransportException;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Tag("one-jdk")
@Timeout(120)
class TlsIdentityTest {

    @TempDir
    static Path directory;

    private static TestKeys authority;

    private final List<Transport> transports = new CopyOnWriteArrayList<>();
    private final List<Connection> accepted = new CopyOnWriteArrayList<>();

    private static synchronized TestKeys keys() {
        if (authority == null) {
            authority = new TestKeys(directory);
        }
        return authority;
    }

    @AfterEach
    void close() {
        transports.forEach(Transport::close);
    }

    @Test
    void bothSidesKnowTheNameInTheCertificateOfTheOther() {
        Endpoint door = listen(keys().of("server"));

        Connection connection = transport(keys().of("client")).connect(door, new Quiet());

        assertThat(connection.identity()).isEqualTo("server");
        await().until(() -> accepted.size() == 1);
        assertThat(accepted.get(0).identity()).isEqualTo("client");
    }

    @Test
    void aPeerOfAnotherNameIsNotTheOneThatWasDialled() {
        Endpoint door = listen(keys().of("server"));

        assertThatThrownBy(() -> transport(keys().of("client")).connect(door.of("bank"), new Quiet()))
                .isInstanceOf(TransportException.class)
                .hasMessageContaining("the peer is server (expected: bank)");
    }

    @Test
    void anEndpointWithoutAnIdentityIsNotDialled() {
        Endpoint door = listen(keys().of("server"));

        assertThatThrownBy(() -> transport(keys().of("client")).connect(door.of(null), new Quiet()))
                .isInstanceOf(TransportException.class)
                .hasMessageContaining("expected: tcp://IDENTITY@host:port");
    }

    @Test
    void expiredAndForeignCertificatesOpenNothing() {
        Endpoint door = listen(keys().of("server"));
        long before = Refusals.of("denied.tls");

        dialInVain(keys().expired("client"), door);
        dialInVain(keys().foreign("client"), door);

        await().until(() -> Refusals.of("denied.tls") >= before + 2);
        assertThat(accepted).isEmpty();
    }

    @Test
    void aServerWithAnExpiredOrForeignCertificateIsNotBelieved() {
        for (KeyFiles bad : List.of(keys().expired("server"), keys().foreign("server"))) {
            Endpoint door = listen(bad);

            assertThatThrownBy(() -> transport(keys().of("client")).connect(door, new Quiet()))
                    .isInstanceOf(TransportException.class)
                    .hasMessageContaining(door.toString());
        }
    }

    @Test
    void plainBytesAreNoTls() throws IOException {
        Endpoint door = listen(keys().of("server"));
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), door.port())) {
            socket.getOutputStream().write(new byte[64]);
            socket.getOutputStream().flush();
            drain(socket.getInputStream());
        }
        assertThat(accepted).isEmpty();
    }

    @Test
    void aPlainListenerIsNamedByThosThatDialItWithTls() {
        NettyTransport plain = NettyTransport.create(new NettyOptions(
                NettyOptions.Poller.BEST, 1, Duration.ofSeconds(3), io.netty.buffer.PooledByteBufAllocator.DEFAULT));
        transports.add(plain);
        Endpoint door = plain.listen(TcpPorts.free(), connection -> new Quiet() {
                    @Override
                    public void onOpen(Connection connection) {
                        ByteBuf hello = connection.allocator().buffer();
                        connection.write(hello.writeZero(64));
                        connection.flush();
                    }
                })
                .endpoint();

        assertThatThrownBy(() -> transport(keys().of("client")).connect(door.of("server"), new Quiet()))
                .isInstanceOf(TransportException.class)
                .hasMessageContaining("does not speak TLS");
    }

    @Test
    void newKeysAreUsedForNewConnectionsAndBadOnesChangeNothing() throws IOException {
        TestKeys renewed = new TestKeys(Files.createDirectory(directory.resolve("renewed")));
        KeyFiles files = renewed.of("server");
        Endpoint door = listen(files);
        KeyFiles client = renewed.of("client");
        assertThat(transport(client).connect(door, new Quiet()).identity()).isEqualTo("server");

        Files.writeString(files.certificate(), "no certificate");
        await().pollDelay(Duration.ofMillis(1_100)).untilAsserted(() -> assertThat(
                        transport(client).connect(door, new Quiet()).identity())
                .isEqualTo("server"));

        KeyFiles other = renewed.of("server-2");
        Files.copy(other.certificate(), files.certificate(), java.nio.file.StandardCopyOption.REPLACE_EXISTING);
        Files.copy(other.key(), files.key(), java.nio.file.StandardCopyOption.REPLACE_EXISTING);

        await().ignoreExceptions().untilAsserted(() -> assertThat(transport(client)
                        .connect(door.of("server-2"), new Quiet())
                        .identity())
                .isEqualTo("server-2"));
    }

    @Test
    void keysInOneFileOfPkcs12() throws Exception {
        KeyFiles pem = keys().of("stored");
        KeyMaterial read = KeyMaterial.read(pem);
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setKeyEntry("own", read.key(), "secret".toCharArray(), read.chain());
        store.setCertificateEntry("authority", read.authorities()[0]);
        Path file = directory.resolve("stored.p12");
        try (var out = Files.newOutputStream(file)) {
            store.store(out, "secret".toCharArray());
        }
        Path password = Files.writeString(directory.resolve("password"), "secret\n");
        Endpoint door = listen(new KeyFiles(file, null, null, password));

        assertThat(transport(keys().of("client")).connect(door, new Quiet()).identity())
                .isEqualTo("stored");
    }

    @Test
    void aKeyThatIsNotOfTheCertificateIsRefusedAtTheStart() {
        KeyFiles one = keys().of("one");
        KeyFiles two = keys().of("two");

        assertThatThrownBy(() -> transport(new KeyFiles(one.certificate(), two.key(), one.authority(), null)))
                .isInstanceOf(TransportException.class)
                .hasMessageContaining("is not the certificate of the key");
    }

    /** TLS 1.3 ends the dialling side's handshake before the other side has seen its certificate. */
    private void dialInVain(KeyFiles files, Endpoint door) {
        Quiet handler = new Quiet();
        try {
            transport(files).connect(door, handler);
            await().until(() -> handler.closed);
        } catch (TransportException e) {
            assertThat(e).hasMessageContaining(door.toString());
        }
    }

    private Endpoint listen(KeyFiles files) {
        return transport(files)
                .listen(TcpPorts.free(), connection -> {
                    accepted.add(connection);
                    return new Quiet();
                })
                .endpoint();
    }

    private Transport transport(KeyFiles files) {
        NettyTransport made = NettyTransport.create(NettyOptions.DEFAULT, files);
        transports.add(made);
        return made;
    }

    private static void drain(InputStream in) throws IOException {
        while (in.read() >= 0) {
            // until the other side closes
        }
    }

    private static class Quiet implements FrameHandler {

        private volatile boolean closed;

        @Override
        public void onOpen(Connection connection) {}

        @Override
        public void onFrame(Connection connection, ByteBuf frame) {}

        @Override
        public void onClose(Connection connection, @Nullable Throwable cause) {
            closed = true;
        }
    }
}
