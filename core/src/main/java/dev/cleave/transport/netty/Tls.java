package dev.cleave.transport.netty;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.cleave.concurrent.SafeLog;
import dev.cleave.config.KeyFiles;
import dev.cleave.identity.Ed25519;
import dev.cleave.identity.HeldToken;
import dev.cleave.transport.Identities;
import dev.cleave.transport.ProofCheck;
import dev.cleave.transport.TransportException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * TLS 1.3 with the keys of some files, both sides with a certificate, or the side that dials with a token. New connections use changed files at most one
 * second after they have changed; files that cannot be read, or do not fit together, change nothing. Uses BoringSSL
 * where Netty's library for it is on the class path, else the JDK. Thread-safe.
 */
final class Tls {

    /** How long a handshake may take. */
    static final long HANDSHAKE_MILLIS = 5_000;

    private static final System.Logger LOG = SafeLog.of(Tls.class);
    private static final String VERSION = "TLSv1.3";
    private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final SslProvider PROVIDER =
            OpenSsl.isAvailable() && SslProvider.isTlsv13Supported(SslProvider.OPENSSL)
                    ? SslProvider.OPENSSL
                    : SslProvider.JDK;

    private final KeyFiles files;
    private final Map<EventLoop, ByteBuf> rooms = new ConcurrentHashMap<>();

    @GuardedBy("this")
    private List<Object> stamps;

    @GuardedBy("this")
    private long lookedAt = System.nanoTime();

    @GuardedBy("this")
    private Contexts contexts;

    /**
     * The contexts that the files give.
     *
     * @param server null for a side without a certificate, which accepts no connections
     * @param token proves the identity of such a side; null for one with a certificate
     * @param tokenKey checks the tokens of peers without a certificate; null if there may be none
     */
    private record Contexts(
            SslContext client,
            @Nullable SslContext server,
            String identity,
            @Nullable HeldToken token,
            @Nullable PublicKey tokenKey) {}

    /**
     * Reads the files.
     *
     * @throws TransportException if they cannot be read, or do not fit together
     */
    Tls(KeyFiles files) {
        this.files = requireNonNull(files, "files");
        stamps = stamps(files);
        try {
            contexts = read(files);
        } catch (IOException | GeneralSecurityException | IllegalArgumentException e) {
            throw new TransportException("keys " + files.files() + ": " + e.getMessage(), e);
        }
    }

    /** The name in the own certificate, or token. */
    String identity() {
        return current().identity();
    }

    /** Encrypts a connection that this side dials. */
    SslHandler dialling(ByteBufAllocator allocator) {
        return limited(current().client().newHandler(allocator));
    }

    /** Encrypts a connection that this side accepts. */
    SslHandler accepting(ByteBufAllocator allocator) {
        return limited(requireNonNull(current().server()).newHandler(allocator));
    }

    /** Whether this side can accept connections: it has a certificate. */
    boolean canAccept() {
        return current().server() != null;
    }

    /** Whether peers without a certificate are asked for a token. */
    boolean takesTokens() {
        return current().tokenKey() != null;
    }

    /** The token of this side; null if it has a certificate. */
    @Nullable
    HeldToken token() {
        return current().token();
    }

    /**
     * Makes the check of a peer without a certificate.
     *
     * @param certificate the encoded certificate by which this side has opened the connection
     * @throws GeneralSecurityException if tokens are no longer taken
     */
    ProofCheck proofCheck(byte[] certificate, NettyConnection connection) throws GeneralSecurityException {
        Contexts now = current();
        PublicKey key = now.tokenKey();
        if (key == null) {
            throw new GeneralSecurityException("no certificate (expected: one, tokens are not taken)");
        }
        return new TokenCheck(connection, key, now.identity(), certificate);
    }

    /** Returns the buffer that takes the sealed records of one write by a loop. */
    ByteBuf room(Channel channel, TlsRecords records) {
        return rooms.computeIfAbsent(
                channel.eventLoop(), loop -> channel.alloc().directBuffer(records.room()));
    }

    /** Releases the buffers, after all loops have ended. */
    void close() {
        for (EventLoop loop : rooms.keySet()) {
            ByteBuf room = rooms.remove(loop);
            if (room != null) {
                room.release();
            }
        }
    }

    private static SslHandler limited(SslHandler handler) {
        handler.setHandshakeTimeoutMillis(HANDSHAKE_MILLIS);
        return handler;
    }

    private synchronized Contexts current() {
        long now = System.nanoTime();
        if (now - lookedAt >= LOOK_NANOS) {
            lookedAt = now;
            List<Object> found = stamps(files);
            if (!found.equals(stamps)) {
                stamps = found; // a mistake is logged once
                readAgain();
            }
        }
        return contexts;
    }

    @GuardedBy("this")
    private void readAgain() {
        try {
            Contexts changed = read(files);
            contexts = changed;
            LOG.log(System.Logger.Level.INFO, "new keys of {0} from {1}", changed.identity(), files.files());
        } catch (IOException | GeneralSecurityException | IllegalArgumentException e) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "keys {0}: {1}; the keys from before are still used",
                    files.files(),
                    e.getMessage());
        }
    }

    private static Contexts read(KeyFiles files) throws IOException, GeneralSecurityException {
        Path token = files.token();
        if (token != null) {
            HeldToken held = HeldToken.read(token);
            return new Contexts(client(KeyMaterial.authorities(files)).build(), null, held.subject(), held, null);
        }
        KeyMaterial keys = KeyMaterial.read(files);
        Path tokenKey = files.tokenKey();
        PublicKey issuer = tokenKey == null ? null : Ed25519.publicKey(tokenKey);
        KeyManagerFactory manager = keys.manager();
        SslContext server = limited(SslContextBuilder.forServer(manager)
                        .trustManager(keys.authorities())
                        .clientAuth(issuer == null ? ClientAuth.REQUIRE : ClientAuth.OPTIONAL))
                .build();
        SslContext client = client(keys.authorities()).keyManager(manager).build();
        return new Contexts(client, server, Identities.of(keys.chain()[0]), null, issuer);
    }

    private static SslContextBuilder client(X509Certificate[] authorities) {
        return limited(SslContextBuilder.forClient()
                .trustManager(authorities)
                .endpointIdentificationAlgorithm(null)); // machines have many names: the identity is checked
    }

    private static SslContextBuilder limited(SslContextBuilder builder) {
        // A resumed session would skip the check of the certificate.
        return builder.sslProvider(PROVIDER)
                .protocols(VERSION)
                .sessionTimeout(1)
                .sessionCacheSize(1);
    }

    /** Stamps that change when a file does, also when the link that leads to it does. */
    private static List<Object> stamps(KeyFiles files) {
        List<Object> stamps = new ArrayList<>();
        for (Path file : files.files()) {
            try {
                stamps.add(file.toRealPath());
                stamps.add(Files.getLastModifiedTime(file));
                stamps.add(Files.size(file));
            } catch (IOException e) {
                stamps.add("unreadable");
            }
        }
        return stamps;
    }
}
