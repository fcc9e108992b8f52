package samples.depot;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.RemoteObject;
import java.rmi.server.UnicastRemoteObject;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

public class DepotClient {

    private static final int CALLERS = 24;

    public static void main(String[] args) throws Exception {
        Depot depot = (Depot) LocateRegistry.getRegistry("localhost", Integer.parseInt(args[0]))
                .lookup("depot");
        for (String how : List.of("both", "client", "server", "none", "beside")) {
            Shelf shelf = depot.shelf(how);
            int before = depot.accepted(how);
            System.out.println(shelf.label() + ": made here " + (CountedSockets.made(how) > 0) + ", there "
                    + (before > 0 || depot.accepted(how) > before) + ", same " + shelf.equals(depot.shelf(how)) + " "
                    + (shelf.hashCode() == depot.shelf(how).hashCode()));
        }
        Registry registry = depot.registry();
        System.out.println(Arrays.toString(registry.list()) + " "
                + registry.lookup("none").equals(depot.shelf("none")) + " " + CountedSockets.made("registry"));

        Shelf shelf = depot.shelf("beside");
        System.out.println(Arrays.deepToString(shelf.grid(
                new long[][] {{1, 2}, null, {3}}, new char[] {'a', 'b', '\u4e00'}, new boolean[] {true, false})));
        System.out.println(shelf.join() + " " + shelf.join("a", "b") + " "
                + shelf.join("x".repeat(70_000), "y").length() + " " + shelf.nothing(null, null));
        try {
            shelf.join((String[]) null);
        } catch (NullPointerException e) {
            System.out.println(e.getClass().getName());
        }

        System.out.println("written here " + read(written(shelf)).label() + ", there "
                + depot.shelfOf(written(shelf)).label() + " "
                + read(depot.bytesOf(shelf)).label());
        ShelfImpl own = new ShelfImpl("own");
        UnicastRemoteObject.exportObject(own, 0);
        System.out.println("own " + read(depot.bytesOf(own)).label() + " "
                + depot.shelfOf(written((Shelf) RemoteObject.toStub(own))).label());
        UnicastRemoteObject.unexportObject(own, true);

        ExecutorService threads = Executors.newFixedThreadPool(CALLERS);
        List<Future<Integer>> meeting = new ArrayList<>();
        for (int i = 0; i < CALLERS; i++) {
            meeting.add(threads.submit(() -> depot.meet(CALLERS)));
        }
        int met = 0;
        for (Future<Integer> each : meeting) {
            met += each.get();
        }
        threads.shutdown();
        System.out.println("met " + met);

        int before = depot.unreferenced();
        System.out.println(depot.passing().label());
        while (depot.unreferenced() == before) {
            System.gc();
            Thread.sleep(20);
        }
        System.out.println("unreferenced " + (depot.unreferenced() - before));
    }

    private static byte[] written(Shelf shelf) throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(shelf);
        }
        return bytes.toByteArray();
    }

    private static Shelf read(byte[] bytes) throws Exception {
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
            return (Shelf) in.readObject();
        }
    }
}
