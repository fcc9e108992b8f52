package dev.cleave.rt;

import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * Runs strands ahead of a stream (R69, R71): its functions take from the nest what they call, and a pass of the nest is
 * an element of the source.
 */
final class StrandStreamRun implements StreamRun, StreamOpener {

    private final String[] helpers;
    private final String rows;
    private @Nullable Strands nest;

    /**
     * Prepares it.
     *
     * @param helpers the helper that each function is, empty if nothing is sent for it
     * @param rows the first row of each
     */
    StrandStreamRun(String[] helpers, String rows) {
        this.helpers = helpers.clone();
        this.rows = rows;
    }

    /** Says which strands run ahead, null for none. */
    void runs(@Nullable Strands strands) {
        nest = strands;
    }

    @Override
    public StreamRun open(Object[] functions, @Nullable Iterator<?> elements) {
        if (elements == null) {
            close();
            nest = null;
        }
        return this;
    }

    @Override
    public void passOver(long passed) {}

    @Override
    public void step() {
        Strands.begin(nest);
    }

    @Override
    public void hand(int call) {
        Passage.current().handNest(helpers[call], nest, rows.charAt(call));
    }

    @Override
    public void stale() {}

    @Override
    public void close() {
        Strands.close(nest);
    }
}
