package dev.cleave.rmi;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A socket over a channel that Netty has accepted, for code that reads and writes blockingly: RMI's own. At most
 * {@value #MOST_UNREAD} bytes wait to be read, and those of one read of the channel.
 */
final class ChannelSocket extends Socket {

    private static final int MOST_UNREAD = 256 << 10;

    private final Channel channel;
    private final Object lock = new Object();

    @GuardedBy("lock")
    private final Deque<byte[]> unread = new ArrayDeque<>();

    @GuardedBy("lock")
    private int unreadBytes;

    @GuardedBy("lock")
    private int at; // in the first array

    @GuardedBy("lock")
    private boolean ended;

    private volatile boolean closed;
    private volatile int timeoutMillis;
    private final InputStream in = new In();
    private final OutputStream out = new Out();

    /** Creates the socket of a channel; {@code first} has arrived already, and is released. */
    ChannelSocket(Channel channel, ByteBuf first) {
        this.channel = requireNonNull(channel, "channel");
        came(first);
        channel.pipeline().addLast(new Receiver());
    }

    private void came(ByteBuf bytes) {
        byte[] copy = new byte[bytes.readableBytes()];
        bytes.readBytes(copy);
        bytes.release();
        synchronized (lock) {
            if (copy.length > 0) {
                unread.addLast(copy);
                unreadBytes += copy.length;
            }
            if (unreadBytes > MOST_UNREAD) {
                channel.config().setAutoRead(false);
            }
            lock.notifyAll();
        }
    }

    private void end() {
        synchronized (lock) {
            ended = true;
            lock.notifyAll();
        }
    }

    private final class Receiver extends ChannelInboundHandlerAdapter {

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            came((ByteBuf) message);
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            end();
        }

        @Override
        @SuppressWarnings("FutureReturnValueIgnored") // there is nothing to do about a close that fails
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            end();
            context.close();
        }
    }

    private final class In extends InputStream {

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] into, int from, int length) throws IOException {
            if (length == 0) {
                return 0;
            }
            synchronized (lock) {
                await();
                byte[] first = unread.peekFirst();
                if (first == null) {
                    return -1;
                }
                int count = Math.min(length, first.length - at);
                System.arraycopy(first, at, into, from, count);
                at += count;
                unreadBytes -= count;
                if (at == first.length) {
                    unread.removeFirst();
                    at = 0;
                }
                if (unreadBytes == 0 && !channel.config().isAutoRead()) {
                    channel.config().setAutoRead(true);
                }
                return count;
            }
        }

        @GuardedBy("lock")
        private void await() throws IOException {
            int millis = timeoutMillis;
            long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
            while (unread.isEmpty() && !ended && !closed) {
                long left = millis == 0 ? 0 : TimeUnit.NANOSECONDS.toMillis(until - System.nanoTime());
                if (millis > 0 && left <= 0) {
                    throw new SocketTimeoutException("Read timed out");
                }
                try {
                    lock.wait(left);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new SocketException("interrupted");
                }
            }
            if (closed) {
                throw new SocketException("Socket closed");
            }
        }

        @Override
        public int available() {
            synchronized (lock) {
                return unreadBytes;
            }
        }

        @Override
        public void close() {
            ChannelSocket.this.close();
        }
    }

    private final class Out extends OutputStream {

        @Override
        public void write(int one) throws IOException {
            write(new byte[] {(byte) one}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
            if (closed) {
                throw new SocketException("Socket closed");
            }
            ChannelFuture written = channel.writeAndFlush(Unpooled.copiedBuffer(bytes, from, length));
            Throwable failure = written.awaitUninterruptibly().cause();
            if (failure != null) {
                throw new SocketException(String.valueOf(failure.getMessage()));
            }
        }

        @Override
        public void close() {
            ChannelSocket.this.close();
        }
    }

    @Override
    public InputStream getInputStream() {
        return in;
    }

    @Override
    public OutputStream getOutputStream() {
        return out;
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // there is nothing to do about a close that fails
    public void close() {
        closed = true;
        channel.close();
        end();
    }

    @Override
    public boolean isClosed() {
        return closed;
    }

    @Override
    public boolean isConnected() {
        return true;
    }

    @Override
    public boolean isBound() {
        return true;
    }

    @Override
    public @Nullable InetAddress getInetAddress() {
        return channel.remoteAddress() instanceof InetSocketAddress remote ? remote.getAddress() : null;
    }

    @Override
    public int getPort() {
        return channel.remoteAddress() instanceof InetSocketAddress remote ? remote.getPort() : 0;
    }

    @Override
    public InetAddress getLocalAddress() {
        return channel.localAddress() instanceof InetSocketAddress local
                ? local.getAddress()
                : InetAddress.getLoopbackAddress();
    }

    @Override
    public int getLocalPort() {
        return channel.localAddress() instanceof InetSocketAddress local ? local.getPort() : -1;
    }

    @Override
    public SocketAddress getRemoteSocketAddress() {
        return channel.remoteAddress();
    }

    @Override
    public SocketAddress getLocalSocketAddress() {
        return channel.localAddress();
    }

    @Override
    public void setSoTimeout(int millis) {
        timeoutMillis = millis;
    }

    @Override
    public int getSoTimeout() {
        return timeoutMillis;
    }

    @Override
    public void setTcpNoDelay(boolean on) {} // the channel has no delay

    @Override
    public void setKeepAlive(boolean on) {} // of no use: leases say who is alive

    @Override
    public String toString() {
        return "ChannelSocket[" + channel.remoteAddress() + "]";
    }
}
