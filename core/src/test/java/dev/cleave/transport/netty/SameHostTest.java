package dev.cleave.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cleave.transport.Connection;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.FrameHandler;
import dev.cleave.transport.Listener;
import dev.cleave.transport.netty.NettyOptions.Poller;
import dev.cleave.transport.netty.NettyOptions.SameHostBy;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.epoll.Epoll;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which way peers on the same host take. */
@Timeout(120)
@Tag("one-jdk")
class SameHostTest {

    private final Queue<String> schemes = new ConcurrentLinkedQueue<>();

    private static final class Silent implements FrameHandler {

        @Override
        public void onOpen(Connection opened) {}

        @Override
        public void onFrame(Connection from, ByteBuf frame) {}

        @Override
        public void onClose(Connection closed, @Nullable Throwable cause) {}
    }

    @BeforeEach
    void linuxOnly() {
        assumeTrue(Epoll.isAvailable());
    }

    private static NettyTransport transport(Poller poller, SameHostBy way) {
        return NettyTransport.create(
                new NettyOptions(poller, 1, Duration.ofSeconds(3), PooledByteBufAllocator.DEFAULT, way));
    }

    private String way(NettyTransport server, NettyTransport client, String host) {
        try (server;
                client) {
            Listener listener = server.listen(Endpoint.tcp(host, 0), connection -> {
                schemes.add(connection.peer().scheme());
                return new Silent();
            });
            int port = listener.endpoint().port();
            Connection connection = client.connect(Endpoint.tcp("127.0.0.1", port), new Silent());
            assertThat(connection.peer()).isEqualTo(Endpoint.tcp("127.0.0.1", port));
            await().until(() -> !schemes.isEmpty());
            return schemes.remove();
        }
    }

    @Test
    void unixDomainSocketBesideAPort() {
        String way = way(
                transport(Poller.BEST, SameHostBy.UNIX_SOCKET),
                transport(Poller.BEST, SameHostBy.UNIX_SOCKET),
                "127.0.0.1");

        assertThat(way).isEqualTo("unix");
    }

    @Test
    void besideAPortOfAllAddresses() {
        String way = way(
                transport(Poller.BEST, SameHostBy.UNIX_SOCKET),
                transport(Poller.BEST, SameHostBy.UNIX_SOCKET),
                "0.0.0.0");

        assertThat(way).isEqualTo("unix");
    }

    @Test
    void tcpWhereOneSideDoesNotHaveThem() {
        assertThat(way(
                        transport(Poller.NIO, SameHostBy.UNIX_SOCKET),
                        transport(Poller.BEST, SameHostBy.UNIX_SOCKET),
                        "127.0.0.1"))
                .isEqualTo("tcp");
        assertThat(way(
                        transport(Poller.BEST, SameHostBy.UNIX_SOCKET),
                        transport(Poller.NIO, SameHostBy.UNIX_SOCKET),
                        "127.0.0.1"))
                .isEqualTo("tcp");
        assertThat(way(
                        transport(Poller.BEST, SameHostBy.UNIX_SOCKET),
                        transport(Poller.BEST, SameHostBy.TCP),
                        "127.0.0.1"))
                .isEqualTo("tcp");
    }

    @Test
    void namesAreThoseOfAddressAndPort() {
        assertThat(SameHost.beside(new InetSocketAddress("127.0.0.1", 7420)).path())
                .isEqualTo("\0cleave/127.0.0.1:7420");
        InetSocketAddress one = new InetSocketAddress("127.0.0.1", 7420);
        assertThat(SameHost.dialled(one)).isEqualTo(List.of(one));
        assertThat(SameHost.dialled(new InetSocketAddress("0.0.0.0", 7420))).contains(one);
    }
}
