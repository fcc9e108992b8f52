package samples.export;

import java.rmi.AlreadyBoundException;
import java.rmi.NoSuchObjectException;
import java.rmi.NotBoundException;
import java.rmi.Remote;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.ExportException;
import java.rmi.server.RemoteObject;
import java.rmi.server.UnicastRemoteObject;
import java.util.Arrays;

/** Exports and unexports, binds and unbinds. */
public class CounterServer implements Counter {

    private static CounterServer counter;

    private int value;

    @Override
    public synchronized int next() {
        return ++value;
    }

    @Override
    public synchronized int value() {
        return value;
    }

    @Override
    public synchronized void reset() {
        value = 0;
    }

    public static void main(String[] args) throws Exception {
        Registry registry = LocateRegistry.getRegistry(Integer.parseInt(args[0]));
        counter = new CounterServer();
        Remote stub = UnicastRemoteObject.exportObject(counter, 0);
        System.out.println(
                "stub " + (stub instanceof Counter) + ", toStub " + stub.equals(RemoteObject.toStub(counter)));
        try {
            UnicastRemoteObject.exportObject(counter, 0);
        } catch (ExportException e) {
            System.out.println(e.getMessage());
        }
        registry.bind("counter", stub);
        try {
            registry.bind("counter", stub);
        } catch (AlreadyBoundException e) {
            System.out.println("already bound: " + e.getMessage());
        }
        registry.rebind("second", stub);
        registry.unbind("second");
        try {
            registry.unbind("second");
        } catch (NotBoundException e) {
            System.out.println("not bound: " + e.getMessage());
        }
        System.out.println("listed " + Arrays.asList(registry.list()).contains("counter"));
        CounterServer passing = new CounterServer();
        UnicastRemoteObject.exportObject(passing, 0);
        registry.rebind("passing", passing);
        System.out.println("unexported " + UnicastRemoteObject.unexportObject(passing, true));
        try {
            UnicastRemoteObject.unexportObject(passing, true);
        } catch (NoSuchObjectException e) {
            System.out.println(e.getMessage());
        }
        Counter local = (Counter) registry.lookup("counter");
        System.out.println("from here " + local.next() + " " + counter.value());
    }
}
