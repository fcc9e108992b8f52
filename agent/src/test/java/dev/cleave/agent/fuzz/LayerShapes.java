package dev.cleave.agent.fuzz;

import java.util.List;
import java.util.Random;

/**
 * Programs in layers, as applications are written: a repository that calls remote methods, perhaps behind an interface, a service that
 * loops over calls of the repository, perhaps a desk that loops over calls of the service, and a loop over calls of the uppermost
 * one. Each layer is a nested class that the program gets beside its method. Some repositories count, lock, throw or catch; some
 * programs hand in another object than the usual one.
 */
final class LayerShapes {

    /**
     * A program in layers.
     *
     * @param members the classes, one a line
     * @param statement what makes their objects and calls them; its holes are those of {@link ProgramShapes}
     */
    record Layers(String members, String statement) {}

    private static final List<String> ROWS = List.of(
            "return s.row(x & 31);",
            "return s.row(x & 31);",
            "if ((x & 3) == 0) return new int[] {x}; return s.row(x & 15);",
            "int m = s.get(x & 31) & 3; int[] z = new int[m]; for (int i = 0; i < m; i++) z[i] = s.get(i + x & 31); return z;",
            "return s.flag(x) ? s.row(x & 31) : new int[0];");

    private static final List<String> PRICES = List.of(
            "return s.get(x & 31);",
            "return s.get(x & 31);",
            "int p = s.get(x & 31); return p % 3 == 0 ? 0 : p;",
            "return s.get(s.get(x & 31) & 15);",
            "return (int) s.num(x & 31) * 3 - s.get(x & 7);",
            "return s.calc(x & 31) + 1;",
            "return s.look(x & 3);",
            "return scaled(s.get(x & 31));",
            "asked++; return s.get(x & 31) * 2 + asked;",
            "try { return 60 / (s.get(x & 31) % 5); } catch (ArithmeticException e) { return -1; }",
            "int p = s.get(x & 31); if (p % 11 == 7) throw new IllegalStateException(\"p\" + p); return p;",
            "if (x < 0) throw new IllegalArgumentException(\"x\" + x); return s.get(x & 31);",
            "synchronized (this) { return s.get(x & 31); }",
            "int r = 0; for (int l : s.row(x & 31)) r = r * 3 + s.get(l & 15); return r;",
            "return known.computeIfAbsent(x & 3, y -> s.get(y));");

    /** Each writes the same value for a key: {@code @Async} grants that two of them overlap, so which one is the last is open. */
    private static final List<String> KEEPS = List.of(
            "s.put(x & 7, v & 15);",
            "s.note(v & 15);",
            "if (v % 3 != 0) s.put(x & 7, v);",
            "s.set(x & 3, 5);",
            "if (s.set(x & 3, 5) % 5 == 1) s.note(x);");

    /** Of a service over the repository {@code rep}. */
    private static final List<String> TOTALS = List.of(
            "int r = x; for (int l : rep.rows(x)) r = r * 3 + rep.price(l & 31); return r;",
            "int r = 0; for (int l : rep.rows(x)) r = r * 3 + one(l); return r;",
            "return Arrays.stream(rep.rows(x)).map(l -> rep.price(l & 31)).sum();",
            "return Arrays.stream(rep.rows(x)).map(rep::price).sum();",
            "int p = rep.price(x); return p + rep.price(p & 15);",
            "return rep.price(x) * 3 - rep.price(x + 1);",
            "int p = rep.price(x); rep.keep(x, p); return p;",
            "for (int l : rep.rows(x)) { int p = rep.price(l); if (p % 5 == 2) continue; rep.keep(l, p); } return x;",
            "for (int l : rep.rows(x)) if (rep.price(l & 15) % 3 == 0) return l; return -x;",
            "int r = 0; for (int l : rep.rows(x)) try { r = r * 3 + rep.price(l); } catch (RuntimeException e) { r--; } return r;",
            "int r = 0; int[] z = rep.rows(x); for (int i = 0; i < z.length; i++) { z[i] = rep.price(z[i]); r += z[i]; } return r + z.length;",
            "List<Integer> z = new ArrayList<>(); for (int l : rep.rows(x)) z.add(rep.price(l)); int r = 7; for (int y : z) r = r * 3 + y; return r;",
            "Map<Integer, Integer> m = new TreeMap<>(); for (int l : rep.rows(x)) m.merge(l & 1, rep.price(l), Integer::sum); return m.toString().length() + m.size();",
            "return known.computeIfAbsent(x & 3, y -> rep.price(y)) + 1;",
            "count += x; return rep.price(count & 15) + count;",
            "return both(rep.price(x), rep.price(x + 2));",
            "StringBuilder b = new StringBuilder(); for (int l : rep.rows(x)) b.append(l).append(rep.price(l)).append(';'); return b.length();",
            "return Util.of(rep, x) - 1;",
            "int r = rep.price(x); for (int i = 0; i < (r & 3); i++) r = r * 5 - rep.price(i + r & 31); return r;");

    /** Of a desk over the service {@code sub}. */
    private static final List<String> DESKS = List.of(
            "return sub.of(x) + 1;",
            "int r = 0; for (int i = 0; i < 2; i++) r = r * 3 + sub.of(i + x & 31); return r;",
            "int r = sub.of(x); return r % 2 == 0 ? r : sub.of(x + 1);",
            "try { return sub.of(x); } catch (IllegalStateException e) { return -7; }",
            "return sub.of(x) - sub.of(x + 2);");

    private static final List<String> LOOPS = List.of(
            "for (int j# = 0; j# < n; j#++)",
            "for (int j# = 0; j# < n; j#++)",
            "for (int j# : xs)",
            "for (int j# : a)",
            "for (int j# = 0; j# < n; j#++) if ((j# & 3) != 1)",
            "for (int o# = 0; o# < 2; o#++) for (int j# : @s.row(o# & 31))");

    private static final List<String> USES = List.of(
            "@v = @v * 3 + d#.of(j#);",
            "@v = @v * 3 + d#.of(j#);",
            "{ int z# = d#.of(j#); if (z# % 7 == 3) continue; @v += z#; }",
            "{ int z# = d#.of(j#); if (z# % 13 == 5) break; @v += z#; }",
            "list.add(d#.of(j#) - 1);",
            "sb.append(d#.of(j#)).append(',');",
            "{ int z# = @s.get(j# & 31); @v = @v * 3 + d#.of(z# & 15) - z#; }",
            "try { @v += d#.of(j#); } catch (RuntimeException e) { caught++; sb.append(e.getMessage()); }",
            "f += d#.of(j#) + d#.of(j# + 1);");

    private static final List<String> STREAMS = List.of(
            "@v += xs.stream().mapToInt(y -> d#.of(y)).sum();",
            "@v += IntStream.range(0, n).map(d#::of).sum();",
            "sb.append(xs.stream().map(y -> d#.of(y & 15)).toList());",
            "@v = d#.of(@v & 31);");

    private final Random random;
    private final int number;
    private final boolean isByInterface;
    private final boolean isServiceByInterface;
    private final StringBuilder members = new StringBuilder();

    private LayerShapes(Random random, int number) {
        this.random = random;
        this.number = number;
        isByInterface = random.nextInt(3) > 0;
        isServiceByInterface = random.nextInt(3) == 0;
    }

    /** Chooses a program in layers, whose classes have a number in their names. */
    static Layers any(Random random, int number) {
        return new LayerShapes(random, number).layers();
    }

    private Layers layers() {
        repository();
        boolean hasService = random.nextInt(6) > 0;
        boolean hasDesk = hasService && random.nextInt(3) == 0;
        StringBuilder text = new StringBuilder("{ ").append(repositoryType()).append(" r# = ");
        text.append(random.nextInt(8) == 0 ? "n % 2 == 0 ? new Repo#(@s) : " + other() : "new Repo#(@s)")
                .append("; ");
        String uppermost = "r#";
        if (hasService) {
            service();
            text.append(serviceType()).append(" e# = new Serv#(r#, @s); ");
            uppermost = "e#";
        }
        if (hasDesk) {
            desk();
            text.append("Desk# k# = new Desk#(e#); ");
            uppermost = "k#";
        }
        boolean isStream = random.nextInt(5) == 0;
        String use = isStream ? any(STREAMS) : any(LOOPS) + " { " + any(USES) + " }";
        use = use.replace("d#", uppermost);
        text.append(hasService ? use : use.replace("r#.of(", "r#.price(").replace("r#::of", "r#::price"));
        if (hasService && !isServiceByInterface && random.nextInt(4) == 0) {
            text.append(" v3 += e#.count;");
        }
        return new Layers(
                members.toString().replace("#", String.valueOf(number)),
                text.append(" }").toString());
    }

    /** Another object than the usual one in place of the repository. */
    private String other() {
        return switch (random.nextInt(3)) {
            case 0 -> "null";
            case 1 -> "new Repo#(@s) { public int price(int x) { return x * 3 + asked++; } }";
            default -> "new Repo#(t)";
        };
    }

    private String repositoryType() {
        return isByInterface ? "Rep#" : "Repo#";
    }

    private String serviceType() {
        return isServiceByInterface ? "Ser#" : "Serv#";
    }

    private void repository() {
        if (isByInterface) {
            line("interface Rep# { int[] rows(int x); int price(int x); void keep(int x, int v); }");
        }
        line("static class Repo#" + (isByInterface ? " implements Rep#" : "") + " { private " + maybeFinal()
                + "FuzzService s; int asked; private final Map<Integer, Integer> known = new HashMap<>(); Repo#(FuzzService s) { this.s = s; }"
                + " public int[] rows(int x) { " + any(ROWS) + " } public int price(int x) { " + any(PRICES)
                + " } public void keep(int x, int v) { " + any(KEEPS)
                + " } private static int scaled(int p) { return p < 9 ? p : p * 2 - 9; } }");
    }

    private void service() {
        if (isServiceByInterface) {
            line("interface Ser# { int of(int x); }");
        }
        String total = any(TOTALS);
        line((random.nextBoolean() ? "static final class Serv#" : "static class Serv#")
                + (isServiceByInterface ? " implements Ser#" : "") + " { private " + maybeFinal() + repositoryType()
                + " rep; private final FuzzService s; int count; private final Map<Integer, Integer> known = new TreeMap<>(); Serv#("
                + repositoryType() + " rep, FuzzService s) { this.rep = rep; this.s = s; } public int of(int x) { "
                + total.replace("Util", "Util#")
                + " } private int one(int x) { int p = rep.price(x & 31); return p % 7 == 1 ? s.get(p & 7) : p; }"
                + " private static int both(int p, int q) { return p * 3 - q; } }");
        if (total.contains("Util")) {
            line(
                    "static final class Util# { static int of(" + repositoryType()
                            + " rep, int x) { int r = 1; for (int l : rep.rows(x)) r = r * 3 + rep.price(l & 15); return r; } }");
        }
    }

    private void desk() {
        line("static class Desk# { private " + maybeFinal() + serviceType() + " sub; Desk#(" + serviceType()
                + " sub) { this.sub = sub; } int of(int x) { " + any(DESKS) + " } }");
    }

    private String maybeFinal() {
        return random.nextBoolean() ? "final " : "";
    }

    private String any(List<String> choices) {
        return choices.get(random.nextInt(choices.size()));
    }

    private void line(String text) {
        members.append("  ").append(text).append('\n');
    }
}
