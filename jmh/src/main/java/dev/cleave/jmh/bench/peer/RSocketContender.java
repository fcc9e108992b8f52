package dev.cleave.jmh.bench.peer;

import dev.cleave.jmh.bench.contender.Contender;
import dev.cleave.jmh.bench.contender.FutureCaller;
import dev.cleave.jmh.bench.contender.Values;
import io.rsocket.Payload;
import io.rsocket.RSocket;
import io.rsocket.SocketAcceptor;
import io.rsocket.core.RSocketConnector;
import io.rsocket.core.RSocketServer;
import io.rsocket.frame.decoder.PayloadDecoder;
import io.rsocket.transport.netty.client.TcpClientTransport;
import io.rsocket.transport.netty.server.CloseableChannel;
import io.rsocket.transport.netty.server.TcpServerTransport;
import io.rsocket.util.DefaultPayload;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import reactor.core.publisher.Mono;

/** RSocket-java over TCP, request and response; the first byte of a request says what is asked. */
public final class RSocketContender implements Contender {

    private static final byte NOTHING = 0;
    private static final byte ECHO = 1;
    private static final byte ENDS = 2;
    private static final byte DOUBLES = 3;
    private static final int FRAGMENT = 1 << 20;
    private static final byte[] EMPTY = {};

    @Override
    public String serve(String broker) {
        CloseableChannel channel = RSocketServer.create(SocketAcceptor.forRequestResponse(RSocketContender::answer))
                .fragment(FRAGMENT)
                .maxInboundPayloadSize(Integer.MAX_VALUE)
                .payloadDecoder(PayloadDecoder.ZERO_COPY)
                .bindNow(TcpServerTransport.create("localhost", 0));
        return Integer.toString(channel.address().getPort());
    }

    private static Mono<Payload> answer(Payload request) {
        ByteBuffer data = request.getData();
        byte kind = data.get();
        Payload answer =
                switch (kind) {
                    case NOTHING -> DefaultPayload.create(EMPTY);
                    case ECHO -> DefaultPayload.create(rest(data));
                    case ENDS ->
                        DefaultPayload.create(
                                Values.bytes(Double.doubleToRawLongBits(Values.ends(Values.doubles(data)))));
                    case DOUBLES -> DefaultPayload.create(Values.bytes(Values.served((int) data.getLong())));
                    default -> throw new IllegalArgumentException("kind: " + kind + " (expected: 0..3)");
                };
        request.release();
        return Mono.just(answer);
    }

    @Override
    public Connected connect(String where) {
        RSocket socket = RSocketConnector.create()
                .fragment(FRAGMENT)
                .maxInboundPayloadSize(Integer.MAX_VALUE)
                .payloadDecoder(PayloadDecoder.ZERO_COPY)
                .connect(TcpClientTransport.create("localhost", Integer.parseInt(where)))
                .block();
        if (socket == null) {
            throw new IllegalStateException("no connection to port " + where);
        }
        return () -> new RSocketCaller(socket);
    }

    private static byte[] rest(ByteBuffer data) {
        byte[] bytes = new byte[data.remaining()];
        data.get(bytes);
        return bytes;
    }

    private record RSocketCaller(RSocket socket) implements FutureCaller {

        private Mono<ByteBuffer> request(byte kind, byte[] body) {
            byte[] data = new byte[1 + body.length];
            data[0] = kind;
            System.arraycopy(body, 0, data, 1, body.length);
            return socket.requestResponse(DefaultPayload.create(data)).map(answer -> {
                ByteBuffer bytes = ByteBuffer.wrap(rest(answer.getData()));
                answer.release();
                return bytes;
            });
        }

        private ByteBuffer call(byte kind, byte[] body) {
            ByteBuffer answer = request(kind, body).block();
            if (answer == null) {
                throw new IllegalStateException("no answer");
            }
            return answer;
        }

        @Override
        public void nothing() {
            call(NOTHING, EMPTY);
        }

        @Override
        public long echo(long value) {
            return call(ECHO, Values.bytes(value)).getLong();
        }

        @Override
        public byte[] echo(byte[] value) {
            return call(ECHO, value).array();
        }

        @Override
        public double ends(double[] values) {
            return Double.longBitsToDouble(call(ENDS, Values.bytes(values)).getLong());
        }

        @Override
        public double[] doubles(int count) {
            return Values.doubles(call(DOUBLES, Values.bytes((long) count)));
        }

        @Override
        public CompletableFuture<Long> send(long value) {
            return request(ECHO, Values.bytes(value)).map(ByteBuffer::getLong).toFuture();
        }

        @Override
        public CompletableFuture<byte[]> send(byte[] value) {
            return request(ECHO, value).map(ByteBuffer::array).toFuture();
        }
    }
}
