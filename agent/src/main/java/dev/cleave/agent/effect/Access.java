package dev.cleave.agent.effect;

import dev.cleave.agent.ir.Register;
import org.jspecify.annotations.Nullable;

/**
 * One read or write of the heap.
 *
 * @param base the register that holds the object, null if a called method makes the access
 * @param index the register that holds the index of an array element, null if there is none
 */
public record Access(
        HeapRegion place, @Nullable Register base, @Nullable Register index) {

    static Access of(HeapRegion place) {
        return new Access(place, null, null);
    }

    static Access of(HeapRegion place, Register base) {
        return new Access(place, base, null);
    }
}
