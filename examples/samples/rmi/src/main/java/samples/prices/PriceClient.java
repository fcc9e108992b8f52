package samples.prices;

import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.util.ArrayList;
import java.util.List;

/** Loops of a hundred calls; with a second argument they run so often, and tell their times on the error stream. */
public class PriceClient {

    private static int total(Prices prices, List<String> articles) throws RemoteException {
        int sum = 0;
        for (String article : articles) {
            sum += prices.price(article);
        }
        return sum;
    }

    private static List<Item> items(Prices prices, int count) throws RemoteException {
        List<Item> items = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            items.add(prices.item(i));
        }
        return items;
    }

    public static void main(String[] args) throws Exception {
        Prices prices = (Prices) LocateRegistry.getRegistry("localhost", Integer.parseInt(args[0]))
                .lookup("prices");
        List<String> articles = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            articles.add("article-" + i);
        }
        int rounds = args.length > 1 ? Integer.parseInt(args[1]) : 1;
        for (int round = 0; round < rounds; round++) {
            long begin = System.nanoTime();
            int total = total(prices, articles);
            long between = System.nanoTime();
            List<Item> items = items(prices, 100);
            long end = System.nanoTime();
            if (round == 0) {
                System.out.println("total " + total + ", items " + items.size() + ", last "
                        + items.get(99).name() + " " + items.get(99).parts());
            }
            if (args.length > 1) {
                System.err.println("times " + (between - begin) / 1000 + " " + (end - between) / 1000);
            }
        }
    }
}
