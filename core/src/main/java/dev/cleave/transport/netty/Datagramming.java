package dev.cleave.transport.netty;

import dev.cleave.wire.Datagrams;
import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.WireException;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.util.concurrent.Future;
import java.net.InetSocketAddress;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Sets up datagrams at one side of a connection. Event loop of the connection only. */
@SuppressWarnings("FutureReturnValueIgnored") // a side without a socket goes on without datagrams
abstract class Datagramming {

    private final DatagramFaults faults;

    private Datagramming(DatagramFaults faults) {
        this.faults = faults;
    }

    /** The side that dials, with a socket for datagrams; without a socket it does not offer them. */
    static Datagramming dialling(DatagramFaults faults, @Nullable Channel socket, long key) {
        return new Dialling(faults, socket, key);
    }

    /** The side that is dialled: uses datagrams if the other side offers them. */
    static Datagramming accepting(DatagramFaults faults) {
        return new Accepting(faults);
    }

    /** Called when the connection is open, before its handler is asked for. */
    abstract void begin(Inbound inbound);

    /**
     * Takes the port to which the other side wants its datagrams sent.
     *
     * @param first whether that is the first frame of the stream
     */
    abstract void told(Inbound inbound, Datagrams other, boolean first);

    DatagramPath path(Inbound inbound, long key) {
        NettyConnection connection = inbound.connection();
        DatagramPath path = new DatagramPath(
                connection.channel(), key, faults, inbound::deliverUnlessClosed, connection::giveUpDatagrams);
        connection.datagrams(path);
        return path;
    }

    /** Connects a socket to the other side, so that it receives datagrams of that side alone. */
    static void connect(Channel socket, Inbound inbound, Datagrams other, BiConsumer<Channel, Boolean> then) {
        InetSocketAddress peer =
                (InetSocketAddress) inbound.connection().channel().remoteAddress();
        ((DatagramSockets.Receiver) socket.pipeline().last()).serves(inbound);
        socket.connect(new InetSocketAddress(peer.getAddress(), other.port()))
                .addListener((Future<? super Void> done) -> then.accept(socket, done.isSuccess()));
    }

    static WireException unexpected(String what) {
        return new WireException(ErrorCode.PROTOCOL, "DATAGRAMS: " + what);
    }

    private static final class Dialling extends Datagramming {

        private final @Nullable Channel socket;
        private final long key;
        private boolean answered;

        private Dialling(DatagramFaults faults, @Nullable Channel socket, long key) {
            super(faults);
            this.socket = socket;
            this.key = key;
        }

        @Override
        void begin(Inbound inbound) {
            if (socket != null) {
                DatagramPath path = path(inbound, key);
                inbound.connection().channel().closeFuture().addListener(done -> socket.close());
                inbound.connection().announceDatagrams(path, ((InetSocketAddress) socket.localAddress()).getPort());
            }
        }

        @Override
        void told(Inbound inbound, Datagrams other, boolean first) {
            DatagramPath path = inbound.connection().datagrams();
            if (path == null || socket == null || answered || !path.hasKey(other.key())) {
                throw unexpected("not asked for");
            }
            answered = true;
            path.beginCount();
            connect(socket, inbound, other, (channel, works) -> {
                if (works) {
                    path.connected(channel);
                }
            });
        }
    }

    private static final class Accepting extends Datagramming {

        private Accepting(DatagramFaults faults) {
            super(faults);
        }

        @Override
        void begin(Inbound inbound) {}

        @Override
        void told(Inbound inbound, Datagrams other, boolean first) {
            if (!first) { // by then other threads may have written
                throw unexpected("not the first frame");
            }
            NettyConnection connection = inbound.connection();
            DatagramPath path = path(inbound, other.key());
            if (!(connection.channel().localAddress() instanceof InetSocketAddress)) {
                return;
            }
            DatagramSockets.beside(connection.channel()).addListener(done -> {
                Channel socket = ((ChannelFuture) done).channel();
                if (!done.isSuccess() || connection.isClosed()) {
                    socket.close();
                    return;
                }
                connection.channel().closeFuture().addListener(gone -> socket.close());
                connect(socket, inbound, other, (channel, works) -> {
                    if (works) {
                        path.connected(channel);
                        connection.announceDatagrams(path, ((InetSocketAddress) channel.localAddress()).getPort());
                    }
                });
            });
        }
    }
}
