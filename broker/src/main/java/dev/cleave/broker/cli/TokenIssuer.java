package dev.cleave.broker.cli;

import dev.cleave.config.KeyFiles;
import dev.cleave.identity.Ed25519;
import dev.cleave.identity.HeldToken;
import dev.cleave.identity.Token;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/** Signs tokens with a key that lies in a file. */
final class TokenIssuer {

    private static final String KEY_FILE = "tokens.key";

    private final Path directory;
    private final PrivateKey key;
    private final boolean isNew;

    private TokenIssuer(Path directory, PrivateKey key, boolean isNew) {
        this.directory = directory;
        this.key = key;
        this.isNew = isNew;
    }

    /** Returns the issuer of a directory, which gets a new key if it has none. */
    static TokenIssuer in(Path directory) throws IOException {
        Files.createDirectories(directory);
        if (!Files.exists(directory.resolve(KEY_FILE))) {
            KeyPair made = Ed25519.pair();
            SecretFile.write(directory, KEY_FILE, Ed25519.pem(made.getPrivate()), true);
            SecretFile.write(directory, KeyFiles.TOKEN_KEY_FILE, Ed25519.pem(made.getPublic()), false);
            return new TokenIssuer(directory, made.getPrivate(), true);
        }
        try {
            return new TokenIssuer(directory, Ed25519.privateKey(directory.resolve(KEY_FILE)), false);
        } catch (GeneralSecurityException e) {
            throw new CommandException(String.valueOf(e.getMessage()), e);
        }
    }

    /** Whether its key has been made by this command. */
    boolean isNew() {
        return isNew;
    }

    /** Writes a token of an identity, with a new key of its holder. */
    void issue(String identity, List<String> audience, Duration life) throws IOException {
        KeyPair holder = Ed25519.pair();
        Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        try {
            Token token = new Token(identity, audience, now, now.plus(life), holder.getPublic());
            HeldToken held = new HeldToken(token.signed(key), identity, holder.getPrivate());
            SecretFile.write(directory, identity + ".token", held.file(), true);
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw new CommandException(identity + ": no token could be made: " + e.getMessage(), e);
        }
    }
}
