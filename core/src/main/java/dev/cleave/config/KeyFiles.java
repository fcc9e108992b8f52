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
 * The files with the key and the certificate of a process, and the authorities whose certificates it accepts.
 *
 * @param certificate a PEM file: the certificate, then those between it and the authority; or a PKCS12 file with all
 * @param key a PEM file with the unencrypted PKCS8 key; null for PKCS12
 * @param authority a PEM file with the certificates of the authorities; null for PKCS12
 * @param password a file whose first line is the password of the PKCS12 file; null for PEM
 */
public record KeyFiles(
        Path certificate,
        @Nullable Path key,
        @Nullable Path authority,
        @Nullable Path password) {

    /** The words for its parts: keys of the application file, and ends of system properties {@code cleave.WORD}. */
    public static final List<String> WORDS =
            List.of("keys", "identity", "certificate", "key", "authority", "keystore", "password-file");

    private static final String AUTHORITY_FILE = "authority.crt";

    /** Checks its components. */
    public KeyFiles {
        requireNonNull(certificate, "certificate");
        if ((key == null) != (authority == null) || (key == null) == (password == null)) {
            throw new IllegalArgumentException("keys: " + certificate
                    + " (expected: certificate, key and authority, or keystore and password-file)");
        }
    }

    /** The PEM files of an identity in a directory as {@code cleave keys} writes it. */
    public static KeyFiles in(Path directory, String identity) {
        return new KeyFiles(
                directory.resolve(identity + ".crt"),
                directory.resolve(identity + ".key"),
                directory.resolve(AUTHORITY_FILE),
                null);
    }

    /**
     * Finds the files that settings name: {@code keys} a directory, {@code identity} the name of a file pair in it; or
     * {@code certificate}, {@code key} and {@code authority}; or {@code keystore} and {@code password-file}.
     *
     * @param setting returns the text of a word of {@link #WORDS}, or null
     * @param roles the names of file pairs to use if the settings give no identity, the first of which there is
     * @throws IllegalArgumentException if the settings are not complete
     */
    public static @Nullable KeyFiles of(UnaryOperator<@Nullable String> setting, String... roles) {
        String keystore = setting.apply("keystore");
        String certificate = setting.apply("certificate");
        String keys = setting.apply("keys");
        if (keystore != null) {
            return new KeyFiles(Path.of(keystore), null, null, path(setting, "password-file"));
        }
        if (certificate != null) {
            return new KeyFiles(Path.of(certificate), path(setting, "key"), path(setting, "authority"), null);
        }
        if (keys == null) {
            return null;
        }
        String identity = setting.apply("identity");
        Path directory = Path.of(keys);
        if (identity == null) {
            identity = Stream.of(roles)
                    .filter(role -> Files.exists(directory.resolve(role + ".crt")))
                    .findFirst()
                    .orElse(roles[roles.length - 1]);
        }
        return in(directory, identity);
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
        return Stream.of(certificate, key, authority, password)
                .filter(file -> file != null)
                .toList();
    }

    private static @Nullable Path path(UnaryOperator<@Nullable String> setting, String word) {
        String text = setting.apply(word);
        return text == null ? null : Path.of(text);
    }
}
