package dev.cleave.agent.conformance;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Loops that change the element or entry which their iterator has given last, priority queues, and lists that grow and are handed on (R33,
 * R34, R43, R71).
 */
class PassedElementsTest extends StrandPrograms {

    private static final String MAP =
            "Map<Integer, Integer> m = new TreeMap<>(); for (int i = 0; i < n; i++) m.put(i * 7 % 11, i); long t = 0; ";
    private static final String LIST =
            "List<Integer> l = new ArrayList<>(); for (int i = 0; i < n; i++) l.add(i * 5 % 13); long t = 0; ";

    PassedElementsTest() {
        super(8);
    }

    @TestFactory
    Stream<DynamicTest> programs() {
        entries();
        iterators();
        queues();
        batches();
        dates();
        return tests();
    }

    private void entries() {
        String set =
                "for (Map.Entry<Integer, Integer> e : m.entrySet()) e.setValue(s.f(e.getKey())); return m.toString() + t;";
        trips("entry-set", 1, MAP + set);
        trips("entry-set-of-hashes", 1, MAP.replace("Tree", "Hash") + set);
        trips("entry-set-in-order", 1, MAP.replace("Tree", "LinkedHash") + set);
        trips("entry-value-replaced", 1, MAP + set.replace("s.f(e.getKey())", "s.f(e.getValue()) + e.getValue()"));
        trips("entry-old-value", 1, MAP + set.replace("e.setValue(", "t = t * 3 + e.setValue("));
        same(
                "entry-set-then-read",
                MAP
                        + "for (Map.Entry<Integer, Integer> e : m.entrySet()) { e.setValue(s.f(e.getKey())); t = t * 3 + s.f(e.getValue()); } return m.toString() + t;");
        same(
                "entry-set-and-map-read",
                MAP
                        + "for (Map.Entry<Integer, Integer> e : m.entrySet()) { t = t * 3 + s.f(m.get(0)); e.setValue(s.f(e.getKey()) & 15); } return m.toString() + t;");
        same(
                "entry-of-two-maps",
                MAP
                        + "Map<Integer, Integer> o = n % 2 == 0 ? m : new TreeMap<>(m); for (Map.Entry<Integer, Integer> e : m.entrySet()) for (Map.Entry<Integer, Integer> g : o.entrySet()) { t = t * 3 + s.f(g.getValue()); e.setValue((int) t & 7); } return m.toString() + t;");
        same(
                "entry-set-in-rounds",
                MAP
                        + "for (int r = 0; r < 3; r++) for (Map.Entry<Integer, Integer> e : m.entrySet()) e.setValue(s.f(e.getValue()) & 15); return m.toString() + t;");
        same(
                "entry-of-the-pass-before",
                MAP
                        + "Map.Entry<Integer, Integer> last = null; for (Map.Entry<Integer, Integer> e : m.entrySet()) { if (last != null) t = t * 3 + s.f(last.getValue()); e.setValue((int) t & 7); last = e; } return m.toString() + t;");
        same(
                "entry-of-an-odd-map",
                "looks = 0; Map<Integer, Integer> m = new Odd(); for (int i = 0; i < n; i++) m.put(i, i); long t = 0; for (Map.Entry<Integer, Integer> e : m.entrySet()) e.setValue(s.f(e.getKey())); return m.toString() + t + looks; } static int looks;"
                        + " static class Odd extends TreeMap<Integer, Integer> { @Override public Set<Map.Entry<Integer, Integer>> entrySet() { looks++; return super.entrySet(); } } static int q() { return 1;");
        same(
                "entry-of-a-map-that-must-not-change",
                "long t = 0; Map<Integer, Integer> m = Map.of(1, 2, 3, 4); for (Map.Entry<Integer, Integer> e : m.entrySet()) e.setValue(s.f(e.getKey())); return t;");
    }

    private void iterators() {
        trips(
                "iterator-removes",
                1,
                LIST
                        + "for (Iterator<Integer> it = l.iterator(); it.hasNext(); ) if (s.ok(it.next())) it.remove(); return l.toString();");
        trips(
                "iterator-removes-entries",
                1,
                MAP
                        + "for (Iterator<Map.Entry<Integer, Integer>> it = m.entrySet().iterator(); it.hasNext(); ) { Map.Entry<Integer, Integer> e = it.next(); if (s.ok(e.getKey() + e.getValue())) it.remove(); } return m.toString();");
        trips(
                "iterator-removes-keys",
                1,
                MAP
                        + "Iterator<Integer> it = m.keySet().iterator(); while (it.hasNext()) { int k = it.next(); if (s.f(k) % 3 == 0) it.remove(); } return m.toString();");
        trips(
                "list-iterator-sets",
                1,
                LIST
                        + "ListIterator<Integer> it = l.listIterator(); while (it.hasNext()) it.set(s.f(it.next())); return l.toString();");
        trips(
                "list-iterator-removes",
                1,
                LIST
                        + "for (ListIterator<Integer> it = l.listIterator(); it.hasNext(); ) { int x = it.next(); if (s.ok(x)) it.remove(); else it.set(x * 2); } return l.toString();");
        trips(
                "list-iterator-reads",
                1,
                LIST
                        + "for (ListIterator<Integer> it = l.listIterator(); it.hasNext(); ) t = t * 3 + s.f(it.next()); return t;");
        same(
                "iterator-removes-what-is-asked",
                LIST
                        + "for (Iterator<Integer> it = l.iterator(); it.hasNext(); ) { int x = it.next(); if (s.f(x + l.size()) % 3 == 0) it.remove(); } return l.toString();");
        same(
                "iterator-removes-before-it-gives",
                LIST
                        + "for (Iterator<Integer> it = l.iterator(); it.hasNext(); ) { it.remove(); t += s.f(it.next()); } return t;");
        same(
                "iterator-removes-twice",
                LIST
                        + "for (Iterator<Integer> it = l.iterator(); it.hasNext(); ) { int x = it.next(); t += s.f(x); it.remove(); if (x == 10) it.remove(); } return t;");
        same(
                "iterator-and-list-remove",
                LIST
                        + "for (Iterator<Integer> it = l.iterator(); it.hasNext(); ) { int x = it.next(); if (s.ok(x)) it.remove(); else if (x == 12) l.remove(0); } return l.toString();");
        same(
                "iterator-removes-in-rounds",
                LIST
                        + "for (int r = 0; r < 3; r++) for (Iterator<Integer> it = l.iterator(); it.hasNext(); ) if (s.f(it.next() + r) % 3 == 0) it.remove(); return l.toString();");
        same(
                "iterator-of-a-copy-of-one",
                LIST
                        + "for (Iterator<Integer> it = l.iterator(); it.hasNext(); ) { int x = it.next(); for (Iterator<Integer> o = l.iterator(); o.hasNext(); ) { int y = o.next(); t = t * 3 + s.f(x + y & 15); } if (t % 2 == 0 && x != 3) break; } return t;");
        same(
                "list-iterator-goes-back",
                LIST
                        + "ListIterator<Integer> it = l.listIterator(); while (it.hasNext()) { t = t * 3 + s.f(it.next()); if (it.nextIndex() == 3 && t % 2 == 0) it.previous(); } return t;");
        same(
                "list-iterator-adds",
                LIST
                        + "for (ListIterator<Integer> it = l.listIterator(); it.hasNext(); ) { int x = it.next(); it.add(s.f(x)); } return l.toString();");
        same(
                "list-iterator-sets-what-is-read",
                LIST
                        + "for (ListIterator<Integer> it = l.listIterator(); it.hasNext(); ) { t = t * 3 + s.f(it.next() + l.get(0)); it.set((int) t & 7); } return l.toString();");
        same(
                "list-iterator-of-a-fixed-list",
                "List<Integer> l = List.of(1, 2, n); long t = 0; for (ListIterator<Integer> it = l.listIterator(); it.hasNext(); ) it.set(s.f(it.next())); return t;");
        same(
                "iterator-of-an-odd-list",
                "looks = 0; List<Integer> l = new Odd(); for (int i = 0; i < n; i++) l.add(i); for (Iterator<Integer> it = l.iterator(); it.hasNext(); ) if (s.ok(it.next())) it.remove(); return l.toString() + looks; } static int looks;"
                        + " static class Odd extends ArrayList<Integer> { @Override public Iterator<Integer> iterator() { looks++; return super.iterator(); } } static int q() { return 1;");
    }

    private void queues() {
        trips(
                "priority-queue-filled",
                1,
                "PriorityQueue<Integer> q = new PriorityQueue<>(); for (int i = 0; i < n; i++) q.add(s.f(i)); long t = 0; while (!q.isEmpty()) t = t * 3 + q.poll(); return t;");
        trips(
                "priority-queue-of-the-best",
                1,
                "PriorityQueue<Integer> q = new PriorityQueue<>(); for (int i = 0; i < n; i++) { q.offer(s.f(i)); if (q.size() > 3) q.poll(); } return q.peek();");
        trips(
                "priority-queue-emptied",
                1,
                LIST
                        + "PriorityQueue<Integer> q = new PriorityQueue<>(l); while (!q.isEmpty()) t = t * 3 + s.f(q.poll()); return t;");
        trips(
                "priority-queue-reversed",
                1,
                "PriorityQueue<Integer> q = new PriorityQueue<>(Comparator.reverseOrder()); for (int i = 0; i < n; i++) { q.offer(s.f(i)); if (q.size() > 3) q.poll(); } return q.peek();");
        same(
                "priority-queue-that-grows",
                LIST
                        + "PriorityQueue<Integer> q = new PriorityQueue<>(l); while (!q.isEmpty() && t < 1000000) { int x = q.poll(); int y = s.f(x) & 15; t = t * 3 + y; if (y > x) q.add(y); } return t;");
        same(
                "priority-queue-by-lambda",
                "asked = 0; PriorityQueue<Integer> q = new PriorityQueue<>((a, b) -> { asked++; return b - a; }); for (int i = 0; i < n; i++) { q.offer(s.f(i + asked % 3)); if (q.size() > 3) q.poll(); } return q.toString() + asked; } static int asked; static int q() { return 1;");
        same(
                "priority-queue-of-others",
                "Odd.asked = 0; PriorityQueue<Object> q = new PriorityQueue<>(); q.add(new Odd(3)); q.add(new Odd(1)); long t = 0; for (int i = 0; i < n; i++) { t = t * 3 + s.f(i + Odd.asked % 3); if (q.size() > 0 && i == 2) q.poll(); } return t; }"
                        + " static class Odd implements Comparable<Object> { static int asked; final int x; Odd(int x) { this.x = x; } public int compareTo(Object o) { asked++; return x - ((Odd) o).x; } } static int q() { return 1;");
        same(
                "priority-queue-of-a-sorted-set",
                "asked = 0; SortedSet<Integer> l = new TreeSet<>((a, b) -> { asked++; return b - a; }); for (int i = 0; i < n; i++) l.add(i * 5 % 13); long t = 0; PriorityQueue<Integer> q = new PriorityQueue<>(l); while (!q.isEmpty()) t = t * 3 + s.f(q.poll()) + asked; return t; } static int asked; static int q() { return 1;");
    }

    private void batches() {
        trips(
                "list-handed-on",
                1,
                LIST
                        + "List<List<Integer>> out = new ArrayList<>(); List<Integer> cur = new ArrayList<>(); for (int x : l) { cur.add(s.f(x)); if (cur.size() == 3) { out.add(cur); cur = new ArrayList<>(); } } return out.toString() + cur;");
        same(
                "list-handed-on-to-itself",
                LIST
                        + "List<Integer> cur = n % 2 == 0 ? l : new ArrayList<>(); for (int i = 0; i < 5 && i < l.size(); i++) { t = t * 3 + s.f(l.get(i)); cur.add(0, (int) t & 7); if (cur.size() % 3 == 0) cur = new ArrayList<>(); } return l.toString() + cur;");
        same(
                "list-handed-on-and-back",
                LIST
                        + "List<Integer> cur = new ArrayList<>(); for (int i = 0; i < 5; i++) { t = t * 3 + s.f(l.size() + i); cur.add((int) t & 7); if (i == 2) { List<Integer> old = cur; cur = l; l = old; } } return l.toString() + cur;");
    }

    private void dates() {
        trips(
                "dates",
                1,
                "long t = 0; for (int i = 0; i < n; i++) { Date d = new Date(i * 1000L); t = t * 3 + s.f((int) (d.getTime() / 1000)); } return t;");
        trips(
                "dates-of-results",
                1,
                "List<Date> l = new ArrayList<>(); for (int i = 0; i < n; i++) { Date d = new Date(s.f(i)); if (d.after(new Date(3))) l.add(d); } return l.size();");
        same(
                "date-that-is-set",
                "long t = 0; Date d = new Date(5); for (int i = 0; i < n; i++) { t = t * 3 + s.f((int) d.getTime()); d.setTime(t & 7); } return t;");
        same(
                "date-of-the-program",
                "long t = 0; Date d = new Odd(); for (int i = 0; i < n; i++) t = t * 3 + s.f((int) d.getTime()); return t; } static class Odd extends Date { long asked; @Override public long getTime() { return asked++; } } static int q() { return 1;");
    }
}
