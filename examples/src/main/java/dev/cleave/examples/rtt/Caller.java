package dev.cleave.examples.rtt;

import dev.cleave.Cleave;
import dev.cleave.Pending;
import dev.cleave.node.Node;
import java.io.BufferedReader;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The client of the CBS paper's Table 1. Takes the port of an {@link Echo}. Prints {@code ready}, then obeys the lines of its
 * standard input: {@code raw TIMES}, {@code void SERVICE TIMES}, {@code get SERVICE TIMES}, {@code client SERVICE TIMES}. It
 * answers {@code done MICROS}, the mean of one of them. It ends with its input.
 */
public final class Caller {

    /** The calls that are sent before their results are awaited, to measure the part of the client. */
    private static final int TOGETHER = 32;

    private final Node node;
    private final DataInputStream in;
    private final OutputStream out;
    private final byte[] message = new byte[Echo.BYTES];

    private Caller(Node node, Socket echo) throws IOException {
        this.node = node;
        in = new DataInputStream(echo.getInputStream());
        out = echo.getOutputStream();
    }

    /** Takes the port of the echo. */
    public static void main(String[] args) throws IOException {
        BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        try (Socket echo = new Socket(InetAddress.getLoopbackAddress(), Integer.parseInt(args[0]));
                Node node = Node.connect()) {
            echo.setTcpNoDelay(true);
            Caller caller = new Caller(node, echo);
            System.out.println("ready");
            for (String line = commands.readLine(); line != null; line = commands.readLine()) {
                System.out.println(String.format(Locale.ROOT, "done %.4f", caller.micros(line.split(" "))));
            }
        }
    }

    private double micros(String[] words) throws IOException {
        int times = Integer.parseInt(words[words.length - 1]);
        return switch (words[0]) {
            case "raw" -> raw(times);
            case "void" -> sync(job(words[1]), times);
            case "get" -> get(job(words[1]), times);
            case "client" -> client(job(words[1]), times);
            default -> throw new IllegalArgumentException("command: " + words[0]);
        };
    }

    private Job job(String service) {
        return node.lookup(service, Job.class);
    }

    private double raw(int times) throws IOException {
        long begin = System.nanoTime();
        for (int i = 0; i < times; i++) {
            out.write(message);
            in.readFully(message);
        }
        return mean(System.nanoTime() - begin, times);
    }

    private static double sync(Job job, int times) {
        long begin = System.nanoTime();
        for (int i = 0; i < times; i++) {
            job.run();
        }
        return mean(System.nanoTime() - begin, times);
    }

    /** A call that is not waited for, and the value that it has made. */
    private static double get(Job job, int times) {
        long begin = System.nanoTime();
        for (int i = 0; i < times; i++) {
            Pending<?> run = Cleave.async(job::run);
            long value = job.get();
            if (value != 7) {
                throw new IllegalStateException("value: " + value);
            }
            run.await();
        }
        return mean(System.nanoTime() - begin, times);
    }

    /** The time that the thread spends which makes a call and does not wait for it. */
    private static double client(Job job, int times) {
        long spent = 0;
        List<Pending<?>> sent = new ArrayList<>(TOGETHER);
        for (int i = 0; i < times; i += TOGETHER) {
            long begin = System.nanoTime();
            for (int j = 0; j < TOGETHER; j++) {
                sent.add(Cleave.async(job::run));
            }
            spent += System.nanoTime() - begin;
            sent.forEach(Pending::await);
            sent.clear();
        }
        return mean(spent, (times + TOGETHER - 1) / TOGETHER * TOGETHER);
    }

    private static double mean(long nanos, int times) {
        return nanos / 1e3 / times;
    }
}
