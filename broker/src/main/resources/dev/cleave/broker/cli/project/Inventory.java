package @package@;

import dev.cleave.node.Node;
import java.util.List;
import java.util.stream.IntStream;

/** The client: plain Java, one call after the other. */
public final class Inventory {

    private final Warehouse warehouse;

    public Inventory(Warehouse warehouse) {
        this.warehouse = warehouse;
    }

    /** Asks for the stock of one item after the other. */
    public int count(List<String> items) {
        int total = 0;
        for (String item : items) {
            total += warehouse.stock(item);
        }
        return total;
    }

    public static void main(String[] args) {
        try (Node node = Node.connect()) {
            Inventory inventory = new Inventory(node.lookup("warehouse", Warehouse.class));
            List<String> items = IntStream.range(0, 200).mapToObj(i -> "item " + i).toList();
            long begin = System.nanoTime();
            int total = inventory.count(items);
            System.out.println(total + " pieces in stock, counted in " + (System.nanoTime() - begin) / 1_000_000 + " ms");
        }
    }
}
