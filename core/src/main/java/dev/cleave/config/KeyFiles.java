package dev.cleave.config;

import static java.util.Objects.requireNonNull;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The files with the key and the certificate of a process, or its token, and the authorities whose certificates it accepts.
 *
 * @param certificate a PEM file: the certificate, then those between it and the authority; or a PKCS12 file with all;
 *     null for a token
 * @param key a PEM file with the unencrypted PKCS8 key; null for PKCS12 or a token
 * @param authority a PEM file with the certificates of the authorities; null for PKCS12
 * @param password a file whose first line is the password of the PKCS12 file; null for others
 * @param token a file with a token and the key of its holder; null for a certificate
 * @param tokenKey a PEM file with the public key that signs the tokens of peers without a certificate; null if each peer
 *     must have a certificate
 */
public record KeyFiles(
        @Nullable Path certificate,
        @Nullable Path key,
        @Nullable Path authority,
        @Nullable Path password,
        @Nullable Path token,
        @Nullable Path tokenKey) {

    /** The words for its parts: keys of the application file, and ends of system properties {@code cleave.WORD}. */
    public static final List<String> WORDS = List.of(
            "keys", "identity", "certificate", "key", "authority", "keystore", "password-file", "token", "token-key");

    /** The file of a directory of keys with the public key that signs tokens. */
    public static final String TOKEN_KEY_FILE = "tokens.pub";

    private static final String AUTHORITY_FILE = "authority.crt";

    /** Checks its components. */
    public KeyFiles {
        boolean isPem = certificate != null && key != null && authority != null && password == null && token == null;
        boolean isStore = certificate != null && key == null && authority == null && password != null && token == null;
        boolean isToken = token != null
                && authority != null
                && certificate == null
                && key == null
                && password == null
                && tokenKey == null;
        if (!isPem && !isStore && !isToken) {
            throw new IllegalArgumentException("keys: " + (token == null ? certificate : token)
                    + " (expected: certificate, key and authority; or keystore and password-file; or token and"
                    + " authority)");
        }
    }

    /** Files of a side with a certificate, whose peers all have one. */
    public KeyFiles(Path certificate, @Nullable Path key, @Nullable Path authority, @Nullable Path password) {
        this(requireNonNull(certificate, "certificate"), key, authority, password, null, null);
    }

    /** The files of a token: {@code authority} has the authorities of the peers that it dials. */
    public static KeyFiles ofToken(Path token, Path authority) {
        return new KeyFiles(null, null, authority, null, requireNonNull(token, "token"), null);
    }

    /** These for a side that takes tokens of peers without a certificate, if they are signed by a key. */
    public KeyFiles withTokenKey(Path publicKey) {
        return new KeyFiles(certificate, key, authority, password, token, publicKey);
    }

    /**
     * The PEM files of an identity in a directory as {@code cleave keys} writes it: those of its certificate or, without one,
     * of its token. With a certificate, tokens are taken if the directory has their public key.
     */
    public static KeyFiles in(Path directory, String identity) {
        Path certificate = directory.resolve(identity + ".crt");
        Path authority = directory.resolve(AUTHORITY_FILE);
        Path token = directory.resolve(identity + ".token");
        if (!Files.exists(certificate) && Files.exists(token)) {
            return ofToken(token, authority);
        }
        KeyFiles files = new KeyFiles(certificate, directory.resolve(identity + ".key"), authority, null);
        Path tokenKey = directory.resolve(TOKEN_KEY_FILE);
        return Files.exists(tokenKey) ? files.withTokenKey(tokenKey) : files;
    }

    /**
     * Finds the files that settings name: {@code keys} a directory, {@code identity} the name of a file pair in it; or
     * {@code certificate}, {@code key} and {@code authority}; or {@code keystore} and {@code password-file}; or {@code
     * token} and {@code authority}. {@code token-key} beside a certificate lets peers with tokens in.
     *
     * @param setting returns the text of a word of {@link #WORDS}, or null
     * @param roles the names of file pairs to use if the settings give no identity, the first of which there is
     * @throws IllegalArgumentException if the settings are not complete
     */
    public static @Nullable KeyFiles of(UnaryOperator<@Nullable String> setting, String... roles) {
        String keystore = setting.apply("keystore");
        String certificate = setting.apply("certificate");
        String keys = setting.apply("keys");
        Path tokenKey = path(setting, "token-key");
        if (keystore != null) {
            return new KeyFiles(Path.of(keystore), null, null, path(setting, "password-file"), null, tokenKey);
        }
        if (certificate != null) {
            return new KeyFiles(
                    Path.of(certificate), path(setting, "key"), path(setting, "authority"), null, null, tokenKey);
        }
        Path token = path(setting, "token");
        if (token != null) {
            return new KeyFiles(null, null, path(setting, "authority"), null, token, tokenKey);
        }
        if (keys == null) {
            return null;
        }
        String identity = setting.apply("identity");
        Path directory = Path.of(keys);
        if (identity == null) {
            identity = Stream.of(roles)
                    .filter(role -> Files.exists(directory.resolve(role + ".crt"))
                            || Files.exists(directory.resolve(role + ".token")))
                    .findFirst()
                    .orElse(roles[roles.length - 1]);
        }
        KeyFiles files = in(directory, identity);
        return tokenKey == null || files.token() != null ? files : files.withTokenKey(tokenKey);
    }

    /** Returns the setting of system properties {@code cleave.WORD} and environment variables {@code CLEAVE_WORD}. */
    public static @Nullable String ofProcess(String word) {
        String property = System.getProperty("cleave." + word);
        return property != null
                ? property
                : System.getenv("CLEAVE_" + word.toUpperCase(Locale.ROOT).replace('-', '_'));
    }

    /** All files. */
    public List<Path> files() {
        return Stream.of(certificate, key, authority, password, token, tokenKey)
                .filter(file -> file != null)
                .toList();
    }

    private static @Nullable Path path(UnaryOperator<@Nullable String> setting, String word) {
        String text = setting.apply(word);
        return text == null ? null : Path.of(text);
    }
}
