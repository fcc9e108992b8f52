package dev.cleave.jmh.bench.programs;

import dev.cleave.Cleave;
import dev.cleave.Pending;
import dev.cleave.jmh.bench.programs.Threads.Task;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.IntSupplier;

/** {@link ClosestPairs} by hand: all pairs at once. */
final class ClosestPairsByHand {

    private ClosestPairsByHand() {}

    static String staged(Compare compare, List<String> texts) {
        List<Pending<Integer>> scores = new ArrayList<>();
        for (int i = 0; i < texts.size(); i++) {
            String left = texts.get(i);
            for (String right : texts.subList(i + 1, texts.size())) {
                scores.add(Cleave.async(() -> compare.score(left, right)));
            }
        }
        Iterator<Pending<Integer>> next = scores.iterator();
        return text(texts.size(), () -> next.next().await());
    }

    static String threaded(Threads threads, Compare compare, List<String> texts) {
        List<Task<Integer>> scores = new ArrayList<>();
        for (int i = 0; i < texts.size(); i++) {
            String left = texts.get(i);
            for (String right : texts.subList(i + 1, texts.size())) {
                scores.add(threads.start(() -> compare.score(left, right)));
            }
        }
        Iterator<Task<Integer>> next = scores.iterator();
        return text(texts.size(), () -> next.next().join());
    }

    private static String text(int texts, IntSupplier scores) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < texts; i++) {
            int best = -1;
            int closest = -1;
            for (int j = i + 1; j < texts; j++) {
                int score = scores.getAsInt();
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
