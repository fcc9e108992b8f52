package dev.cleave.transport.netty;

import static java.util.Objects.requireNonNull;

import dev.cleave.config.KeyFiles;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.Security;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManagerFactory;

/**
 * The contents of {@link KeyFiles}.
 *
 * @param key the private key
 * @param chain its certificate, then those between it and the authority
 * @param authorities whose certificates are accepted
 */
record KeyMaterial(PrivateKey key, X509Certificate[] chain, X509Certificate[] authorities) {

    /**
     * The kind of store in which the key goes to the JDK, which never leaves the memory. To put a key into a store of the default kind and to take
     * it out again, the JDK derives keys from the empty password in 10,000 rounds each.
     */
    private static final String IN_MEMORY =
            Security.getAlgorithms("KeyStore").contains("JKS") ? "JKS" : KeyStore.getDefaultType();

    private static final char[] NO_PASSWORD = {};
    private static final int MOST_BYTES = 1 << 20;
    private static final Pattern PKCS8 =
            Pattern.compile("-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END PRIVATE KEY-----");

    /**
     * Reads files.
     *
     * @throws GeneralSecurityException if a file has another form, or key and certificate do not fit together, as
     *     while they are replaced
     */
    static KeyMaterial read(KeyFiles files) throws IOException, GeneralSecurityException {
        Path key = files.key();
        KeyMaterial keys = key == null
                ? ofStore(requireNonNull(files.certificate()), requireNonNull(files.password()))
                : new KeyMaterial(key(key), certificates(requireNonNull(files.certificate())), authorities(files));
        keys.check(files);
        return keys;
    }

    /** Reads the certificates of the authorities alone. */
    static X509Certificate[] authorities(KeyFiles files) throws IOException, GeneralSecurityException {
        return certificates(requireNonNull(files.authority()));
    }

    /** Gives the key and its chain to the JDK, for both sides of connections. */
    KeyManagerFactory manager() throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance(IN_MEMORY);
        store.load(null, null);
        store.setKeyEntry("key", key, NO_PASSWORD, chain);
        KeyManagerFactory manager = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        manager.init(store, NO_PASSWORD);
        return manager;
    }

    private static KeyMaterial ofStore(Path file, Path passwordFile) throws IOException, GeneralSecurityException {
        char[] password = new String(bytes(passwordFile), StandardCharsets.UTF_8)
                .lines()
                .findFirst()
                .orElse("")
                .toCharArray();
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(new ByteArrayInputStream(bytes(file)), password);
        List<X509Certificate> authorities = new ArrayList<>();
        PrivateKey key = null;
        X509Certificate[] chain = {};
        for (String alias : Collections.list(store.aliases())) {
            if (store.isKeyEntry(alias)) {
                if (key != null) {
                    throw new GeneralSecurityException(file + ": several keys (expected: one)");
                }
                key = (PrivateKey) store.getKey(alias, password);
                Certificate[] found = store.getCertificateChain(alias);
                chain = List.of(found).toArray(X509Certificate[]::new);
            } else if (store.getCertificate(alias) instanceof X509Certificate trusted) {
                authorities.add(trusted);
            }
        }
        if (key == null || authorities.isEmpty()) {
            throw new GeneralSecurityException(
                    file + ": " + (key == null ? "no key" : "no certificate of an authority") + " (expected: one)");
        }
        return new KeyMaterial(key, chain, authorities.toArray(X509Certificate[]::new));
    }

    private static PrivateKey key(Path file) throws IOException, GeneralSecurityException {
        Matcher matcher = PKCS8.matcher(new String(bytes(file), StandardCharsets.US_ASCII));
        if (!matcher.find()) {
            throw new GeneralSecurityException(
                    file + ": no key (expected: -----BEGIN PRIVATE KEY-----, unencrypted PKCS8)");
        }
        PKCS8EncodedKeySpec encoded =
                new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(matcher.group(1)));
        for (String algorithm : List.of("EC", "RSA", "EdDSA")) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(encoded);
            } catch (InvalidKeySpecException e) {
                continue; // of another algorithm
            }
        }
        throw new GeneralSecurityException(file + ": a key of an unknown kind (expected: EC, RSA or Ed25519)");
    }

    private static X509Certificate[] certificates(Path file) throws IOException, GeneralSecurityException {
        try (InputStream in = new ByteArrayInputStream(bytes(file))) {
            X509Certificate[] found = CertificateFactory.getInstance("X.509").generateCertificates(in).stream()
                    .map(X509Certificate.class::cast)
                    .toArray(X509Certificate[]::new);
            if (found.length == 0) {
                throw new GeneralSecurityException(file + ": no certificate (expected: -----BEGIN CERTIFICATE-----)");
            }
            return found;
        }
    }

    private static byte[] bytes(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(MOST_BYTES + 1);
            if (bytes.length > MOST_BYTES) {
                throw new IOException(file + ": longer than " + MOST_BYTES + " bytes");
            }
            return bytes;
        } catch (NoSuchFileException e) {
            throw new IOException(file + ": no such file", e);
        }
    }

    private void check(KeyFiles files) throws GeneralSecurityException {
        String algorithm = algorithm(key.getAlgorithm());
        byte[] text = "cleave".getBytes(StandardCharsets.US_ASCII);
        boolean fits = chain[0].getPublicKey().getAlgorithm().equals(key.getAlgorithm());
        if (fits) {
            Signature signature = Signature.getInstance(algorithm);
            signature.initSign(key);
            signature.update(text);
            byte[] signed = signature.sign();
            signature.initVerify(chain[0].getPublicKey());
            signature.update(text);
            fits = signature.verify(signed);
        }
        if (!fits) {
            throw new GeneralSecurityException(files.certificate() + " is not the certificate of the key");
        }
    }

    private static String algorithm(String ofKey) {
        return switch (ofKey) {
            case "RSA" -> "SHA256withRSA";
            case "EC" -> "SHA256withECDSA";
            default -> "EdDSA";
        };
    }
}
