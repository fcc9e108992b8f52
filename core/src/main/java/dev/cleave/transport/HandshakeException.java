package dev.cleave.transport;

import static java.util.Objects.requireNonNull;

import dev.cleave.text.Printable;
import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.Hello;
import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** A connection was open, but its handshake failed. */
public final class HandshakeException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1;

    private final ErrorCode code;
    private final transient Hello own;
    private final transient @Nullable Hello other;

    public HandshakeException(ErrorCode code, String message, Hello own, @Nullable Hello other) {
        super(Printable.line(message)); // the message may quote a peer
        this.code = requireNonNull(code, "code");
        this.own = own;
        this.other = other;
    }

    /**
     * Why: {@link ErrorCode#VERSION}, {@link ErrorCode#DEADLINE} (no HELLO in time), {@link ErrorCode#CONNECTION_LOST},
     * {@link ErrorCode#PROTOCOL} or {@link ErrorCode#TOO_LARGE} (no peer of ours), {@link ErrorCode#OVERLOAD}, or what
     * the peer's GOAWAY said.
     */
    public ErrorCode code() {
        return code;
    }

    /** The versions of this side, as {@code 1..2}. */
    public String ownVersions() {
        return versions(own);
    }

    /** The versions of the other side, as {@code 1..2}; {@code unknown} if it did not say. */
    public String peerVersions() {
        return other == null ? "unknown" : versions(other);
    }

    static String versions(Hello hello) {
        return hello.minVersion() + ".." + hello.maxVersion();
    }
}
