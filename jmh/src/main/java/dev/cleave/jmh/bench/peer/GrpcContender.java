package dev.cleave.jmh.bench.peer;

import dev.cleave.jmh.bench.contender.Contender;
import dev.cleave.jmh.bench.contender.FutureCaller;
import dev.cleave.jmh.bench.contender.Values;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.KnownLength;
import io.grpc.ManagedChannelBuilder;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;

/**
 * gRPC-java. Its messages are bytes as they are, which is less work than a codec for Protocol Buffers would have: arrays are
 * copied at once.
 */
public final class GrpcContender implements Contender {

    private static final String SERVICE = "bench.Echo";
    private static final MethodDescriptor<byte[], byte[]> NOTHING = method("nothing");
    private static final MethodDescriptor<byte[], byte[]> ECHO = method("echo");
    private static final MethodDescriptor<byte[], byte[]> ENDS = method("ends");
    private static final MethodDescriptor<byte[], byte[]> DOUBLES = method("doubles");
    private static final byte[] EMPTY = {};

    private final boolean direct;

    private GrpcContender(boolean direct) {
        this.direct = direct;
    }

    /** Methods and callbacks run in its thread pools. */
    public static GrpcContender pools() {
        return new GrpcContender(false);
    }

    /** Methods and callbacks run on its event threads, which is for those that never block. */
    public static GrpcContender direct() {
        return new GrpcContender(true);
    }

    @Override
    public String serve(String broker) throws IOException {
        NettyServerBuilder builder = NettyServerBuilder.forAddress(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .maxInboundMessageSize(Integer.MAX_VALUE)
                .addService(ServerServiceDefinition.builder(SERVICE)
                        .addMethod(NOTHING, unary(request -> EMPTY))
                        .addMethod(ECHO, unary(request -> request))
                        .addMethod(ENDS, unary(GrpcContender::ends))
                        .addMethod(DOUBLES, unary(GrpcContender::doubles))
                        .build());
        Server server = (direct ? builder.directExecutor() : builder).build().start();
        return Integer.toString(server.getPort());
    }

    private static byte[] ends(byte[] request) {
        double sum = Values.ends(Values.doubles(ByteBuffer.wrap(request)));
        return Values.bytes(Double.doubleToRawLongBits(sum));
    }

    private static byte[] doubles(byte[] request) {
        return Values.bytes(Values.served((int) Values.number(request)));
    }

    private static io.grpc.ServerCallHandler<byte[], byte[]> unary(UnaryOperator<byte[]> method) {
        return ServerCalls.asyncUnaryCall((request, answer) -> {
            answer.onNext(method.apply(request));
            answer.onCompleted();
        });
    }

    @Override
    public Connected connect(String where) {
        ManagedChannelBuilder<?> builder = NettyChannelBuilder.forAddress(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(where)))
                .maxInboundMessageSize(Integer.MAX_VALUE)
                .usePlaintext();
        Channel channel = (direct ? builder.directExecutor() : builder).build();
        return () -> new GrpcCaller(channel);
    }

    private record GrpcCaller(Channel channel) implements FutureCaller {

        private byte[] call(MethodDescriptor<byte[], byte[]> method, byte[] request) {
            return ClientCalls.blockingUnaryCall(channel, method, CallOptions.DEFAULT, request);
        }

        @Override
        public void nothing() {
            call(NOTHING, EMPTY);
        }

        @Override
        public long echo(long value) {
            return Values.number(call(ECHO, Values.bytes(value)));
        }

        @Override
        public byte[] echo(byte[] value) {
            return call(ECHO, value);
        }

        @Override
        public double ends(double[] values) {
            return Double.longBitsToDouble(Values.number(call(ENDS, Values.bytes(values))));
        }

        @Override
        public double[] doubles(int count) {
            return Values.doubles(ByteBuffer.wrap(call(DOUBLES, Values.bytes((long) count))));
        }

        @Override
        public CompletableFuture<Long> send(long value) {
            return send(Values.bytes(value)).thenApply(Values::number);
        }

        @Override
        public CompletableFuture<byte[]> send(byte[] value) {
            CompletableFuture<byte[]> answer = new CompletableFuture<>();
            ClientCalls.asyncUnaryCall(channel.newCall(ECHO, CallOptions.DEFAULT), value, new StreamObserver<byte[]>() {
                @Override
                public void onNext(byte[] bytes) {
                    answer.complete(bytes);
                }

                @Override
                public void onError(Throwable failure) {
                    answer.completeExceptionally(failure);
                }

                @Override
                public void onCompleted() {}
            });
            return answer;
        }
    }

    private static MethodDescriptor<byte[], byte[]> method(String name) {
        return MethodDescriptor.<byte[], byte[]>newBuilder()
                .setType(MethodDescriptor.MethodType.UNARY)
                .setFullMethodName(MethodDescriptor.generateFullMethodName(SERVICE, name))
                .setRequestMarshaller(Bytes.INSTANCE)
                .setResponseMarshaller(Bytes.INSTANCE)
                .build();
    }

    /** Bytes as they are. */
    private enum Bytes implements MethodDescriptor.Marshaller<byte[]> {
        INSTANCE;

        @Override
        public InputStream stream(byte[] value) {
            return new Known(value);
        }

        @Override
        public byte[] parse(InputStream stream) {
            try {
                byte[] bytes = new byte[stream.available()]; // gRPC has the whole message
                int read = stream.readNBytes(bytes, 0, bytes.length);
                if (read < bytes.length) {
                    throw new IOException("bytes: " + read + " (expected: " + bytes.length + ")");
                }
                return bytes;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private static final class Known extends ByteArrayInputStream implements KnownLength {

        private Known(byte[] bytes) {
            super(bytes);
        }
    }
}
