package @package@;

import dev.cleave.Async;
import dev.cleave.Remote;

/** The remote service: an interface, and what its calls may do. */
@Remote
public interface Warehouse {

    /** Returns how many pieces of an item there are. Such calls may overlap. */
    @Async
    int stock(String item);
}
