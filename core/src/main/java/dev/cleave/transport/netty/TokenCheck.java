package dev.cleave.transport.netty;

import dev.cleave.concurrent.SafeLog;
import dev.cleave.identity.HeldToken;
import dev.cleave.metrics.Denials;
import dev.cleave.transport.ProofCheck;
import dev.cleave.wire.Challenge;
import dev.cleave.wire.Names;
import dev.cleave.wire.Proof;
import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.time.Instant;

/** Asks the peer of one connection, which has no certificate, for a token. Event loop only. */
final class TokenCheck implements ProofCheck {

    private static final Denials DENIALS = new Denials(SafeLog.of(TokenCheck.class));

    private final NettyConnection connection;
    private final PublicKey issuer;
    private final String taker;
    private final byte[] certificate;
    private final Challenge challenge = Challenge.random();

    /**
     * Creates the check of a connection.
     *
     * @param issuer the key that signs tokens
     * @param taker the identity of this side
     * @param certificate the encoded certificate by which this side has opened the connection
     */
    TokenCheck(NettyConnection connection, PublicKey issuer, String taker, byte[] certificate) {
        this.connection = connection;
        this.issuer = issuer;
        this.taker = taker;
        this.certificate = certificate;
    }

    @Override
    public Challenge challenge() {
        return challenge;
    }

    @Override
    public void check(Proof proof) throws GeneralSecurityException {
        try {
            connection.identity(HeldToken.check(proof, challenge, certificate, issuer, taker, Instant.now()));
        } catch (GeneralSecurityException e) {
            String why = Names.shown(String.valueOf(e.getMessage()));
            DENIALS.denied("token", Names.shown(connection.peer().host()), "connection: " + why);
            throw e;
        }
    }
}
