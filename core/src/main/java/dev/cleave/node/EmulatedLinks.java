package dev.cleave.node;

import static java.util.Objects.requireNonNull;

import dev.cleave.concurrent.SystemTimer;
import dev.cleave.concurrent.Timer;
import dev.cleave.config.Bindings;
import dev.cleave.config.EmulatedLink;
import dev.cleave.transport.LinkProfile;
import dev.cleave.transport.LinkTransport;
import dev.cleave.transport.Transport;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The link that the application file puts before a replica, for tests and experiments.
 *
 * @param transport the node's transport, emulated or as it is
 * @param timer of the emulation, if there is one
 */
record EmulatedLinks(Transport transport, @Nullable Timer timer) implements AutoCloseable {

    EmulatedLinks {
        requireNonNull(transport, "transport");
    }

    /** The transport as it is, unless the file names a replica like the node and gives it a link. */
    static EmulatedLinks over(Transport real, String node, Bindings bindings) {
        return over(real, node, of(node, bindings));
    }

    private static Optional<EmulatedLink> of(String node, Bindings bindings) {
        return bindings.services().values().stream()
                .filter(service -> service.replica(node).isPresent())
                .flatMap(service -> service.link(node).stream())
                .findFirst();
    }

    /** The transport behind the first link that the file gives to a service. */
    static EmulatedLinks overAny(Transport real, String node, Bindings bindings) {
        return over(
                real,
                node,
                bindings.services().values().stream()
                        .flatMap(service ->
                                Optional.ofNullable(service.dispatch().link()).stream())
                        .findFirst());
    }

    private static EmulatedLinks over(Transport real, String node, Optional<EmulatedLink> link) {
        if (link.isEmpty()) {
            return new EmulatedLinks(real, null);
        }
        Timer timer = SystemTimer.precise("cleave-link-" + node);
        return new EmulatedLinks(new LinkTransport(real, profile(link), timer), timer);
    }

    private static LinkProfile profile(Optional<EmulatedLink> link) {
        return link.map(found -> new LinkProfile(found.delay(), found.bytesPerSecond(), found.perReply()))
                .orElse(new LinkProfile(Duration.ZERO, 0, Duration.ZERO));
    }

    /** Emulates the link of another file from now on; returns whether that takes a new start, since none is emulated. */
    boolean change(String node, Bindings bindings) {
        Optional<EmulatedLink> link = of(node, bindings);
        if (transport instanceof LinkTransport emulated) {
            emulated.change(profile(link));
            return false;
        }
        return link.isPresent();
    }

    /** Stops the emulation. The owner of the transport closes it before. */
    @Override
    public void close() {
        if (timer != null) {
            timer.close();
        }
    }
}
