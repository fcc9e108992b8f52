package samples.edges;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.rmi.MarshalledObject;
import java.rmi.NoSuchObjectException;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.RemoteObject;
import java.rmi.server.UnicastRemoteObject;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

public class EdgeServer extends UnicastRemoteObject implements Edge {

    private static final long serialVersionUID = 1;

    private final transient Registry inner;
    private final Masked masked;
    private final List<Back> backs = new CopyOnWriteArrayList<>();

    private static class MaskedServer extends UnicastRemoteObject implements Masked {

        private static final long serialVersionUID = 1;

        MaskedServer() throws RemoteException {
            super(0, new MaskedSockets(), new MaskedSockets());
        }

        @Override
        public String tell() {
            return "told";
        }
    }

    private static class Words implements Cursor<String> {

        private final Iterator<String> words;

        Words(String text) {
            words = Arrays.asList(text.split(" ")).iterator();
        }

        @Override
        public String next() throws NoSuchObjectException {
            String next = words.next();
            if (!words.hasNext()) {
                UnicastRemoteObject.unexportObject(this, true);
            }
            return next;
        }
    }

    EdgeServer(Registry inner) throws RemoteException {
        super();
        this.inner = inner;
        masked = new MaskedServer();
    }

    @Override
    public String name() {
        return "edge";
    }

    @Override
    public Object echo(Object value) {
        return value;
    }

    @Override
    public int sum(int... all) {
        return Arrays.stream(all).sum();
    }

    @Override
    public String which(Object value) {
        return "object";
    }

    @Override
    public String which(String value) {
        return "string";
    }

    @Override
    public String which(int value) {
        return "int";
    }

    @Override
    public String down(Back back, int depth) throws RemoteException {
        return depth == 0 ? "bottom" : "s" + back.back(this, depth - 1);
    }

    @Override
    public Cursor<String> words(String text) throws RemoteException {
        Words words = new Words(text);
        UnicastRemoteObject.exportObject(words, 0);
        return words;
    }

    @Override
    public Registry inner() {
        return inner;
    }

    @Override
    public Remote masked() {
        return masked;
    }

    @Override
    public Map<Remote, String> known() {
        Map<Remote, String> known = new LinkedHashMap<>();
        backs.forEach(back -> known.put(back, "back"));
        known.put(this, "edge");
        return known;
    }

    @Override
    public void add(Back back) {
        backs.add(back);
    }

    @Override
    public boolean remove(Back back) {
        return backs.remove(back);
    }

    @Override
    public List<Back> backs() {
        return new ArrayList<>(backs);
    }

    @Override
    public String unwrap(MarshalledObject<?> wrapped) throws IOException, ClassNotFoundException {
        Object value = wrapped.get();
        return value instanceof Edge edge ? edge.name() : String.valueOf(value);
    }

    @Override
    public void io(String how) throws IOException {
        throw how.equals("file")
                ? new FileNotFoundException("x.txt")
                : new IOException(how, new IllegalStateException("its cause"));
    }

    @Override
    public void nap(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    public static void main(String[] args) throws Exception {
        Registry inner = LocateRegistry.createRegistry(0);
        EdgeServer edge = new EdgeServer(inner);
        inner.rebind("in", edge);
        Registry registry = LocateRegistry.getRegistry(Integer.parseInt(args[0]));
        registry.rebind("edge", edge);
        registry.rebind("inner", inner);
        registry.rebind("masked", edge.masked);
        Remote stub = RemoteObject.toStub(edge);
        System.out.println("stub of a stub " + (RemoteObject.toStub(stub) == stub) + ", equal to its object "
                + stub.equals(edge) + " " + edge.equals(stub) + ", hash " + (stub.hashCode() == edge.hashCode()));
        System.out.println(Arrays.toString(inner.list()));
    }
}
