package dev.cleave.transport.netty;

import static java.util.Objects.requireNonNull;

import dev.cleave.transport.Handshake;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Decides by the first bytes of an accepted connection whether it is one of a {@link Guest}. Until then no other
 * handler sees the connection, and nothing is sent. A peer that sends nothing for {@link Handshake#TIME_LIMIT} is
 * disconnected. Event loop only.
 */
@SuppressWarnings("FutureReturnValueIgnored") // of closes: there is nothing to do about one that fails
final class FirstBytes extends ChannelInboundHandlerAdapter {

    private final Guest guest;
    private final byte[] magic;
    private final Consumer<Channel> own;
    private final Strangers strangers;
    private @Nullable ByteBuf came;
    private @Nullable ScheduledFuture<?> timeout;

    /**
     * Creates the handler of one connection.
     *
     * @param own adds the handlers of a connection that is not the guest's
     * @param strangers the channels whose first bytes have not come
     */
    FirstBytes(Guest guest, Consumer<Channel> own, Strangers strangers) {
        this.strangers = requireNonNull(strangers, "strangers");
        this.guest = requireNonNull(guest, "guest");
        this.own = requireNonNull(own, "own");
        magic = guest.magic();
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        strangers.add(context.channel());
        timeout = context.channel()
                .eventLoop()
                .schedule(() -> context.close(), Handshake.TIME_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ByteBuf bytes = (ByteBuf) message;
        ByteBuf all = came;
        if (all == null) {
            all = bytes;
        } else {
            ByteBuf before = all;
            all = context.alloc()
                    .buffer(before.readableBytes() + bytes.readableBytes())
                    .writeBytes(before)
                    .writeBytes(bytes);
            before.release();
            bytes.release();
        }
        came = all;
        int known = Math.min(magic.length, all.readableBytes());
        boolean same = true;
        for (int i = 0; i < known; i++) {
            same &= all.getByte(all.readerIndex() + i) == magic[i];
        }
        if (same && known < magic.length) {
            return;
        }
        came = null;
        decided(context);
        if (same) {
            context.pipeline().remove(this);
            guest.welcome(context.channel(), all);
        } else {
            own.accept(context.channel());
            context.fireChannelActive();
            context.fireChannelRead(all);
            context.pipeline().remove(this);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        decided(context);
        if (came != null) {
            came.release();
            came = null;
        }
    }

    private void decided(ChannelHandlerContext context) {
        strangers.remove(context.channel());
        if (timeout != null) {
            timeout.cancel(false);
            timeout = null;
        }
    }
}
