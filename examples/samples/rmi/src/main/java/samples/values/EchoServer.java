package samples.values;

import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.server.UnicastRemoteObject;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

public class EchoServer extends UnicastRemoteObject implements Echo {

    private static final long serialVersionUID = 1;

    private static class Private extends RuntimeException {

        private static final long serialVersionUID = 1;

        Private(String message) {
            super(message);
        }
    }

    public EchoServer() throws RemoteException {
        super();
    }

    @Override
    public Object echo(Object value) {
        return value;
    }

    @Override
    public String same(Object a, Object b, List<?> list) {
        return (a == b) + " " + (list.get(0) == a);
    }

    @Override
    public int[] doubled(int[] values) {
        for (int i = 0; i < values.length; i++) {
            values[i] *= 2;
        }
        return values;
    }

    @Override
    public Map<String, List<Temperature>> grouped(List<Temperature> values) {
        Map<String, List<Temperature>> groups = new TreeMap<>(Collections.reverseOrder());
        for (Temperature each : values) {
            groups.computeIfAbsent(each.celsius() < 0 ? "frost" : "thaw", k -> new ArrayList<>())
                    .add(each);
        }
        return groups;
    }

    @Override
    public void fail(String how) throws RemoteException, Failure {
        switch (how) {
            case "declared" -> throw new Failure("declared", new IllegalStateException("its cause"));
            case "own" -> throw new Private("own");
            case "jdk" -> Integer.parseInt("seven");
            case "remote" -> throw new RemoteException("of the server");
            case "error" -> throw new AssertionError("an error");
            default -> {}
        }
    }

    @Override
    public double mixed(byte a, short b, char c, int d, long e, float f, double g, boolean h, String i) {
        return a + b + c + d + e + f + g + (h ? 1 : 0) + i.length();
    }

    public static void main(String[] args) throws Exception {
        LocateRegistry.getRegistry(Integer.parseInt(args[0])).rebind("echo", new EchoServer());
        System.out.println("echo: bound");
    }
}
