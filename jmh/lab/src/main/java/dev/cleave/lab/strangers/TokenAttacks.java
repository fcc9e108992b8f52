package dev.cleave.lab.strangers;

import dev.cleave.config.KeyFiles;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.Transport;
import dev.cleave.wire.FrameKind;
import dev.cleave.wire.Hello;
import dev.cleave.wire.Proof;
import io.netty.buffer.ByteBuf;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;

/** The attacks of strangers who have tokens that are not good, or not theirs. Each method counts its attempts, and throws at a success. */
final class TokenAttacks {

    private static final Hello HELLO = Hello.of("ann", 1);

    private final Bank bank;
    private final Function<FrameKind, ByteBuf> garbage;

    /**
     * Prepares the attacks.
     *
     * @param garbage makes a message of random bytes
     */
    TokenAttacks(Bank bank, Function<FrameKind, ByteBuf> garbage) {
        this.bank = bank;
        this.garbage = garbage;
    }

    /** Tokens that have expired, come from the future, are for others, or of another issuer. */
    int badTokens() {
        Instant now = Instant.now();
        int attempts = 0;
        for (Endpoint port : bank.ports()) {
            String taker = String.valueOf(port.identity());
            attempts += refused(port, bank.keys().token("ann", now.minus(Duration.ofMinutes(31)), taker), "expired");
            attempts += refused(port, bank.keys().token("ann", now.plus(Duration.ofMinutes(5)), taker), "future");
            attempts += refused(port, bank.keys().token("ann", "somebody-else"), "misdirected");
            attempts += refused(port, bank.keys().foreignToken("ann", taker), "foreign");
        }
        return attempts;
    }

    private int refused(Endpoint port, KeyFiles token, String what) {
        Transport transport = bank.transport(token);
        Intruder in = Intruder.meet(transport, port, HELLO, bank.timer());
        Attacks.require(in == null, port + " took a token that is " + what);
        transport.close();
        return 1;
    }

    /** The proof of a connection of a peer that may, said again on another, and passed on from one server to another. */
    int replayedProofs() throws InterruptedException, GeneralSecurityException {
        int attempts = 0;
        Transport ann = bank.transport(bank.keys().token("ann", "broker", "server"));
        for (Endpoint port : bank.ports()) {
            for (Endpoint other : bank.ports()) {
                Intruder first = asked(ann, other);
                Intruder second = asked(ann, port);
                // At the same port: what the first connection was asked. Between ports: what the second one was asked.
                Proof proof = port.equals(other) ? first.proofFor(first) : first.proofFor(second);
                if (proof == null) {
                    throw new Attacks.GainedException("no proof could be made");
                }
                second.say(HELLO);
                second.say(proof);
                attempts++;
                Attacks.require(second.awaitClose(), port + " took the proof of another connection");
                Attacks.require(
                        second.heard().equals(List.of(FrameKind.CHALLENGE, FrameKind.GOAWAY)),
                        port + " answered a replayed proof by " + second.heard());
                first.close();
            }
        }
        ann.close();
        return attempts;
    }

    /** Each message before the proof of a token: before and after HELLO. */
    int beforeProof() throws InterruptedException {
        int attempts = 0;
        Transport ann = bank.transport(bank.keys().token("ann", "broker", "server"));
        for (Endpoint port : bank.ports()) {
            for (FrameKind kind : FrameKind.values()) {
                for (boolean greets : new boolean[] {false, true}) {
                    attempts++;
                    Intruder in = asked(ann, port);
                    if (greets) {
                        in.say(HELLO);
                    }
                    in.say(garbage.apply(kind));
                    Attacks.require(in.awaitClose(), port + " listens on after " + kind + " before a proof");
                    Attacks.require(
                            in.heard().equals(List.of(FrameKind.CHALLENGE, FrameKind.GOAWAY))
                                    || in.heard().equals(List.of(FrameKind.CHALLENGE)),
                            port + " answered " + kind + " before a proof by " + in.heard());
                }
            }
        }
        ann.close();
        return attempts;
    }

    private static Intruder asked(Transport transport, Endpoint port) throws InterruptedException {
        Intruder in = Intruder.mute(transport, port);
        if (in == null) {
            throw new Attacks.GainedException(port + " does not ask for a token");
        }
        in.awaitAnswers(1);
        return in;
    }
}
