package dev.cleave.identity;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Keys and signatures of Ed25519 (RFC 8032), and their PEM files (RFC 8410). */
public final class Ed25519 {

    private static final String ALGORITHM = "Ed25519";
    private static final int RAW = 32; // bytes of a public key
    private static final byte[] BEFORE_RAW = HexFormat.of().parseHex("302a300506032b6570032100"); // X.509 around a key
    private static final int MOST_BYTES = 64 << 10;
    private static final Pattern PRIVATE = pem("PRIVATE KEY");
    private static final Pattern PUBLIC = pem("PUBLIC KEY");

    private Ed25519() {}

    /** Makes a new pair of keys. */
    public static KeyPair pair() {
        try {
            return KeyPairGenerator.getInstance(ALGORITHM).generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e); // each JDK from 15 on has it
        }
    }

    /** The PEM text of a private key. */
    public static String pem(PrivateKey key) {
        return pem("PRIVATE KEY", key.getEncoded());
    }

    /** The PEM text of a public key. */
    public static String pem(PublicKey key) {
        return pem("PUBLIC KEY", key.getEncoded());
    }

    /**
     * Reads the private key in a PEM file.
     *
     * @throws GeneralSecurityException if it has none of Ed25519
     */
    public static PrivateKey privateKey(Path file) throws IOException, GeneralSecurityException {
        return privateKey(text(file), file);
    }

    static PrivateKey privateKey(String text, Path file) throws GeneralSecurityException {
        return KeyFactory.getInstance(ALGORITHM).generatePrivate(new PKCS8EncodedKeySpec(body(PRIVATE, text, file)));
    }

    /**
     * Reads the public key in a PEM file.
     *
     * @throws GeneralSecurityException if it has none of Ed25519
     */
    public static PublicKey publicKey(Path file) throws IOException, GeneralSecurityException {
        return KeyFactory.getInstance(ALGORITHM).generatePublic(new X509EncodedKeySpec(body(PUBLIC, text(file), file)));
    }

    static PublicKey ofRaw(byte[] raw) throws GeneralSecurityException {
        if (raw.length != RAW) {
            throw new GeneralSecurityException("key of " + raw.length + " bytes (expected: " + RAW + ")");
        }
        byte[] encoded = Arrays.copyOf(BEFORE_RAW, BEFORE_RAW.length + RAW);
        System.arraycopy(raw, 0, encoded, BEFORE_RAW.length, RAW);
        return KeyFactory.getInstance(ALGORITHM).generatePublic(new X509EncodedKeySpec(encoded));
    }

    static byte[] raw(PublicKey key) {
        byte[] encoded = key.getEncoded();
        return Arrays.copyOfRange(encoded, encoded.length - RAW, encoded.length);
    }

    static byte[] sign(PrivateKey key, byte[] text) throws GeneralSecurityException {
        Signature signature = Signature.getInstance(ALGORITHM);
        signature.initSign(key);
        signature.update(text);
        return signature.sign();
    }

    static boolean verifies(PublicKey key, byte[] text, byte[] signed) throws GeneralSecurityException {
        Signature signature = Signature.getInstance(ALGORITHM);
        signature.initVerify(key);
        signature.update(text);
        return signature.verify(signed);
    }

    static String text(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(MOST_BYTES + 1);
            if (bytes.length > MOST_BYTES) {
                throw new IOException(file + ": longer than " + MOST_BYTES + " bytes");
            }
            return new String(bytes, StandardCharsets.US_ASCII);
        } catch (NoSuchFileException e) {
            throw new IOException(file + ": no such file", e);
        }
    }

    private static byte[] body(Pattern pattern, String text, Path file) throws GeneralSecurityException {
        Matcher matcher = pattern.matcher(text);
        if (!matcher.find()) {
            throw new GeneralSecurityException(
                    file + ": no key (expected: PEM of Ed25519, as cleave keys --token writes it)");
        }
        return Base64.getMimeDecoder().decode(matcher.group(1));
    }

    private static Pattern pem(String kind) {
        return Pattern.compile("-----BEGIN " + kind + "-----([A-Za-z0-9+/=\\s]+)-----END " + kind + "-----");
    }

    private static String pem(String kind, byte[] encoded) {
        return "-----BEGIN " + kind + "-----\n" + Base64.getEncoder().encodeToString(encoded) + "\n-----END " + kind
                + "-----\n";
    }
}
