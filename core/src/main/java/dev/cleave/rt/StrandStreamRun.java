package dev.cleave.rt;

import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * Runs strands ahead of a stream (R69, R71): its functions take from the nest what they call, and a pass of the nest is
 * an element of the source. Called by generated code; confined to the thread that runs the stream.
 */
public final class StrandStreamRun implements StreamRun, StreamOpener {

    private final String[] helpers;
    private final String rows;
    private @Nullable Strands nest;

    private StrandStreamRun(String[] helpers, String rows) {
        this.helpers = helpers.clone();
        this.rows = rows;
    }

    /**
     * Prepares a stream ahead of which strands run.
     *
     * @param helpers the helpers that its functions are, each followed by a line feed; empty if nothing is sent for one
     * @param rows the first row of each, one a char
     */
    public static StreamAhead of(StreamSource source, String helpers, String rows) {
        return new StreamAhead(new StrandStreamRun(helpers.split("\n", -1), rows), 0, source);
    }

    /** Says which strands run ahead, null for none; called right before the stream is run. */
    public static void runs(StreamAhead ahead, @Nullable Strands nest) {
        if (ahead.opener() instanceof StrandStreamRun run) {
            run.nest = nest;
        }
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
