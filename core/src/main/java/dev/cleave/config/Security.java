package dev.cleave.config;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The part of an application file about keys and rights.
 *
 * @param keys the settings that {@link KeyFiles#of} understands; paths are absolute, or those of the process
 * @param grants what identities may do
 */
public record Security(Map<String, String> keys, List<Rights.Grant> grants) {

    /** A file that says nothing. */
    public static final Security NONE = new Security(Map.of(), List.of());

    private static final List<String> PLACES = List.of("keystore", "certificate", "keys", "token");

    /** Copies its components. */
    public Security {
        keys = Copies.inOrder(keys);
        grants = List.copyOf(grants);
    }

    private static boolean isOfProcess() {
        for (String word : PLACES) {
            if (KeyFiles.ofProcess(word) != null) {
                return true;
            }
        }
        return false;
    }

    /**
     * The key files that system properties or environment variables name, else those of the file; null if none does.
     *
     * @param roles the names of file pairs to look for if no identity is named, in this order
     */
    public @Nullable KeyFiles keyFiles(String... roles) {
        boolean process = isOfProcess();
        return KeyFiles.of(
                word -> {
                    String own = KeyFiles.ofProcess(word);
                    return own != null || process && !word.equals("identity") ? own : keys.get(word);
                },
                roles);
    }

    /**
     * The rights of peers.
     *
     * @param identity this side's own identity; without one peers have none either, and all rights
     * @throws IllegalArgumentException if rights are granted to identities and there are none
     */
    public Rights rights(@Nullable String identity) {
        if (identity == null && !grants.isEmpty()) {
            throw new IllegalArgumentException(
                    "security: rights without identities (expected: keys, certificate or keystore beside them, or"
                            + " -Dcleave.keys=DIR)");
        }
        return identity == null ? Rights.ALL : Rights.of(grants);
    }
}
