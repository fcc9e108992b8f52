package dev.cleave.jmh.bench.peer;

import dev.cleave.jmh.bench.contender.Contender;
import dev.cleave.jmh.bench.contender.ThreadCaller;
import dev.cleave.jmh.bench.contender.Values;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import org.apache.thrift.TApplicationException;
import org.apache.thrift.TConfiguration;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TBinaryProtocol;
import org.apache.thrift.protocol.TMessage;
import org.apache.thrift.protocol.TMessageType;
import org.apache.thrift.protocol.TProtocol;
import org.apache.thrift.server.TThreadPoolServer;
import org.apache.thrift.transport.TServerSocket;
import org.apache.thrift.transport.TSocket;
import org.apache.thrift.transport.TTransportException;
import org.apache.thrift.transport.layered.TFramedTransport;

/**
 * Thrift, framed and blocking, a connection for each thread, as its generated clients and servers are: a window is as many
 * threads. Arrays travel as {@code binary}, which is less work than {@code list<double>} would be.
 */
public final class ThriftContender implements Contender {

    private static final int LONGEST = 128 << 20;
    private static final int MOST_THREADS = 1024;

    @Override
    public String serve(String broker) throws TTransportException {
        TServerSocket socket = new TServerSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        TThreadPoolServer server = new TThreadPoolServer(new TThreadPoolServer.Args(socket)
                .processor(ThriftMessages::answer)
                .protocolFactory(new TBinaryProtocol.Factory(LONGEST, LONGEST))
                .transportFactory(new TFramedTransport.Factory(LONGEST))
                .maxWorkerThreads(MOST_THREADS));
        Thread thread = new Thread(server::serve, "thrift");
        thread.setDaemon(true);
        thread.start();
        return Integer.toString(socket.getServerSocket().getLocalPort());
    }

    @Override
    public Connected connect(String where) {
        int port = Integer.parseInt(where);
        ExecutorService threads = ThreadCaller.daemons();
        return () -> new ThriftCaller(new Connections(port), threads);
    }

    /** The connections of one caller, which its threads take and put back. */
    private record Connections(int port, BlockingQueue<TProtocol> idle) {

        private Connections(int port) {
            this(port, new LinkedBlockingQueue<>());
        }

        private TProtocol take() throws TTransportException {
            TProtocol one = idle.poll();
            return one != null ? one : open();
        }

        private TProtocol open() throws TTransportException {
            TConfiguration limits = TConfiguration.custom()
                    .setMaxMessageSize(LONGEST)
                    .setMaxFrameSize(LONGEST)
                    .build();
            TSocket socket =
                    new TSocket(limits, InetAddress.getLoopbackAddress().getHostAddress(), port);
            TFramedTransport framed = new TFramedTransport(socket, LONGEST);
            framed.open();
            return new TBinaryProtocol(framed, LONGEST, LONGEST);
        }
    }

    private record ThriftCaller(Connections connections, ExecutorService threads) implements ThreadCaller {

        private interface Body<T> {

            T with(TProtocol protocol) throws TException;
        }

        private <T> T call(String method, Body<?> argument, Body<T> result) throws TException {
            TProtocol protocol = connections.take();
            ThriftMessages.begin(protocol, method, TMessageType.CALL, 0);
            argument.with(protocol);
            ThriftMessages.end(protocol);
            TMessage reply = protocol.readMessageBegin();
            if (reply.type == TMessageType.EXCEPTION) {
                throw TApplicationException.readFrom(protocol);
            }
            T value = result.with(protocol);
            protocol.readMessageEnd();
            connections.idle().add(protocol);
            return value;
        }

        @Override
        public void nothing() throws TException {
            boolean unused = call("nothing", ThriftMessages::writeNothing, ThriftMessages::readNothing);
        }

        @Override
        public long echo(long value) throws TException {
            return call("echo", out -> ThriftMessages.write(out, value), ThriftMessages::readNumber);
        }

        @Override
        public byte[] echo(byte[] value) throws TException {
            ByteBuffer bytes =
                    call("bytes", out -> ThriftMessages.write(out, ByteBuffer.wrap(value)), ThriftMessages::readBytes);
            byte[] answer = new byte[bytes.remaining()];
            bytes.get(answer);
            return answer;
        }

        @Override
        public double ends(double[] values) throws TException {
            long bits = call(
                    "ends",
                    out -> ThriftMessages.write(out, ByteBuffer.wrap(Values.bytes(values))),
                    ThriftMessages::readNumber);
            return Double.longBitsToDouble(bits);
        }

        @Override
        public double[] doubles(int count) throws TException {
            return Values.doubles(call("doubles", out -> ThriftMessages.write(out, count), ThriftMessages::readBytes));
        }
    }
}
