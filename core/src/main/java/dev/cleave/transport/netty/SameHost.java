package dev.cleave.transport.netty;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.channel.unix.DomainSocketAddress;
import io.netty.channel.unix.PeerCredentials;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Unix domain sockets beside TCP ports: a process that listens on a port also listens under a name made of address and
 * port, and a process that dials tries that name first. The name is visible in the network namespace of one Linux
 * kernel, in which the address has the same meaning; ports that a tunnel or a container forwards have no such name.
 *
 * <p>Names are abstract: no file is left behind. Any process may take a name, so a peer is trusted only if it runs as
 * the same user or as root.
 */
final class SameHost {

    private static final String PREFIX = "\0cleave/";

    private SameHost() {}

    /** The name that belongs to a port. */
    static DomainSocketAddress beside(InetSocketAddress port) {
        return new DomainSocketAddress(PREFIX + port.getAddress().getHostAddress() + ":" + port.getPort());
    }

    /**
     * The addresses under which peers dial a bound address: the address itself, or, for the wildcard, all of the
     * machine.
     */
    static List<InetSocketAddress> dialled(InetSocketAddress bound) {
        if (!bound.getAddress().isAnyLocalAddress()) {
            return List.of(bound);
        }
        try {
            return NetworkInterface.networkInterfaces()
                    .flatMap(NetworkInterface::inetAddresses)
                    .filter(address -> !address.isLinkLocalAddress()) // they mean something else on each interface
                    .map(address -> new InetSocketAddress(address, bound.getPort()))
                    .toList();
        } catch (IOException e) {
            return Stream.of(InetAddress.getLoopbackAddress())
                    .map(address -> new InetSocketAddress(address, bound.getPort()))
                    .toList();
        }
    }

    private static boolean isTrusted(Channel channel) {
        try {
            PeerCredentials peer = ((EpollDomainSocketChannel) channel).peerCredentials();
            Integer own = (Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
            return peer.uid() == 0 || own != null && peer.uid() == own;
        } catch (IOException e) {
            return false;
        }
    }

    /** Lets the real handler in when the peer runs as this user or as root; else closes, before any byte is exchanged. */
    @SuppressWarnings("FutureReturnValueIgnored") // of a close: there is nothing to do about one that fails
    static final class Guard extends ChannelInboundHandlerAdapter {

        private final ChannelHandler real;

        Guard(ChannelHandler real) {
            this.real = real;
        }

        @Override
        public void channelActive(ChannelHandlerContext context) {
            if (isTrusted(context.channel())) {
                context.pipeline().addLast(real);
                context.fireChannelActive();
                context.pipeline().remove(this);
            } else {
                context.close();
            }
        }
    }
}
