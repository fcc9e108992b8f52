package dev.cleave.broker.relay;

import dev.cleave.call.NameBudget;
import dev.cleave.config.MemoryBounds;
import dev.cleave.transport.Connection;
import dev.cleave.wire.Caller;
import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.Frame;
import dev.cleave.wire.Methods;
import dev.cleave.wire.Types;
import dev.cleave.wire.WireException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The announcements of a client, in order, to be repeated to each server that it calls. Event thread only. */
final class Announced {

    static final int MAX_NAMES = 1 << 16;
    static final int MAX_CHARS = 1 << 22;

    private final List<Frame> frames = new ArrayList<>();
    private final @Nullable String identity;
    private final List<String> services = new ArrayList<>(); // by method number
    private final List<String> keys = new ArrayList<>(); // by method number
    private final List<String> names = new ArrayList<>(); // service and key, by method number; empty without identity
    private int types;
    private long chars;
    private long counted; // bytes that the budget of all clients counts

    /** Creates the announcements of a client, whose identity servers are told before them; null if it has none. */
    Announced(@Nullable String identity) {
        this.identity = identity;
    }

    void add(Methods methods) {
        for (Methods.Method method : methods.methods()) {
            if (method.number() != services.size()) {
                throw new WireException(
                        ErrorCode.PROTOCOL,
                        "method number: " + method.number() + " (expected: " + services.size() + ")");
            }
            grow(services.size() + 1, method.service().length() + method.key().length());
            services.add(method.service());
            keys.add(method.key());
            if (identity != null) {
                names.add(method.service() + '\n' + method.key());
            }
        }
        frames.add(methods);
    }

    void add(Types announcement) {
        if (announcement.first() != types) {
            throw new WireException(
                    ErrorCode.PROTOCOL, "type number: " + announcement.first() + " (expected: " + types + ")");
        }
        for (String name : announcement.names()) {
            grow(++types, name.length());
        }
        frames.add(announcement);
    }

    /** Returns the service of the method with a number. */
    String service(int method) {
        if (method >= services.size()) {
            throw new WireException(
                    ErrorCode.PROTOCOL,
                    "method number: " + method + " (expected: one of the " + services.size() + " announced before)");
        }
        return services.get(method);
    }

    /** Returns the name and descriptor of the method with a number that {@link #service} knows. */
    String key(int method) {
        return keys.get(method);
    }

    /** The identity of the client; null if it has none. */
    @Nullable
    String identity() {
        return identity;
    }

    /** Returns the method with a number as {@code service + '\n' + key}, of a client with an identity. */
    String name(int method) {
        String service = service(method);
        return identity == null ? service + '\n' : names.get(method);
    }

    /** Writes to the server of a pair the announcements that it has not got yet, without a flush. */
    void replay(Pair pair) {
        Connection to = pair.server().connection();
        if (identity != null && !pair.isIntroduced()) {
            pair.introduced();
            to.write(new Caller(pair.clientNumber(), identity).write(to.allocator()));
        }
        for (int i = pair.replayed(); i < frames.size(); i++) {
            Frame addressed = frames.get(i) instanceof Methods methods
                    ? new Methods(pair.clientNumber(), methods.methods())
                    : addressed((Types) frames.get(i), pair.clientNumber());
            to.write(addressed.write(to.allocator()));
        }
        pair.replayed(frames.size());
    }

    private static Frame addressed(Types types, int peer) {
        return new Types(peer, types.first(), types.names());
    }

    private void grow(int names, int length) {
        chars += length;
        if (names > MAX_NAMES || chars > MAX_CHARS || frames.size() >= MAX_NAMES) {
            throw new WireException(
                    ErrorCode.TOO_LARGE,
                    "announcements: " + names + " names, " + chars + " characters (expected: at most " + MAX_NAMES
                            + " with " + MAX_CHARS + ")");
        }
        int all = services.size() + types + frames.size();
        long more = (long) NameBudget.PER_NAME * all + 2 * chars - MemoryBounds.FREE_NAMES - counted;
        if (more > 0) {
            NameBudget.direct().take(counted, more);
            counted += more;
        }
    }

    /** Forgets the announcements: the client is gone. */
    void close() {
        NameBudget.direct().giveBack(counted);
        counted = 0;
    }
}
