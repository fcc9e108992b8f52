package samples;

import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import samples.auction.AuctionServer;
import samples.bank.BankServer;
import samples.chat.ChatServer;
import samples.compute.ComputeEngine;
import samples.depot.DepotServer;
import samples.edges.EdgeServer;
import samples.events.EventServer;
import samples.export.CounterServer;
import samples.factory.FactoryServer;
import samples.naming.ClockServer;
import samples.prices.PriceServer;
import samples.values.EchoServer;

/** Starts the registry and the servers of all programs in one process; ends when its input ends. */
public class Servers {

    private static Registry registry;

    public static void main(String[] args) throws Exception {
        int port = Integer.parseInt(args[0]);
        registry = LocateRegistry.createRegistry(port);
        BankServer.main(args);
        ComputeEngine.main(args);
        ChatServer.main(args);
        FactoryServer.main(args);
        ClockServer.main(args);
        EchoServer.main(args);
        CounterServer.main(args);
        PriceServer.main(args);
        EdgeServer.main(args);
        AuctionServer.main(args);
        DepotServer.main(args);
        EventServer.main(args);
        System.out.println("ready");
        while (System.in.read() >= 0) {}
        System.exit(0);
    }
}
