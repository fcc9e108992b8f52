package samples;

import samples.auction.AuctionClient;
import samples.bank.BankClient;
import samples.chat.ChatClient;
import samples.compute.ComputeClient;
import samples.depot.DepotClient;
import samples.edges.EdgeClient;
import samples.events.EventClient;
import samples.export.CounterClient;
import samples.factory.FactoryClient;
import samples.naming.ClockClient;
import samples.prices.PriceClient;
import samples.values.EchoClient;

/** Runs the clients of all programs, one after the other. */
public class Clients {

    public static void main(String[] args) throws Exception {
        BankClient.main(args);
        ComputeClient.main(args);
        ChatClient.main(args);
        FactoryClient.main(args);
        ClockClient.main(args);
        EchoClient.main(args);
        CounterClient.main(args);
        PriceClient.main(args);
        EdgeClient.main(args);
        AuctionClient.main(args);
        DepotClient.main(args);
        EventClient.main(args);
    }
}
