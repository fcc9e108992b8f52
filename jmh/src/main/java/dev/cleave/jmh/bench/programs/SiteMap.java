package dev.cleave.jmh.bench.programs;

import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Queue;
import java.util.Set;

/** All pages that can be reached from one, breadth first. */
final class SiteMap {

    private SiteMap() {}

    static String from(Web web, int start) {
        StringBuilder out = new StringBuilder();
        Set<Integer> visited = new HashSet<>();
        Queue<Integer> open = new ArrayDeque<>();
        visited.add(start);
        open.add(start);
        while (!open.isEmpty()) {
            int page = open.remove();
            out.append(page).append('\n');
            for (int link : web.links(page)) {
                if (visited.add(link)) {
                    open.add(link);
                }
            }
        }
        return out.toString();
    }
}
