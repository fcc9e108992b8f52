package dev.cleave.transport.netty;

import io.netty.channel.IoEventLoop;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;

/** Event loops that threads which wait may drive. */
final class DrivenLoops extends MultiThreadIoEventLoopGroup {

    DrivenLoops(int count, ThreadFactory threads, IoHandlerFactory handlers) {
        super(count, threads, handlers);
    }

    @Override
    protected IoEventLoop newChild(Executor executor, IoHandlerFactory handlers, Object... none) {
        return new DrivenLoop(this, executor, handlers);
    }
}
