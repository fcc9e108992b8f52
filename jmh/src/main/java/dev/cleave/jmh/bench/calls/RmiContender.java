package dev.cleave.jmh.bench.calls;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.server.UnicastRemoteObject;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Java RMI. It has no asynchronous call: a window is as many threads. */
final class RmiContender implements Contender {

    private static final EchoOverRmi SERVED = new EchoOverRmi(); // RMI itself holds it weakly

    /** The remote interface. */
    interface RmiEcho extends Remote {

        void nothing() throws RemoteException;

        long echo(long value) throws RemoteException;

        double ends(double[] values) throws RemoteException;
    }

    private static final class EchoOverRmi implements RmiEcho {

        @Override
        public void nothing() {}

        @Override
        public long echo(long value) {
            return value;
        }

        @Override
        public double ends(double[] values) {
            return values[0] + values[values.length - 1];
        }
    }

    @Override
    public String serve(String broker) throws IOException {
        System.setProperty("java.rmi.server.hostname", "localhost");
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(UnicastRemoteObject.exportObject(SERVED, 0));
        }
        return Base64.getEncoder().encodeToString(bytes.toByteArray());
    }

    @Override
    public Connected connect(String where) throws IOException, ClassNotFoundException {
        byte[] bytes = Base64.getDecoder().decode(where);
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
            RmiEcho echo = (RmiEcho) in.readObject();
            ExecutorService threads = Executors.newCachedThreadPool(task -> {
                Thread thread = new Thread(task, "window");
                thread.setDaemon(true);
                return thread;
            });
            return () -> new RmiCaller(echo, threads);
        }
    }

    private record RmiCaller(RmiEcho echo, ExecutorService threads) implements Caller {

        @Override
        public void nothing() throws RemoteException {
            echo.nothing();
        }

        @Override
        public long echo(long value) throws RemoteException {
            return echo.echo(value);
        }

        @Override
        public long echoes(int count, int window) throws ExecutionException, InterruptedException {
            List<Future<Long>> parts = new ArrayList<>();
            for (int thread = 0; thread < window; thread++) {
                int first = thread;
                parts.add(threads.submit(() -> every(first, count, window)));
            }
            long sum = 0;
            for (Future<Long> part : parts) {
                sum += part.get();
            }
            return sum;
        }

        private long every(int first, int count, int step) throws RemoteException {
            long sum = 0;
            for (int i = first; i < count; i += step) {
                sum += echo.echo(i);
            }
            return sum;
        }

        @Override
        public double ends(double[] values) throws RemoteException {
            return echo.ends(values);
        }
    }
}
