package dev.cleave.broker.cli;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.cleave.Remote;
import dev.cleave.broker.Broker;
import dev.cleave.broker.BrokerOptions;
import dev.cleave.config.Bindings;
import dev.cleave.config.KeyFiles;
import dev.cleave.identity.Ed25519;
import dev.cleave.identity.HeldToken;
import dev.cleave.identity.Token;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.netty.NettyOptions;
import dev.cleave.transport.netty.NettyTransport;
import dev.cleave.wire.Load;
import dev.cleave.wire.Names;
import dev.cleave.wire.ReplicaState;
import dev.cleave.wire.Route;
import dev.cleave.wire.Services;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("one-jdk")
class MainTest {

    /** A service. */
    @Remote
    public interface Hello {

        int hello();
    }

    /** Its implementation. */
    public static final class RealHello implements Hello {

        @Override
        public int hello() {
            return 1;
        }
    }

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    Path directory;

    @Test
    void helpNamesTheCommands() {
        assertThat(run("--help")).isZero();

        assertThat(out.toString()).contains("broker", "serve", "services", "up", "explain", "weave");
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void keysAreMadeOfOneAuthorityWhichStays() throws IOException {
        Path keys = directory.resolve("keys");

        assertThat(run("keys", keys.toString())).isZero();
        assertThat(out.toString()).contains("new authority and keys of broker, server, client, admin");
        byte[] authority = Files.readAllBytes(keys.resolve("authority.crt"));
        byte[] before = Files.readAllBytes(keys.resolve("client.crt"));
        assertThat(Files.getPosixFilePermissions(keys.resolve("client.key")))
                .containsExactlyInAnyOrder(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

        assertThat(run("keys", keys.toString(), "client", "bank-7")).isZero();

        assertThat(Files.readAllBytes(keys.resolve("authority.crt"))).isEqualTo(authority);
        assertThat(Files.readAllBytes(keys.resolve("client.crt"))).isNotEqualTo(before);
        assertThat(keys.resolve("bank-7.key")).isRegularFile();
        Path file = Files.writeString(directory.resolve("cleave.yaml"), "security: {keys: keys, identity: bank-7}");
        KeyFiles found = requireNonNull(Bindings.load(file).security().keyFiles("client"));
        NettyTransport transport = NettyTransport.create(NettyOptions.DEFAULT, found);
        assertThat(transport.identity()).isEqualTo("bank-7");
        transport.close();
    }

    @Test
    void anIdentityIsAlsoAFileName() {
        assertThat(run("keys", directory.toString(), "../x")).isEqualTo(1);

        assertThat(err.toString()).contains("../x (expected: a name of letters").hasLineCount(1);
    }

    @Test
    void tokensAreMadeWithOneKeyAndTakenByThoseWhoHaveIt() throws Exception {
        Path keys = directory.resolve("tokens");
        run("keys", keys.toString(), "broker");

        assertThat(run("keys", keys.toString(), "ann", "--token", "--audience", "broker,bank", "--minutes", "5"))
                .isZero();

        assertThat(out.toString()).contains("new key of tokens and tokens of ann for broker, bank in " + keys);
        KeyFiles ann = KeyFiles.in(keys, "ann");
        assertThat(ann.certificate()).isNull();
        assertThat(Files.getPosixFilePermissions(ann.token())).isEqualTo(PosixFilePermissions.fromString("rw-------"));
        Token token = Token.read(
                HeldToken.read(ann.token()).text(),
                Ed25519.publicKey(KeyFiles.in(keys, "broker").tokenKey()));
        assertThat(token.audience()).containsExactly("broker", "bank");
        assertThat(Duration.between(token.issuedAt(), token.expiresAt())).isEqualTo(Duration.ofMinutes(5));
        byte[] key = Files.readAllBytes(keys.resolve("tokens.key"));
        assertThat(run("keys", keys.toString(), "bob", "--token")).isZero();
        assertThat(Files.readAllBytes(keys.resolve("tokens.key"))).isEqualTo(key);
        assertThat(run("keys", keys.toString(), "bob", "--token", "--minutes", "61"))
                .isEqualTo(1);
        assertThat(run("keys", keys.toString(), "--token")).isEqualTo(1);
    }

    @Test
    void noCommandIsAMistake() {
        assertThat(run()).isEqualTo(2);

        assertThat(err.toString())
                .startsWith("cleave: no command (expected: one of broker, serve")
                .hasLineCount(1);
    }

    @Test
    void unknownCommandIsAMistake() {
        assertThat(run("brokr")).isEqualTo(2);

        assertThat(err.toString())
                .isEqualTo("cleave: unknown command 'brokr' (did you mean broker?); see cleave --help\n");
    }

    @Test
    void unknownOptionIsAMistake() {
        assertThat(run("up", "--colour", "app.yaml")).isEqualTo(2);

        assertThat(err.toString()).isEqualTo("cleave: Unknown option: '--colour'; see cleave up --help\n");
    }

    @Test
    void misspeltOptionIsNamed() {
        assertThat(run("services", "--brokre", "x")).isEqualTo(2);

        assertThat(err.toString())
                .isEqualTo(
                        "cleave: Unknown options: '--brokre', 'x' (did you mean --broker?); see cleave services --help\n");
    }

    @Test
    void versionIsThatOfTheArtifacts() {
        assumeThat(CleaveVersion.current()).isNotEqualTo(CleaveVersion.UNBUILT);
        assertThat(run("--version")).isZero();

        assertThat(out.toString()).matches("cleave \\d+\\.\\d+\\.\\d+(-SNAPSHOT)?\n");
    }

    @Test
    void missingOptionIsAMistake() {
        assertThat(run("serve", "app.yaml")).isEqualTo(2);

        assertThat(err.toString()).contains("--replica").hasLineCount(1);
    }

    @Test
    void missingFileFailsInOneLine() {
        assertThat(run("up", directory.resolve("none.yaml").toString())).isEqualTo(1);

        assertThat(err.toString()).contains("none.yaml: no such file").hasLineCount(1);
    }

    @Test
    void mistakeInTheFileNamesItsLine() throws IOException {
        Path file = Files.writeString(directory.resolve("app.yaml"), "services:\n  compare: {replica: []}\n");

        assertThat(run("up", file.toString())).isEqualTo(1);

        assertThat(err.toString()).contains("app.yaml:2: ").contains("replicas").hasLineCount(1);
    }

    @Test
    void fileWithoutReplicasHasNothingToStart() throws IOException {
        Path file = Files.writeString(directory.resolve("app.yaml"), "application: x\n");

        assertThat(run("up", file.toString())).isEqualTo(1);

        assertThat(err.toString())
                .isEqualTo("cleave: " + file + ": no service names a replica (expected: replicas: [{name: ...}])\n");
    }

    @Test
    void verboseAddsTheStack() {
        assertThat(run("up", "--verbose", directory.resolve("none.yaml").toString()))
                .isEqualTo(1);

        assertThat(err.toString()).contains("\tat dev.cleave.");
    }

    @Test
    void aFileIsNoListOfArguments() throws IOException {
        Path file = Files.writeString(directory.resolve("secret"), "SECRET line\n");

        assertThat(run("up", "@" + file)).isEqualTo(1);

        assertThat(err.toString())
                .doesNotContain("SECRET")
                .contains("no such file")
                .hasLineCount(1);
    }

    @Test
    void aFileOfAnotherKindIsNotShown() throws IOException {
        Path file = Files.writeString(directory.resolve("shadow"), "root:$6$SECRET:19000:0:99999:7:::\n");

        assertThat(run("broker", "--config", file.toString())).isEqualTo(1);

        assertThat(err.toString())
                .doesNotContain("SECRET")
                .contains("shadow:1: ")
                .hasLineCount(1);
    }

    @Test
    void whatSteersATerminalIsShownAsText() {
        assertThat(run("br\u001b[2Joker")).isEqualTo(2);

        assertThat(err.toString()).doesNotContain("\u001b").contains("br\\u001b[2Joker");
    }

    @Test
    void namesOfServicesDoNotSteerTheTerminal() {
        String name = "a\u001b[2J\r\nb";
        Services.Replica replica = new Services.Replica(name, name, ReplicaState.UP, Load.NONE, 1, name);

        List<String> lines = ServicesCommand.table(
                        List.of(new Services.Service(name, name, Route.DIRECT, List.of(replica))))
                .lines();

        assertThat(lines).hasSize(2).allMatch(line -> Names.escaped(line).equals(line));
    }

    /** A service whose only replica listens at a host. */
    private static String exposed(String host) {
        return "services:\n  hello:\n    interface: " + Hello.class.getName() + "\n    implementation: "
                + RealHello.class.getName() + "\n    replicas: [{name: one, host: " + host + "}]\n";
    }

    @Test
    void aReplicaListensBeyondLoopbackOnlyIfToldSo() throws IOException {
        Path file = Files.writeString(directory.resolve("app.yaml"), exposed("0.0.0.0"));
        try (Broker broker = Broker.start(BrokerOptions.at(Endpoint.tcp("localhost", 0)))) {
            Bindings bindings = Bindings.load(file);

            assertThat(run(
                            "serve",
                            file.toString(),
                            "--replica",
                            "one",
                            "--broker",
                            "cleave://localhost:" + broker.endpoint().port()))
                    .isEqualTo(1);
            assertThat(err.toString())
                    .contains("0.0.0.0")
                    .contains("--insecure")
                    .hasLineCount(1);
            try (ReplicaHost host = ReplicaHost.start("one", file, bindings, List.of(broker.endpoint()), true)) {
                assertThat(host.services()).containsExactly("hello");
            }
        }
    }

    @Test
    void aBrokerListensBeyondLoopbackOnlyIfToldSo() {
        assertThat(run("broker", "--listen", "0.0.0.0:0")).isEqualTo(1);

        assertThat(err.toString()).contains("0.0.0.0").contains("--insecure").hasLineCount(1);
    }

    private int run(String... args) {
        return Main.run(new PrintWriter(out, true), new PrintWriter(err, true), args);
    }
}
