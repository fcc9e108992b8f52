package dev.cleave.call;

import dev.cleave.Idempotent;
import dev.cleave.Remote;
import dev.cleave.config.Bindings;
import dev.cleave.serial.WrittenValue;
import java.util.concurrent.CompletableFuture;

/**
 * How one server fetches from another the result of a call that is an argument of a call of its own (C12). Each node
 * serves it. Who shows the key of a lane may fetch the results of the calls of that lane: the caller of those calls has
 * made the key and given it to the two servers alone.
 */
@Remote
public interface LaneResults {

    /** The name under which each node serves it; no program can bind it. */
    String SERVICE = "#results";

    /**
     * The result of a call; ends when the call has ended.
     *
     * @param high upper half of the key of the lane
     * @param low lower half of the key of the lane
     * @param call the number of the call in the lane; its complement asks only whether the call has ended with a result, and the
     *     value is empty then
     */
    @Idempotent
    CompletableFuture<WrittenValue.Parts> result(long high, long low, int call);

    /** Describes this interface. */
    static RemoteInterface contract() {
        return new InterfaceReader(Bindings.NONE).read(SERVICE, LaneResults.class);
    }
}
