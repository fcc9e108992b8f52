package dev.cleave.transport.netty;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.cleave.metrics.Refusals;
import dev.cleave.transport.Handshake;
import io.netty.channel.Channel;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The accepted channels whose TLS handshake is not complete, or whose first bytes have not come. Beyond {@link Handshake#MAX_STRANGERS} the oldest is
 * closed: a crowd of peers that do not go on keeps no other peer out. Thread-safe.
 */
@SuppressWarnings("FutureReturnValueIgnored") // of closes: there is nothing to do about one that fails
final class Strangers {

    @GuardedBy("this")
    private final Set<Channel> channels = new LinkedHashSet<>();

    void add(Channel channel) {
        Channel oldest = null;
        synchronized (this) {
            if (channels.size() >= Handshake.MAX_STRANGERS) {
                Iterator<Channel> first = channels.iterator();
                oldest = first.next();
                first.remove();
            }
            channels.add(channel);
        }
        if (oldest != null) {
            Refusals.count("tls.crowd");
            oldest.close();
        }
    }

    synchronized void remove(Channel channel) {
        channels.remove(channel);
    }
}
