package dev.cleave.jmh.bench.programs;

import dev.cleave.Cleave;
import dev.cleave.Pending;
import dev.cleave.jmh.bench.programs.Threads.Task;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;

/** {@link SiteMap} by hand: a page is asked for when it is found. */
final class SiteMapByHand {

    private SiteMapByHand() {}

    /**
     * A page whose links are on their way.
     *
     * @param page the page
     * @param links where it leads to
     */
    private record Found(int page, Pending<int[]> links) {}

    static String staged(Web web, int start) {
        StringBuilder out = new StringBuilder();
        Set<Integer> visited = new HashSet<>();
        Queue<Found> open = new ArrayDeque<>();
        visited.add(start);
        open.add(new Found(start, Cleave.async(() -> web.links(start))));
        while (!open.isEmpty()) {
            Found found = open.remove();
            out.append(found.page()).append('\n');
            for (int link : found.links().await()) {
                if (visited.add(link)) {
                    open.add(new Found(link, Cleave.async(() -> web.links(link))));
                }
            }
        }
        return out.toString();
    }

    static String threaded(Threads threads, Web web, int start) {
        StringBuilder out = new StringBuilder();
        Set<Integer> visited = new HashSet<>();
        visited.add(start);
        List<Integer> level = List.of(start);
        while (!level.isEmpty()) {
            List<Task<int[]>> links = new ArrayList<>();
            for (int page : level) {
                links.add(threads.start(() -> web.links(page)));
            }
            List<Integer> next = new ArrayList<>();
            for (int i = 0; i < level.size(); i++) {
                out.append(level.get(i)).append('\n');
                for (int link : links.get(i).join()) {
                    if (visited.add(link)) {
                        next.add(link);
                    }
                }
            }
            level = next;
        }
        return out.toString();
    }
}
