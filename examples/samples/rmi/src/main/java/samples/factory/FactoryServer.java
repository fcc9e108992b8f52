package samples.factory;

import java.rmi.NoSuchObjectException;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.server.ServerNotActiveException;
import java.rmi.server.UnicastRemoteObject;
import java.rmi.server.Unreferenced;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;

public class FactoryServer extends UnicastRemoteObject implements SessionFactory {

    private static final long serialVersionUID = 1;

    private static FactoryServer factory; // RMI itself holds it no longer than its leases last

    private final Map<String, SessionImpl> shared = new LinkedHashMap<>();
    private final AtomicInteger unreferenced = new AtomicInteger();

    public FactoryServer() throws RemoteException {
        super();
    }

    private class SessionImpl extends UnicastRemoteObject implements Session, Audited, Unreferenced {

        private static final long serialVersionUID = 1;

        private final Map<String, String> values = new TreeMap<>();
        private int changes;

        SessionImpl() throws RemoteException {}

        @Override
        public synchronized void put(String key, String value) {
            values.put(key, value);
            changes++;
        }

        @Override
        public synchronized String get(String key) {
            return values.get(key);
        }

        @Override
        public synchronized int changes() {
            return changes;
        }

        @Override
        public void close() throws NoSuchObjectException {
            unexportObject(this, true);
        }

        @Override
        public void unreferenced() {
            unreferenced.incrementAndGet();
        }
    }

    @Override
    public Session open(String user) throws RemoteException {
        SessionImpl made = new SessionImpl();
        made.put("user", user);
        return made;
    }

    @Override
    public synchronized Object shared(String name) throws RemoteException {
        SessionImpl known = shared.get(name);
        if (known == null) {
            known = new SessionImpl();
            shared.put(name, known);
        }
        return known;
    }

    @Override
    public synchronized Remote[] all() {
        return shared.values().toArray(new Remote[0]);
    }

    @Override
    public String host() throws RemoteException {
        try {
            return getClientHost();
        } catch (ServerNotActiveException e) {
            throw new RemoteException("not in a call", e);
        }
    }

    @Override
    public int unreferenced() {
        return unreferenced.get();
    }

    public static void main(String[] args) throws Exception {
        factory = new FactoryServer();
        LocateRegistry.getRegistry(Integer.parseInt(args[0])).bind("factory", factory);
        System.out.println("factory: open");
        try {
            getClientHost();
        } catch (ServerNotActiveException e) {
            System.out.println("no client now");
        }
    }
}
