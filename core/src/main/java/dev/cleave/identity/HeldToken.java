package dev.cleave.identity;

import static java.util.Objects.requireNonNull;

import dev.cleave.wire.Challenge;
import dev.cleave.wire.Proof;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.time.Instant;

/**
 * A token with the private key of its holder: what a token file has.
 *
 * <p>The holder proves a token on one connection by a signature of the {@link Challenge} of the other side and of the
 * certificate by which the other side has opened that connection. So a peer that has seen a proof, or has been given one, can
 * prove nothing on another connection.
 *
 * @param text the signed token
 * @param subject the identity that it gives
 * @param holder the private key
 */
public record HeldToken(String text, String subject, PrivateKey holder) {

    private static final byte[] PURPOSE = "cleave token proof 1\0".getBytes(StandardCharsets.US_ASCII);

    /** Checks its components. */
    public HeldToken {
        requireNonNull(text, "text");
        requireNonNull(subject, "subject");
        requireNonNull(holder, "holder");
    }

    /**
     * Reads a file: a line with the token, then the PEM text of the private key.
     *
     * @throws GeneralSecurityException if it has another form
     */
    public static HeldToken read(Path file) throws IOException, GeneralSecurityException {
        String all = Ed25519.text(file);
        String token = all.lines().findFirst().orElse("").strip();
        try {
            return new HeldToken(token, Token.unchecked(token).subject(), Ed25519.privateKey(all, file));
        } catch (GeneralSecurityException e) {
            throw new GeneralSecurityException(file + ": " + e.getMessage(), e);
        }
    }

    /** The text of a token file. */
    public String file() {
        return text + '\n' + Ed25519.pem(holder);
    }

    /**
     * Proves it on a connection.
     *
     * @param certificate the encoded certificate of the other side
     */
    public Proof prove(Challenge challenge, byte[] certificate) throws GeneralSecurityException {
        return new Proof(text, Token.encoded(Ed25519.sign(holder, statement(challenge, certificate))));
    }

    /**
     * Checks a proof.
     *
     * @param issuer the key that signs tokens
     * @param taker the identity of this side
     * @param certificate the encoded certificate by which this side has opened the connection
     * @return the identity of the other side
     * @throws GeneralSecurityException if the token is not valid here and now, or the proof is not of its holder for this
     *     connection
     */
    public static String check(
            Proof proof, Challenge challenge, byte[] certificate, PublicKey issuer, String taker, Instant now)
            throws GeneralSecurityException {
        Token token = Token.read(proof.token(), issuer);
        token.check(taker, now);
        if (!Ed25519.verifies(token.holder(), statement(challenge, certificate), Token.decoded(proof.signature()))) {
            throw new GeneralSecurityException(
                    "the proof of the token of " + token.subject() + " is not of its holder for this connection");
        }
        return token.subject();
    }

    private static byte[] statement(Challenge challenge, byte[] certificate) throws GeneralSecurityException {
        byte[] hash = MessageDigest.getInstance("SHA-256").digest(certificate);
        return ByteBuffer.allocate(PURPOSE.length + 2 * Long.BYTES + hash.length)
                .put(PURPOSE)
                .putLong(challenge.high())
                .putLong(challenge.low())
                .put(hash)
                .array();
    }
}
