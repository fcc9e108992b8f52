package dev.cleave.rt;

import java.util.ArrayList;
import java.util.List;

/**
 * The helpers of other classes that an activation asks: nothing is sent ahead before all of them may be asked. Until then the
 * copy that runs ahead only keeps up with the program, pass by pass. Confined to one thread.
 */
final class Doors {

    /** So many passes are waited for a helper to show itself. */
    private static final int PATIENCE = 256;

    private final List<HelperDoor> shut = new ArrayList<>(0);
    private int waited;

    void add(HelperDoor door) {
        if (!shut.contains(door)) {
            shut.add(door);
        }
    }

    /** Whether some helper cannot be asked yet. */
    boolean areShut() {
        if (shut.isEmpty()) {
            return false;
        }
        shut.removeIf(HelperDoor::isOpen);
        waited += shut.isEmpty() ? 0 : 1;
        return !shut.isEmpty();
    }

    /** Whether a helper has not shown itself for so long that it will not. */
    boolean isTooLong() {
        return waited > PATIENCE;
    }
}
