package dev.cleave.jmh.bench.peer;

import com.esotericsoftware.kryonet.Client;
import com.esotericsoftware.kryonet.Connection;
import com.esotericsoftware.kryonet.Listener;
import com.esotericsoftware.kryonet.Server;
import com.esotericsoftware.minlog.Log;
import dev.cleave.jmh.bench.contender.Contender;
import dev.cleave.jmh.bench.contender.FutureCaller;
import dev.cleave.jmh.bench.contender.Values;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * KryoNet: numbered messages over one connection, answered on the server's thread. Its own reading of objects does not fit
 * today's Kryo, so they are read and written by {@link KryoMessages}, which does the same with the Kryo of this project.
 */
public final class KryoNetContender implements Contender {

    private static final int BUFFER = 72 << 20; // it holds a whole message
    private static final int CONNECT_MILLIS = 5_000;

    @Override
    public String serve(String broker) throws IOException {
        Server server = new Server(BUFFER, BUFFER, new KryoMessages());
        server.addListener(new Listener() {
            @Override
            public void received(Connection connection, Object message) {
                if (message instanceof KryoMessages.Message request) {
                    int unused = connection.sendTCP(new KryoMessages.Message(request.number(), answer(request.body())));
                }
            }
        });
        int port = freePort(); // it cannot tell which one the system chose
        server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), null);
        run(server, "kryonet-server");
        return Integer.toString(port);
    }

    private static Object answer(Object request) {
        if (request instanceof double[] values) {
            return Values.ends(values);
        }
        return request instanceof Integer count ? Values.served(count) : request;
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static void run(Runnable loop, String name) {
        Log.WARN();
        Thread thread = new Thread(loop, name);
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public Connected connect(String where) throws IOException {
        Map<Integer, CompletableFuture<Object>> pending = new ConcurrentHashMap<>();
        Client client = new Client(BUFFER, BUFFER, new KryoMessages());
        client.addListener(new Listener() {
            @Override
            public void received(Connection connection, Object message) {
                if (message instanceof KryoMessages.Message answer) {
                    CompletableFuture<Object> call = pending.remove(answer.number());
                    if (call != null) {
                        call.complete(answer.body());
                    }
                }
            }

            @Override
            public void disconnected(Connection connection) {
                pending.values()
                        .forEach(call -> call.completeExceptionally(new IOException("the connection was closed")));
            }
        });
        run(client, "kryonet-client");
        client.connect(CONNECT_MILLIS, InetAddress.getLoopbackAddress(), Integer.parseInt(where), -1);
        AtomicInteger numbers = new AtomicInteger();
        return () -> new KryoNetCaller(client, pending, numbers);
    }

    private record KryoNetCaller(Client client, Map<Integer, CompletableFuture<Object>> pending, AtomicInteger numbers)
            implements FutureCaller {

        private CompletableFuture<Object> call(Object body) {
            int number = numbers.incrementAndGet();
            CompletableFuture<Object> answer = new CompletableFuture<>();
            pending.put(number, answer);
            int unused = client.sendTCP(new KryoMessages.Message(number, body));
            if (!client.isConnected()) {
                answer.completeExceptionally(new IOException("the connection was closed"));
            }
            return answer;
        }

        @Override
        public void nothing() throws Exception {
            Object unused = call("").get();
        }

        @Override
        public long echo(long value) throws Exception {
            return (Long) call(value).get();
        }

        @Override
        public byte[] echo(byte[] value) throws Exception {
            return (byte[]) call(value).get();
        }

        @Override
        public double ends(double[] values) throws Exception {
            return (Double) call(values).get();
        }

        @Override
        public double[] doubles(int count) throws Exception {
            return (double[]) call(count).get();
        }

        @Override
        public CompletableFuture<Long> send(long value) {
            return call(value).thenApply(Long.class::cast);
        }

        @Override
        public CompletableFuture<byte[]> send(byte[] value) {
            return call(value).thenApply(byte[].class::cast);
        }
    }
}
