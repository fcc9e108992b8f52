package dev.cleave.agent.conformance;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/** Nests that carry collections of the method's own: a queue of what is still to be done, a set of what was seen (R71). */
@Tag("one-jdk")
class StrandQueueTest extends StrandPrograms {

    private static final String SEARCH =
            "Set<Integer> seen = new HashSet<>(); Queue<Integer> open = new ArrayDeque<>(); seen.add(0); open.add(0); long t = 0;\n";

    StrandQueueTest() {
        super(100);
    }

    @TestFactory
    Stream<DynamicTest> programs() {
        queues();
        sets();
        traps();
        return tests();
    }

    private void queues() {
        strands(
                "breadth-first",
                12,
                SEARCH
                        + "while (!open.isEmpty()) { int p = open.remove(); t = t * 3 + p; for (int l : s.row(2 * p + 1)) if (l < n && seen.add(l)) open.add(l); } return t;");
        strands(
                "breadth-first-deque",
                12,
                "Set<Integer> seen = new LinkedHashSet<>(); ArrayDeque<Integer> open = new ArrayDeque<>(); seen.add(0); open.offer(0); long t = 0;\n"
                        + "while (!open.isEmpty()) { int p = open.poll(); t = t * 3 + p; for (int l : s.row(2 * p + 1)) if (l < n && seen.add(l)) open.addLast(l); } return t;");
        strands(
                "breadth-first-list",
                12,
                "Set<Integer> seen = new TreeSet<>(); LinkedList<Integer> open = new LinkedList<>(); seen.add(0); open.offer(0); long t = 0;\n"
                        + "while (!open.isEmpty()) { int p = open.removeFirst(); t = t * 3 + p; for (int l : s.row(2 * p + 1)) if (l < n && seen.add(l)) open.add(l); } return t;");
        strands(
                "breadth-first-until-null",
                12,
                SEARCH
                        + "for (Integer p = open.poll(); p != null; p = open.poll()) { t = t * 3 + p; for (int l : s.row(2 * p + 1)) if (l < n && seen.add(l)) open.add(l); } return t;");
        strands(
                "breadth-first-until-null-at-the-head",
                12,
                SEARCH
                        + "Integer p; while ((p = open.poll()) != null) { t = t * 3 + p; for (int l : s.row(2 * p + 1)) if (l < n && seen.add(l)) open.add(l); } return t;");
        strands(
                "breadth-first-two-calls",
                12,
                SEARCH
                        + "while (!open.isEmpty()) { int p = open.remove(); t = t * 3 + s.f(p); for (int l : s.row(2 * p + 1)) if (l < n && seen.add(l)) open.add(l); } return t;");
        strands(
                "breadth-first-with-calls-inside",
                14,
                SEARCH
                        + "while (!open.isEmpty()) { int p = open.remove(); t = t * 3 + p; for (int l : s.row(2 * p + 1)) if (l < n && seen.add(l)) { t = t * 5 + s.f(l); open.add(l); } } return t;");
        strands(
                "breadth-first-names",
                14,
                "Map<String, Integer> depth = new HashMap<>(); Queue<String> open = new ArrayDeque<>(); depth.put(\"p0\", 0); open.add(\"p0\"); StringBuilder out = new StringBuilder();\n"
                        + "while (!open.isEmpty()) { String p = open.remove(); int d = depth.get(p); out.append(p).append(d).append(s.s(p));\n"
                        + "for (int l : s.row(2 * Integer.parseInt(p.substring(1)) + 1)) { String q = \"p\" + l; if (l < n && !depth.containsKey(q)) { depth.put(q, d + 1); open.add(q); } } } return out.toString();");
        strands(
                "breadth-first-records",
                14,
                "record Node(int page, int depth) {} Set<Integer> seen = new HashSet<>(); Queue<Node> open = new ArrayDeque<>(); open.add(new Node(0, 0)); long t = 0;\n"
                        + "while (!open.isEmpty()) { Node p = open.remove(); if (p.depth() > 5) continue; t = t * 3 + p.page(); for (int l : s.row(2 * p.page() + 1)) if (l < n && seen.add(l)) open.add(new Node(l, p.depth() + 1)); } return t;");
        strands(
                "breadth-first-bounded",
                12,
                SEARCH
                        + "int k = 0; while (!open.isEmpty() && k < n) { k++; int p = open.remove(); t = t * 3 + p; for (int l : s.row(2 * p + 1)) if (l < n && seen.add(l)) open.add(l); } return t + k;");
        strands(
                "breadth-first-sometimes",
                14,
                SEARCH
                        + "while (!open.isEmpty()) { int p = open.remove(); t = t * 3 + p; if (p % 5 == 4) { if (seen.add(p + 1) && p + 1 < n) open.add(p + 1); continue; } for (int l : s.row(2 * p + 1)) if (l < n && seen.add(l)) open.add(l); } return t;");
        strands(
                "breadth-first-cycle",
                24,
                SEARCH
                        + "while (!open.isEmpty()) { int p = open.remove(); t = t * 3 + p; for (int l : s.row(p * 3 % (n + 1))) if (seen.add(l % (n + 1))) open.add(l % (n + 1)); } return t;");
    }

    private void sets() {
        strands(
                "seen-before-the-call",
                12,
                "Set<Integer> seen = new HashSet<>(); long t = 0; for (int y = 0; y < n; y++) if (seen.add(y / 2)) for (int id : s.row(y)) t = t * 3 + s.f(id); return t;");
        strands(
                "seen-results",
                12,
                "Set<Integer> seen = new HashSet<>(); long t = 0; for (int y = 0; y < n; y++) for (int id : s.row(y)) if (seen.add(id)) t = t * 3 + s.f(id); return t;");
        strands(
                "counted-in-a-map",
                12,
                "Map<Integer, Integer> count = new HashMap<>(); long t = 0; for (int y = 0; y < n; y++) for (int id : s.row(y)) { int c = count.getOrDefault(id % 7, 0); count.put(id % 7, c + 1); t = t * 3 + s.f(c); } return t + count.size();");
        strands(
                "collected-and-indexed",
                12,
                "List<Integer> all = new ArrayList<>(); all.add(1); long t = 0; for (int y = 0; y < n; y++) for (int id : s.row(y)) { t = t * 3 + s.f(all.get(all.size() / 2)); all.add(id); } return t;");
    }

    private void traps() {
        oneByOne(
                "found-early",
                SEARCH
                        + "while (!open.isEmpty()) { int p = open.remove(); if (t % 11 == 7) break; for (int l : s.row(2 * p + 1)) { t = t * 3 + l; if (l < n && seen.add(l)) open.add(l); } } return t;");
        oneByOne(
                "found-by-a-result",
                SEARCH
                        + "while (!open.isEmpty()) { int p = open.remove(); for (int l : s.row(2 * p + 1)) { if (l == 20) return t; t = t * 3 + l; if (l < n && seen.add(l)) open.add(l); } } return t;");
        oneByOne(
                "stack",
                "Set<Integer> seen = new HashSet<>(); Deque<Integer> open = new ArrayDeque<>(); open.push(0); long t = 0;\n"
                        + "while (!open.isEmpty()) { int p = open.pop(); t = t * 3 + p; for (int l : s.row(2 * p + 1)) if (l < n && seen.add(l)) open.push(l); } return t;");
        oneByOne(
                "stack-at-the-end",
                "Set<Integer> seen = new HashSet<>(); Deque<Integer> open = new ArrayDeque<>(); open.add(0); long t = 0;\n"
                        + "while (!open.isEmpty()) { int p = open.removeLast(); t = t * 3 + p; for (int l : s.row(2 * p + 1)) if (l < n && seen.add(l)) open.add(l); } return t;");
        without(
                "cleared-on-a-result",
                SEARCH
                        + "while (!open.isEmpty()) { int p = open.remove(); t = t * 3 + p; for (int l : s.row(2 * p + 1)) { if (l == 33) open.clear(); if (l < n && seen.add(l)) open.add(l); } } return t;");
        oneByOne(
                "taken-on-a-result",
                SEARCH
                        + "while (!open.isEmpty()) { int p = open.remove(); t = t * 3 + p; for (int l : s.row(2 * p + 1)) { if (l % 13 == 5) open.poll(); if (l < n && seen.add(l)) open.add(l); } } return t;");
        strands(
                "taken-behind-the-adds",
                12,
                SEARCH
                        + "while (!open.isEmpty()) { int p = open.remove(); t = t * 3 + p; for (int l : s.row(2 * p + 1)) if (l < n && seen.add(l)) open.add(l); if (open.isEmpty()) { t = t * 7 + s.f(p); } else { t += s.g(open.remove()); } } return t;");
        strands(
                "size-decides",
                12,
                SEARCH
                        + "while (!open.isEmpty()) { int p = open.remove(); t = t * 3 + s.f(open.size()); for (int l : s.row(2 * p + 1)) if (l < n && seen.add(l)) open.add(l); } return t;");
        same(
                "two-names",
                SEARCH
                        + "Queue<Integer> also = open; while (!open.isEmpty()) { int p = also.remove(); t = t * 3 + p; for (int l : s.row(2 * p + 1)) if (l < n && seen.add(l)) also.add(l); } return t;");
        without(
                "either-queue",
                SEARCH
                        + "Queue<Integer> other = new ArrayDeque<>(); while (!open.isEmpty() || !other.isEmpty()) { Queue<Integer> q = open.isEmpty() ? other : open; int p = q.remove(); t = t * 3 + p; for (int l : s.row(2 * p + 1)) if (l < n && seen.add(l)) (l % 2 == 0 ? other : open).add(l); } return t;");
        strands(
                "two-queues",
                12,
                SEARCH
                        + "Queue<Integer> other = new ArrayDeque<>(); while (!open.isEmpty()) { int p = open.remove(); t = t * 3 + p; if (!other.isEmpty()) t += s.f(other.remove()); for (int l : s.row(2 * p + 1)) if (l < n && seen.add(l)) { open.add(l); other.add(l + 1); } } return t + other.size();");
        same(
                "levels",
                "Set<Integer> seen = new HashSet<>(); List<Integer> level = new ArrayList<>(); level.add(0); long t = 0; while (!level.isEmpty()) { List<Integer> next = new ArrayList<>(); for (int p : level) for (int l : s.row(2 * p + 1)) if (l < n && seen.add(l)) next.add(l); t = t * 3 + level.size(); level = next; } return t;");
        without(
                "queue-known-elsewhere",
                "return new PQueueKnownElsewhere().go(s, n); } Queue<Integer> kept;\n"
                        + "long go(Svc s, int n) { "
                        + SEARCH
                        + "kept = open; while (!open.isEmpty()) { int p = open.remove(); t = t * 3 + p; for (int l : s.row(2 * p + 1)) if (l < n && seen.add(l)) { open.add(l); if (l == 9) kept.clear(); } } return t;");
        without(
                "queue-of-the-caller",
                SEARCH
                        + "t = go(s, open, seen, n); return t + open.size(); }\n"
                        + "static long go(Svc s, Queue<Integer> open, Set<Integer> seen, int n) { long t = 0; while (!open.isEmpty()) { int p = open.remove(); t = t * 3 + p; for (int l : s.row(2 * p + 1)) if (l < n && seen.add(l)) open.add(l); } return t;");
        without(
                "queue-given-to-a-method",
                SEARCH
                        + "while (!open.isEmpty()) { int p = open.remove(); t = t * 3 + p; for (int l : s.row(2 * p + 1)) if (l < n && seen.add(l)) open.add(l); t += drop(open); } return t; }\n"
                        + "static int drop(Queue<Integer> q) { if (q.size() > 4) q.remove(); return q.size();");
        oneByOne(
                "iterated-while-changed",
                "List<Integer> all = new ArrayList<>(); all.add(0); String t = \"\"; try { for (int p : all) for (int l : s.row(2 * p + 1)) if (l < n) all.add(l); } catch (ConcurrentModificationException e) { t = \"caught\"; } return t + all;");
        oneByOne(
                "indexed-while-it-grows",
                "List<Integer> all = new ArrayList<>(); all.add(0); long t = 0; for (int i = 0; i < all.size(); i++) { t = t * 3 + all.get(i); for (int l : s.row(2 * all.get(i) + 1)) if (l < n) all.add(l); } return t;");
        oneByOne(
                "set-while-iterated",
                "List<Integer> all = new ArrayList<>(); for (int i = 0; i < n; i++) all.add(i); long t = 0; for (int p : all) for (int l : s.row(p)) { t = t * 3 + s.f(all.get(l / 2)); all.set(Math.min(p + 1, n - 1), l); } return t;");
        without(
                "iterator-from-before",
                "List<Integer> all = new ArrayList<>(); for (int i = 0; i < n; i++) all.add(i); Iterator<Integer> it = all.iterator(); long t = 0; while (it.hasNext()) { int p = it.next(); for (int l : s.row(p)) { t = t * 3 + s.f(all.get(l / 2)); all.set(Math.min(p + 1, n - 1), l); } } return t;");
        same(
                "removed-through-the-iterator",
                "List<Integer> all = new ArrayList<>(); for (int i = 0; i < n; i++) all.add(i); long t = 0; for (int y = 0; y < n; y++) { for (Iterator<Integer> it = all.iterator(); it.hasNext();) if (it.next() == y) it.remove(); for (int l : s.row(all.size())) t = t * 3 + s.f(l); } return t;");
        same(
                "order-of-a-set",
                "Set<String> names = new HashSet<>(64); for (int i = 0; i < 9; i++) names.add(\"x\" + i * 7); String t = \"\"; for (int y = 0; y < n && y < 5; y++) { for (String name : names) { t += s.s(name); for (int l : s.row(y)) t += s.s(name + l); } names.add(\"y\" + y); } return t;");
        same(
                "elements-of-a-class",
                "Set<Object> seen = new HashSet<>(); Queue<int[]> open = new ArrayDeque<>(); open.add(new int[] {0}); long t = 0; while (!open.isEmpty()) { int[] p = open.remove(); t = t * 3 + p[0]; for (int l : s.row(2 * p[0] + 1)) if (l < n && seen.add(l)) open.add(new int[] {l}); } return t;");
        oneByOne(
                "elements-that-change",
                "Set<Object> seen = new HashSet<>(); Queue<int[]> open = new ArrayDeque<>(); open.add(new int[] {0}); long t = 0; while (!open.isEmpty()) { int[] p = open.remove(); p[0] = p[0] % 50; for (int l : s.row(2 * p[0] + 1)) if (l < n && seen.add(l)) { int[] q = {l}; open.add(q); q[0]++; } t = t * 3 + p[0]; p[0] = 5; } return t;");
        oneByOne(
                "elements-that-lie",
                "Odd.asked = 0; Set<Object> seen = new HashSet<>(); Queue<Object> open = new ArrayDeque<>(); open.add(new Odd(0)); long t = 0; while (!open.isEmpty()) { Odd p = (Odd) open.remove(); t = t * 3 + p.x; for (int l : s.row(2 * p.x + 1)) { Odd q = new Odd(l); if (l < n && seen.add(q)) open.add(q); } } return t + \" \" + Odd.asked; }\n"
                        + "static class Odd { static int asked; int x; Odd(int x) { this.x = x; } public int hashCode() { asked++; return x; } public boolean equals(Object o) { asked++; return o instanceof Odd p && p.x == x; }");
        same(
                "the-same-object-twice",
                "Queue<Integer> open = new ArrayDeque<>(); Integer last = null; open.add(500); long t = 0; int k = 0; while (!open.isEmpty() && k++ < n) { Integer p = open.remove(); if (p == last) { t = t * 7 + s.f(p); } for (int l : s.row(p)) t = t * 3 + l; last = p + 1 - 1; open.add(last); } return t;");
        same(
                "null-elements",
                "LinkedList<Integer> open = new LinkedList<>(); open.add(0); open.add(null); long t = 0; while (!open.isEmpty()) { Integer p = open.poll(); if (p == null) { t += 5; continue; } t = t * 3 + p; for (int l : s.row(2 * p + 1)) if (l < n) open.add(l % 9 == 8 ? null : Integer.valueOf(l)); } return t;");
        same(
                "throws-in-the-middle",
                SEARCH
                        + "while (!open.isEmpty()) { int p = open.remove(); t = t * 3 + 60 / (p - 9); for (int l : s.row(2 * p + 1)) if (l < n && seen.add(l)) open.add(l); } return t;");
        same(
                "takes-too-many",
                SEARCH
                        + "while (!open.isEmpty()) { int p = open.remove(); int q = open.remove(); t = t * 3 + p * q; for (int l : s.row(2 * p + 1)) if (l < n && seen.add(l)) open.add(l); } return t;");
        without(
                "comparator",
                "int[] asked = {0}; Set<Integer> seen = new TreeSet<>((a, b) -> { asked[0]++; return a - b; }); Queue<Integer> open = new ArrayDeque<>(); open.add(0); long t = 0; while (!open.isEmpty()) { int p = open.remove(); t = t * 3 + p; for (int l : s.row(2 * p + 1)) if (l < n && seen.add(l)) open.add(l); } return t + \" \" + asked[0];");
        without(
                "own-class-of-queue",
                "int[] asked = {0}; Queue<Integer> open = new ArrayDeque<>() { public boolean add(Integer x) { asked[0]++; return super.add(x); } }; open.add(0); long t = 0; while (!open.isEmpty()) { int p = open.remove(); t = t * 3 + p; for (int l : s.row(2 * p + 1)) if (l < n) open.add(l); } return t + \" \" + asked[0];");
        without(
                "priority",
                "Queue<Integer> open = new PriorityQueue<>(); Set<Integer> seen = new HashSet<>(); open.add(0); long t = 0; while (!open.isEmpty()) { int p = open.remove(); t = t * 3 + p; for (int l : s.row(2 * p + 1)) if (l < n && seen.add(l % 37)) open.add(l); } return t;");
        same(
                "recent-first",
                "Map<Integer, Integer> last = new LinkedHashMap<>(16, 0.75f, true); for (int i = 0; i < 6; i++) last.put(i, i); long t = 0; for (int y = 0; y < n; y++) { for (int l : s.row(last.get(y % 6))) t = t * 3 + s.f(l); last.put(y % 6, y); } return t + \" \" + last;");
        strands(
                "handled",
                12,
                "StringBuilder log = new StringBuilder(); "
                        + SEARCH
                        + "try { while (!open.isEmpty()) { int p = open.remove(); t = t * 3 + p; for (int l : s.row(2 * p + 1)) if (l < n && seen.add(l)) open.add(l); } } catch (RuntimeException e) { log.append(\"caught\" + open.size()); } return log.toString() + t + seen.size();");
        same(
                "writes-between",
                SEARCH
                        + "while (!open.isEmpty()) { int p = open.remove(); s.put(p); t = t * 3 + s.get(p).hashCode(); for (int l : s.row(2 * p + 1)) if (l < n && seen.add(l)) open.add(l); } return t;");
    }
}
