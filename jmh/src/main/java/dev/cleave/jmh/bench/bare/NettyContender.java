package dev.cleave.jmh.bench.bare;

import dev.cleave.jmh.bench.contender.Contender;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.function.Function;
import java.util.function.Supplier;

/** Netty alone: one event loop on each side, all callers over one connection, answers on the event loop. */
public final class NettyContender implements Contender {

    private final boolean epoll = Epoll.isAvailable();
    private final Function<Channel, NettyOut> outs;
    private final EventLoopGroup loop =
            new MultiThreadIoEventLoopGroup(1, epoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());

    private NettyContender(Function<Channel, NettyOut> outs) {
        this.outs = outs;
    }

    /** Each call is written and flushed by itself. */
    public static NettyContender plain() {
        return new NettyContender(NettyOut.Each::new);
    }

    /** Creates the contender that flushes the requests of several threads, or of a window, together. */
    public static NettyContender coalesced() {
        return new NettyContender(NettyOut.Together::new);
    }

    @Override
    public String serve(String broker) {
        Channel listener = new ServerBootstrap()
                .group(loop)
                .channel(epoll ? EpollServerSocketChannel.class : NioServerSocketChannel.class)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(initializer(NettyEcho::new))
                .bind(InetAddress.getLoopbackAddress(), 0)
                .syncUninterruptibly()
                .channel();
        return Integer.toString(((InetSocketAddress) listener.localAddress()).getPort());
    }

    @Override
    public Connected connect(String where) {
        NettyReplies replies = new NettyReplies();
        Channel channel = new Bootstrap()
                .group(loop)
                .channel(epoll ? EpollSocketChannel.class : NioSocketChannel.class)
                .option(ChannelOption.TCP_NODELAY, true)
                .handler(initializer(() -> replies))
                .connect(InetAddress.getLoopbackAddress(), Integer.parseInt(where))
                .syncUninterruptibly()
                .channel();
        NettyOut out = outs.apply(channel);
        return () -> replies.caller(out);
    }

    private static ChannelHandler initializer(Supplier<ChannelHandler> handler) {
        return new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel channel) {
                channel.pipeline().addLast(handler.get());
            }
        };
    }
}
