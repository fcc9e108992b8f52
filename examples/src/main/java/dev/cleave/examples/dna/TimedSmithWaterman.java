package dev.cleave.examples.dna;

/** Local alignment that measures itself. */
public final class TimedSmithWaterman implements TimedCompare {

    private final Compare compare = new SmithWaterman();

    @Override
    public long[] timedScore(String query, String known) {
        long begin = System.nanoTime();
        int score = compare.score(query, known);
        return new long[] {score, System.nanoTime() - begin};
    }
}
