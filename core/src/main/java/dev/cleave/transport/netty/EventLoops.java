package dev.cleave.transport.netty;

import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.epoll.EpollEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/**
 * The event loops of a transport, for the Netty that is on the class path. Netty 4.2 takes loops of ours, which threads
 * that wait may drive; with Netty 4.1 they are Netty's own.
 *
 * @param accepted for accepted connections
 * @param dialled for dialled connections
 */
record EventLoops(EventLoopGroup accepted, EventLoopGroup dialled) {

    /** Starts loops. */
    static EventLoops start(int count, ThreadFactory threads, boolean epoll) {
        if (!NettyVersion.TAKES_OUR_LOOPS) {
            return ofNetty41(count, threads, epoll);
        }
        IoHandlerFactory handlers = epoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
        if (epoll) {
            return new EventLoops(
                    new DrivenLoops(count, threads, handlers, false), new DrivenLoops(count, threads, handlers, true));
        }
        // A selector of Java's loses an interrupt of the thread that waits in it, so callers do not drive those.
        EventLoopGroup steady = new SteadyLoops(count, threads, handlers);
        return new EventLoops(steady, steady);
    }

    @SuppressWarnings("deprecation") // deprecated in 4.2, the only ones in 4.1
    private static EventLoops ofNetty41(int count, ThreadFactory threads, boolean epoll) {
        EventLoopGroup loops;
        if (epoll) {
            loops = new EpollEventLoopGroup(count, threads);
        } else {
            loops = new NioEventLoopGroup(count, threads);
        }
        return new EventLoops(loops, loops);
    }

    /** The wheel by which other threads drive a loop; null if only the loop's own thread does. */
    static @Nullable Wheel wheel(EventLoop loop) {
        return NettyVersion.TAKES_OUR_LOOPS && loop instanceof DrivenLoop driven ? driven.wheel() : null;
    }
}
