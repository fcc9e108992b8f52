package dev.cleave.lab.strangers;

import dev.cleave.config.KeyFiles;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.Transport;
import dev.cleave.wire.CallClaim;
import dev.cleave.wire.Caller;
import dev.cleave.wire.ConnectionName;
import dev.cleave.wire.Drain;
import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.Execution;
import dev.cleave.wire.Failure;
import dev.cleave.wire.Frame;
import dev.cleave.wire.FrameKind;
import dev.cleave.wire.Header;
import dev.cleave.wire.Hello;
import dev.cleave.wire.Lane;
import dev.cleave.wire.Lease;
import dev.cleave.wire.ListServices;
import dev.cleave.wire.LoadWatch;
import dev.cleave.wire.Lookup;
import dev.cleave.wire.Methods;
import dev.cleave.wire.PendingArgument;
import dev.cleave.wire.Ping;
import dev.cleave.wire.Recall;
import dev.cleave.wire.RegisterReplica;
import dev.cleave.wire.Reload;
import dev.cleave.wire.RequestHead;
import dev.cleave.wire.RequestOptions;
import dev.cleave.wire.SharedLane;
import dev.cleave.wire.Unregister;
import dev.cleave.wire.Watch;
import dev.cleave.wire.Welcome;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/** The attacks of strangers on the ports of a {@link Bank}. Each method counts its attempts, and throws at a success. */
final class Attacks {

    private static final int PATIENCE_MILLIS = 8_000;
    private static final int MOST_ALERT = 64; // bytes of a TLS alert
    private static final String RESULT = "result(JJI)Ljava/util/concurrent/CompletableFuture;";
    private static final String OPEN = "open()J";
    private static final String PUT = "put(Ldev/cleave/lab/strangers/Vault$Loot;)V";

    private static final int NAMES_EACH = 50;
    private static final int LONG_NAME = 60_000;
    private static final int LISTEN_MILLIS = 200;

    private final Bank bank;
    private final SplittableRandom random;

    Attacks(Bank bank, long seed) {
        this.bank = bank;
        random = new SplittableRandom(seed);
    }

    /** Thrown when a stranger has gained something. */
    static final class GainedException extends RuntimeException {

        private static final long serialVersionUID = 1;

        GainedException(String what) {
            super(what);
        }
    }

    /** Each message in plain bytes, at each port. */
    int plainBytes() throws IOException {
        int attempts = 0;
        for (Endpoint port : bank.ports()) {
            for (FrameKind kind : FrameKind.values()) {
                attempts++;
                try (Socket socket = new Socket(port.host(), port.port())) {
                    socket.setSoTimeout(PATIENCE_MILLIS);
                    socket.getOutputStream().write(hello("client"));
                    socket.getOutputStream().write(bytes(garbage(kind)));
                    socket.getOutputStream().flush();
                    int heard = readToEnd(socket.getInputStream());
                    require(heard <= MOST_ALERT, port + " answered plain " + kind + " with " + heard + " bytes");
                } catch (SocketException e) {
                    continue; // reset: nothing was said
                }
            }
        }
        return attempts;
    }

    /** TLS without a certificate, and without a token: all that is said is the question for one, and the end. */
    int withoutCertificate() throws IOException, GeneralSecurityException {
        SSLContext context = SSLContext.getInstance("TLSv1.3");
        context.init(null, new TrustManager[] {new TrustsAll()}, null);
        int attempts = 0;
        for (Endpoint port : bank.ports()) {
            attempts++;
            try (SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket(port.host(), port.port())) {
                socket.setSoTimeout(PATIENCE_MILLIS);
                socket.getOutputStream().write(hello("client"));
                socket.getOutputStream().write(bytes(garbage(FrameKind.REQUEST)));
                List<FrameKind> said = kinds(socket.getInputStream().readAllBytes());
                said.removeAll(List.of(FrameKind.CHALLENGE, FrameKind.GOAWAY));
                require(said.isEmpty(), port + " spoke with a peer without certificate: " + said);
            } catch (SSLException | SocketException e) {
                continue; // turned away
            }
        }
        return attempts;
    }

    /** Certificates that have expired, or that another authority has issued. */
    int badCertificates() {
        int attempts = 0;
        for (String identity : List.of("client", "server", "admin", "broker")) {
            for (KeyFiles files :
                    List.of(bank.keys().expired(identity), bank.keys().foreign(identity))) {
                Transport transport = bank.transport(files);
                for (Endpoint port : bank.ports()) {
                    attempts++;
                    Intruder in = Intruder.meet(transport, port, Hello.of(identity, 1), bank.timer());
                    require(in == null, port + " took " + files);
                }
                transport.close();
            }
        }
        return attempts;
    }

    /** Each message before HELLO, from a peer with a certificate and no right. */
    int beforeHello() throws InterruptedException {
        int attempts = 0;
        Transport transport = guest();
        for (Endpoint port : bank.ports()) {
            for (FrameKind kind : FrameKind.values()) {
                attempts++;
                Intruder in = Intruder.mute(transport, port);
                if (in != null) {
                    in.say(garbage(kind));
                    require(in.awaitClose(), port + " listens on after " + kind + " before HELLO");
                    List<FrameKind> said = new ArrayList<>(in.heard());
                    said.removeAll(List.of(FrameKind.HELLO, FrameKind.GOAWAY));
                    require(said.isEmpty(), port + " answered " + kind + " before HELLO by " + said);
                }
            }
        }
        return attempts;
    }

    /** Each message, of random bytes, from a peer with a certificate and no right. */
    int garbageAfterHello(int rounds) throws InterruptedException {
        int attempts = 0;
        Transport transport = guest();
        for (int round = 0; round < rounds; round++) {
            for (Endpoint port : bank.ports()) {
                for (FrameKind kind : FrameKind.values()) {
                    attempts++;
                    Intruder in = meet(transport, port, Hello.of("guest", round));
                    in.say(garbage(kind));
                    in.awaitAnswers(0);
                    in.close();
                }
            }
        }
        return attempts;
    }

    /** Calls, whose arguments are garbage, at the server and through the broker: denied before they are decoded. */
    int callsWithoutRight() throws InterruptedException {
        int attempts = 0;
        Transport transport = guest();
        for (Endpoint port : bank.ports()) {
            for (String key : List.of(OPEN, PUT, "none()V")) {
                attempts++;
                Intruder in = meet(transport, port, Hello.of("guest", 1));
                in.say(new Methods(0, List.of(new Methods.Method(0, "vault", key))));
                ByteBuf request = new RequestHead(0, 1, 0, 5_000_000).begin(UnpooledByteBufAllocator.DEFAULT, 64);
                request.writeBytes(randomBytes(48));
                Header.finish(request);
                in.say(request);
                in.awaitAnswers(1);
                denied(in, port + " vault." + key);
            }
        }
        return attempts;
    }

    /** Calls of methods with long names, over many connections: what is denied must take no memory, and fill no log. */
    int longNamesWithoutRight(int rounds) throws InterruptedException {
        int attempts = 0;
        Transport transport = guest();
        for (int round = 0; round < rounds; round++) {
            for (Endpoint port : bank.ports()) {
                Intruder in = meet(transport, port, Hello.of("guest", round));
                for (int i = 0; i < NAMES_EACH; i++) {
                    attempts++;
                    String key = "m" + round + '_' + i + '_' + "x".repeat(LONG_NAME) + "()V";
                    in.say(new Methods(0, List.of(new Methods.Method(i, "vault", key))));
                    in.say(new RequestHead(0, 1 + i, i, 5_000_000));
                }
                in.awaitAnswers(NAMES_EACH);
                require(!in.heard().contains(FrameKind.REPLY), port + " answered a call of a guest");
                in.close();
            }
        }
        return attempts;
    }

    /** Says to a server, as a peer that dialled it, what only a broker may say. */
    int wordsOfABroker() throws InterruptedException {
        List<Frame> words = List.of(
                new Welcome(
                        "guest",
                        true,
                        false,
                        List.of(new Welcome.Broker("guest", "tcp://guest@127.0.0.1:1", Long.MAX_VALUE, 1))),
                new Drain(1, "server"),
                new Reload(1, "security: {rights: [{identity: guest, call: ['*']}]}"),
                new LoadWatch("vault", List.of(1)),
                new CallClaim(1, "vault", "guest", 0, 1, 1));
        int attempts = 0;
        Transport transport = guest();
        for (Hello hello : List.of(Hello.of("broker", 1), Hello.ofRelay("broker", 2))) {
            for (Frame word : words) {
                attempts++;
                Intruder in = meet(transport, bank.serverEndpoint(), hello);
                in.say(word);
                in.say(new Ping(1));
                in.awaitAnswers(1);
                in.close();
            }
        }
        return attempts;
    }

    /** Asks a broker, without a right, under names that others have. */
    int questionsUnderOtherNames() throws InterruptedException {
        List<Function<Long, Frame>> questions = List.of(
                id -> register(id, "vault", "server"),
                id -> register(id, "vault", "other"),
                id -> new Watch(id, "vault"),
                id -> new Lookup(id, "vault"),
                id -> new Drain(id, "server"));
        int attempts = 0;
        Transport transport = guest();
        for (String name : List.of("guest", "server", "client", "admin", "broker")) {
            for (Function<Long, Frame> question : questions) {
                attempts++;
                Intruder in = meet(transport, bank.brokerEndpoint(), Hello.of(name, Long.MAX_VALUE));
                in.say(question.apply(1L << 62));
                in.awaitAnswers(1);
                denied(in, "question of " + name + ": " + question.apply(0L));
            }
            for (Frame other : List.of(
                    new Unregister(1L << 62, "vault", "server"),
                    new Lease(1L << 62, 1),
                    new Recall(1L << 62, ConnectionName.random(), 1),
                    new ListServices(1L << 62),
                    new Caller(0, "admin"),
                    new Caller(1, "client"))) {
                attempts++;
                Intruder in = meet(transport, bank.brokerEndpoint(), Hello.of(name, Long.MAX_VALUE));
                in.say(other);
                in.awaitAnswers(1);
                in.close();
            }
        }
        return attempts;
    }

    /** Tells a server, as a peer that is no broker, on whose behalf it calls. */
    int claimedCallers() throws InterruptedException {
        int attempts = 0;
        Transport transport = guest();
        for (Hello hello : List.of(Hello.of("broker", 1), Hello.ofRelay("broker", 2))) {
            for (int peer : new int[] {0, 1}) {
                attempts++;
                Intruder in = meet(transport, bank.serverEndpoint(), hello);
                in.say(new Caller(peer, "client"));
                in.say(new Methods(peer, List.of(new Methods.Method(0, "vault", OPEN))));
                in.say(new RequestHead(peer, 1, 0, 5_000_000));
                in.awaitAnswers(1);
                require(
                        in.heard().stream().noneMatch(kind -> kind == FrameKind.REPLY),
                        "the server took a guest's word for a caller");
                in.close();
            }
        }
        return attempts;
    }

    /** Asks a server for results of calls of others, by guessed keys; their number must not grow without bound. */
    int guessedKeys() throws InterruptedException {
        int attempts = 0;
        Transport transport = guest();
        Intruder in = meet(transport, bank.serverEndpoint(), Hello.of("guest", 1));
        in.say(new Methods(0, List.of(new Methods.Method(0, "#results", RESULT))));
        for (int i = 0; i < 5_000; i++) {
            attempts++;
            ByteBuf request = new RequestHead(0, 1 + i, 0, 100_000).begin(UnpooledByteBufAllocator.DEFAULT, 20);
            request.writeLong(random.nextLong()).writeLong(random.nextLong()).writeInt(0);
            Header.finish(request);
            in.say(request);
        }
        in.awaitAnswers(1);
        require(
                in.heard().stream().noneMatch(kind -> kind == FrameKind.REPLY),
                "a guest was given the result of a call by a guessed key");
        in.close();
        return attempts;
    }

    /** Calls that ask a server to dial an address for their arguments, by a guest without the right to call. */
    int dialsForStrangers() throws IOException, InterruptedException {
        int attempts = 0;
        Transport transport = guest();
        try (ServerSocket trap = new ServerSocket(0, 0, InetAddress.getLoopbackAddress())) {
            SharedLane there = new SharedLane(
                    random.nextLong(), random.nextLong(), "tcp://server@127.0.0.1:" + trap.getLocalPort());
            RequestOptions asks = RequestOptions.NONE
                    .in(new Lane(1, Lane.Kind.DEPENDENT, true))
                    .lacking(List.of(new PendingArgument(0, 0, 0, 1)))
                    .sharing(List.of(there));
            for (String name : List.of("vault\n" + OPEN, "#results\n" + RESULT)) {
                attempts++;
                int end = name.indexOf('\n');
                Intruder in = meet(transport, bank.serverEndpoint(), Hello.of("guest", attempts));
                in.say(new Methods(0, List.of(new Methods.Method(0, name.substring(0, end), name.substring(end + 1)))));
                in.say(new RequestHead(0, 1, 0, 100_000, asks));
                in.awaitAnswers(1);
                require(
                        in.failures().stream()
                                .anyMatch(failure ->
                                        failure.code() == ErrorCode.DENIED || failure.code() == ErrorCode.PROTOCOL),
                        name.substring(0, end) + " was not denied: " + in.heard() + " " + in.failures());
                in.close();
            }
            trap.setSoTimeout(LISTEN_MILLIS);
            try (Socket dialled = trap.accept()) {
                throw new GainedException("a server has dialled " + dialled.getLocalPort() + " for a guest");
            } catch (SocketTimeoutException e) {
                return attempts;
            }
        }
    }

    private void denied(Intruder in, String what) {
        List<Failure> failures = in.failures();
        boolean denied = failures.stream()
                .anyMatch(failure -> failure.code() == ErrorCode.DENIED && failure.execution() == Execution.NOT);
        require(denied, what + " was not denied: " + in.heard() + " " + failures);
        in.close();
    }

    private Intruder meet(Transport transport, Endpoint port, Hello hello) {
        Intruder in = Intruder.meet(transport, port, hello, bank.timer());
        if (in == null) {
            throw new GainedException(port + " does not take a guest, who has a certificate");
        }
        return in;
    }

    private Transport guest() {
        return bank.transport(bank.keys().of("guest"));
    }

    private static RegisterReplica register(long id, String service, String replica) {
        return new RegisterReplica(
                id,
                service,
                replica,
                Long.MAX_VALUE,
                List.of("tcp://server@127.0.0.1:9"),
                Vault.class.getName(),
                List.of(OPEN, PUT),
                60_000);
    }

    ByteBuf garbage(FrameKind kind) {
        byte[] body = randomBytes(random.nextInt(64));
        return UnpooledByteBufAllocator.DEFAULT
                .heapBuffer()
                .writeInt(Header.LENGTH + body.length)
                .writeByte(kind.number())
                .writeByte(random.nextInt(256))
                .writeShort(random.nextInt(3))
                .writeLong(random.nextLong(4))
                .writeBytes(body);
    }

    private byte[] randomBytes(int count) {
        byte[] bytes = new byte[count];
        random.nextBytes(bytes);
        return bytes;
    }

    private static byte[] hello(String name) {
        return bytes(Hello.of(name, 1).write(UnpooledByteBufAllocator.DEFAULT));
    }

    private static byte[] bytes(ByteBuf frame) {
        byte[] bytes = ByteBufUtil.getBytes(frame);
        frame.release();
        return bytes;
    }

    private static List<FrameKind> kinds(byte[] frames) {
        ByteBuf bytes = Unpooled.wrappedBuffer(frames);
        List<FrameKind> kinds = new ArrayList<>();
        while (bytes.readableBytes() >= Header.LENGTH) {
            kinds.add(Header.kind(bytes));
            bytes.skipBytes(Header.frameLength(bytes, Header.CALL_LIMIT));
        }
        return kinds;
    }

    private static int readToEnd(InputStream in) throws IOException {
        int count = 0;
        while (in.read() >= 0) {
            count++;
        }
        return count;
    }

    static void require(boolean held, String what) {
        if (!held) {
            throw new GainedException(what);
        }
    }

    private static final class TrustsAll implements X509TrustManager {

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate @Nullable [] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
