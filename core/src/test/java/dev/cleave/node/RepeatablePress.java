package dev.cleave.node;

import dev.cleave.Idempotent;
import dev.cleave.Later;
import dev.cleave.Remote;

/** A press whose plain ones may be made again. */
@Remote
interface RepeatablePress extends Press {

    @Override
    @Idempotent
    @Later
    int[] plain(int count);
}
