package samples.lasting;

import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;

/** Its main method returns; the exported objects keep the process alive. */
public class QuoteServer implements Quote {

    private static Registry registry;
    private static QuoteServer server;

    @Override
    public String price(String of) {
        return of + " " + of.length() * 7;
    }

    @Override
    public void stop() throws RemoteException {
        Thread stopper = new Thread(this::unexport, "stopper");
        // threads that serve calls are daemons; were this one, the process could end before it prints its line
        stopper.setDaemon(false);
        stopper.start();
    }

    private void unexport() {
        try {
            registry.unbind("quote");
            UnicastRemoteObject.unexportObject(registry, true);
            while (!UnicastRemoteObject.unexportObject(this, false)) {
                Thread.sleep(10);
            }
            System.out.println("stopped");
        } catch (Exception e) {
            System.out.println(e);
        }
    }

    public static void main(String[] args) throws Exception {
        registry = LocateRegistry.createRegistry(Integer.parseInt(args[0]));
        server = new QuoteServer();
        registry.rebind("quote", UnicastRemoteObject.exportObject(server, 0));
        System.out.println("ready");
    }
}
