package dev.cleave.jmh.bench.programs;

import dev.cleave.ReadOnly;
import dev.cleave.Remote;

/** Pages that lead to others. */
@Remote
@ReadOnly
public interface Web {

    /** The pages that a page leads to. */
    int[] links(int page);
}
