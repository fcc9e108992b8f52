package dev.cleave.transport.netty;

import dev.cleave.concurrent.SafeLog;
import io.netty.channel.IoEventLoop;
import io.netty.channel.IoEventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SingleThreadIoEventLoop;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Event loops of Netty whose threads go on after an Error. The threads of Netty's own loops end if their log throws
 * while it reports a failed task or selector.
 */
final class SteadyLoops extends MultiThreadIoEventLoopGroup {

    SteadyLoops(int count, ThreadFactory threads, IoHandlerFactory handlers) {
        super(count, threads, handlers);
    }

    @Override
    protected IoEventLoop newChild(Executor executor, IoHandlerFactory handlers, Object... unused) {
        return new Steady(this, executor, handlers);
    }

    private static final class Steady extends SingleThreadIoEventLoop {

        private static final System.Logger LOG = SafeLog.of(SteadyLoops.class);
        private static final long IN_A_ROW_NANOS = TimeUnit.SECONDS.toNanos(1);
        private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
        private static final int MOST_PAUSES = 100;

        private Steady(IoEventLoopGroup parent, Executor executor, IoHandlerFactory handlers) {
            super(parent, executor, handlers);
        }

        @Override
        protected void run() {
            int failures = 0; // the number of failures in a row
            long failedAt = System.nanoTime();
            boolean goesOn = true;
            while (goesOn) {
                try {
                    super.run();
                    goesOn = false;
                } catch (Throwable e) { // an Error as well: the other connections must go on
                    long now = System.nanoTime();
                    failures = now - failedAt > IN_A_ROW_NANOS ? 1 : failures + 1;
                    failedAt = now;
                    if (Integer.bitCount(failures) == 1) {
                        LOG.log(System.Logger.Level.ERROR, "event loop, " + failures + " times in a row", e);
                    }
                    LockSupport.parkNanos(this, Math.min(failures - 1, MOST_PAUSES) * PAUSE_NANOS);
                    goesOn = !isShuttingDown() || failures < MOST_PAUSES;
                }
            }
        }
    }
}
