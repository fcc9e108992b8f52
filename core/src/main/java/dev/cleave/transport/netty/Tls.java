package dev.cleave.transport.netty;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.cleave.concurrent.SafeLog;
import dev.cleave.config.KeyFiles;
import dev.cleave.transport.Identities;
import dev.cleave.transport.TransportException;
import io.netty.buffer.ByteBufAllocator;
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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * TLS 1.3 with the keys of some files, both sides with a certificate. New connections use changed files at most one
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

    @GuardedBy("this")
    private List<Object> stamps;

    @GuardedBy("this")
    private long lookedAt = System.nanoTime();

    @GuardedBy("this")
    private Contexts contexts;

    private record Contexts(SslContext client, SslContext server, String identity) {}

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

    /** The name in the own certificate. */
    String identity() {
        return current().identity();
    }

    /** Encrypts a connection that this side dials. */
    SslHandler dialling(ByteBufAllocator allocator) {
        return limited(current().client().newHandler(allocator));
    }

    /** Encrypts a connection that this side accepts. */
    SslHandler accepting(ByteBufAllocator allocator) {
        return limited(current().server().newHandler(allocator));
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
        KeyMaterial keys = KeyMaterial.read(files);
        SslContext client = limited(SslContextBuilder.forClient()
                        .keyManager(keys.key(), keys.chain())
                        .trustManager(keys.authorities())
                        .endpointIdentificationAlgorithm(null)) // machines have many names: the identity is checked
                .build();
        SslContext server = limited(SslContextBuilder.forServer(keys.key(), keys.chain())
                        .trustManager(keys.authorities())
                        .clientAuth(ClientAuth.REQUIRE))
                .build();
        return new Contexts(client, server, Identities.of(keys.chain()[0]));
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
