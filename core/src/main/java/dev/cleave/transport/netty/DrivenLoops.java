package dev.cleave.transport.netty;

import io.netty.channel.IoEventLoop;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;

/** Event loops whose sockets other threads may write to, and which threads that wait may drive. */
final class DrivenLoops extends MultiThreadIoEventLoopGroup {

    /**
     * Creates loops.
     *
     * @param isForCallers whether threads that wait may drive them
     */
    DrivenLoops(int count, ThreadFactory threads, IoHandlerFactory handlers, boolean isForCallers) {
        super(count, threads, handlers, isForCallers);
    }

    @Override
    protected IoEventLoop newChild(Executor executor, IoHandlerFactory handlers, Object... isForCallers) {
        return new DrivenLoop(this, executor, handlers, (boolean) isForCallers[0]);
    }
}
