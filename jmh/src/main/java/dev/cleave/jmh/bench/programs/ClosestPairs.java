package dev.cleave.jmh.bench.programs;

import java.util.List;

/** Compares each text with each other one. */
final class ClosestPairs {

    private ClosestPairs() {}

    static String of(Compare compare, List<String> texts) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < texts.size(); i++) {
            int best = -1;
            int closest = -1;
            for (int j = i + 1; j < texts.size(); j++) {
                int score = compare.score(texts.get(i), texts.get(j));
                if (score > best) {
                    best = score;
                    closest = j;
                }
            }
            out.append(i)
                    .append(" is like ")
                    .append(closest)
                    .append(": ")
                    .append(best)
                    .append('\n');
        }
        return out.toString();
    }
}
