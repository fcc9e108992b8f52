package dev.cleave.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.metrics.Refusals;
import dev.cleave.testing.FakeTimer;
import dev.cleave.transport.Connection;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.FrameHandler;
import dev.cleave.transport.Handshake;
import dev.cleave.transport.Listener;
import dev.cleave.transport.Peer;
import dev.cleave.transport.Transport;
import dev.cleave.wire.Checked;
import dev.cleave.wire.FrameKind;
import dev.cleave.wire.Header;
import dev.cleave.wire.Hello;
import dev.cleave.wire.Reply;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Bits that change on the way of a connection between hosts, from HELLO to the last frame. */
class FlippedBitsTest {

    private static final long SEED = 22_003;
    private static final int FLIPS = Boolean.getBoolean("cleave.full") ? 100_000 : 4_000;
    private static final int FRAMES = 4;
    private static final UnpooledByteBufAllocator ALLOCATOR = new UnpooledByteBufAllocator(false);

    private final FakeTimer timer = new FakeTimer();
    private final SplittableRandom random = new SplittableRandom(SEED);
    private final List<String> delivered = new ArrayList<>();
    private final Transport.Acceptor acceptor = acceptor();

    @Test
    void aSoundStreamArrivesWhole() {
        List<String> sent = new ArrayList<>();
        byte[] bytes = stream(sent);

        EmbeddedChannel channel = receive(bytes);

        assertThat(delivered).isEqualTo(sent);
        assertThat(channel.isOpen()).isTrue();
        channel.finishAndReleaseAll();
    }

    @Test
    @Tag("one-jdk")
    void ofManyFlippedBitsNoneReachesAReader() {
        long ended = 0;
        for (int flip = 0; flip < FLIPS; flip++) {
            List<String> sent = new ArrayList<>();
            byte[] bytes = stream(sent);
            int bit = random.nextInt(bytes.length * 8);
            bytes[bit / 8] ^= (byte) (1 << bit % 8);
            delivered.clear();

            EmbeddedChannel channel = receive(bytes);

            ended += channel.isOpen() ? 0 : 1;
            if (delivered.size() == sent.size()
                    || !sent.subList(0, delivered.size()).equals(delivered)) {
                throw new AssertionError("seed " + SEED + ", flip " + flip + " of bit " + bit + ": " + delivered);
            }
            channel.finishAndReleaseAll();
        }
        // The others wait for the rest of a frame that a wrong length has made longer: silence ends those.
        assertThat(ended).isGreaterThan(FLIPS * 9L / 10);
        assertThat(Refusals.of("closed.PROTOCOL")).isPositive();
    }

    private byte[] stream(List<String> sent) {
        Outbox outbox = new Outbox(ALLOCATOR);
        outbox.add(Hello.of("far", 7).wantingChecks().write(ALLOCATOR));
        outbox.check(new Checked().write(ALLOCATOR));
        for (int i = 0; i < FRAMES; i++) {
            byte[] value = new byte[random.nextInt(i == 0 ? 700 : 40)];
            random.nextBytes(value);
            ByteBuf frame = new Reply(0, i).begin(ALLOCATOR, value.length).writeBytes(value);
            Header.finish(frame);
            sent.add(ByteBufUtil.hexDump(frame));
            outbox.add(frame);
        }
        ByteBuf all = Unpooled.buffer();
        for (ByteBuf part = outbox.poll(); part != null; part = outbox.poll()) {
            all.writeBytes(part);
            part.release();
        }
        outbox.close();
        return ByteBufUtil.getBytes(all);
    }

    private EmbeddedChannel receive(byte[] bytes) {
        EmbeddedChannel channel = new EmbeddedChannel();
        KeptReads reads = new KeptReads(channel.config().getRecvByteBufAllocator());
        NettyConnection connection =
                new NettyConnection(channel, Endpoint.tcp("far", 1), true, NettyOptions.Checks.BETWEEN_HOSTS);
        Inbound inbound = new Inbound(connection, acceptor, false, null, reads, new UnfinishedFrames(1 << 20), null);
        channel.pipeline().addLast(inbound);
        inbound.channelActive(channel.pipeline().lastContext());
        int cut = random.nextInt(bytes.length);
        channel.writeInbound(Unpooled.copiedBuffer(bytes, 0, cut));
        if (channel.isOpen()) {
            channel.writeInbound(Unpooled.copiedBuffer(bytes, cut, bytes.length - cut));
        }
        return channel;
    }

    private Transport.Acceptor acceptor() {
        AtomicReference<Transport.Acceptor> made = new AtomicReference<>();
        Transport capturing = new Transport() {
            @Override
            public Connection connect(Endpoint endpoint, FrameHandler handler) {
                throw new UnsupportedOperationException();
            }

            @Override
            public Listener listen(Endpoint endpoint, Acceptor acceptor) {
                made.set(acceptor);
                return new Listener() {
                    @Override
                    public Endpoint endpoint() {
                        return endpoint;
                    }

                    @Override
                    public void close() {}
                };
            }

            @Override
            public void close() {}
        };
        Listener unused = new Handshake(Hello.of("near", 8), timer)
                .listen(capturing, Endpoint.tcp("near", 1), (connection, peer) -> recorder(peer));
        return made.get();
    }

    private FrameHandler recorder(Peer peer) {
        assertThat(peer.features() & FrameKind.CHECKED.feature()).isNotZero();
        return new FrameHandler() {
            @Override
            public void onOpen(Connection connection) {}

            @Override
            public void onFrame(Connection connection, ByteBuf frame) {
                delivered.add(ByteBufUtil.hexDump(frame));
            }

            @Override
            public void onClose(Connection connection, @Nullable Throwable cause) {}
        };
    }
}
