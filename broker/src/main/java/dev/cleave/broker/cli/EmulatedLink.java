package dev.cleave.broker.cli;

import dev.cleave.concurrent.SystemTimer;
import dev.cleave.config.Link;
import dev.cleave.transport.LinkProfile;
import dev.cleave.transport.LinkTransport;
import dev.cleave.transport.Transport;
import dev.cleave.transport.netty.NettyTransport;

/** TCP over the link that an application file describes. */
final class EmulatedLink implements AutoCloseable {

    private final SystemTimer timer = SystemTimer.precise("cleave-link");
    private final Transport transport;

    EmulatedLink(Link link) {
        LinkProfile profile = new LinkProfile(link.delay(), link.bytesPerSecond(), link.perReply());
        transport = new LinkTransport(NettyTransport.create(), profile, timer);
    }

    Transport transport() {
        return transport;
    }

    @Override
    public void close() {
        transport.close();
        timer.close();
    }
}
