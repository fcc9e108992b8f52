package dev.cleave.transport.netty;

import dev.cleave.concurrent.SafeLog;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.epoll.EpollDatagramChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.socket.DatagramPacket;
import io.netty.channel.socket.nio.NioDatagramChannel;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** Opens the sockets of {@link DatagramPath}s. */
final class DatagramSockets {

    private static final System.Logger LOG = SafeLog.of(DatagramSockets.class);
    private static final int MOST_READ = 2 << 10;

    private DatagramSockets() {}

    /** Opens a socket on any free port, on an event loop; of the kind that the loop takes. */
    @SuppressWarnings("deprecation") // the option's new name came with 4.2
    static ChannelFuture open(EventLoop loop, boolean epoll, ByteBufAllocator allocator, InetAddress at) {
        return new Bootstrap()
                .group(loop)
                .channel(epoll ? EpollDatagramChannel.class : NioDatagramChannel.class)
                .option(ChannelOption.ALLOCATOR, allocator)
                .option(ChannelOption.RCVBUF_ALLOCATOR, new FixedRecvByteBufAllocator(MOST_READ))
                .handler(new Receiver())
                .bind(new InetSocketAddress(at, 0));
    }

    /** Opens a socket on the event loop and address of a connection's channel. */
    static ChannelFuture beside(Channel stream) {
        InetAddress here = ((InetSocketAddress) stream.localAddress()).getAddress();
        return open(stream.eventLoop(), stream instanceof EpollSocketChannel, stream.alloc(), here);
    }

    /** The address that stands for all of this machine, of the same family as another. */
    static InetAddress any(InetAddress like) throws java.net.UnknownHostException {
        return InetAddress.getByAddress(new byte[like instanceof Inet6Address ? 16 : 4]);
    }

    /** Passes received datagrams to the connection that the socket belongs to, if there is one. */
    static final class Receiver extends ChannelInboundHandlerAdapter {

        private @Nullable Inbound inbound; // event loop only
        private boolean handled;

        void serves(Inbound connection) {
            inbound = connection;
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            DatagramPacket packet = (DatagramPacket) message;
            try {
                if (inbound != null) {
                    handled |= inbound.datagram(packet.content());
                }
            } finally {
                packet.release();
            }
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext context) {
            if (handled && inbound != null) {
                handled = false;
                inbound.readComplete();
            }
        }

        /** Ignores the failure: a datagram that was not sent, or refused by the other side, counts as lost. */
        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            LOG.log(
                    System.Logger.Level.DEBUG,
                    "datagram to " + context.channel().remoteAddress(),
                    cause);
        }
    }
}
