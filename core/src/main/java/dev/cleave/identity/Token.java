package dev.cleave.identity;

import static java.util.Objects.requireNonNull;

import dev.cleave.wire.Names;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.schema.JsonSchema;

/**
 * A token: says that the holder of a key has an identity, for some time, towards some peers. It is a JSON Web Token (RFC
 * 7519), signed with Ed25519 (RFC 8037), with the claims {@code sub}, {@code aud}, {@code iat}, {@code exp} and {@code
 * cnf.jwk}, the key of the holder (RFC 7800); {@code nbf} is honoured. It is worth nothing without the private key of the holder.
 *
 * @param subject the identity
 * @param audience the identities of the peers that it may be shown to
 * @param issuedAt when it was signed, or from when on it is good, if that is later
 * @param expiresAt from when on it is refused; at most {@link #LONGEST} later
 * @param holder the public key of the holder, of Ed25519
 */
public record Token(String subject, List<String> audience, Instant issuedAt, Instant expiresAt, PublicKey holder) {

    /** The longest life of a token. */
    public static final Duration LONGEST = Duration.ofHours(1);

    /** How far the clock of an issuer may be ahead. */
    static final Duration SKEW = Duration.ofMinutes(1);

    private static final int MOST_CHARACTERS = 3_000; // a PROOF is as short as a HELLO
    private static final String HEADER = encoded("{\"alg\":\"EdDSA\",\"typ\":\"JWT\"}");

    /** Checks its components. */
    public Token {
        requireNonNull(holder, "holder");
        audience = List.copyOf(audience);
        audience.forEach(Token::checkName);
        checkName(subject);
        if (audience.isEmpty()) {
            throw new IllegalArgumentException("no audience (expected: the identities of the peers that take it)");
        }
        if (!expiresAt.isAfter(issuedAt)
                || Duration.between(issuedAt, expiresAt).compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("life: from " + issuedAt + " to " + expiresAt + " (expected: at most "
                    + LONGEST.toMinutes() + " minutes)");
        }
    }

    /** Returns this token, which is good from a time on, though it was signed earlier. */
    private Token from(Instant begin) {
        return begin.isAfter(issuedAt) ? new Token(subject, audience, begin, expiresAt, holder) : this;
    }

    /** Signs it. */
    public String signed(PrivateKey issuer) throws GeneralSecurityException {
        String claims = "{\"sub\":" + quoted(subject) + ",\"aud\":["
                + audience.stream().map(Token::quoted).collect(Collectors.joining(",")) + "],\"iat\":"
                + issuedAt.getEpochSecond() + ",\"exp\":" + expiresAt.getEpochSecond()
                + ",\"cnf\":{\"jwk\":{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"x\":\"" + encoded(Ed25519.raw(holder))
                + "\"}}}";
        String text = HEADER + '.' + encoded(claims);
        String token = text + '.' + encoded(Ed25519.sign(issuer, bytes(text)));
        if (token.length() > MOST_CHARACTERS) {
            throw new GeneralSecurityException(
                    "token: " + token.length() + " characters (expected: at most " + MOST_CHARACTERS + ")");
        }
        return token;
    }

    /**
     * Reads a token. Nothing of it is looked at before its signature has been found to be of the issuer.
     *
     * @throws GeneralSecurityException if it has another signature or form, or lives too long
     */
    public static Token read(String token, PublicKey issuer) throws GeneralSecurityException {
        int end = token.lastIndexOf('.');
        if (token.length() > MOST_CHARACTERS || end < 0) {
            throw new GeneralSecurityException("no token");
        }
        if (!Ed25519.verifies(issuer, bytes(token.substring(0, end)), decoded(token.substring(end + 1)))) {
            throw new GeneralSecurityException("the token is not signed by the issuer that is trusted here");
        }
        return unchecked(token);
    }

    /** Reads a token without a look at its signature: one of this side's own. */
    static Token unchecked(String token) throws GeneralSecurityException {
        String[] parts = token.split("\\.", -1);
        if (parts.length != 3) {
            throw new GeneralSecurityException("no token (expected: three parts)");
        }
        try {
            Map<?, ?> claims = map(new Load(LoadSettings.builder()
                            .setSchema(new JsonSchema())
                            .setMaxAliasesForCollections(1)
                            .build())
                    .loadFromString(new String(decoded(parts[1]), StandardCharsets.UTF_8)));
            Map<?, ?> key = map(map(claims.get("cnf")).get("jwk"));
            Token read = new Token(
                    text(claims.get("sub")),
                    claims.get("aud") instanceof List<?> several
                            ? several.stream().map(Token::text).toList()
                            : List.of(text(claims.get("aud"))),
                    instant(claims.get("iat")),
                    instant(claims.get("exp")),
                    Ed25519.ofRaw(decoded(text(key.get("x")))));
            return claims.containsKey("nbf") ? read.from(instant(claims.get("nbf"))) : read;
        } catch (YamlEngineException | IllegalArgumentException | java.time.DateTimeException e) {
            throw new GeneralSecurityException("token: " + Names.shown(String.valueOf(e.getMessage())), e);
        }
    }

    /**
     * Checks whether a peer may take it now.
     *
     * @param taker the identity of the peer
     * @throws GeneralSecurityException if it is for others, has expired, or comes from the future
     */
    public void check(String taker, Instant now) throws GeneralSecurityException {
        if (!audience.contains(taker)) {
            throw new GeneralSecurityException(
                    "the token of " + subject + " is for " + audience + " (expected: " + taker + ")");
        }
        if (!now.isBefore(expiresAt)) {
            throw new GeneralSecurityException("the token of " + subject + " has expired at " + expiresAt);
        }
        if (issuedAt.isAfter(now.plus(SKEW))) {
            throw new GeneralSecurityException(
                    "the token of " + subject + " was issued at " + issuedAt + ", which is not yet");
        }
    }

    private static void checkName(String name) {
        if (name.isBlank() || !Names.isPlain(name)) {
            throw new IllegalArgumentException("identity: " + Names.shown(name) + " (expected: a printable name)");
        }
    }

    private static String quoted(String name) {
        return '"' + name.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    private static Map<?, ?> map(@Nullable Object value) {
        if (value instanceof Map<?, ?> map) {
            return map;
        }
        throw new IllegalArgumentException("no object (expected: sub, aud, iat, exp and cnf.jwk)");
    }

    private static String text(@Nullable Object value) {
        if (value instanceof String text) {
            return text;
        }
        throw new IllegalArgumentException("no text (expected: sub, aud and cnf.jwk.x)");
    }

    private static Instant instant(@Nullable Object value) {
        if (value instanceof Integer || value instanceof Long) {
            return Instant.ofEpochSecond(((Number) value).longValue());
        }
        throw new IllegalArgumentException("no time (expected: iat and exp in seconds)");
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String encoded(String text) {
        return encoded(bytes(text));
    }

    static String encoded(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    static byte[] decoded(String text) throws GeneralSecurityException {
        try {
            return Base64.getUrlDecoder().decode(text);
        } catch (IllegalArgumentException e) {
            throw new GeneralSecurityException("no Base64", e);
        }
    }
}
