package dev.cleave.jmh.bench.calls;

import java.util.Locale;

/** The contenders. */
public enum Middleware {
    /** Blocking sockets, a thread for each connection. */
    FLOOR,
    /** Java RMI. */
    RMI,
    /** Netty alone, answers on the event loop. */
    NETTY,
    /** Cleave, the client connected to the server. */
    CLEAVE,
    /** The same, methods on the event thread. */
    CLEAVE_INLINE,
    /** Cleave through its broker. */
    CLEAVE_RELAY;

    /** Its name in tables and records. */
    public String id() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    Contender contender() {
        return switch (this) {
            case FLOOR -> new SocketContender();
            case RMI -> new RmiContender();
            case NETTY -> new NettyContender();
            case CLEAVE -> CleaveContender.workers(CleaveContender.DIRECT);
            case CLEAVE_INLINE -> CleaveContender.inline();
            case CLEAVE_RELAY -> CleaveContender.workers(CleaveContender.RELAY);
        };
    }
}
