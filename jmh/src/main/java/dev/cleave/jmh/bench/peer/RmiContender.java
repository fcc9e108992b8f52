package dev.cleave.jmh.bench.peer;

import dev.cleave.jmh.bench.contender.Contender;
import dev.cleave.jmh.bench.contender.ThreadCaller;
import dev.cleave.jmh.bench.contender.Values;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.server.UnicastRemoteObject;
import java.util.Base64;
import java.util.concurrent.ExecutorService;

/** Java RMI. It has no asynchronous call: a window is as many threads. */
public final class RmiContender implements Contender {

    private static final EchoOverRmi SERVED = new EchoOverRmi(); // RMI itself holds it weakly

    /** The remote interface. */
    interface RmiEcho extends Remote {

        void nothing() throws RemoteException;

        long echo(long value) throws RemoteException;

        byte[] echo(byte[] value) throws RemoteException;

        double ends(double[] values) throws RemoteException;

        double[] doubles(int count) throws RemoteException;
    }

    private static final class EchoOverRmi implements RmiEcho {

        @Override
        public void nothing() {}

        @Override
        public long echo(long value) {
            return value;
        }

        @Override
        public byte[] echo(byte[] value) {
            return value;
        }

        @Override
        public double ends(double[] values) {
            return Values.ends(values);
        }

        @Override
        public double[] doubles(int count) {
            return Values.served(count);
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
            ExecutorService threads = ThreadCaller.daemons();
            return () -> new RmiCaller(echo, threads);
        }
    }

    private record RmiCaller(RmiEcho echo, ExecutorService threads) implements ThreadCaller {

        @Override
        public void nothing() throws RemoteException {
            echo.nothing();
        }

        @Override
        public long echo(long value) throws RemoteException {
            return echo.echo(value);
        }

        @Override
        public byte[] echo(byte[] value) throws RemoteException {
            return echo.echo(value);
        }

        @Override
        public double ends(double[] values) throws RemoteException {
            return echo.ends(values);
        }

        @Override
        public double[] doubles(int count) throws RemoteException {
            return echo.doubles(count);
        }
    }
}
