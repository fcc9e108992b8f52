package dev.cleave.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cleave.testing.TestKeys;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.ssl.SslHandler;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Records between two sides whose handshake Netty's handler has made. */
@Tag("one-jdk")
class TlsRecordsTest {

    private static final long SEED = 22_031;

    @TempDir
    static Path directory;

    private static @Nullable TestKeys authority;

    private final SplittableRandom random = new SplittableRandom(SEED);
    private final EmbeddedChannel client = new EmbeddedChannel();
    private final EmbeddedChannel server = new EmbeddedChannel();

    @BeforeEach
    void handshake() {
        if (authority == null) {
            authority = new TestKeys(directory);
        }
        Tls tls = new Tls(authority.of("peer"));
        SslHandler ofClient = tls.dialling(client.alloc());
        SslHandler ofServer = tls.accepting(server.alloc());
        server.pipeline().addLast(ofServer);
        client.pipeline().addLast(ofClient);
        boolean moved = true;
        while (moved) {
            client.runPendingTasks();
            server.runPendingTasks();
            moved = move(client, server) | move(server, client);
        }
        assertThat(ofClient.handshakeFuture().isSuccess()).isTrue();
        assertThat(ofServer.handshakeFuture().isSuccess()).isTrue();
        client.pipeline().replace(ofClient, null, new TlsRecords(ofClient.engine()));
        server.pipeline().replace(ofServer, null, new TlsRecords(ofServer.engine()));
    }

    @AfterEach
    void release() {
        client.finishAndReleaseAll();
        server.finishAndReleaseAll();
    }

    private static boolean move(EmbeddedChannel from, EmbeddedChannel to) {
        boolean any = false;
        for (ByteBuf sent = from.readOutbound(); sent != null; sent = from.readOutbound()) {
            to.writeInbound(sent);
            any = true;
        }
        return any;
    }

    private byte[] bytes(int count) {
        byte[] bytes = new byte[count];
        random.nextBytes(bytes);
        return bytes;
    }

    /** Writes parts, and returns what goes over the wire. */
    private static byte[] sealed(EmbeddedChannel from, byte[]... parts) {
        for (byte[] part : parts) {
            assertThat(from.writeOutbound(from.alloc().directBuffer().writeBytes(part)))
                    .isTrue();
        }
        return all(from.outboundMessages());
    }

    private static byte[] received(EmbeddedChannel by) {
        return all(by.inboundMessages());
    }

    private static byte[] all(Queue<Object> buffers) {
        ByteBuf all = Unpooled.buffer();
        while (buffers.poll() instanceof ByteBuf part) {
            all.writeBytes(part);
            part.release();
        }
        return ByteBufUtil.getBytes(all);
    }

    @Test
    void partsOfAnyLengthGoBothWays() {
        for (int length : new int[] {1, 100, KeptBuffer.SIZE, TlsRecords.MOST, TlsRecords.MOST + 1, 300_000}) {
            byte[] sent = bytes(length);
            server.writeInbound(Unpooled.wrappedBuffer(sealed(client, sent)));
            assertThat(received(server)).isEqualTo(sent);
            client.writeInbound(Unpooled.wrappedBuffer(sealed(server, sent)));
            assertThat(received(client)).isEqualTo(sent);
        }
    }

    @Test
    void recordsThatAreCutAnywhereAreOpenedWhenTheyAreWhole() {
        byte[] first = bytes(300);
        byte[] second = bytes(40);
        byte[] wire = sealed(client, first, second);
        for (byte each : wire) {
            server.writeInbound(Unpooled.wrappedBuffer(new byte[] {each}));
        }
        assertThat(received(server)).hasSize(340).startsWith(first).endsWith(second);

        byte[] large = bytes(100_000);
        wire = sealed(client, large);
        int at = 0;
        while (at < wire.length) {
            int count = Math.min(wire.length - at, 1 + random.nextInt(20_000));
            server.writeInbound(Unpooled.copiedBuffer(wire, at, count));
            at += count;
        }
        assertThat(received(server)).isEqualTo(large);
    }

    @Test
    void bytesThatAReaderHasKeptAreNotOverwritten() {
        byte[] first = bytes(50);
        server.writeInbound(Unpooled.wrappedBuffer(sealed(client, first)));
        ByteBuf kept = server.readInbound();
        server.writeInbound(Unpooled.wrappedBuffer(sealed(client, bytes(50))));

        assertThat(ByteBufUtil.getBytes(kept)).isEqualTo(first);
        kept.release();
    }

    @Test
    void aFlippedBitEndsTheConnectionAndTellsThePeer() {
        byte[] wire = sealed(client, bytes(100));
        wire[50] ^= 1;

        assertThatThrownBy(() -> server.writeInbound(Unpooled.wrappedBuffer(wire)))
                .isInstanceOf(SSLException.class);

        assertThat(received(server)).isEmpty();
        byte[] alert = all(server.outboundMessages());
        assertThatThrownBy(() -> client.writeInbound(Unpooled.wrappedBuffer(alert)))
                .isInstanceOf(SSLException.class)
                .hasMessageContaining("alert");
        server.writeInbound(Unpooled.wrappedBuffer(new byte[] {23, 3, 3, 0, 1, 0}));
        assertThat(received(server)).isEmpty();
    }

    @Test
    void aRecordTwiceIsRefused() {
        byte[] wire = sealed(client, bytes(100));
        server.writeInbound(Unpooled.copiedBuffer(wire));

        assertThatThrownBy(() -> server.writeInbound(Unpooled.wrappedBuffer(wire)))
                .isInstanceOf(SSLException.class);
        assertThat(received(server)).hasSize(100);
    }

    @Test
    void aLengthBeyondTheLimitIsRefusedAtOnce() {
        assertThatThrownBy(() ->
                        server.writeInbound(Unpooled.wrappedBuffer(new byte[] {23, 3, 3, (byte) 0xff, (byte) 0xff})))
                .isInstanceOf(SSLException.class)
                .hasMessageContaining("expected: at most");
    }

    @Test
    void theEndIsTold() {
        byte[] sent = bytes(10);
        byte[] wire = sealed(client, sent);
        client.pipeline().get(TlsRecords.class).closeOutbound();
        byte[] end = all(client.outboundMessages());

        assertThat(end).isNotEmpty();
        server.writeInbound(Unpooled.wrappedBuffer(wire, end));
        assertThat(received(server)).isEqualTo(sent);
        assertThatThrownBy(() -> client.writeOutbound(Unpooled.wrappedBuffer(bytes(1))))
                .isInstanceOf(SSLException.class);
    }

    @Test
    void sealedBytesThatTheKernelHasNotTakenGoFirst() throws SSLException {
        TlsRecords records = client.pipeline().get(TlsRecords.class);
        byte[] first = bytes(20);
        byte[] second = bytes(30);
        ByteBuf room = client.alloc().directBuffer(records.room(first.length));
        ByteBuf part = Unpooled.wrappedBuffer(first);
        records.seal(part, room);
        records.keepUnsent(room, client.alloc());
        room.release();

        server.writeInbound(Unpooled.wrappedBuffer(sealed(client, second)));

        assertThat(part.isReadable()).isFalse();
        assertThat(records.hasUnsent()).isFalse();
        assertThat(received(server)).hasSize(50).startsWith(first).endsWith(second);
    }

    @Test
    void aLargePartIsSealedStepByStepInFullRecords() throws SSLException {
        TlsRecords records = client.pipeline().get(TlsRecords.class);
        byte[] sent = bytes(300_000);
        ByteBuf part = Unpooled.wrappedBuffer(sent);
        ByteBuf room = client.alloc().directBuffer(records.room());
        int capacity = room.capacity();
        ByteBuf wire = Unpooled.buffer();
        int steps = 0;
        while (part.isReadable()) {
            records.sealStep(part, room.clear());
            wire.writeBytes(room);
            steps++;
        }

        assertThat(steps).isEqualTo(5);
        assertThat(room.capacity()).isEqualTo(capacity);
        room.release();
        int fewest = (300_000 - 1) / TlsRecords.MOST + 1;
        assertThat(lengths(wire)).hasSizeBetween(fewest, fewest + 1);
        server.writeInbound(wire);
        assertThat(received(server)).isEqualTo(sent);
    }

    /** Lengths of records. */
    private static List<Integer> lengths(ByteBuf wire) {
        List<Integer> lengths = new ArrayList<>();
        for (int at = wire.readerIndex(); at < wire.writerIndex(); at += 5 + lengths.get(lengths.size() - 1)) {
            lengths.add(wire.getUnsignedShort(at + 3));
        }
        return lengths;
    }

    /** The pool of buffers keeps one view with each piece of memory, which other code may have left with another order of bytes. */
    @Test
    void recordsAreOpenedWhateverTheOrderOfBytesOfTheirBuffer() {
        byte[] sent = bytes(100_000);
        ByteBuf wire = PooledByteBufAllocator.DEFAULT.directBuffer().writeBytes(sealed(client, sent));
        assertThat(wire.internalNioBuffer(0, 1).order(ByteOrder.LITTLE_ENDIAN)).isNotNull();

        server.writeInbound(wire);

        assertThat(received(server)).isEqualTo(sent);
    }

    @Test
    void aLargePartBehindAnotherOneIsOpenedAlone() {
        byte[] first = bytes(100_000);
        byte[] second = bytes(256 << 10);
        byte[] third = bytes(300);
        server.writeInbound(Unpooled.wrappedBuffer(sealed(client, first, second, third)));

        for (byte[] expected : List.of(first, second, third)) {
            ByteBuf opened = server.readInbound();
            assertThat(ByteBufUtil.getBytes(opened)).isEqualTo(expected);
            opened.release();
        }
        assertThat(server.inboundMessages()).isEmpty();
    }
}
