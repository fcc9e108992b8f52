package dev.cleave.transport.netty;

import static java.util.Objects.requireNonNull;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.util.ReferenceCountUtil;
import java.nio.ByteBuffer;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Seals and opens the TLS records of a connection whose handshake is complete. It takes the place of Netty's handler, which keeps a
 * queue with a promise for each write: for a lone call that costs as much as the encryption.
 *
 * <p>{@link #seal} may also be used by a thread that has borrowed the event loop. All else: event loop only.
 */
final class TlsRecords extends ChannelDuplexHandler {

    /** The most bytes of the program in a record. */
    static final int MOST = 16 << 10;

    /** The most bytes that are opened at once: a chunk of a large value with its records. */
    private static final int TOGETHER = 288 << 10;

    /**
     * The least bytes that are opened at once, if they are there, although a record that is not full ends a part of the sender:
     * a large frame begins behind it, and lies whole in the buffer of the next opening.
     */
    private static final int LEAST_TOGETHER = 64 << 10;

    /** How many bytes are sealed before they go to the kernel: the receiver opens them while the next ones are sealed. */
    private static final int STEP = 64 << 10;

    private static final int HEADER = 5;
    private static final int LENGTH_AT = 3; // in the header

    /** The most by which a sealed record is longer than its bytes and its header. */
    private static final int OVERHEAD = 256;

    /**
     * The least bytes of a record for which the sealed side is on the heap: there the JDK's engine encrypts and decrypts in place, and
     * else copies each KiB to the heap and back.
     */
    private static final int LARGE = 4 << 10;

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final SSLEngine engine;
    private final int packet; // bytes of room that the engine asks for before it seals a record
    private final boolean isOfJdk;
    private @Nullable ByteBuffer large; // for one sealed record, on the heap; made for the first large one
    private final KeptBuffer opened = new KeptBuffer();
    private @Nullable ChannelHandlerContext context;
    private @Nullable ByteBuf partial; // the first part of a record

    /** Sealed bytes that the kernel has not taken; they go before all that is sealed later. */
    private @Nullable ByteBuf unsent;

    private boolean failed;

    /** Takes over an engine whose handshake is complete, with a reference if it counts them. */
    TlsRecords(SSLEngine engine) {
        this.engine = requireNonNull(engine, "engine");
        packet = engine.getSession().getPacketBufferSize();
        isOfJdk = engine.getClass().getName().startsWith("sun.security.ssl.");
    }

    // Seals.

    /** Returns the capacity of a buffer that need not grow while a step, or parts of a record, are sealed into it. */
    int room() {
        return room(STEP + packet);
    }

    int room(int length) {
        return length + (length / MOST + 1) * (HEADER + OVERHEAD) + packet;
    }

    /**
     * Seals a part of the stream.
     *
     * @param into gets the records, and grows if they do not fit
     * @throws SSLException if the engine has been closed
     */
    void seal(ByteBuf part, ByteBuf into) throws SSLException {
        seal(part, into, Integer.MAX_VALUE);
    }

    /** Seals the next step of a part, full records except at the end of the part, and skips its bytes. */
    void sealStep(ByteBuf part, ByteBuf into) throws SSLException {
        seal(part, into, STEP);
    }

    private void seal(ByteBuf part, ByteBuf into, int enough) throws SSLException {
        ByteBuffer from = nio(part, part.readableBytes());
        seal(from, into, enough);
        part.readerIndex(part.writerIndex() - from.remaining());
    }

    private void seal(ByteBuffer from, ByteBuf into, int enough) throws SSLException {
        do {
            into.ensureWritable(packet);
            SSLEngineResult result;
            if (isOfJdk && from.remaining() >= LARGE) {
                ByteBuffer to = large();
                result = engine.wrap(from, to);
                into.writeBytes(to.flip());
            } else {
                ByteBuffer to = into.internalNioBuffer(into.writerIndex(), into.writableBytes());
                int before = to.position();
                result = engine.wrap(from, to);
                into.writerIndex(into.writerIndex() + to.position() - before);
            }
            if (result.getStatus() == Status.CLOSED) {
                throw new SSLException("the TLS connection has been closed");
            }
            boolean any = result.bytesConsumed() > 0 || result.bytesProduced() > 0;
            if (!any && !runTasks() && from.hasRemaining()) {
                throw new SSLException("cannot seal: " + result);
            }
        } while (from.hasRemaining() && into.readableBytes() < enough);
    }

    /** Keeps a copy of sealed bytes that the kernel has not taken; {@link #pushOn} gives it to the channel. */
    void keepUnsent(ByteBuf sealed, ByteBufAllocator allocator) {
        unsent = allocator.directBuffer(sealed.readableBytes()).writeBytes(sealed);
    }

    /** Whether sealed bytes wait for {@link #pushOn}. */
    boolean hasUnsent() {
        return unsent != null;
    }

    /** Gives the channel the sealed bytes that wait; returns whether there were any. The caller flushes. */
    @SuppressWarnings("FutureReturnValueIgnored") // a void promise tells the pipeline of failures
    boolean pushOn() {
        ByteBuf waiting = unsent;
        ChannelHandlerContext here = context;
        if (waiting == null || here == null) {
            return false;
        }
        unsent = null;
        here.write(waiting, here.voidPromise());
        return true;
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // the promise belongs to the caller
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        pushOn();
        ByteBuf part = (ByteBuf) message;
        if (!part.isReadable()) {
            context.write(part, promise);
            return;
        }
        ByteBuf sealed = context.alloc().directBuffer(room(part.readableBytes()));
        try {
            seal(part, sealed);
        } catch (Throwable e) {
            sealed.release();
            promise.setFailure(e);
            return;
        } finally {
            part.release();
        }
        context.write(sealed, promise);
    }

    @Override
    public void flush(ChannelHandlerContext context) {
        pushOn();
        context.flush();
    }

    /** Tells the peer that nothing follows. */
    void closeOutbound() {
        engine.closeOutbound();
        boolean unused = answer();
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // the promise belongs to the caller
    public void close(ChannelHandlerContext context, ChannelPromise promise) {
        if (context.channel().isActive()) {
            closeOutbound();
        }
        context.close(promise);
    }

    /** Sends what the engine has to say by itself, an alert or an answer to a change of keys; says whether there was anything. */
    @SuppressWarnings("FutureReturnValueIgnored") // a void promise tells the pipeline of failures
    private boolean answer() {
        ChannelHandlerContext here = context;
        if (here == null) {
            return false;
        }
        pushOn();
        ByteBuf sealed = here.alloc().directBuffer(2 * packet);
        try {
            boolean more = true;
            while (more && sealed.writableBytes() >= packet) {
                ByteBuffer to = sealed.internalNioBuffer(sealed.writerIndex(), sealed.writableBytes());
                SSLEngineResult result = engine.wrap(NOTHING, to);
                sealed.writerIndex(sealed.writerIndex() + result.bytesProduced());
                more = result.bytesProduced() > 0 && engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP;
            }
        } catch (SSLException e) {
            // The connection ends anyway, without a last word.
        }
        boolean any = sealed.isReadable();
        if (any) {
            here.writeAndFlush(sealed, here.voidPromise());
        } else {
            sealed.release();
        }
        return any;
    }

    // Opens.

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ByteBuf bytes = (ByteBuf) message;
        try {
            if (partial != null && !failed) {
                complete(context, partial, bytes);
            }
            int whole = failed ? 0 : whole(bytes);
            while (whole > 0) {
                open(context, bytes, whole);
                whole = failed ? 0 : whole(bytes);
            }
            if (bytes.isReadable() && !failed) {
                keep(context.alloc(), bytes);
            }
        } catch (SSLException e) {
            failed = true;
            boolean unused = answer(); // with an alert
            context.fireExceptionCaught(e);
        } finally {
            bytes.release();
        }
    }

    /** Opens whole records, which begin at the reader index, and passes on their bytes. */
    private void open(ChannelHandlerContext context, ByteBuf bytes, int length) throws SSLException {
        ByteBuffer from = nio(bytes, length);
        bytes.skipBytes(length);
        ByteBuf plain = opened.take(context.alloc(), length);
        try {
            ByteBuffer to = plain.internalNioBuffer(0, plain.capacity());
            int begin = to.position();
            unwrap(from, to);
            plain.writerIndex(to.position() - begin);
        } catch (Throwable e) {
            plain.release();
            throw e;
        }
        if (plain.isReadable()) {
            context.fireChannelRead(plain);
        } else {
            plain.release();
        }
    }

    private void unwrap(ByteBuffer from, ByteBuffer to) throws SSLException {
        while (from.hasRemaining()) {
            SSLEngineResult result = unwrapOne(from, to);
            if (result.getStatus() == Status.CLOSED) {
                failed = true; // nothing follows: the peer ends the connection
                return;
            }
            boolean any = result.bytesConsumed() > 0 || result.bytesProduced() > 0;
            boolean isPlain = result.getHandshakeStatus() == HandshakeStatus.NOT_HANDSHAKING; // nothing but data
            boolean ran = result.getHandshakeStatus() == HandshakeStatus.NEED_TASK && runTasks();
            boolean answered = !isPlain && engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP && answer();
            if (!any && !ran && !answered) {
                throw new SSLException("cannot open: " + result);
            }
        }
    }

    private SSLEngineResult unwrapOne(ByteBuffer from, ByteBuffer to) throws SSLException {
        int begin = from.position();
        int length = isOfJdk && from.remaining() >= LARGE ? lengthAt(from, begin) : 0;
        if (length < LARGE) {
            return engine.unwrap(from, to);
        }
        ByteBuffer record = large().put(from.duplicate().limit(begin + length)).flip();
        SSLEngineResult result = engine.unwrap(record, to);
        from.position(begin + record.position());
        return result;
    }

    /** Returns the length of a record with its header, which was checked when it came; in whatever order of bytes the buffer is. */
    private static int lengthAt(ByteBuffer from, int at) {
        return HEADER
                + (Byte.toUnsignedInt(from.get(at + LENGTH_AT)) << Byte.SIZE)
                + Byte.toUnsignedInt(from.get(at + LENGTH_AT + 1));
    }

    private ByteBuffer large() {
        ByteBuffer made = large;
        if (made == null) {
            made = ByteBuffer.allocate(Math.max(packet, HEADER + MOST + OVERHEAD));
            large = made;
        }
        return made.clear();
    }

    private boolean runTasks() {
        boolean any = false;
        Runnable task = engine.getDelegatedTask();
        while (task != null) {
            any = true;
            task.run();
            task = engine.getDelegatedTask();
        }
        return any;
    }

    /** Returns the bytes of the whole records at the beginning that are opened together; they end with a part of the sender, if one ends. */
    private static int whole(ByteBuf bytes) throws SSLException {
        int begin = bytes.readerIndex();
        int end = begin;
        while (bytes.writerIndex() - end >= HEADER) {
            int length = length(bytes, end);
            if (length > bytes.writerIndex() - end || end > begin && end + length - begin > TOGETHER) {
                break;
            }
            end += length;
            if (length < HEADER + MOST && end - begin >= LEAST_TOGETHER) {
                break;
            }
        }
        return end - begin;
    }

    /** Returns the length of a record with its header. */
    private static int length(ByteBuf bytes, int at) throws SSLException {
        int length = bytes.getUnsignedShort(at + LENGTH_AT);
        if (length > MOST + OVERHEAD) {
            throw new SSLException(
                    "a TLS record of " + length + " bytes (expected: at most " + (MOST + OVERHEAD) + ")");
        }
        return HEADER + length;
    }

    private void keep(ByteBufAllocator allocator, ByteBuf bytes) throws SSLException {
        int length = bytes.readableBytes() < HEADER ? HEADER : length(bytes, bytes.readerIndex());
        partial = allocator.directBuffer(length).writeBytes(bytes);
    }

    /** Completes the partial record, if enough has come, and opens it. */
    private void complete(ChannelHandlerContext context, ByteBuf record, ByteBuf bytes) throws SSLException {
        fill(record, bytes, HEADER);
        if (record.readableBytes() < HEADER) {
            return;
        }
        int length = length(record, record.readerIndex());
        fill(record, bytes, length);
        if (record.readableBytes() < length) {
            return;
        }
        partial = null;
        try {
            open(context, record, length);
        } finally {
            record.release();
        }
    }

    private static void fill(ByteBuf record, ByteBuf bytes, int length) {
        int count = Math.min(length - record.readableBytes(), bytes.readableBytes());
        if (count > 0) {
            record.writeBytes(bytes, count);
        }
    }

    private static ByteBuffer nio(ByteBuf bytes, int length) {
        return bytes.nioBufferCount() == 1
                ? bytes.internalNioBuffer(bytes.readerIndex(), length)
                : bytes.nioBuffer(bytes.readerIndex(), length);
    }

    // The pipeline.

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        this.context = context;
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        this.context = null;
        failed = true;
        ByteBuf first = partial;
        ByteBuf last = unsent;
        partial = null;
        unsent = null;
        ReferenceCountUtil.release(first == null ? Unpooled.EMPTY_BUFFER : first);
        ReferenceCountUtil.release(last == null ? Unpooled.EMPTY_BUFFER : last);
        opened.close();
        ReferenceCountUtil.release(engine);
    }
}
