package dev.cleave.lab.strangers;

import dev.cleave.transport.Endpoint;
import dev.cleave.transport.Transport;
import dev.cleave.wire.FrameKind;
import dev.cleave.wire.Hello;
import dev.cleave.wire.Methods;
import dev.cleave.wire.RequestHead;
import io.netty.buffer.PooledByteBufAllocator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;

/** Strangers who open connections and do not go on, and one who repeats what he has recorded. */
final class Crowd {

    private static final int EACH = 1_500;
    private static final long MOST_GROWTH = 64L << 20;
    private static final byte[] HALF_HELLO = {0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01}; // of a TLS client

    private final Bank bank;
    private final long atFirst;

    Crowd(Bank bank) {
        this.bank = bank;
        atFirst = used();
    }

    /** Compares the memory with that before the first attack. */
    int memory() {
        long grown = used() - atFirst;
        Attacks.require(grown <= MOST_GROWTH, (grown >> 20) + " MiB more than before the first attack");
        return 1;
    }

    /** Opens connections that say nothing, or half a ClientHello; the bank must serve on, and its memory stay. */
    int halfOpen() throws IOException {
        long before = used();
        List<Socket> sockets = new ArrayList<>();
        try {
            for (int i = 0; i < EACH; i++) {
                for (Endpoint port : bank.ports()) {
                    Socket socket = new Socket(port.host(), port.port());
                    sockets.add(socket);
                    if (i % 2 == 0) {
                        socket.getOutputStream().write(HALF_HELLO);
                    }
                }
            }
            String gained = bank.gained();
            long grown = used() - before;
            if (!gained.isEmpty() || grown > MOST_GROWTH) {
                throw new Attacks.GainedException(
                        gained + " " + (grown >> 20) + " MiB more with " + sockets.size() + " half-open connections");
            }
            return sockets.size();
        } finally {
            for (Socket socket : sockets) {
                socket.close();
            }
        }
    }

    /** Records the bytes of a client that may call, and sends them again. */
    int replayedBytes() throws IOException, InterruptedException {
        Endpoint real = bank.serverEndpoint();
        ByteArrayOutputStream recorded = new ByteArrayOutputStream();
        try (ServerSocket between = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread recorder = new Thread(() -> record(between, real, recorded), "cleave-strangers-recorder");
            recorder.setDaemon(true);
            recorder.start();
            Transport transport = bank.transport(bank.keys().of("client"));
            Endpoint through = Endpoint.tcp("127.0.0.1", between.getLocalPort()).of(real.identity());
            Intruder client = Intruder.meet(transport, through, Hello.of("client", 5), bank.timer());
            if (client == null) {
                throw new Attacks.GainedException("the client that may call is turned away");
            }
            client.say(new Methods(0, List.of(new Methods.Method(0, "vault", "open()J"))));
            client.say(new RequestHead(0, 1, 0, 5_000_000));
            client.awaitAnswers(1);
            if (!client.heard().contains(FrameKind.REPLY)) {
                throw new Attacks.GainedException("the recorded call had no reply: " + client.failures());
            }
            bank.expectCall();
            client.close();
            transport.close();
            recorder.join();
        }
        for (int attempt = 0; attempt < 3; attempt++) {
            replay(real, recorded.toByteArray());
        }
        return 3;
    }

    private static void replay(Endpoint real, byte[] bytes) throws IOException {
        try (Socket socket = new Socket(real.host(), real.port())) {
            socket.setSoTimeout(8_000);
            socket.getOutputStream().write(bytes);
            socket.getOutputStream().flush();
            InputStream in = socket.getInputStream();
            while (in.read() >= 0) {
                // its part of the handshake, then the end
            }
        } catch (SocketTimeoutException e) {
            throw new Attacks.GainedException("a replayed connection stays open");
        } catch (SocketException e) {
            return; // reset
        }
    }

    private static void record(ServerSocket between, Endpoint real, ByteArrayOutputStream recorded) {
        try (Socket client = between.accept();
                Socket server = new Socket(real.host(), real.port())) {
            Thread back = new Thread(() -> pump(server, client, OutputStream.nullOutputStream()));
            back.setDaemon(true);
            back.start();
            pump(client, server, recorded);
            back.join();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void pump(Socket from, Socket to, OutputStream copy) {
        byte[] buffer = new byte[8 << 10];
        try {
            InputStream in = from.getInputStream();
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                copy.write(buffer, 0, count);
                to.getOutputStream().write(buffer, 0, count);
                to.getOutputStream().flush();
            }
            to.shutdownOutput();
        } catch (IOException e) {
            return; // one side has closed
        }
    }

    private static long used() {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory()
                - runtime.freeMemory()
                + PooledByteBufAllocator.DEFAULT.metric().usedDirectMemory();
    }
}
