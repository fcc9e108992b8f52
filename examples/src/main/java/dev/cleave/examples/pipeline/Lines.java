package dev.cleave.examples.pipeline;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** The programs of the {@link Chain}s, as one writes them. */
final class Lines {

    private Lines() {}

    static Object count(Station[] stations, int n) {
        Station s = stations[0];
        return s.count(s.count(s.count(s.count(s.count(s.count(s.count(s.count(n))))))));
    }

    static Object countAround(Station[] stations, int n) {
        Station a = stations[0];
        Station b = stations[1];
        Station c = stations[2];
        Station d = stations[3];
        Station e = stations[4];
        Station f = stations[5];
        Station g = stations[6];
        Station h = stations[7];
        return h.count(g.count(f.count(e.count(d.count(c.count(b.count(a.count(n))))))));
    }

    static Object wider(Station[] stations, int n) {
        Station s = stations[0];
        int counted = s.count(s.count(s.count(s.count(n))));
        return s.measure(s.measure(s.measure(s.measure(counted))));
    }

    static Object widerAround(Station[] stations, int n) {
        Station a = stations[0];
        Station b = stations[1];
        Station c = stations[2];
        Station d = stations[3];
        Station e = stations[4];
        Station f = stations[5];
        Station g = stations[6];
        Station h = stations[7];
        int counted = d.count(c.count(b.count(a.count(n))));
        return h.measure(g.measure(f.measure(e.measure(counted))));
    }

    static Object boxed(Station[] stations, int n) {
        Station s = stations[0];
        Integer four = s.box(s.box(s.box(s.box(n))));
        return s.box(s.count(s.box(s.count(four))));
    }

    static Object boxedAround(Station[] stations, int n) {
        Station a = stations[0];
        Station b = stations[1];
        Station c = stations[2];
        Station d = stations[3];
        Station e = stations[4];
        Station f = stations[5];
        Station g = stations[6];
        Station h = stations[7];
        Integer four = d.box(c.box(b.box(a.box(n))));
        return h.box(g.count(f.box(e.count(four))));
    }

    static Object text(Station[] stations, int n) {
        Station s = stations[0];
        return s.write(s.write(s.write(s.write(s.write(s.write(s.write(s.write("n" + n))))))));
    }

    static Object textAround(Station[] stations, int n) {
        Station a = stations[0];
        Station b = stations[1];
        Station c = stations[2];
        Station d = stations[3];
        Station e = stations[4];
        Station f = stations[5];
        Station g = stations[6];
        Station h = stations[7];
        return h.write(g.write(f.write(e.write(d.write(c.write(b.write(a.write("n" + n))))))));
    }

    static Object records(Station[] stations, int n) {
        Station s = stations[0];
        Part part = new Part("n" + n, 0, List.of());
        return s.work(s.work(s.work(s.work(s.work(s.work(s.work(s.work(part))))))));
    }

    static Object recordsAround(Station[] stations, int n) {
        Station a = stations[0];
        Station b = stations[1];
        Station c = stations[2];
        Station d = stations[3];
        Station e = stations[4];
        Station f = stations[5];
        Station g = stations[6];
        Station h = stations[7];
        Part part = new Part("n" + n, 0, List.of());
        return h.work(g.work(f.work(e.work(d.work(c.work(b.work(a.work(part))))))));
    }

    static Object lists(Station[] stations, int n) {
        Station s = stations[0];
        List<Part> parts = new ArrayList<>(List.of(new Part("n" + n, 0, List.of())));
        return s.pack(s.pack(s.pack(s.pack(s.pack(s.pack(s.pack(s.pack(parts))))))));
    }

    static Object listsAround(Station[] stations, int n) {
        Station a = stations[0];
        Station b = stations[1];
        Station c = stations[2];
        Station d = stations[3];
        Station e = stations[4];
        Station f = stations[5];
        Station g = stations[6];
        Station h = stations[7];
        List<Part> parts = new ArrayList<>(List.of(new Part("n" + n, 0, List.of())));
        return h.pack(g.pack(f.pack(e.pack(d.pack(c.pack(b.pack(a.pack(parts))))))));
    }

    static Object maps(Station[] stations, int n) {
        Station s = stations[0];
        return s.index(s.index(s.index(s.index(s.index(s.index(s.index(s.index(new TreeMap<>()))))))));
    }

    static Object mapsAround(Station[] stations, int n) {
        Station a = stations[0];
        Station b = stations[1];
        Station c = stations[2];
        Station d = stations[3];
        Station e = stations[4];
        Station f = stations[5];
        Station g = stations[6];
        Station h = stations[7];
        return h.index(g.index(f.index(e.index(d.index(c.index(b.index(a.index(new TreeMap<>()))))))));
    }

    static Object kib(Station[] stations, int n) {
        Station s = stations[0];
        return s.sum(s.add(s.add(s.add(s.add(s.add(s.add(s.matrix(1 << 14))))))));
    }

    static Object kibAround(Station[] stations, int n) {
        Station a = stations[0];
        Station b = stations[1];
        Station c = stations[2];
        Station d = stations[3];
        Station e = stations[4];
        Station f = stations[5];
        Station g = stations[6];
        Station h = stations[7];
        return h.sum(g.add(f.add(e.add(d.add(c.add(b.add(a.matrix(1 << 14))))))));
    }

    static Object mib(Station[] stations, int n) {
        Station s = stations[0];
        return s.sum(s.add(s.add(s.add(s.add(s.add(s.add(s.matrix(1 << 17))))))));
    }

    static Object mibAround(Station[] stations, int n) {
        Station a = stations[0];
        Station b = stations[1];
        Station c = stations[2];
        Station d = stations[3];
        Station e = stations[4];
        Station f = stations[5];
        Station g = stations[6];
        Station h = stations[7];
        return h.sum(g.add(f.add(e.add(d.add(c.add(b.add(a.matrix(1 << 17))))))));
    }

    static Object large(Station[] stations, int n) {
        Station s = stations[0];
        return s.sum(s.add(s.add(s.add(s.add(s.add(s.add(s.matrix(1 << 23))))))));
    }

    static Object largeAround(Station[] stations, int n) {
        Station a = stations[0];
        Station b = stations[1];
        Station c = stations[2];
        Station d = stations[3];
        Station e = stations[4];
        Station f = stations[5];
        Station g = stations[6];
        Station h = stations[7];
        return h.sum(g.add(f.add(e.add(d.add(c.add(b.add(a.matrix(1 << 23))))))));
    }

    static Object references(Station[] stations, int n) {
        Station s = stations[0];
        return s.total(s.raise(s.raise(s.raise(s.raise(s.raise(s.raise(s.place(1 << 10))))))));
    }

    static Object referencesAround(Station[] stations, int n) {
        Station a = stations[0];
        Station b = stations[1];
        Station c = stations[2];
        Station d = stations[3];
        Station e = stations[4];
        Station f = stations[5];
        Station g = stations[6];
        Station h = stations[7];
        return h.total(g.raise(f.raise(e.raise(d.raise(c.raise(b.raise(a.place(1 << 10))))))));
    }

    static Object later(Station[] stations, int n) {
        Station s = stations[0];
        return s.last(s.more(s.more(s.more(s.more(s.more(s.more(s.first(1 << 12))))))));
    }

    static Object laterAround(Station[] stations, int n) {
        Station a = stations[0];
        Station b = stations[1];
        Station c = stations[2];
        Station d = stations[3];
        Station e = stations[4];
        Station f = stations[5];
        Station g = stations[6];
        Station h = stations[7];
        return h.last(g.more(f.more(e.more(d.more(c.more(b.more(a.first(1 << 12))))))));
    }

    static Object chained(Station[] stations, int n) {
        Station s = stations[0];
        return s.next(s.next(s.next(s.next(s.next(s.next(s.next(s.next(n))))))));
    }

    static Object chainedAround(Station[] stations, int n) {
        Station a = stations[0];
        Station b = stations[1];
        Station c = stations[2];
        Station d = stations[3];
        Station e = stations[4];
        Station f = stations[5];
        Station g = stations[6];
        Station h = stations[7];
        return h.next(g.next(f.next(e.next(d.next(c.next(b.next(a.next(n))))))));
    }

    static Object marks(Station[] stations, int n) {
        Station s = stations[0];
        s.mark(n);
        s.mark(n + 1);
        s.mark(n + 2);
        s.mark(n + 3);
        s.mark(n + 4);
        s.mark(n + 5);
        s.mark(n + 6);
        s.mark(n + 7);
        return n;
    }

    static Object marksAround(Station[] stations, int n) {
        Station a = stations[0];
        Station b = stations[1];
        Station c = stations[2];
        Station d = stations[3];
        Station e = stations[4];
        Station f = stations[5];
        Station g = stations[6];
        Station h = stations[7];
        a.mark(n);
        b.mark(n + 1);
        c.mark(n + 2);
        d.mark(n + 3);
        e.mark(n + 4);
        f.mark(n + 5);
        g.mark(n + 6);
        h.mark(n + 7);
        return n;
    }

    static Object four(Station[] stations, int n) {
        Station s = stations[0];
        return s.count(s.count(s.count(s.count(n))));
    }

    static Object stage(Station[] stations, int n) {
        Station a = stations[0];
        long sum = 0;
        for (String query : Sequences.QUERIES) {
            sum += a.search(query, 1, new int[0])[0];
        }
        return sum;
    }

    static Object twoStages(Station[] stations, int n) {
        Station a = stations[0];
        Station b = stations[1];
        long sum = 0;
        for (String query : Sequences.QUERIES) {
            sum += b.search(query, 2, a.search(query, 2, new int[0]))[0];
        }
        return sum;
    }

    static Object fourStages(Station[] stations, int n) {
        Station a = stations[0];
        Station b = stations[1];
        Station c = stations[2];
        Station d = stations[3];
        long sum = 0;
        for (String query : Sequences.QUERIES) {
            int[] best = a.search(query, 4, new int[0]);
            sum += d.search(query, 4, c.search(query, 4, b.search(query, 4, best)))[0];
        }
        return sum;
    }

    static Object mixed(Station[] stations, int n) {
        Station a = stations[0];
        Station b = stations[1];
        Station c = stations[2];
        int counted = a.count(n);
        Integer boxed = b.box(counted);
        long measured = c.measure(boxed);
        Part part = a.work(new Part("n" + n, 0, List.of()));
        Part worked = c.work(part);
        String text = b.write(a.write("t"));
        int size = a.size(worked, text);
        return c.join(size, measured, boxed);
    }

    static Object fan(Station[] stations, int n) {
        Station a = stations[0];
        Station b = stations[1];
        Station c = stations[2];
        Station d = stations[3];
        int value = a.count(n);
        int one = b.count(value);
        long two = c.measure(value);
        Integer three = d.box(value);
        return a.join(one, two, three);
    }
}
