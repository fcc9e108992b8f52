package samples.prices;

import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.server.UnicastRemoteObject;
import java.util.List;

public class PriceServer extends UnicastRemoteObject implements Prices {

    private static final long serialVersionUID = 1;

    public PriceServer() throws RemoteException {
        super();
    }

    @Override
    public int price(String article) {
        return article.length() * 10 + article.charAt(article.length() - 1) - '0';
    }

    @Override
    public Item item(int number) {
        return new Item("item-" + number, List.of("part-" + number, "part-" + (number + 1)));
    }

    public static void main(String[] args) throws Exception {
        LocateRegistry.getRegistry(Integer.parseInt(args[0])).rebind("prices", new PriceServer());
        System.out.println("prices: bound");
    }
}
