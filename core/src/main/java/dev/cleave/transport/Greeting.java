package dev.cleave.transport;

import dev.cleave.concurrent.Timer;
import dev.cleave.metrics.Refusals;
import dev.cleave.wire.Challenge;
import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.Frame;
import dev.cleave.wire.FrameKind;
import dev.cleave.wire.GoAway;
import dev.cleave.wire.Header;
import dev.cleave.wire.Hello;
import dev.cleave.wire.Proof;
import dev.cleave.wire.WireException;
import io.netty.buffer.ByteBuf;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** Exchanges HELLOs on one connection, and then passes all events on. Event thread only. */
final class Greeting implements FrameHandler {

    private Hello own;
    private final Timer timer;
    private final Duration patience;
    private final BiFunction<Connection, Peer, FrameHandler> next;
    private final Outcome outcome;
    private Timer.@Nullable Timeout timeout;
    private @Nullable ProofCheck check; // null once the peer has an identity, or needs none
    private @Nullable Hello waiting; // of a peer that has to prove its identity
    private @Nullable FrameHandler established;
    private boolean failed;

    Greeting(
            Hello own,
            Timer timer,
            Duration patience,
            BiFunction<Connection, Peer, FrameHandler> next,
            Outcome outcome) {
        this.patience = patience;
        this.own = own;
        this.timer = timer;
        this.next = next;
        this.outcome = outcome;
    }

    /** Disconnects the peer to make room for others, unless it has said HELLO by now. Called on any thread. */
    void turnAway(Connection connection) {
        refuseSoon(
                connection,
                ErrorCode.OVERLOAD,
                "too many connections without HELLO (expected: HELLO at once); try again later");
    }

    @Override
    public void onOpen(Connection connection) {
        timeout = timer.schedule(patience, () -> onTimeout(connection));
        if (connection.isExposed()) {
            own = own.wantingChecks();
        }
        check = connection.proofCheck();
        say(connection, check == null ? own : check.challenge());
    }

    private static void say(Connection connection, Frame frame) {
        connection.write(frame.write(connection.allocator()));
        connection.flush();
    }

    @Override
    public void onFrame(Connection connection, ByteBuf frame) {
        if (established != null) {
            established.onFrame(connection, frame);
        } else if (!failed) {
            greet(connection, frame);
        }
    }

    @Override
    public void onReadComplete(Connection connection) {
        if (established != null) {
            established.onReadComplete(connection);
        }
    }

    @Override
    public void onWritable(Connection connection) {
        if (established != null) {
            established.onWritable(connection);
        }
    }

    @Override
    public void onClose(Connection connection, @Nullable Throwable cause) {
        if (established != null) {
            established.onClose(connection, cause);
        } else if (cause instanceof WireException broken) {
            fail(connection, problem(connection, broken.code(), "no HELLO: " + broken.getMessage(), null));
        } else {
            String why = cause == null ? "" : ": " + cause.getMessage();
            fail(
                    connection,
                    problem(
                            connection,
                            ErrorCode.CONNECTION_LOST,
                            "the peer closed the connection before its HELLO" + why,
                            null));
        }
    }

    private void onTimeout(Connection connection) {
        refuseSoon(
                connection,
                ErrorCode.DEADLINE,
                "no HELLO within " + patience.toSeconds() + " s (expected: a Cleave node)");
    }

    private void refuseSoon(Connection connection, ErrorCode code, String text) {
        try {
            connection.execute(() -> {
                if (established == null && !failed) {
                    refuse(connection, problem(connection, code, text, null));
                }
            });
        } catch (RejectedExecutionException e) {
            connection.close(); // the transport has been closed
        }
    }

    private void greet(Connection connection, ByteBuf frame) {
        try {
            FrameKind kind = Header.kind(frame);
            if (kind == FrameKind.GOAWAY) {
                GoAway goAway = GoAway.read(frame);
                fail(connection, problem(connection, goAway.code(), "refused by the peer: " + goAway.text(), null));
                connection.close();
                return;
            }
            if (kind == FrameKind.CHALLENGE) {
                prove(connection, Challenge.read(frame));
            } else if (check != null) {
                hear(connection, check, kind, frame);
            } else {
                meet(connection, Hello.read(frame));
            }
        } catch (WireException e) {
            refuse(connection, problem(connection, e.code(), "no HELLO: " + e.getMessage(), null));
        }
    }

    /** Answers a peer that greets this side only when it knows who this side is. */
    private void prove(Connection connection, Challenge challenge) {
        Prover prover = connection.prover();
        if (prover == null) {
            throw new WireException(ErrorCode.PROTOCOL, "asked for a token, which this side has not");
        }
        try {
            say(connection, prover.prove(challenge));
        } catch (GeneralSecurityException e) {
            refuse(connection, problem(connection, ErrorCode.DENIED, "token: " + e.getMessage(), null));
        }
    }

    /** Takes the HELLO of a peer that has not proved its identity, or the proof, and greets the peer then. */
    private void hear(Connection connection, ProofCheck needed, FrameKind kind, ByteBuf frame) {
        Hello other = waiting;
        if (other == null) {
            waiting = Hello.read(frame);
            return;
        }
        if (kind != FrameKind.PROOF) {
            throw new WireException(ErrorCode.PROTOCOL, kind + " (expected: PROOF of a token)");
        }
        try {
            needed.check(Proof.read(frame));
        } catch (GeneralSecurityException e) {
            refuse(connection, problem(connection, ErrorCode.DENIED, String.valueOf(e.getMessage()), other));
            return;
        }
        check = null;
        say(connection, own);
        meet(connection, other);
    }

    private void meet(Connection connection, Hello other) {
        OptionalInt version = own.commonVersion(other);
        if (version.isEmpty()) {
            String text = "no common protocol version: this side speaks " + HandshakeException.versions(own) + ", "
                    + other.node() + " speaks " + HandshakeException.versions(other) + " (update the older of the two)";
            refuse(connection, problem(connection, ErrorCode.VERSION, text, other));
            return;
        }
        stopTimer();
        if (own.agreesOnChecks(other)) {
            connection.checkFrames();
        }
        Peer peer = new Peer(
                other.node(),
                other.incarnation(),
                version.getAsInt(),
                own.features() & other.features(),
                connection.identity());
        FrameHandler handler = next.apply(connection, peer);
        established = handler;
        try {
            handler.onOpen(connection);
        } finally {
            outcome.met(connection, peer);
        }
    }

    private HandshakeException problem(Connection connection, ErrorCode code, String text, @Nullable Hello other) {
        String oneLine = text.replaceAll("\\p{Cntrl}", " "); // parts of it are the peer's
        return new HandshakeException(code, connection.peer() + ": " + oneLine, own, other);
    }

    /** Fails the handshake, and tells the peer why. */
    private void refuse(Connection connection, HandshakeException failure) {
        String text = failure.getMessage() == null ? "" : failure.getMessage();
        connection.write(new GoAway(failure.code(), text).write(connection.allocator()));
        connection.flush();
        fail(connection, failure);
        connection.close();
    }

    private void fail(Connection connection, HandshakeException failure) {
        if (!failed) {
            failed = true;
            stopTimer();
            Refusals.count("hello." + failure.code());
            outcome.failed(connection, failure);
        }
    }

    private void stopTimer() {
        if (timeout != null) {
            timeout.cancel();
            timeout = null; // it would stay for as long as the connection
        }
    }

    /** Receives the result of the handshake, once, on the event thread. */
    interface Outcome {

        void met(Connection connection, Peer peer);

        void failed(Connection connection, HandshakeException failure);
    }
}
