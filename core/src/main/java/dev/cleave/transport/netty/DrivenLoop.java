package dev.cleave.transport.netty;

import dev.cleave.concurrent.SafeLog;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelPromise;
import io.netty.channel.DefaultChannelPromise;
import io.netty.channel.IoEventLoop;
import io.netty.channel.IoEventLoopGroup;
import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.IoRegistration;
import io.netty.util.concurrent.AbstractScheduledEventExecutor;
import io.netty.util.concurrent.DefaultPromise;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.GlobalEventExecutor;
import io.netty.util.concurrent.Promise;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * An event loop without a thread of its own: its {@link Wheel} decides which thread drives it, one at a time. The
 * driver is the loop's thread for that time.
 *
 * <p>Through the wheel, the actions of one driver happen before those of the next.
 */
@SuppressWarnings("FutureReturnValueIgnored") // the future of the end: callers that need it ask for it
final class DrivenLoop extends AbstractScheduledEventExecutor implements IoEventLoop {

    private enum Life {
        OPEN,
        /** Channels are being closed; tasks are still taken. */
        ENDING,
        /** No task is taken any more. */
        ENDED
    }

    private static final System.Logger LOG = SafeLog.of(DrivenLoop.class);
    private static final int MOST_TASKS = 4096; // of others, before the kernel is asked again

    private final @Nullable IoEventLoopGroup parent;
    private final IoHandler handler;
    private final Wheel wheel;
    private final KernelWait kernelWait = new KernelWait();
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final AtomicReference<Life> life = new AtomicReference<>(Life.OPEN);
    private final Promise<@Nullable Void> terminated = new DefaultPromise<>(GlobalEventExecutor.INSTANCE);
    private final IoHandlerContext blocking = new Blocking();
    private boolean initialized; // driver only
    private int looks; // of the handler, before it waits; driver only

    /**
     * Creates a loop.
     *
     * @param executor gives the thread that drives when no other does
     * @param isForCallers whether other threads may drive
     */
    DrivenLoop(@Nullable IoEventLoopGroup parent, Executor executor, IoHandlerFactory factory, boolean isForCallers) {
        this.parent = parent;
        wheel = new Wheel(this, executor, isForCallers);
        handler = factory.newHandler(this);
    }

    /** The wheel, which decides who drives. */
    Wheel wheel() {
        return wheel;
    }

    /** The time in which threads other than the driver may write. */
    KernelWait kernelWait() {
        return kernelWait;
    }

    /** Waits for the kernel unless there is work, handles its events, and runs the tasks. Driver only. */
    void round() {
        if (!initialized) {
            initialized = true;
            handler.initialize();
        }
        looks = 0;
        try {
            handler.run(blocking);
        } finally {
            kernelWait.end();
        }
        runTasks(MOST_TASKS);
    }

    /** Runs the waiting tasks, at most {@code most}. Driver only. */
    private void runTasks(int most) {
        fetchFromScheduledTaskQueue(tasks);
        for (int i = 0; i < most; i++) {
            Runnable task = tasks.poll();
            if (task == null) {
                return;
            }
            run(task);
        }
    }

    private static void run(Runnable task) {
        try {
            task.run();
        } catch (Throwable e) { // an Error as well: the tasks after it must run
            LOG.log(System.Logger.Level.WARNING, "task of an event loop failed", e);
        }
    }

    boolean hasTasks() {
        return !tasks.isEmpty();
    }

    /** Wakes the driver if it waits for the kernel. */
    void wakeUp() {
        handler.wakeup();
    }

    /** Closes the channels and ends. Driver only, when {@link #isShuttingDown}. */
    void end() {
        try {
            if (!initialized) {
                initialized = true;
                handler.initialize();
            }
            cancelScheduledTasks();
            runTasks(Integer.MAX_VALUE);
            handler.prepareToDestroy();
            runTasks(Integer.MAX_VALUE);
        } finally {
            life.set(Life.ENDED);
            try {
                runTasks(Integer.MAX_VALUE);
                handler.destroy();
            } finally {
                terminated.setSuccess(null);
            }
        }
    }

    @Override
    public boolean inEventLoop(Thread thread) {
        return wheel.isDriver(thread);
    }

    @Override
    public void execute(Runnable task) {
        if (life.get() == Life.ENDED) {
            throw new RejectedExecutionException("the event loop has ended");
        }
        tasks.add(task);
        if (!inEventLoop()) {
            if (life.get() == Life.ENDED && tasks.remove(task)) {
                throw new RejectedExecutionException("the event loop has ended");
            }
            wheel.attend();
        }
    }

    @Override
    public @Nullable IoEventLoopGroup parent() {
        return parent;
    }

    @Override
    public IoEventLoop next() {
        return this;
    }

    @Override
    public Future<IoRegistration> register(IoHandle handle) {
        Promise<IoRegistration> promise = newPromise();
        if (inEventLoop()) {
            register(handle, promise);
        } else {
            execute(() -> register(handle, promise));
        }
        return promise;
    }

    private void register(IoHandle handle, Promise<IoRegistration> promise) {
        try {
            promise.setSuccess(handler.register(handle));
        } catch (Exception e) { // Netty's signature
            promise.setFailure(e);
        }
    }

    @Override
    @Deprecated
    public ChannelFuture register(Channel channel) {
        return register(new DefaultChannelPromise(channel, this));
    }

    @Override
    @Deprecated
    public ChannelFuture register(ChannelPromise promise) {
        promise.channel().unsafe().register(this, promise);
        return promise;
    }

    @Override
    @Deprecated
    public ChannelFuture register(Channel channel, ChannelPromise promise) {
        channel.unsafe().register(this, promise);
        return promise;
    }

    @Override
    public boolean isCompatible(Class<? extends IoHandle> type) {
        return handler.isCompatible(type);
    }

    @Override
    public boolean isIoType(Class<? extends IoHandler> type) {
        return handler.getClass().equals(type);
    }

    @Override
    public Future<?> shutdownGracefully(long quietPeriod, long timeout, TimeUnit unit) {
        if (life.compareAndSet(Life.OPEN, Life.ENDING)) {
            wheel.attend();
        }
        return terminated;
    }

    @Override
    @Deprecated
    public void shutdown() {
        shutdownGracefully(0, 0, TimeUnit.SECONDS);
    }

    @Override
    public Future<?> terminationFuture() {
        return terminated;
    }

    @Override
    public boolean isShuttingDown() {
        return life.get() != Life.OPEN;
    }

    @Override
    public boolean isShutdown() {
        return life.get() == Life.ENDED;
    }

    @Override
    public boolean isTerminated() {
        return terminated.isDone();
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
        return terminated.await(timeout, unit);
    }

    /**
     * Lets the handler wait while there is no work and no thread needs the driver. The handler asks whether it may
     * before it prepares to wait, and again right before it waits.
     */
    private final class Blocking implements IoHandlerContext {

        private static final int LAST_LOOK = 2;

        @Override
        public boolean canBlock() {
            boolean can = tasks.isEmpty() && !hasScheduledTasks() && !isShuttingDown() && wheel.mayBlock();
            if (can && ++looks == LAST_LOOK) {
                kernelWait.begin();
            }
            return can;
        }

        @Override
        public long delayNanos(long now) {
            return DrivenLoop.this.delayNanos(now, Long.MAX_VALUE);
        }

        @Override
        public long deadlineNanos() {
            return nextScheduledTaskDeadlineNanos();
        }

        /** Called when the handler returns from the kernel, before it touches a channel. */
        @Override
        public boolean shouldReportActiveIoTime() {
            kernelWait.end();
            return false;
        }
    }
}
