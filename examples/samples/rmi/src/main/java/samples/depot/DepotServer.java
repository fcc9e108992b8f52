package samples.depot;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.rmi.AccessException;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.ExportException;
import java.rmi.server.UnicastRemoteObject;
import java.util.HashMap;
import java.util.Map;

public class DepotServer implements Depot {

    private static DepotServer depot;

    private final Map<String, Shelf> shelves = new HashMap<>();
    private final Registry registry;
    private int here;

    private DepotServer(int port) throws RemoteException {
        registry = LocateRegistry.createRegistry(0, new CountedSockets("registry"), new CountedSockets("registry"));
        add("both", 0, new CountedSockets("both"), new CountedSockets("both"));
        add("client", 0, new CountedSockets("client"), null);
        add("server", 0, null, new CountedSockets("server"));
        add("none", 0, null, null);
        Shelf beside = new ShelfImpl("beside"); // at the port of the registry
        UnicastRemoteObject.exportObject(beside, port);
        shelves.put("beside", beside);
    }

    private void add(String how, int port, CountedSockets ofClient, CountedSockets ofServer) throws RemoteException {
        Shelf shelf = new ShelfImpl(how);
        UnicastRemoteObject.exportObject(shelf, port, ofClient, ofServer);
        shelves.put(how, shelf);
        registry.rebind(how, shelf);
    }

    @Override
    public Shelf shelf(String how) {
        return shelves.get(how);
    }

    @Override
    public int accepted(String how) {
        return CountedSockets.made(how);
    }

    @Override
    public Registry registry() {
        return registry;
    }

    @Override
    public Shelf passing() throws RemoteException {
        Shelf passing = new ShelfImpl("passing");
        UnicastRemoteObject.exportObject(passing, 0);
        return passing;
    }

    @Override
    public int unreferenced() {
        return ShelfImpl.UNREFERENCED.get();
    }

    @Override
    public synchronized int meet(int callers) throws RemoteException {
        here++;
        notifyAll();
        try {
            while (here % callers != 0) {
                wait();
            }
        } catch (InterruptedException e) {
            throw new RemoteException("interrupted", e);
        }
        return callers;
    }

    @Override
    public byte[] bytesOf(Shelf shelf) throws RemoteException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(shelf);
        } catch (IOException e) {
            throw new RemoteException("not written", e);
        }
        return bytes.toByteArray();
    }

    @Override
    public Shelf shelfOf(byte[] bytes) throws RemoteException {
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
            return (Shelf) in.readObject();
        } catch (IOException | ClassNotFoundException e) {
            throw new RemoteException("not read", e);
        }
    }

    public static void main(String[] args) throws Exception {
        int port = Integer.parseInt(args[0]);
        depot = new DepotServer(port);
        Registry registry = LocateRegistry.getRegistry(port);
        registry.rebind("depot", UnicastRemoteObject.exportObject(depot, port));
        try {
            LocateRegistry.createRegistry(port);
        } catch (ExportException e) {
            System.out.println(e.getMessage());
        }
        try {
            UnicastRemoteObject.exportObject(new ShelfImpl("twice"), port, null, new CountedSockets("twice"));
        } catch (ExportException e) {
            System.out.println(e.getMessage().split(";")[0].replace(args[0], "PORT"));
        }
        Registry outside = LocateRegistry.getRegistry("localhost", port);
        for (Remote wrong : new Remote[] {null, new ShelfImpl("not exported")}) {
            try {
                outside.rebind("wrong", wrong);
            } catch (AccessException | NullPointerException e) {
                System.out.println(e);
            } catch (RemoteException e) {
                System.out.println(
                        e.getClass().getName() + ": " + e.getCause().getClass().getName());
            }
        }
    }
}
