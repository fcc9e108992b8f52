package dev.cleave.examples.pipeline;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** The programs of the {@link Chain}s, as one writes them. */
final class Lines {

    private Lines() {}

    static Object eight(Station[] stations, int n) {
        Station s = stations[0];
        return s.count(s.count(s.count(s.count(s.count(s.count(s.count(s.count(n))))))));
    }

    static Object four(Station[] stations, int n) {
        Station s = stations[0];
        return s.count(s.count(s.count(s.count(n))));
    }

    static Object wider(Station[] stations, int n) {
        Station s = stations[0];
        int counted = s.count(s.count(s.count(s.count(n))));
        return s.measure(s.measure(s.measure(s.measure(counted))));
    }

    static Object boxed(Station[] stations, int n) {
        Station s = stations[0];
        Integer four = s.box(s.box(s.box(s.box(n))));
        return s.box(s.count(s.box(s.count(four))));
    }

    static Object text(Station[] stations, int n) {
        Station s = stations[0];
        return s.write(s.write(s.write(s.write(s.write(s.write(s.write(s.write("n" + n))))))));
    }

    static Object records(Station[] stations, int n) {
        Station s = stations[0];
        Part part = new Part("n" + n, 0, List.of());
        return s.work(s.work(s.work(s.work(s.work(s.work(s.work(s.work(part))))))));
    }

    static Object lists(Station[] stations, int n) {
        Station s = stations[0];
        List<Part> parts = new ArrayList<>(List.of(new Part("n" + n, 0, List.of())));
        return s.pack(s.pack(s.pack(s.pack(s.pack(s.pack(s.pack(s.pack(parts))))))));
    }

    static Object maps(Station[] stations, int n) {
        Station s = stations[0];
        return s.index(s.index(s.index(s.index(s.index(s.index(s.index(s.index(new TreeMap<>()))))))));
    }

    static Object kib(Station[] stations, int n) {
        Station s = stations[0];
        return s.sum(s.add(s.add(s.add(s.add(s.add(s.add(s.matrix(1 << 14))))))));
    }

    static Object mib(Station[] stations, int n) {
        Station s = stations[0];
        return s.sum(s.add(s.add(s.add(s.add(s.add(s.add(s.matrix(1 << 17))))))));
    }

    static Object large(Station[] stations, int n) {
        Station s = stations[0];
        return s.sum(s.add(s.add(s.add(s.add(s.add(s.add(s.matrix(1 << 23))))))));
    }

    static Object mibServers(Station[] stations, int n) {
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

    static Object references(Station[] stations, int n) {
        Station s = stations[0];
        return s.total(s.raise(s.raise(s.raise(s.raise(s.raise(s.raise(s.place(1 << 10))))))));
    }

    static Object referencesServers(Station[] stations, int n) {
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
        return s.last(s.more(s.more(s.first(1 << 12))));
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

    static Object services(Station[] stations, int n) {
        return through(stations, n);
    }

    static Object servers(Station[] stations, int n) {
        return through(stations, n);
    }

    static Object recordsServers(Station[] stations, int n) {
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

    private static int through(Station[] stations, int n) {
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
}
