package dev.cleave.agent.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.agent.rule.Rule;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Programs as people write them: methods that another class could override, static methods of other classes, lists and maps within
 * results, caches in fields (R33, R43, R71).
 */
@Tag("one-jdk")
class OrdinaryProgramsTest extends StrandPrograms {

    /** Ends the last class in place of the one that the program stands in. */
    private static final String END = " static int q() { return 1;";

    private static final String SHOP =
            " static class Shop { final Svc s; Shop(Svc s) { this.s = s; } long total(int n) { long t = 0; for (int c = 0; c < n; c++) { long sum = 0; for (int id : s.row(c)) sum += order(id); t = t * 3 + sum; } return t; }"
                    + " long order(int id) { long t = 0; for (int k : s.row(id)) t = t * 5 + price(k); return t; } protected int price(int k) { int p = s.f(k); return p % 5 == 0 ? 0 : p; } }";

    /** A list that counts how often it is looked through. */
    private static final String ODD =
            " static int looks; static class Odd extends ArrayList<Svc.Part> { Odd(Collection<Svc.Part> c) { super(c); } @Override public Iterator<Svc.Part> iterator() { looks++; return super.iterator(); } }";

    OrdinaryProgramsTest() {
        super(8);
    }

    /** The classes of the program show themselves. */
    @Override
    void runFirst(Class<?> rewritten) {
        roundTrips(rewritten);
    }

    @TestFactory
    Stream<DynamicTest> programs() {
        ownMethods();
        staticMethods();
        parts();
        odd();
        caches();
        caught();
        containers();
        days();
        beans();
        builders();
        return tests();
    }

    /** The first run, in which the class of the static method is initialised, is as written. */
    @Test
    void firstRunsOfStaticMethodsAreAsWritten() {
        for (int n : new int[] {1, 5}) {
            Conformance fresh = new Conformance();
            fresh.addBody(
                    "fresh-initialiser",
                    "long t = 0; for (int i = 0; i < n; i++) t = t * 3 + (i < 3 ? s.f(seen) : Util.of(s, i + seen)); return t; } static int seen;"
                            + " static class Util { static { seen = 5; } static long of(Svc s, int i) { long t = 0; for (int k : s.row(i & 7)) t = t * 5 + s.f(k); return t; } }"
                            + END);
            fresh.addBody(
                    "fresh-failure",
                    "long t = 0; for (int i = 0; i < n; i++) try { t = t * 3 + Util.of(s, i); } catch (ExceptionInInitializerError e) { t += 3; } catch (NoClassDefFoundError e) { t += 5; } return t; }"
                            + " static class Util { static final int BASE = Integer.parseInt(\"x\"); static long of(Svc s, int i) { long t = BASE; for (int k : s.row(i & 7)) t = t * 5 + s.f(k); return t; } }"
                            + END);
            for (String name : List.of("p.PFreshInitialiser", "p.PFreshFailure")) {
                Class<?> written = fresh.programs().written(name);
                Class<?> rewritten = fresh.programs().rewritten(name);
                for (int run = 0; run < 3; run++) {
                    Outcome expected = Outcome.of(written, Schedule.ok(3), n);
                    Outcome actual = Outcome.of(rewritten, Schedule.ok(3), n);
                    assertThat(actual.result()).as(name + n).isEqualTo(expected.result());
                    assertThat(actual.log()).as(name + n).containsExactlyInAnyOrderElementsOf(expected.log());
                }
            }
        }
    }

    private void ownMethods() {
        strands("methods-of-an-open-class", 3, "return new Shop(s).total(n); }" + SHOP + END);
        same(
                "method-overridden",
                "Sale.asked = 0; Shop a = n % 2 == 0 ? new Shop(s) : new Sale(s); return a.total(n) + new Sale(s).total(n) + \" \" + Sale.asked; }"
                        + SHOP
                        + " static class Sale extends Shop { static int asked; Sale(Svc s) { super(s); } @Override protected int price(int k) { asked += k; return asked % 3 == 0 ? asked : s.f(asked & 7); } }"
                        + END);
        same(
                "other-object-each-time",
                "Shop[] all = {new Shop(s), new Sale(s), new Shop(z)}; long t = 0; for (int i = 0; i < n; i++) t = t * 3 + all[i % 3].order(i); return t; }"
                        + SHOP
                        + " static class Sale extends Shop { int asked; Sale(Svc s) { super(s); } @Override protected int price(int k) { asked += k; return asked % 3 == 0 ? asked : s.f(asked & 7); } }"
                        + END);
        same(
                "object-that-is-null",
                "Shop a = n > 3 ? null : new Shop(s); long t = 0; for (int i = 0; i < n; i++) t = t * 3 + of(a, i); return t; }"
                        + " static long of(Shop a, int i) { return a.order(i); }" + SHOP + END);
        same(
                "template-method",
                "return new Mine(s).total(n); } abstract static class Base { final Svc s; Base(Svc s) { this.s = s; } long total(int n) { long t = 0; for (int i = 0; i < n; i++) t = t * 3 + one(i); return t; } long one(int i) { long t = 0; for (int k : s.row(i)) t = t * 3 + price(k); return t; } abstract int price(int k); }"
                        + " static class Mine extends Base { int asked; Mine(Svc s) { super(s); } int price(int k) { return s.f(k) + asked++; } }"
                        + END);
    }

    private void staticMethods() {
        strands(
                "static-method-elsewhere",
                2,
                "long t = 0; for (int i = 0; i < n; i++) t = t * 3 + Util.of(s, i); return t; }"
                        + " static class Util { static long of(Svc s, int i) { long t = 0; for (int k : s.row(i)) t = t * 5 + one(s, k); return t; } private static int one(Svc s, int k) { int p = s.f(k); return p % 3 == 0 ? 1 : p; } }"
                        + END);
        same(
                "static-method-that-counts",
                "Util.calls = 7; long t = 0; for (int i = 0; i < n; i++) t = t * 3 + Util.of(s, i); return t + Util.calls; }"
                        + " static class Util { static int calls = 7; static long of(Svc s, int i) { long t = 0; for (int k : s.row(i + calls++ & 7)) t = t * 5 + s.f(k); return t; } }"
                        + END);
    }

    private void parts() {
        strands(
                "list-in-a-record",
                2,
                "long t = 0; for (int i = 0; i < n; i++) for (Svc.Part p : s.parcel(i).parts()) t = t * 3 + s.f(p.count()); return t;");
        strands(
                "lists-in-elements-of-a-list",
                2,
                "long t = 0; for (int i = 0; i < n; i++) for (Svc.Parcel c : s.parcels(i)) for (Svc.Part p : c.parts()) for (int tag : p.tags()) t = t * 3 + s.f(tag); return t;");
        same(
                "list-in-a-record-by-index",
                "long t = 0; for (int i = 0; i < n; i++) { Svc.Parcel c = s.parcel(i); for (int k = 0; k < c.parts().size(); k++) t = t * 3 + s.f(c.parts().get(k).count()) + c.number(); } return t;");
        strands(
                "lists-with-a-map-of-results",
                2,
                "Map<String, Map<String, Integer>> out = new TreeMap<>(); for (int i = 0; i < n; i++) { Svc.Parcel c = s.parcel(i); Map<String, Integer> in = out.computeIfAbsent(c.name(), k -> new TreeMap<>()); for (Svc.Parcel d : s.parcels(i)) for (Svc.Part p : d.parts()) in.merge(p.name(), s.f(p.count()), Integer::sum); } return out.toString();");
        strands(
                "list-in-a-record-of-a-helper",
                2,
                "long t = 0; for (int i = 0; i < n; i++) t = t * 3 + total(s, i); return t; }\n"
                        + "private static long total(Svc s, int i) { long t = 0; for (Svc.Part p : s.parcel(i).parts()) t += s.f(p.count()) * (long) p.tags().size(); return t;");
        strands(
                "list-in-a-record-or-null",
                2,
                "StringBuilder sb = new StringBuilder(); for (int i = 0; i < n; i++) { Svc.Parcel c = find(s, i, sb); if (c != null) for (Svc.Part p : c.parts()) sb.append(s.f(p.count())); } return sb.toString(); }\n"
                        + "private static Svc.Parcel find(Svc s, int i, StringBuilder sb) { try { return s.parcel(i); } catch (IllegalArgumentException e) { sb.append(e.getMessage()); return null; }");
        same(
                "odd-record-or-null",
                "looks = 0; Svc.Parcel o = new Svc.Parcel(3, \"x\", new Odd(Svc.Parcel.of(3).parts()), Map.of()); long t = 0; for (int i = 0; i < n; i++) { Svc.Parcel c = i % 4 == 0 ? null : s.parcel(i); if (i % 3 == 1) c = o; if (c != null) for (Svc.Part p : c.parts()) t = t * 3 + s.f(p.count() + looks); } return t; }"
                        + ODD + END);
        same(
                "map-in-a-record",
                "long t = 0; for (int i = 0; i < n; i++) for (Map.Entry<String, Integer> e : s.parcel(i).marks().entrySet()) t = t * 3 + s.f(e.getValue()) + e.getKey().length(); return t;");
        same(
                "text-of-each",
                "StringBuilder sb = new StringBuilder(); List<Integer> l = new ArrayList<>(); for (int i = 0; i < n; i++) l.add(i); for (int x : l) sb.append(String.format(\"%d %s%n\", x, s.f(x))); return sb.toString();");
    }

    /** Lists of the program among those of results. */
    private void odd() {
        same(
                "odd-list-added",
                "looks = 0; long t = 0; for (int i = 0; i < n; i++) { List<Svc.Parcel> l = new ArrayList<>(s.parcels(i)); l.add(new Svc.Parcel(i, \"x\", new Odd(l.get(0).parts()), Map.of())); for (Svc.Parcel c : l) for (Svc.Part p : c.parts()) t = t * 3 + s.f(p.count() + looks); } return t; }"
                        + ODD + END);
        same(
                "odd-record-chosen",
                "looks = 0; Svc.Parcel o = new Svc.Parcel(3, \"x\", new Odd(Svc.Parcel.of(3).parts()), Map.of()); long t = 0; for (int i = 0; i < n; i++) { Svc.Parcel c = s.parcel(i); if (i % 3 == 1) c = o; for (Svc.Part p : c.parts()) t = t * 3 + s.f(p.count() + looks); } return t; }"
                        + ODD + END);
        same(
                "odd-record-put-into-an-array",
                "looks = 0; Svc.Parcel o = new Svc.Parcel(3, \"x\", new Odd(Svc.Parcel.of(3).parts()), Map.of()); Svc.Parcel[] a = new Svc.Parcel[2]; long t = 0; for (int i = 0; i < n; i++) { a[0] = s.parcel(i); a[i % 2] = o; for (Svc.Part p : a[0] == null ? o.parts() : a[0].parts()) t = t * 3 + s.f(p.count() + looks); } return t; }"
                        + ODD + END);
        same(
                "odd-record-of-a-service-that-is-another-one-later",
                "looks = 0; Svc x = z instanceof LocalSvc ? z : new OddSvc(); Svc.Parcel c = x.parcel(4); x = s; long t = 0; for (int i = 0; i < n; i++) { t += x.f(i); for (Svc.Part p : c.parts()) t = t * 3 + x.f(p.count() + looks); } return t; }"
                        + ODD.replace(
                                "static int looks;",
                                "static int looks; static class OddSvc extends LocalSvc { @Override public Parcel parcel(int x) { Svc.Parcel c = Svc.Parcel.of(x); return new Svc.Parcel(c.number(), c.name(), new Odd(c.parts()), c.marks()); } }")
                        + END);
        same(
                "odd-list-of-a-constructor",
                "Svc.Wrapped.reset(); long t = 0; for (int i = 0; i < n; i++) { Svc.Wrapped w = s.wrapped(i); for (int k : w.keys()) t = t * 3 + k; t += s.f(i + Svc.Wrapped.looks()); } return t;");
        strands(
                "list-that-a-constructor-copies",
                2,
                "long t = 0; for (int i = 0; i < n; i++) for (int k : s.wrapped(i).copied()) t = t * 3 + s.f(k); return t;");
        same(
                "odd-list-of-a-local-object",
                "long t = 0; for (int i = 0; i < n; i++) for (Svc.Part p : z.parcel(i).parts()) t = t * 3 + z.f(p.count()) + s.f(i); return t;");
        same(
                "odd-list-set-in-a-list-of-a-helper",
                "looks = 0; long t = 0; for (int i = 0; i < n; i++) { List<Svc.Parcel> l = all(s, i); for (Svc.Parcel c : l) for (Svc.Part p : c.parts()) t = t * 3 + s.f(p.count() + looks); } return t; }\n"
                        + "private static List<Svc.Parcel> all(Svc s, int i) { List<Svc.Parcel> l = new ArrayList<>(s.parcels(i)); l.set(0, new Svc.Parcel(i, \"x\", new Odd(l.get(0).parts()), Map.of())); return l; }"
                        + ODD + END);
    }

    private void caught() {
        strands(
                "message-of-each-failure",
                2,
                "StringBuilder sb = new StringBuilder(); for (int i = 0; i < n; i++) for (int k : s.row(i)) try { sb.append(s.f(k)); } catch (RuntimeException e) { sb.append(e.getMessage()).append(';'); } return sb.toString();");
        overlaps(
                "text-of-each-failure",
                "StringBuilder sb = new StringBuilder(); for (int i = 0; i < n; i++) try { if (i % 5 == 4) throw new IllegalStateException(\"i\" + i); sb.append(s.f(i)); } catch (IllegalStateException e) { sb.append(\"x\" + e); } return sb.toString();");
        same(
                "failure-with-a-message-of-its-own",
                "looks = 0; StringBuilder sb = new StringBuilder(); for (int i = 0; i < n; i++) try { if (i % 3 == 1) throw new Odd(i); sb.append(s.f(i + looks)); } catch (RuntimeException e) { sb.append(e.getMessage()); } return sb.toString(); } static int looks;"
                        + " static class Odd extends RuntimeException { final int i; Odd(int i) { this.i = i; } @Override public String getMessage() { looks++; return \"odd\" + i; } }"
                        + END);
        same(
                "failure-of-a-method-with-a-message-of-its-own",
                "looks = 0; StringBuilder sb = new StringBuilder(); for (int i = 0; i < n; i++) try { check(i); sb.append(s.f(i + looks)); } catch (RuntimeException e) { sb.append(e.getMessage()); } return sb.toString(); } static int looks; static void check(int i) { if (i % 3 == 1) throw new Odd(i); }"
                        + " static class Odd extends RuntimeException { final int i; Odd(int i) { this.i = i; } @Override public String getMessage() { looks++; return \"odd\" + i; } }"
                        + END);
        same(
                "failure-whose-cause-has-a-text-of-its-own",
                "looks = 0; StringBuilder sb = new StringBuilder(); for (int i = 0; i < n; i++) try { if (i % 3 == 1) throw new IllegalStateException(new Odd(i)); sb.append(s.f(i + looks)); } catch (RuntimeException e) { sb.append(e.getCause() + e.getMessage()); } return sb.toString(); } static int looks;"
                        + " static class Odd extends RuntimeException { final int i; Odd(int i) { this.i = i; } @Override public String toString() { looks++; return \"odd\" + i; } }"
                        + END);
        same(
                "failure-that-makes-its-cause",
                "looks = 0; StringBuilder sb = new StringBuilder(); for (int i = 0; i < n; i++) try { if (i % 3 == 1) throw new Wrap(\"w\" + i); sb.append(s.f(i + looks)); } catch (RuntimeException e) { sb.append(e.getCause()).append(e.getMessage()); } return sb.toString(); } static int looks;"
                        + " static class Odd extends RuntimeException { @Override public String toString() { looks++; return \"odd\"; } } static class Wrap extends RuntimeException { Wrap(String m) { super(m); initCause(new Odd()); } }"
                        + END);
        same(
                "failure-of-an-initialiser",
                "StringBuilder sb = new StringBuilder(); for (int i = 0; i < n; i++) try { sb.append(s.f(i)).append(i > 2 ? Bad.of(i) : 0); } catch (Throwable e) { sb.append(e.getMessage()); } return sb.toString(); }"
                        + " static class Bad { static int of(int i) { return 9 / (i - 5); } }"
                        + END);
    }

    private void caches() {
        strands(
                "cache-in-a-field-beside-a-list",
                1,
                "List<String> l = new ArrayList<>(); for (int i = 0; i < n; i++) l.add(\"k\" + i * 7 % 5); return new Rates(s).total(l); }"
                        + " static class Rates { final Svc s; final Map<String, String> known = new HashMap<>(); Rates(Svc s) { this.s = s; } String total(List<String> l) { StringBuilder t = new StringBuilder(); for (String k : l) { String v = known.get(k); if (v == null) { v = s.s(k); known.put(k, v); } t.append(v); } return t + known.toString(); } }"
                        + END);
        strands(
                "cache-in-a-field-of-a-method",
                1,
                "List<String> l = new ArrayList<>(); for (int i = 0; i < n; i++) l.add(\"k\" + i * 7 % 5); return new Rates(s).total(l); }"
                        + " static class Rates { final Svc s; final Map<String, String> known = new HashMap<>(); Rates(Svc s) { this.s = s; } String total(List<String> l) { StringBuilder t = new StringBuilder(); for (String k : l) t.append(of(k)); return t + known.toString(); }"
                        + " String of(String k) { String v = known.get(k); if (v == null) { v = s.s(k); known.put(k, v); } return v; } }"
                        + END);
        same(
                "cache-that-is-the-list-of-its-keys",
                "Map<String, String> m = new LinkedHashMap<>(); for (int i = 0; i < n; i++) m.put(\"k\" + i, i % 2 == 0 ? null : \"v\" + i); List<String> l = new ArrayList<>(m.keySet()); l.add(\"k99\"); StringBuilder t = new StringBuilder(); for (String k : l) { String v = m.get(k); if (v == null) { v = s.s(k); m.put(k, v); l.set(l.size() - 1, \"k98\"); } t.append(v); } return t + m.toString();");
    }

    private void containers() {
        overlaps(
                "slot-used-again",
                "String[] ks = new String[n]; for (int i = 0; i < n; i++) ks[i] = \"k\" + i * 3; Map<String, Integer> m = new HashMap<>();"
                        + " for (String k : ks) { int v = s.f(k.length()); m.put(k, v * 3); }"
                        + " List<Map.Entry<String, Integer>> l = new ArrayList<>(m.entrySet()); return l.size() + \" \" + new TreeMap<>(m); }"
                        + END);
        same(
                "slot-of-a-key-with-code",
                "Key.asked = 0; Map<Object, Integer> m = new HashMap<>();"
                        + " for (int i = 0; i < n; i++) { if (i % 2 == 0) { String k = \"k\" + i; m.put(k, s.f(Key.asked & 7)); } else { Key k = new Key(i); m.put(k, s.f(Key.asked & 7)); } }"
                        + " return m.size() + \" \" + Key.asked; } static class Key { static int asked; final int i; Key(int i) { this.i = i; } @Override public int hashCode() { return asked += i; } }"
                        + END);
        overlaps(
                "lists-in-an-enum-map",
                "Map<Odd, List<Integer>> m = new EnumMap<>(Odd.class);"
                        + " for (int i = 0; i < n; i++) m.computeIfAbsent(s.ok(i) ? Odd.YES : Odd.NO, k -> new ArrayList<>()).add(i);"
                        + " return m.toString(); } enum Odd { YES, NO }" + END);
        overlaps(
                "one-of-two-lists",
                "List<Integer> yes = new ArrayList<>(), no = new ArrayList<>(); for (int i = 0; i < n; i++) (s.ok(i) ? yes : no).add(i); return yes + \" \" + no; }"
                        + END);
        same(
                "one-of-two-lists-that-others-know",
                "kept = new ArrayList<>(); List<Integer> no = new ArrayList<>(); long t = 0; for (int i = 0; i < n; i++) { (s.ok(i) ? kept : no).add(i); t = t * 3 + s.f(size()); } return t + \" \" + no; } static List<Integer> kept; static int size() { return kept.size(); }"
                        + END);
        same(
                "one-of-two-lists-of-which-one-counts",
                "Odd.looks = 0; List<Integer> yes = new ArrayList<>(), no = new Odd(); long t = 0; for (int i = 0; i < n; i++) { (i % 3 == 0 ? yes : no).add(i); t = t * 3 + s.f(Odd.looks & 7); } return t + \" \" + yes + no; }"
                        + " static class Odd extends ArrayList<Integer> { static int looks; @Override public boolean add(Integer x) { looks += x; return super.add(x); } }"
                        + END);
        overlaps(
                "results-added-to-a-set",
                "Set<String> all = new LinkedHashSet<>(); for (int i = 0; i < n; i++) all.addAll(s.names(i)); return all.toString(); }"
                        + END);
        overlaps(
                "results-added-to-a-list",
                "List<Svc.Parcel> all = new ArrayList<>(); for (int i = 0; i < n; i++) all.addAll(s.parcels(i)); return all.size(); }"
                        + END);
        sequential(
                "objects-added-to-a-set",
                Rule.R43,
                "Set<Svc.Parcel> all = new LinkedHashSet<>(); for (int i = 0; i < n; i++) all.addAll(s.parcels(i)); return all.size(); }"
                        + END);
        same(
                "keys-with-code-added-to-a-set",
                "Key.asked = 0; Set<Object> all = new HashSet<>(); long t = 0; for (int i = 0; i < n; i++) { List<Key> keys = new ArrayList<>(); keys.add(new Key(i)); all.addAll(keys); t = t * 3 + s.f(Key.asked & 7); } return t; }"
                        + " static class Key { static int asked; final int i; Key(int i) { this.i = i; } @Override public int hashCode() { return asked += i; } }"
                        + END);
        overlaps(
                "results-grouped-by-hand",
                "Map<String, List<Integer>> back = new HashMap<>(); for (int i = 0; i < n; i++) for (String l : s.names(i & 3)) { List<Integer> from = back.get(l); if (from == null) { from = new ArrayList<>(); back.put(l, from); } from.add(i); } return new TreeMap<>(back).toString(); }"
                        + END);
        same(
                "group-that-others-know",
                "kept = null; Map<String, List<Integer>> back = new HashMap<>(); for (int i = 0; i < n; i++) for (String l : s.names(i + size() & 3)) { List<Integer> from = back.get(l); if (from == null) { from = new ArrayList<>(); back.put(l, from); kept = from; } from.add(i); } return new TreeMap<>(back).toString(); } static List<Integer> kept; static int size() { return kept == null ? 0 : kept.size(); }"
                        + END);
        same(
                "groups-whose-list-is-looked-through",
                "Map<String, List<Integer>> back = new HashMap<>(); List<Integer> first = new ArrayList<>(); back.put(\"n0\", first); long t = 0; for (int i = 0; i < n; i++) { for (int k : first) t = t * 3 + s.f(k & 7); for (String l : s.names(i & 3)) { List<Integer> from = back.get(l); if (from == null) { from = new ArrayList<>(); back.put(l, from); } from.add(i); } } return t + new TreeMap<>(back).toString(); }"
                        + END);
        overlaps(
                "result-that-contains-a-value",
                "int t = 0; for (int i = 0; i < n; i++) if (s.names(i).contains(\"n\" + i)) t += 1 + s.names(i + 1).indexOf(\"m\" + i); return t; }"
                        + END);
        same(
                "result-that-contains-an-object",
                "Key.asked = 0; int t = 0; for (int i = 0; i < n; i++) if (s.names(i + Key.asked & 7).contains(new Key())) t++; return t + Key.asked; }"
                        + " static class Key { static int asked; @Override public boolean equals(Object o) { asked++; return asked % 3 == 0; } @Override public int hashCode() { return 1; } }"
                        + END);
        overlaps(
                "set-of-what-was-seen-by-level",
                "Set<String> seen = new LinkedHashSet<>(); Set<String> front = new LinkedHashSet<>(); front.add(\"a\"); for (int d = 0; d < n && d < 4; d++) { Set<String> next = new LinkedHashSet<>(); for (String at : front) if (seen.add(at)) next.addAll(s.names(at.length() + d)); front = next; } return seen + \" \" + front; }"
                        + END);
    }

    private void days() {
        overlaps(
                "days",
                "java.time.LocalDate to = java.time.LocalDate.of(2026, 11, 20).plusDays(n); long t = 0; for (java.time.LocalDate d = java.time.LocalDate.of(2026, 11, 20); d.isBefore(to); d = d.plusDays(1)) t = t * 3 + s.f(d.getDayOfMonth()); return t; }"
                        + END);
        overlaps(
                "printed-with-a-format",
                "for (int i = 0; i < n; i++) System.out.printf(s.f(i) < 0 ? \"%d\" : \"\", i); return n; }" + END);
        sequential(
                "printed-object",
                Rule.R43,
                "Shown.asked = 0; for (int i = 0; i < n; i++) System.out.printf(s.f(Shown.asked & 7) < 0 ? \"%s\" : \"\", new Shown(i)); return n; }"
                        + " static class Shown { static int asked; final int i; Shown(int i) { this.i = i; } @Override public String toString() { asked += i; return \"\"; } }"
                        + END);
    }

    private void beans() {
        overlaps(
                "bean-of-a-service",
                "long t = 0; for (int i = 0; i < n; i++) { Svc.Bean b = s.bean(i); t = t * 3 + b.getNumber(); b.setNumber(i + 1); b.setName(b.getName().trim()); t += b.getNumber() + b.getName().length(); } return t; }"
                        + END);
        strands(
                "keys-of-beans",
                2,
                "long t = 0; for (int i = 0; i < n; i++) for (int k : s.bean(i).getKeys()) t = t * 3 + s.f(k); return t; }"
                        + END);
        same(
                "bean-that-counts",
                "Svc.OddBean.reset(); long t = 0; for (int i = 0; i < n; i++) { Svc.Bean b = z.oddBean(i); t = t * 3 + b.getNumber() + s.f(Svc.OddBean.looks() & 7); } return t; }"
                        + END);
        same(
                "keys-of-beans-that-count",
                "Svc.OddBean.reset(); long t = 0; for (int i = 0; i < n; i++) for (int k : z.oddBean(i).getKeys()) t = t * 3 + s.f(k + Svc.OddBean.looks() & 7); return t; }"
                        + END);
        same(
                "keys-set-in-a-bean",
                "Keys.looks = 0; long t = 0; for (int i = 0; i < n; i++) { Svc.Bean b = s.bean(i); if (i == 2) b.setKeys(new Keys(b.getKeys())); for (int k : b.getKeys()) t = t * 3 + s.f(k + Keys.looks & 7); } return t; }"
                        + " static class Keys extends ArrayList<Integer> { static int looks; Keys(Collection<Integer> c) { super(c); } @Override public Iterator<Integer> iterator() { looks++; return super.iterator(); } }"
                        + END);
        same(
                "keys-of-a-bean-that-a-method-fills",
                "Svc.Filled.reset(); long t = 0; for (int i = 0; i < n; i++) { Svc.Filled b = s.filled(i); for (int k : b.getKeys()) t = t * 3 + k; t = t * 5 + s.f(Svc.Filled.looks() & 7); } return t; }"
                        + END);
        same(
                "bean-or-another-one",
                "Svc.OddBean.reset(); Svc.Bean own = new Svc.OddBean(); long t = 0; for (int i = 0; i < n; i++) { Svc.Bean b = s.bean(i); if (i == 2) b = own; t = t * 3 + b.getNumber() + s.f(Svc.OddBean.looks() & 7); } return t; }"
                        + END);
        same(
                "bean-that-is-null",
                "long t = 0; for (int i = 0; i < n; i++) { Svc.Bean b = s.bean(i); if (i == 3) b = null; t = t * 3 + b.getNumber(); } return t; }"
                        + END);
    }

    private void builders() {
        String builder =
                " static class Shelf { final String name; final int size; Shelf(String name, int size) { this.name = name; this.size = size; } static Made make() { return new Made(); } }"
                        + " static class Made { String name; int size; static int made; Made name(String x) { name = x; return this; } Made size(int x) { size = x; return this; } Shelf build() { return new Shelf(name, size); } }";
        overlaps(
                "builder",
                "List<Shelf> all = new ArrayList<>(); for (int i = 0; i < n; i++) { String x = s.s(\"k\" + i); all.add(new Made().name(x).size(s.f(i)).build()); } String t = \"\"; for (Shelf a : all) t += a.name + a.size; return t; }"
                        + builder + END);
        overlaps(
                "builder-of-a-static-method",
                "List<Shelf> all = new ArrayList<>(); for (int i = 0; i < n; i++) { String x = s.s(\"k\" + i); all.add(Shelf.make().name(x).size(s.f(i)).build()); } String t = \"\"; for (Shelf a : all) t += a.name + a.size; return t; }"
                        + builder + END);
        same(
                "builder-that-counts",
                "Made.made = 0; String t = \"\"; for (int i = 0; i < n; i++) { Made m = i % 2 == 0 ? new Made() : new Counting(); String x = s.s(\"k\" + Made.made); t += m.name(x).size(s.f(i)).build().name; } return t; }"
                        + " static class Counting extends Made { @Override Made name(String x) { made++; return super.name(x); } }"
                        + builder + END);
        same(
                "builder-that-gives-another",
                "Made.made = 0; String t = \"\"; for (int i = 0; i < n; i++) { String x = s.s(\"k\" + Made.made); t += new Odd().name(x).size(s.f(i)).build().name; } return t; }"
                        + " static class Odd extends Made { @Override Made name(String x) { return x.length() % 2 == 0 ? this : new Counting(); } } static class Counting extends Made { @Override Made size(int x) { made++; return super.size(x); } }"
                        + builder + END);
    }
}
