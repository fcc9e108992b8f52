package dev.cleave.transport.netty;

import dev.cleave.concurrent.SafeLog;
import io.netty.channel.ChannelConfig;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.concurrent.TimeUnit;

/**
 * Pauses a listening socket that cannot accept a connection, for example because the process has no file descriptor
 * left: the socket accepts none for {@value #PAUSE_MILLIS} ms, in which connections wait in the kernel's backlog, and
 * then tries again, for ever. Logs that at once and then once a minute at most, with the number of pauses. Event loop
 * only.
 */
@SuppressWarnings("FutureReturnValueIgnored") // of the pause: a loop that ends accepts nothing more
final class Door extends ChannelInboundHandlerAdapter {

    static final long PAUSE_MILLIS = 200;

    private static final long QUIET_NANOS = TimeUnit.MINUTES.toNanos(1);
    private static final System.Logger LOG = SafeLog.of(Door.class);

    private long failures;
    private long loggedAt;
    private boolean hasLogged;

    Door() {
        SafeLog.prepare();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        failures++;
        ChannelConfig config = context.channel().config();
        if (config.isAutoRead()) {
            context.channel().eventLoop().schedule(() -> config.setAutoRead(true), PAUSE_MILLIS, TimeUnit.MILLISECONDS);
            config.setAutoRead(false); // only after the end of the pause has been scheduled
        }
        long now = System.nanoTime();
        if (!hasLogged || now - loggedAt >= QUIET_NANOS) {
            hasLogged = true;
            loggedAt = now;
            LOG.log(
                    System.Logger.Level.WARNING,
                    "{0}: no connection is accepted for {1} ms, {2} times so far; then it is tried again: {3}",
                    context.channel().localAddress(),
                    PAUSE_MILLIS,
                    failures,
                    SafeLog.text(cause));
        }
    }
}
