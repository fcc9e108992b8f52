package dev.cleave.transport;

import dev.cleave.wire.Challenge;
import dev.cleave.wire.Proof;
import java.security.GeneralSecurityException;

/** Asks a peer that has dialled without a certificate to prove an identity. Event thread only. */
public interface ProofCheck {

    /** The question, another one for each connection. */
    Challenge challenge();

    /**
     * Checks the answer; afterwards the connection has the {@linkplain Connection#identity() identity}.
     *
     * @throws GeneralSecurityException if it proves none
     */
    void check(Proof proof) throws GeneralSecurityException;
}
