package dev.cleave.transport;

import dev.cleave.wire.Challenge;
import dev.cleave.wire.Proof;
import java.security.GeneralSecurityException;

/** Proves the identity of this side, which has no certificate, on one connection. */
@FunctionalInterface
public interface Prover {

    /**
     * Answers the question of the other side.
     *
     * @throws GeneralSecurityException if the token, or its key, is unusable
     */
    Proof prove(Challenge challenge) throws GeneralSecurityException;
}
