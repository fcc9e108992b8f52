package samples;

import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;
import samples.bank.BankServer;

/** Starts the registry and the servers of all programs in one process; ends when its input ends. */
public class Servers {

    private static Registry registry;

    public static void main(String[] args) throws Exception {
        int port = Integer.parseInt(args[0]);
        registry = LocateRegistry.createRegistry(port);
        BankServer.main(args);
        System.out.println("ready");
        while (System.in.read() >= 0) {}
        System.exit(0);
    }
}
