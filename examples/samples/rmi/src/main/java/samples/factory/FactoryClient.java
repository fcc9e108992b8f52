package samples.factory;

import java.net.InetAddress;
import java.rmi.NoSuchObjectException;
import java.rmi.Remote;
import java.rmi.registry.LocateRegistry;
import java.util.HashSet;
import java.util.Set;

public class FactoryClient {

    /** With "die" behind the port: opens a session and dies; with "wait": waits until the server knows. */
    public static void main(String[] args) throws Exception {
        SessionFactory factory = (SessionFactory) LocateRegistry.getRegistry("localhost", Integer.parseInt(args[0]))
                .lookup("factory");
        if (args.length > 1 && args[1].equals("die")) {
            System.out.println("opened for " + factory.open("eve").get("user"));
            Runtime.getRuntime().halt(0);
        }
        if (args.length > 1) {
            while (factory.unreferenced() == 0) {
                Thread.sleep(20);
            }
            System.out.println("unreferenced " + factory.unreferenced());
            return;
        }
        Session first = factory.open("ada");
        Session second = factory.open("bob");
        first.put("colour", "green");
        System.out.println(
                first.get("user") + " " + first.get("colour") + ", " + second.get("user") + " " + second.get("colour"));
        System.out.println("changes " + ((Audited) first).changes() + ", remote " + (first instanceof Remote)
                + ", equal " + first.equals(second));
        Object shared = factory.shared("team");
        ((Session) shared).put("plan", "ship");
        Set<Object> known = new HashSet<>();
        known.add(shared);
        known.add(factory.shared("team"));
        known.add(factory.shared("other"));
        System.out.println("sessions " + known.size() + ", " + ((Session) factory.shared("team")).get("plan"));
        Remote[] all = factory.all();
        System.out.println("all " + all.length + ", " + known.contains(all[0]) + ", " + ((Session) all[0]).get("plan"));
        System.out.println("host is here " + isHere(factory.host()));
        first.close();
        try {
            first.get("user");
        } catch (NoSuchObjectException e) {
            System.out.println("closed: " + e.getClass().getName());
        }
        System.out.println("still " + second.get("user"));
    }

    private static boolean isHere(String host) throws Exception {
        return InetAddress.getByName(host).isLoopbackAddress()
                || java.net.NetworkInterface.getByInetAddress(InetAddress.getByName(host)) != null;
    }
}
