package dev.cleave.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cleave.Remote;
import dev.cleave.config.Bindings;
import dev.cleave.config.KeyFiles;
import dev.cleave.node.Node;
import dev.cleave.node.NodeOptions;
import dev.cleave.testing.EffectOf;
import dev.cleave.testing.TestKeys;
import dev.cleave.transport.Endpoint;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Duration;
import java.util.Base64;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The ways in which an application file names the keys of a process. */
@Timeout(120)
@Tag("one-jdk")
class SecurityFilesTest {

    private static final String PEER = """
            security:
              certificate: NAME.crt
              key: NAME.key
              authority: authority.crt
              token-key: issuer.pub
              rights: [{identity: server, register: [desk]}, {identity: clerk, call: [desk]}]
            """;

    @TempDir
    private Path folder;

    private TestKeys keys;
    private Broker broker;
    private Node server;

    /** A service. */
    @Remote
    interface Desk {

        int size();
    }

    @BeforeEach
    void start() throws IOException {
        keys = new TestKeys(folder);
        keys.takingTokens("broker");
        Files.move(folder.resolve(KeyFiles.TOKEN_KEY_FILE), folder.resolve("issuer.pub"));
        keys.of("server");
        broker = Broker.start(BrokerOptions.at(Endpoint.tcp("localhost", 0)).with(peer("broker")));
        server = Node.connect(NodeOptions.DEFAULT.withBroker(broker.endpoint()).withBindings(peer("server")));
        server.bind("desk", (Desk) () -> 3);
    }

    private Bindings peer(String name) {
        return Bindings.parse(
                PEER.replace("NAME", name), folder.resolve("cleave.yaml").toString());
    }

    @AfterEach
    void stop() {
        server.close();
        broker.close();
    }

    private int size(String security) {
        Bindings file = Bindings.parse(
                "security: {" + security + "}", folder.resolve("cleave.yaml").toString());
        try (Node node = Node.connect(NodeOptions.DEFAULT
                .withBroker(broker.endpoint().of(null))
                .withBindings(file)
                .withPatience(Duration.ZERO))) {
            return node.lookup("desk", Desk.class).size();
        }
    }

    @Test
    @EffectOf({"security.keys", "security.identity"})
    void aFolderAndAnIdentityInIt() {
        keys.of("clerk");
        keys.of("stranger");

        assertThat(size("keys: " + folder + ", identity: clerk")).isEqualTo(3);
        assertThatThrownBy(() -> size("keys: ., identity: stranger")).isInstanceOf(RuntimeException.class);
    }

    @Test
    @EffectOf({"security.certificate", "security.key", "security.authority"})
    void singleFiles() {
        keys.of("clerk");

        assertThat(size("certificate: clerk.crt, key: clerk.key, authority: authority.crt"))
                .isEqualTo(3);
    }

    @Test
    @EffectOf({"security.token", "security.token-key"})
    void aTokenThatTheOtherSideTakes() {
        keys.token("clerk", "broker", "server");
        keys.foreignToken("thief", "broker", "server");

        assertThat(size("token: clerk.token, authority: authority.crt")).isEqualTo(3);
        assertThatThrownBy(() -> size("token: thief.token, authority: authority.crt"))
                .isInstanceOf(RuntimeException.class);
    }

    @Test
    @EffectOf({"security.keystore", "security.password-file"})
    void aKeystore() throws Exception {
        KeyFiles files = keys.of("clerk");
        char[] password = "secret".toCharArray();
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, password);
        Certificate authority = certificate(folder.resolve("authority.crt"));
        store.setKeyEntry(
                "clerk", key(folder.resolve("clerk.key")), password, new Certificate[] {certificate(files.certificate())
                });
        store.setCertificateEntry("authority", authority);
        try (OutputStream out = Files.newOutputStream(folder.resolve("clerk.p12"))) {
            store.store(out, password);
        }
        Files.writeString(folder.resolve("password"), "secret\n");

        assertThat(size("keystore: clerk.p12, password-file: password")).isEqualTo(3);
    }

    private static Certificate certificate(Path file) throws Exception {
        return CertificateFactory.getInstance("X.509")
                .generateCertificate(new ByteArrayInputStream(Files.readAllBytes(file)));
    }

    private static PrivateKey key(Path file) throws Exception {
        String text = Files.readString(file).replaceAll("-----[A-Z ]+-----|\\s", "");
        return KeyFactory.getInstance("EC")
                .generatePrivate(new PKCS8EncodedKeySpec(Base64.getDecoder().decode(text)));
    }
}
