package dev.cleave.node;

/** Counts, for tests of other packages, the results that a node keeps for other calls of their callers. */
public final class KeptResults {

    private KeptResults() {}

    public static int of(Node node) {
        return node.keptResults();
    }
}
