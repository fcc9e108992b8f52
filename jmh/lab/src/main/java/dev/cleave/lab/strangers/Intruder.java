package dev.cleave.lab.strangers;

import dev.cleave.concurrent.Timer;
import dev.cleave.transport.Connection;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.FrameHandler;
import dev.cleave.transport.Handshake;
import dev.cleave.transport.HandshakeException;
import dev.cleave.transport.Prover;
import dev.cleave.transport.Transport;
import dev.cleave.transport.TransportException;
import dev.cleave.wire.Challenge;
import dev.cleave.wire.Failure;
import dev.cleave.wire.Frame;
import dev.cleave.wire.FrameKind;
import dev.cleave.wire.Header;
import dev.cleave.wire.Hello;
import dev.cleave.wire.Proof;
import io.netty.buffer.ByteBuf;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** One connection of a stranger, which says what it likes and keeps what it hears. */
final class Intruder implements FrameHandler, AutoCloseable {

    private static final long PATIENCE_MILLIS = 5_000;

    private final List<FrameKind> heard = new CopyOnWriteArrayList<>();
    private final List<Failure> failures = new CopyOnWriteArrayList<>();
    private volatile @Nullable Connection connection;
    private volatile @Nullable Challenge challenge;
    private volatile boolean closed;

    /** Connects and says HELLO; null if the other side does not let it. */
    static @Nullable Intruder meet(Transport transport, Endpoint at, Hello hello, Timer timer) {
        Intruder made = new Intruder();
        try {
            Connection open = new Handshake(hello, timer).connect(transport, at, (connection, peer) -> made);
            made.connection = open;
            return made;
        } catch (TransportException | HandshakeException e) {
            return null;
        }
    }

    /** Connects and says nothing; null if the other side does not let it. */
    static @Nullable Intruder mute(Transport transport, Endpoint at) {
        Intruder made = new Intruder();
        try {
            made.connection = transport.connect(at, made);
            return made;
        } catch (TransportException e) {
            return null;
        }
    }

    /** Proves the token of its transport as another connection is asked to; null if this one has none, or was asked nothing. */
    @Nullable
    Proof proofFor(Intruder asked) throws GeneralSecurityException {
        Connection open = connection;
        Prover prover = open == null ? null : open.prover();
        Challenge question = asked.challenge;
        return prover == null || question == null ? null : prover.prove(question);
    }

    void say(Frame frame) {
        Connection open = connection;
        if (open != null) {
            say(frame.write(open.allocator()));
        }
    }

    /** Sends a frame, which it takes over. */
    void say(ByteBuf frame) {
        Connection open = connection;
        if (open == null) {
            frame.release();
            return;
        }
        open.write(frame);
        open.flush();
    }

    /** Waits until the other side has answered as often, or has closed. */
    void awaitAnswers(int count) throws InterruptedException {
        long until = System.currentTimeMillis() + PATIENCE_MILLIS;
        while (!closed && heard.size() < count && System.currentTimeMillis() < until) {
            Thread.sleep(1);
        }
    }

    boolean awaitClose() throws InterruptedException {
        awaitAnswers(Integer.MAX_VALUE);
        return closed;
    }

    List<FrameKind> heard() {
        return heard;
    }

    List<Failure> failures() {
        return failures;
    }

    boolean isClosed() {
        return closed;
    }

    @Override
    public void onOpen(Connection opened) {}

    @Override
    public void onFrame(Connection from, ByteBuf frame) {
        FrameKind kind = Header.kind(frame);
        if (kind == FrameKind.FAILURE) {
            failures.add(Failure.read(frame.duplicate()));
        }
        if (kind == FrameKind.CHALLENGE) {
            challenge = Challenge.read(frame.duplicate());
        }
        if (kind != FrameKind.PING) {
            heard.add(kind);
        }
    }

    @Override
    public void onClose(Connection from, @Nullable Throwable cause) {
        closed = true;
    }

    @Override
    public void close() {
        Connection open = connection;
        if (open != null) {
            open.close();
        }
    }
}
