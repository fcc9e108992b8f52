package @package@;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cleave.test.CleaveServices;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class InventoryTest {

    @RegisterExtension
    final CleaveServices services =
            CleaveServices.create().serving("warehouse", Warehouse.class, new StoredWarehouse());

    @Test
    void itsCallsAreUnderWayTogether() {
        services.on(Warehouse.class, "stock").together(2); // no call is answered before the second has come

        Inventory inventory = new Inventory(services.lookup("warehouse", Warehouse.class));

        assertEquals(60, inventory.count(List.of("a", "bb", "ccc")));
        services.calls("stock").wereInAnyOrder("stock(a)", "stock(bb)", "stock(ccc)");
    }
}
