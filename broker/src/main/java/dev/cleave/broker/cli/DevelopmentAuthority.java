package dev.cleave.broker.cli;

import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;

/** An authority whose key lies in a file: for development, and for teams without one of their own. */
final class DevelopmentAuthority {

    static final String KEY_FILE = "authority.key";
    private static final String CERTIFICATE_FILE = "authority.crt";
    private static final Duration YEARS = Duration.ofDays(3650);
    private static final Duration SKEW = Duration.ofMinutes(5); // of clocks

    private final Path directory;
    private final X509Bundle bundle;

    private DevelopmentAuthority(Path directory, X509Bundle bundle) {
        this.directory = directory;
        this.bundle = bundle;
    }

    /** Returns the authority of a directory, which is made with a new one if it has none. */
    static DevelopmentAuthority in(Path directory) throws IOException {
        Files.createDirectories(directory);
        if (Files.exists(directory.resolve(KEY_FILE))) {
            return new DevelopmentAuthority(directory, read(directory));
        }
        try {
            DevelopmentAuthority made = new DevelopmentAuthority(
                    directory,
                    new CertificateBuilder()
                            .ecp256()
                            .subject("CN=cleave development authority")
                            .setIsCertificateAuthority(true)
                            .setKeyUsage(
                                    true, CertificateBuilder.KeyUsage.keyCertSign, CertificateBuilder.KeyUsage.cRLSign)
                            .notBefore(Instant.now().minus(SKEW))
                            .notAfter(Instant.now().plus(YEARS))
                            .buildSelfSigned());
            made.write(KEY_FILE, made.bundle.getPrivateKeyPEM(), true);
            made.write(CERTIFICATE_FILE, made.bundle.getCertificatePEM(), false);
            return made;
        } catch (IOException e) {
            throw e;
        } catch (Exception e) { // the builder's signature
            throw new CommandException("no certificate could be made: " + e.getMessage(), e);
        }
    }

    /**
     * Checks the name of an identity, which is also that of its files.
     *
     * @throws CommandException if it has other characters than letters, digits, '.', '_' and '-'
     */
    static void checkName(String name) {
        if (!name.matches("[A-Za-z0-9][A-Za-z0-9._-]{0,99}") || name.equals("authority")) {
            throw new CommandException(
                    name + " (expected: a name of letters, digits, '.', '_' and '-', other than authority)");
        }
    }

    /** Writes a new key and certificate of an identity. */
    void certify(String identity, Duration life) throws IOException {
        try {
            X509Bundle made = new CertificateBuilder()
                    .ecp256()
                    .subject("CN=" + identity)
                    .addSanUriName("cleave:" + identity)
                    .addSanDnsName("localhost")
                    .setKeyUsage(true, CertificateBuilder.KeyUsage.digitalSignature)
                    .addExtendedKeyUsageServerAuth()
                    .addExtendedKeyUsageClientAuth()
                    .notBefore(Instant.now().minus(SKEW))
                    .notAfter(Instant.now().plus(life))
                    .buildIssuedBy(bundle);
            write(identity + ".key", made.getPrivateKeyPEM(), true);
            write(identity + ".crt", made.getCertificatePEM(), false);
        } catch (IOException e) {
            throw e;
        } catch (Exception e) { // the builder's signature
            throw new CommandException(identity + ": no certificate could be made: " + e.getMessage(), e);
        }
    }

    private static X509Bundle read(Path directory) throws IOException {
        Path keyFile = directory.resolve(KEY_FILE);
        try {
            X509Certificate certificate = (X509Certificate) CertificateFactory.getInstance("X.509")
                    .generateCertificate(
                            new ByteArrayInputStream(Files.readAllBytes(directory.resolve(CERTIFICATE_FILE))));
            String text = Files.readString(keyFile, StandardCharsets.US_ASCII).replaceAll("-----[A-Z ]+-----", "");
            KeyPair pair = new KeyPair(
                    certificate.getPublicKey(),
                    KeyFactory.getInstance("EC")
                            .generatePrivate(new PKCS8EncodedKeySpec(
                                    Base64.getMimeDecoder().decode(text))));
            return X509Bundle.fromRootCertificateAuthority(certificate, pair);
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw new CommandException(directory + ": its authority was not made by cleave keys: " + e.getMessage(), e);
        }
    }

    private void write(String name, String text, boolean isSecret) throws IOException {
        SecretFile.write(directory, name, text, isSecret);
    }
}
