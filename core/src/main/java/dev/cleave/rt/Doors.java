package dev.cleave.rt;

import java.util.ArrayList;
import java.util.List;

/**
 * The doors to helpers of other classes that an activation asks: it sends nothing ahead before all of them are open.
 * Until then the run-ahead only keeps up with the program, pass by pass. Confined to one thread.
 */
final class Doors {

    /** The number of passes for which an activation waits until a helper has run rewritten. */
    private static final int PATIENCE = 256;

    private final List<HelperDoor> shut = new ArrayList<>(0);
    private int waited;

    void add(HelperDoor door) {
        if (!shut.contains(door)) {
            shut.add(door);
        }
    }

    /** Whether some helper may not be asked yet. */
    boolean areShut() {
        if (shut.isEmpty()) {
            return false;
        }
        shut.removeIf(HelperDoor::isOpen);
        waited += shut.isEmpty() ? 0 : 1;
        return !shut.isEmpty();
    }

    /** Whether the activation has waited so long for a helper that it gives up. */
    boolean isTooLong() {
        return waited > PATIENCE;
    }
}
