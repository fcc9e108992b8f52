package dev.cleave.testing;

import dev.cleave.config.KeyFiles;
import dev.cleave.identity.Ed25519;
import dev.cleave.identity.HeldToken;
import dev.cleave.identity.Token;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** An authority of a test's own, and the files of identities that it certifies. */
public final class TestKeys {

    private final Path directory;
    private final X509Bundle authority;
    private final KeyPair issuer = Ed25519.pair(); // of tokens

    /** Makes an authority whose files go to a directory. */
    public TestKeys(Path directory) {
        this.directory = directory;
        authority = authority();
        write("authority.crt", authority.getCertificatePEM());
    }

    /** The directory with the files. */
    public Path directory() {
        return directory;
    }

    /** Writes the files of an identity, in the place of those it had. */
    public KeyFiles of(String identity) {
        return files(identity, builder(identity, Instant.now().plus(Duration.ofHours(1))), authority);
    }

    /** Writes the files of an identity whose certificate has expired. */
    public KeyFiles expired(String identity) {
        return files(
                identity + "-expired",
                builder(identity, Instant.now().minusSeconds(60))
                        .notBefore(Instant.now().minusSeconds(3600)),
                authority);
    }

    /** Writes the files of an identity that another authority of the same name has certified. */
    public KeyFiles foreign(String identity) {
        return files(identity + "-foreign", builder(identity, Instant.now().plusSeconds(3600)), authority());
    }

    /** Writes the public key of tokens, and returns files of an identity with a certificate that takes tokens. */
    public KeyFiles takingTokens(String identity) {
        of(identity);
        write(KeyFiles.TOKEN_KEY_FILE, Ed25519.pem(issuer.getPublic()));
        return KeyFiles.in(directory, identity);
    }

    /** Writes the file of a token that is valid from now on for half an hour. */
    public KeyFiles token(String identity, String... audience) {
        return token(identity, Instant.now(), audience);
    }

    /** Writes the file of a token that is valid from some time on for half an hour. */
    public KeyFiles token(String identity, Instant from, String... audience) {
        return token(issuer.getPrivate(), identity, from, audience);
    }

    /** Writes the file of a token that another issuer has signed. */
    public KeyFiles foreignToken(String identity, String... audience) {
        return token(Ed25519.pair().getPrivate(), identity, Instant.now(), audience);
    }

    private KeyFiles token(PrivateKey signer, String identity, Instant from, String... audience) {
        KeyPair holder = Ed25519.pair();
        Token token =
                new Token(identity, List.of(audience), from, from.plus(Duration.ofMinutes(30)), holder.getPublic());
        try {
            write(identity + ".token", new HeldToken(token.signed(signer), identity, holder.getPrivate()).file());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
        return KeyFiles.ofToken(directory.resolve(identity + ".token"), directory.resolve("authority.crt"));
    }

    private static X509Bundle authority() {
        try {
            return new CertificateBuilder()
                    .ecp256()
                    .subject("CN=test authority")
                    .setIsCertificateAuthority(true)
                    .buildSelfSigned();
        } catch (Exception e) { // of the builder's signature
            throw new IllegalStateException(e);
        }
    }

    private static CertificateBuilder builder(String identity, Instant notAfter) {
        try {
            return new CertificateBuilder()
                    .ecp256()
                    .subject("CN=" + identity)
                    .addSanUriName("cleave:" + identity)
                    .addExtendedKeyUsageServerAuth()
                    .addExtendedKeyUsageClientAuth()
                    .notAfter(notAfter);
        } catch (Exception e) { // of the builder's signature
            throw new IllegalStateException(e);
        }
    }

    private KeyFiles files(String name, CertificateBuilder builder, X509Bundle issuer) {
        try {
            X509Bundle bundle = builder.buildIssuedBy(issuer);
            write(name + ".crt", bundle.getCertificatePEM());
            write(name + ".key", bundle.getPrivateKeyPEM());
        } catch (Exception e) { // of the builder's signature
            throw new IllegalStateException(e);
        }
        return KeyFiles.in(directory, name);
    }

    private void write(String name, String text) {
        try {
            Path next = directory.resolve(name + ".next");
            Files.writeString(next, text);
            Files.move(next, directory.resolve(name), StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
