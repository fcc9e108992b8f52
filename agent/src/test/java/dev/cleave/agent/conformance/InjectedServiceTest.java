package dev.cleave.agent.conformance;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/** Loops over calls of objects of other classes, by their classes or by interfaces, which call remote methods (R68, R71). */
@Tag("one-jdk")
class InjectedServiceTest extends StrandPrograms {

    private static final String PRICES = " interface Prices { int of(int i); }"
            + " static class Shop implements Prices { final Svc svc; Shop(Svc svc) { this.svc = svc; } public int of(int i) { return svc.f(i) * 2; } }";

    /** Ends the last class in place of the one that the program stands in. */
    private static final String END = " static int q() { return 1;";

    private static final String TOP =
            " static class Top { final Desk desk; Top(Desk d) { desk = d; } long of(int i) { long t = desk.total(i); for (int k = 0; k < 2; k++) t = t * 3 + desk.total(i + k); return t; } }";

    private static final String LAYERS =
            " interface Totals { long total(int i); } interface Rows { int[] of(int c); int price(int x); }"
                    + " static class Orders implements Rows { final Svc svc; int asked; Orders(Svc svc) { this.svc = svc; } public int[] of(int c) { return svc.row(c); } public int price(int x) { return svc.f(x); } }"
                    + " static class Desk implements Totals { Orders orders; Desk(Orders o) { orders = o; } public long total(int i) { long t = 0; for (int x : orders.of(i)) t = t * 3 + one(x); return t; } private long one(int x) { int p = orders.price(x); return p < 0 ? 0 : p; } }";

    InjectedServiceTest() {
        super(20);
    }

    /** The classes of the program show themselves. */
    @Override
    void runFirst(Class<?> rewritten) {
        roundTrips(rewritten);
    }

    @TestFactory
    Stream<DynamicTest> programs() {
        interfaces();
        several();
        layers();
        streams();
        handlers();
        traps();
        return tests();
    }

    private void interfaces() {
        trips(
                "interface",
                1,
                "Prices p = new Shop(s); long t = 0; for (int i = 0; i < n; i++) t = t * 3 + p.of(i); return t; }"
                        + PRICES + END);
        trips(
                "interface-in-a-field",
                1,
                "User u = new User(); u.prices = new Shop(s); return u.total(n); }"
                        + PRICES
                        + " static class User { Prices prices; long total(int n) { long t = 0; for (int i = 0; i < n; i++) t = t * 3 + prices.of(i) + prices.of(i + 1); return t; } }"
                        + END);
        trips(
                "interface-in-a-stream",
                1,
                "Prices p = new Shop(s); List<Integer> ids = new ArrayList<>(); for (int i = 0; i < n; i++) ids.add(i); return ids.stream().mapToInt(x -> p.of(x)).sum(); }"
                        + PRICES
                        + END);
        trips(
                "interface-behind-a-call",
                2,
                "return new User(new Shop(s), s).total(n); }"
                        + PRICES
                        + " record User(Prices prices, Svc s) { long total(int n) { long t = 0; for (int i = 0; i < n; i++) { String name = s.s(\"k\" + i); t = t * 3 + prices.of(name.length()) + name.length(); } return t; } }"
                        + END);
        trips(
                "method-that-returns-nothing",
                3,
                "Log log = new Log(s); for (int i = 0; i < n; i++) { int v = s.f(i); log.save(v); } return s.load(2); } static class Log { private final Svc svc; Log(Svc svc) { this.svc = svc; } void save(int v) { svc.put(v); } }"
                        + END);
    }

    private void several() {
        trips(
                "two-repositories",
                2,
                "return new Report(new Orders(s), new Shop(s)).text(n); }"
                        + PRICES
                        + " interface Rows { int[] of(int c); } static class Orders implements Rows { private final Svc svc; Orders(Svc svc) { this.svc = svc; } public int[] of(int c) { return svc.row(c); } }"
                        + " static class Report { private final Rows orders; private final Prices prices; Report(Rows o, Prices p) { orders = o; prices = p; } String text(int n) { StringBuilder b = new StringBuilder(); for (int c = 0; c < n; c++) { double sum = 0; for (int o : orders.of(c)) { double p = prices.of(o); if (p < 0) continue; sum += p * 1.2; } b.append(c).append(sum).append(';'); } return b.toString(); } }"
                        + END);
        trips(
                "two-calls-of-a-class",
                1,
                "Shop p = new Shop(s); long t = 0; for (int i = 0; i < n; i++) t = t * 3 + p.of(i) - p.of(i + 1); return t; }"
                        + PRICES + END);
        trips(
                "class-behind-a-class",
                1,
                "Desk d = new Desk(new Shop(s)); long t = 0; for (int i = 0; i < n; i++) t = t * 3 + d.of(i); return t; }"
                        + PRICES
                        + " static class Desk { private final Shop shop; Desk(Shop shop) { this.shop = shop; } int of(int i) { return shop.of(i) + 1; } }"
                        + END);
    }

    /** A loop over calls of an object whose class loops over calls of another one. */
    private void layers() {
        trips("two-layers", 2, layers("new Orders(s)") + LAYERS + END);
        trips(
                "two-layers-by-interfaces",
                2,
                layers("new Orders(s)").replace("Desk d =", "Totals d =")
                        + LAYERS.replace("Orders orders;", "Rows orders;").replace("Desk(Orders", "Desk(Rows")
                        + END);
        trips(
                "private-method-in-between",
                2,
                "return new User(new Orders(s)).all(n); } static class User { final Orders orders; User(Orders o) { orders = o; } long all(int n) { long t = 0; for (int i = 0; i < n; i++) t = t * 3 + one(i); return t; } private long one(int i) { long t = 0; for (int x : orders.of(i)) t = t * 3 + orders.price(x); return t; } }"
                        + LAYERS
                        + END);
        trips(
                "function-in-between",
                2,
                "Orders o = new Orders(s); long t = 0; for (int i = 0; i < n; i++) t = t * 3 + Arrays.stream(o.of(i)).map(x -> o.price(x)).sum() - Arrays.stream(o.of(i)).map(o::price).sum() / 2; return t; }"
                        + LAYERS
                        + END);
        same("second-layer-is-null", layers("n % 2 == 0 ? new Orders(s) : null") + LAYERS + END);
        same("second-layer-has-a-local-service", layers("n % 2 == 0 ? new Orders(s) : new Orders(z)") + LAYERS + END);
        same(
                "second-layer-of-a-subclass",
                layers("n % 2 == 0 ? new Orders(s) : new Orders(s) { public int price(int x) { return x; } }")
                        + LAYERS
                        + END);
        same(
                "second-layer-that-counts",
                layers("new Orders(s)") + LAYERS.replace("return svc.f(x);", "return svc.f(x + asked++);") + END);
        same(
                "second-layer-that-changes",
                "Orders[] all = {new Orders(s), new Orders(z)}; Desk d = new Desk(all[0]); long t = 0; for (int i = 0; i < n; i++) { t = t * 3 + d.total(i); if (i == 3) d.orders = all[1]; } return t; }"
                        + LAYERS
                        + END);
        trips(
                "three-layers",
                2,
                "Top p = new Top(new Desk(new Orders(s))); long t = 0; for (int i = 0; i < n; i++) t = t * 3 + p.of(i); return t; }"
                        + TOP
                        + LAYERS
                        + END);
        same("third-layer-has-a-local-service", top("n % 2 == 0 ? new Orders(s) : new Orders(z)") + TOP + LAYERS + END);
        same(
                "third-layer-of-a-subclass",
                top("n % 2 == 0 ? new Orders(s) : new Orders(s) { public int price(int x) { return x + asked++; } }")
                        + TOP
                        + LAYERS
                        + END);
        same(
                "four-layers",
                "First f = new First(new Top(new Desk(new Orders(s)))); long t = 0; for (int i = 0; i < n; i++) t = t * 3 + f.of(i) - f.of(i + 1); return t; } static class First { final Top top; First(Top t) { top = t; } long of(int i) { return top.of(i) + 1; } }"
                        + TOP
                        + LAYERS
                        + END);
        same(
                "layers-in-a-circle",
                "Left a = new Left(s); Right b = new Right(a); a.right = b; long t = 0; for (int i = 0; i < n; i++) t = t * 3 + b.of(i); return t; } static class Left { final Svc svc; Right right; Left(Svc svc) { this.svc = svc; } int of(int i) { return i % 2 == 0 ? svc.f(i) : right.of(i / 2); } } static class Right { final Left left; Right(Left l) { left = l; } int of(int i) { return left.of(i) + left.svc.g(i); } }"
                        + END);
    }

    /** Streams over calls of objects, and in the methods of other classes. */
    private void streams() {
        trips(
                "stream-of-two-layers",
                2,
                "Desk d = new Desk(new Orders(s)); List<Integer> ids = new ArrayList<>(); for (int i = 0; i < n; i++) ids.add(i); return ids.stream().mapToLong(x -> d.total(x)).sum(); }"
                        + LAYERS
                        + END);
        trips(
                "reference-to-a-method-of-two-layers",
                2,
                "Desk d = new Desk(new Orders(s)); return java.util.stream.IntStream.range(0, n).mapToLong(d::total).sum(); }"
                        + LAYERS
                        + END);
        trips(
                "stream-in-another-class",
                2,
                "Rack r = new Rack(new Orders(s)); long t = 0; for (int i = 0; i < n; i++) t = t * 3 + r.of(i); return t; }"
                        + " static class Rack { final Orders orders; Rack(Orders o) { orders = o; } long of(int i) { return Arrays.stream(orders.of(i)).map(x -> orders.price(x) * 2).sum() + Arrays.stream(orders.of(i)).map(orders::price).max().orElse(1); } }"
                        + LAYERS
                        + END);
        trips(
                "reference-to-a-method-that-does-more",
                2,
                "Twice p = new Twice(s); long t = 0; for (int i = 0; i < n; i++) t = t * 3 + java.util.stream.IntStream.range(0, i & 3).map(p::of).sum(); return t; } static class Twice { final Svc svc; Twice(Svc svc) { this.svc = svc; } int of(int i) { return svc.f(svc.g(i) & 31) * 2 + i; } }"
                        + END);
        same(
                "reference-to-a-method-that-keeps-its-calls",
                "Loopy p = new Loopy(s); long t = 0; for (int i = 0; i < n; i++) t = t * 3 + java.util.stream.IntStream.range(0, i & 3).map(p::of).map(x -> s.f(x & 7)).sum(); return t; } static class Loopy { final Svc svc; Loopy(Svc svc) { this.svc = svc; } int of(int i) { return i > 20 ? 1 : svc.f(i) + of(2 * i + 9); } }"
                        + END);
        trips(
                "call-of-a-group-in-another-class",
                21,
                "Book b = new Book(s); long t = 0; for (int i = 0; i < n; i++) t = t * 3 + b.of(i); return t; } static class Book { final Svc svc; Book(Svc svc) { this.svc = svc; } int of(int i) { int p = svc.f(i); svc.kept(p & 15); return p; } }"
                        + END);
        same(
                "stream-of-objects-that-change",
                "Desk[] all = {new Desk(new Orders(s)), new Desk(new Orders(z)), null}; long t = 0; try { t = java.util.stream.IntStream.range(0, n).mapToLong(x -> all[x % 3].total(x)).sum(); } catch (NullPointerException e) { t = -1; } return t; }"
                        + LAYERS
                        + END);
        same(
                "stream-of-a-subclass",
                "Desk d = n % 2 == 0 ? new Desk(new Orders(s)) : new Desk(new Orders(s)) { public long total(int i) { return super.total(i + 1); } public String toString() { return \"\"; } }; return java.util.stream.IntStream.range(0, n).mapToLong(x -> d.total(x) - d.total(x + 1)).sum(); }"
                        + LAYERS
                        + END);
    }

    /** Methods of other classes that handle exceptions, and loops that handle theirs. */
    private void handlers() {
        trips(
                "handler-in-another-class",
                1,
                "Calm2 b = new Calm2(s); long t = 0; for (int i = 0; i < n; i++) t = t * 3 + b.of(i) - b.of(i + 1); return t; } static class Calm2 { final Svc svc; Calm2(Svc svc) { this.svc = svc; } int of(int i) { try { return 100 / (svc.f(i) % 5); } catch (ArithmeticException e) { return -1; } } }"
                        + END);
        trips(
                "handler-around-two-layers",
                3,
                "Desk d = new Desk(new Orders(s)); long t = 0; int bad = 0; for (int i = 0; i < n; i++) try { t = t * 3 + d.total(i); } catch (IllegalStateException e) { bad++; } return t + bad; }"
                        + LAYERS
                        + END);
        trips(
                "handler-between-two-layers",
                2,
                "Safe b = new Safe(new Orders(s)); long t = 0; for (int i = 0; i < n; i++) t = t * 3 + b.of(i); return t; } static class Safe { final Orders orders; int bad; Safe(Orders o) { orders = o; } long of(int i) { long t = 0; for (int x : orders.of(i)) try { t = t * 3 + 60 / (orders.price(x) % 4); } catch (ArithmeticException e) { t--; } finally { bad++; } return t; } }"
                        + LAYERS
                        + END);
        same(
                "handler-of-what-the-second-layer-throws",
                "Safe2 b = new Safe2(new Picky(s)); long t = 0; for (int i = 0; i < n; i++) t = t * 3 + b.of(i) - b.of(i + 1); return t; } static class Picky { final Svc svc; Picky(Svc svc) { this.svc = svc; } int of(int i) { int v = svc.f(i); if (v % 7 == 3) throw new IllegalStateException(\"v\" + v); return svc.g(v & 15); } } static class Safe2 { final Picky picky; Safe2(Picky p) { picky = p; } int of(int i) { try { return picky.of(i) + picky.of(i + 2); } catch (IllegalStateException e) { return e.getMessage().length(); } } }"
                        + END);
        same(
                "result-that-leaves-a-loop-of-another-class",
                "Finder b = new Finder(new Orders(s)); long t = 0; for (int i = 0; i < n; i++) t = t * 3 + b.of(i); return t; } static class Finder { final Orders orders; Finder(Orders o) { orders = o; } int of(int i) { for (int x : orders.of(i)) if (orders.price(x) % 3 == 0) return x; return -i; } }"
                        + LAYERS
                        + END);
    }

    private static String top(String orders) {
        return "Top p = new Top(new Desk(" + orders
                + ")); long t = 0; for (int i = 0; i < n; i++) t = t * 3 + p.of(i); return t; }";
    }

    private static String layers(String orders) {
        return "Desk d = new Desk(" + orders
                + "); long t = 0; for (int i = 0; i < n; i++) t = t * 3 + d.total(i); return t; }";
    }

    private void traps() {
        same("another-object-null", another("null"));
        same("another-object-of-a-lambda", another("(Prices) x -> x + Count.c++"));
        same("another-object-with-a-local-service", another("new Shop(z)"));
        same("another-object-of-a-subclass", another("new Shop(s) { public int of(int i) { return i; } }"));
        same(
                "object-that-changes",
                "Prices[] all = {new Shop(s), new Shop(z), x -> 7}; Prices p = all[0]; long t = 0; for (int i = 0; i < n; i++) { t = t * 3 + p.of(i) + p.of(i + 1); p = all[i % 3]; } return t; }"
                        + PRICES
                        + END);
        same(
                "object-whose-service-changes",
                "Box2 b = new Box2(); b.svc = s; long t = 0; for (int i = 0; i < n; i++) { t = t * 3 + b.of(i) + b.of(i + 1); if (i == 5) b.svc = z; } return t; } static class Box2 { Svc svc; int of(int i) { return svc.f(i); } }"
                        + END);
        same(
                "object-that-counts",
                "Tally2 b = new Tally2(s); long t = 0; for (int i = 0; i < n; i++) t = t * 3 + b.of(i) - b.of(i + 1); return t + b.asked; } static class Tally2 { final Svc svc; int asked; Tally2(Svc svc) { this.svc = svc; } int of(int i) { asked++; return svc.f(i + asked); } }"
                        + END);
        same(
                "object-that-is-locked",
                "Lock2 b = new Lock2(s); long t = 0; for (int i = 0; i < n; i++) t = t * 3 + b.of(i) - b.of(i + 1); return t; } static class Lock2 { final Svc svc; Lock2(Svc svc) { this.svc = svc; } synchronized int of(int i) { return svc.f(i); } }"
                        + END);
        same(
                "object-that-catches",
                "Calm b = new Calm(s); long t = 0; for (int i = 0; i < n; i++) t = t * 3 + b.of(i) - b.of(i + 1); return t; } static class Calm { final Svc svc; Calm(Svc svc) { this.svc = svc; } int of(int i) { try { return 100 / (svc.f(i) % 5); } catch (ArithmeticException e) { return -1; } } }"
                        + END);
        same(
                "object-that-throws",
                "Strict b = new Strict(s); long t = 0; for (int i = 0; i < n; i++) t = t * 3 + b.of(i) - b.of(i + 1); return t; } static class Strict { final Svc svc; Strict(Svc svc) { this.svc = svc; } int of(int i) { int v = svc.f(i); if (v % 11 == 7) throw new IllegalStateException(\"v\" + v); return v; } }"
                        + END);
        same(
                "handler-around",
                "Strict3 b = new Strict3(s); long t = 0; int bad = 0; for (int i = 0; i < n; i++) try { t = t * 3 + b.of(i) - b.of(i + 1); } catch (IllegalStateException e) { bad++; } return t + bad; } static class Strict3 { final Svc svc; Strict3(Svc svc) { this.svc = svc; } int of(int i) { int v = svc.f(i); if (v < 0) throw new IllegalStateException(\"v\" + v); return v; } }"
                        + END);
        same(
                "method-that-a-subclass-has",
                "Base2[] all = {new Base2(s), new Sub2(s)}; long t = 0; for (Base2 b : all) for (int i = 0; i < n; i++) t = t * 3 + b.of(i) - b.of(i + 1); return t; } static class Base2 { final Svc svc; Base2(Svc svc) { this.svc = svc; } int of(int i) { return svc.f(i); } } static class Sub2 extends Base2 { Sub2(Svc svc) { super(svc); } int of(int i) { return super.of(i + 1) * 2; } }"
                        + END);
        same(
                "object-that-calls-itself",
                "Rec b = new Rec(s); long t = 0; for (int i = 0; i < 3; i++) t = t * 3 + b.of(i) - b.of(i + 1); return t; } static class Rec { final Svc svc; Rec(Svc svc) { this.svc = svc; } int of(int i) { return i > 20 ? 1 : svc.f(i) + of(2 * i + 1); } }"
                        + END);
        same(
                "object-that-calls-itself-by-its-interface",
                "Sized b = new Folder(s, 3, n); return b.size() * 5 + b.size(); } interface Sized { long size(); } static class Folder implements Sized { final Svc svc; final int number; final Sized[] inside; Folder(Svc svc, int depth, int number) { this.svc = svc; this.number = number; inside = new Sized[depth == 0 ? 0 : 2]; for (int i = 0; i < inside.length; i++) inside[i] = new Folder(svc, depth - 1, 2 * number + i); } public long size() { long t = 0; for (Sized each : inside) t = t * 3 + each.size(); return t + svc.f(number); } }"
                        + END);
        same(
                "interface-called-from-its-class",
                "Prices p = new Both(s); return ((Both) p).total(p, n); } interface Prices { int of(int i); } static class Both implements Prices { final Svc svc; Both(Svc svc) { this.svc = svc; } public int of(int i) { return svc.f(i); } long total(Prices p, int n) { long t = 0; for (int i = 0; i < n; i++) t = t * 3 + p.of(i) - p.of(i + 1); return t; } }"
                        + END);
    }

    /** A loop whose object is the expected one, or another one. */
    private static String another(String made) {
        return "Count.c = 0; Prices p = n % 2 == 0 ? new Shop(s) : "
                + made
                + "; long t = 0; for (int i = 0; i < n; i++) t = t * 3 + p.of(i); return t + Count.c; } static class Count { static int c; }"
                + PRICES
                + END;
    }
}
