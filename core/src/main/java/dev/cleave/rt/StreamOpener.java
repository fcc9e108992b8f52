package dev.cleave.rt;

import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/** Begins runs ahead of a stream. */
interface StreamOpener {

    /** Begins a run with functions, and an iterator over the source, null to not run ahead. */
    StreamRun open(Object[] functions, @Nullable Iterator<?> elements);
}
