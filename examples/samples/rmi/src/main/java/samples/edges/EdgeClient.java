package samples.edges;

import java.beans.PropertyChangeEvent;
import java.io.IOException;
import java.rmi.MarshalledObject;
import java.rmi.NoSuchObjectException;
import java.rmi.NotBoundException;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.dgc.VMID;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.RemoteObject;
import java.rmi.server.UnicastRemoteObject;
import java.time.temporal.ValueRange;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import javax.crypto.spec.SecretKeySpec;
import javax.management.ObjectName;
import javax.naming.CompositeName;
import javax.naming.InitialContext;
import javax.rmi.ssl.SslRMIClientSocketFactory;

public class EdgeClient {

    private static class Caller extends UnicastRemoteObject implements Edge.Back {

        private static final long serialVersionUID = 1;

        Caller() throws RemoteException {
            super();
        }

        @Override
        public String back(Edge edge, int depth) throws RemoteException {
            return "c" + edge.down(this, depth);
        }
    }

    private interface Finder {

        Remote find(String name) throws RemoteException, NotBoundException;
    }

    public static void main(String[] args) throws Exception {
        int port = Integer.parseInt(args[0]);
        Registry registry = LocateRegistry.getRegistry(port);
        Finder finder = registry::lookup;
        Edge edge = (Edge) finder.find("edge");
        System.out.println(edge.where() + ", " + edge.sum() + " " + edge.sum(1, 2, 3) + ", " + edge.which((Object) "s")
                + " " + edge.which("s") + " " + edge.which(1));
        System.out.println("stub of a stub " + (RemoteObject.toStub(edge) == edge) + ", found by naming "
                + edge.equals(InitialContext.doLookup("rmi://localhost:" + port + "/edge")));

        Caller caller = new Caller();
        System.out.println(edge.down(caller, 6));
        edge.add(caller);
        Map<Remote, String> known = edge.known();
        List<Edge.Back> backs = edge.backs();
        System.out.println("known " + known.get(edge) + " " + known.get(RemoteObject.toStub(caller)) + " "
                + known.containsKey(caller) + ", in lists " + backs.contains(RemoteObject.toStub(caller)) + " "
                + backs.contains(caller) + " " + backs.get(0).back(edge, 0));
        System.out.println("removed " + edge.remove(caller) + " " + edge.remove(caller));

        Edge.Cursor<String> words = edge.words("one two");
        System.out.println(words.next() + " " + words.next());
        try {
            words.next();
        } catch (NoSuchObjectException e) {
            System.out.println(e.getMessage() + ", " + e.getCause());
        }

        Registry inner = (Registry) registry.lookup("inner");
        System.out.println("inner " + inner.lookup("in").equals(edge) + " " + Arrays.toString(inner.list()) + " "
                + edge.inner().equals(inner));
        edge.inner().rebind("caller", caller);
        System.out.println(((Edge.Back) inner.lookup("caller")).back(edge, 1));
        edge.inner().unbind("caller");
        System.out.println("masked " + ((Masked) registry.lookup("masked")).tell() + " "
                + ((Masked) edge.masked()).tell() + " " + ((Masked) edge.echo(edge.masked())).tell());
        System.out.println(
                "wrapped " + edge.unwrap(new MarshalledObject<>(edge)) + " " + edge.unwrap(new MarshalledObject<>(7)));

        Object[] values = {
            new VMID(),
            Level.CONFIG,
            new CompositeName("a/b"),
            ValueRange.of(1, 2),
            new ObjectName("a:b=c"),
            new SecretKeySpec(new byte[] {1}, "X"),
            new SslRMIClientSocketFactory(),
        };
        for (Object each : values) {
            System.out.println(each.getClass().getName() + " " + edge.echo(each).equals(each));
        }
        System.out.println(((PropertyChangeEvent) edge.echo(new PropertyChangeEvent("of", "p", 1, 2))).getNewValue());

        for (String how : List.of("file", "other")) {
            try {
                edge.io(how);
            } catch (IOException e) {
                System.out.println(e + ", " + e.getCause());
            }
        }
        Thread.currentThread().interrupt();
        edge.nap(20);
        System.out.println("interrupted " + Thread.interrupted());
        UnicastRemoteObject.unexportObject(caller, true);
    }
}
