package dev.cleave.agent.later;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.agent.later.LaterPrograms.Outcome;
import dev.cleave.agent.plan.verdict.Verdict;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("one-jdk")
class LaterKernelsTest {

    private static final String SERVICE = """
            package p;
            import dev.cleave.*;
            @Remote public interface Kernels {
              double sum(@Later double[] a);
              int dot(@Later int[] a, @Later int[] b);
              double[] add(@Later double[] a, @Later double[] b);
              double[][] addAll(@Later double[][] a, @Later double[][] b);
              double[][] byRows(@Later double[][] a);
              double[][] byColumns(@Later double[][] a);
              long gather(@Later long[] a, @Later int[] x);
              int search(@Later byte[] a, int wanted);
              int early(@Later short[] a);
              int guarded(@Later int[] a, int at);
              void twice(@Later float[] a);
              int swapped(@Later int[] a, @Later int[] b);
              int get(@Later int[] a, int at);
              int length(@Later char[] a);
              boolean isNull(@Later boolean[] a);
              Object stored(@Later int[] a);
              int each(@Later int[] a, @Later int[] b);
              int chosen(@Later int[] a, @Later int[] b, boolean first);
              int overwritten(@Later int[] a, int n);
              int depth(@Later int[] a, int n);
              int locked(@Later int[] a);
              int captured(@Later int[] a);
              int[] returned(@Later int[] a);
              int helper(@Later int[] a, @Later int[] b);
              int caught(@Later int[] a, int n);
              String text(@Later String text, @Later Integer number);
              boolean isSame(@Later int[] a, @Later int[] b);
              void store(@Later int[] a, int at, int value);
              void rows(@Later int[][] rows, int at);
              int mixed(@Later int[] a, int n);
              int cube(@Later int[][][] a);
              int selected(@Later int[] a, int which);
              int afterwards(@Later int[] a, int at);
              int inTurn(@Later int[][] rows, @Later int[] a);
              long stepped(@Later int[][] rows, int n);
            }
            """;

    private static final String REAL = """
            package p;
            import java.util.*;
            import java.util.function.*;
            public class Real implements Kernels {
              Object field;
              public double sum(double[] a) {
                double s = 0;
                for (double x : a) s += x;
                return s;
              }
              public int dot(int[] a, int[] b) {
                int s = 0;
                for (int i = 0; i < a.length; i++) s += a[i] * b[i];
                return s;
              }
              public double[] add(double[] a, double[] b) {
                double[] c = new double[a.length];
                for (int i = 0; i < c.length; i++) c[i] = a[i] + b[i];
                return c;
              }
              public double[][] addAll(double[][] a, double[][] b) {
                double[][] c = new double[a.length][];
                for (int i = 0; i < a.length; i++) {
                  c[i] = new double[a[i].length];
                  for (int j = 0; j < a[i].length; j++) c[i][j] = a[i][j] + b[i][j];
                }
                return c;
              }
              public double[][] byRows(double[][] a) {
                int n = a.length;
                double[][] c = new double[n][n];
                for (int i = 0; i < n; i++)
                  for (int k = 0; k < n; k++) {
                    double x = a[i][k];
                    for (int j = 0; j < n; j++) c[i][j] += x * a[k][j];
                  }
                return c;
              }
              public double[][] byColumns(double[][] a) {
                int n = a.length;
                double[][] c = new double[n][n];
                for (int i = 0; i < n; i++)
                  for (int j = 0; j < n; j++) {
                    double s = 0;
                    for (int k = 0; k < n; k++) s += a[i][k] * a[k][j];
                    c[i][j] = s;
                  }
                return c;
              }
              public long gather(long[] a, int[] x) {
                long s = 0;
                for (int i = 0; i < x.length; i++) s = 31 * s + a[x[i]];
                return s;
              }
              public int search(byte[] a, int wanted) {
                int i = 0;
                while (true) {
                  if (a[i] == wanted) return i;
                  i++;
                }
              }
              public int early(short[] a) {
                int s = 0;
                outer:
                for (int i = 0; i < a.length; i++) {
                  if (a[i] < 0) break;
                  if (a[i] == 7) continue;
                  for (int j = 0; j <= i; j++) {
                    if (a[j] == 9) continue outer;
                    s += a[j];
                  }
                }
                return s;
              }
              public int guarded(int[] a, int at) {
                int s = 0;
                for (int i = 0; i < a.length; i++) {
                  try {
                    s += a[i] / (i - at);
                  } catch (ArithmeticException e) {
                    s += 1000;
                    if (at == 3) throw new IllegalStateException("three " + s);
                  } finally {
                    s++;
                  }
                }
                return s;
              }
              public void twice(float[] a) {
                for (int i = 0; i < a.length; i++) a[i] *= 2;
              }
              public int swapped(int[] a, int[] b) {
                int s = 0;
                int[] x = a;
                int[] y = b;
                for (int i = 0; i < 4; i++) {
                  s = s * 3 + x[i];
                  int[] z = x;
                  x = y;
                  y = z;
                }
                return s;
              }
              public int get(int[] a, int at) {
                return a[at];
              }
              public int length(char[] a) {
                return a.length;
              }
              public boolean isNull(boolean[] a) {
                return a == null;
              }
              public Object stored(int[] a) {
                field = a;
                return a.length;
              }
              public int each(int[] a, int[] b) {
                int s = 0;
                for (int x : a) s += x;
                for (int y : b) s = s * 3 + y;
                return s;
              }
              public int chosen(int[] a, int[] b, boolean first) {
                int[] c = first ? a : b;
                int s = 0;
                for (int i = 0; i < c.length; i++) s += c[i];
                return s;
              }
              public int overwritten(int[] a, int n) {
                int s = 0;
                for (int i = 0; i < n; i++) {
                  s += a[i];
                  if (i == 2) a = new int[] {1, 2, 3, 4, 5, 6, 7, 8, 9};
                }
                return s;
              }
              public int depth(int[] a, int n) {
                if (n == 0) return a[0];
                return depth(a, n - 1) + a[n];
              }
              public int locked(int[] a) {
                int s = 0;
                synchronized (a) {
                  for (int x : a) s += x;
                }
                return s;
              }
              public int captured(int[] a) {
                IntSupplier all = () -> Arrays.stream(a).sum();
                return all.getAsInt();
              }
              public int[] returned(int[] a) {
                return a;
              }
              private int more(int[] a, int n) {
                return a[n];
              }
              public int helper(int[] a, int[] b) {
                int s = 0;
                for (int i = 0; i < a.length; i++) s += a[i] + more(b, i);
                return s;
              }
              public int caught(int[] a, int n) {
                int s = 0;
                try {
                  for (int i = 0; i < n; i++) s += a[i];
                } catch (ArrayIndexOutOfBoundsException e) {
                  s = -s;
                } catch (NullPointerException e) {
                  s = -1;
                }
                return s;
              }
              public String text(String text, Integer number) {
                int n = 0;
                for (int i = 0; i < number; i++) n += i;
                return text + n + text.length();
              }
              public boolean isSame(int[] a, int[] b) {
                return a == b;
              }
              public void store(int[] a, int at, int value) {
                a[at] = value;
              }
              public void rows(int[][] rows, int at) {
                for (int i = 0; i < rows.length; i++) {
                  if (i != at) rows[i] = rows[at];
                }
              }
              public int mixed(int[] a, int n) {
                int[] b = n > 3 ? a : new int[] {4, 5, 6};
                int s = 0;
                for (int i = 0; i < 3; i++) {
                  s += b[i];
                  if (s > 9) b = a;
                }
                return s + b.length;
              }
              public int cube(int[][][] a) {
                int s = 0;
                for (int[][] plane : a) for (int[] row : plane) for (int x : row) s = 7 * s + x;
                return s;
              }
              public int selected(int[] a, int which) {
                int s = 0;
                for (int i = 0; i < a.length; i++) {
                  switch (which) {
                    case 0 -> s += a[i];
                    case 1 -> s += a[a.length - 1 - i];
                    case 2 -> { if (i > 2) return s; s -= a[0]; }
                    default -> throw new IllegalArgumentException("which " + a[i]);
                  }
                }
                return s;
              }
              public int afterwards(int[] a, int at) {
                int s = 0;
                try {
                  s += a[at];
                } catch (ArrayIndexOutOfBoundsException e) {
                  s += a[2];
                } finally {
                  s = 31 * s + a[0];
                }
                return s;
              }
              public int inTurn(int[][] rows, int[] a) {
                int s = 0;
                for (int i = 0; i < rows.length; i++) {
                  for (int j = 0; j < rows[i].length; j++) {
                    if (rows[i][j] == 4) continue;
                    s = 3 * s + rows[i][j] + a[i] + rows[0][0];
                  }
                  try {
                    s += a[i + 1];
                  } catch (RuntimeException e) {
                    s++;
                  }
                }
                return s;
              }
              public long stepped(int[][] rows, int n) {
                long s = 0;
                int at = 0;
                int other = 1;
                while (at < rows.length) {
                  for (int j = 0; j < n; j++) s = 7 * s + rows[at][j] + rows[other][0];
                  if (s % 2 == 0) { other = at; at++; continue; }
                  at += 1;
                  other = rows.length - 1;
                }
                return s;
              }
            }
            """;

    private static final LaterPrograms PROGRAMS = new LaterPrograms(Map.of("p.Kernels", SERVICE, "p.Real", REAL));

    private static Outcome same(String name, Object... arguments) {
        return PROGRAMS.same("p.Real", name, arguments);
    }

    private static final int[] INTS = {3, 1, 4, 1, 5, 9, 2, 6};
    private static final int[] MORE = {2, 7, 1, 8, 2, 8, 1, 8};
    private static final double[] DOUBLES = {1.5, 2.5, -3, 4, 5.25};
    private static final double[][] SQUARE = {{1, 2, 3}, {4, 5, 6}, {7, 8, 10}};

    @Test
    void looksAtTheClassesThatImplementSuchMethods() {
        assertThat(PROGRAMS.concerns("p.Real")).isTrue();
    }

    @Test
    void sums() {
        assertThat(same("sum", DOUBLES).result()).isEqualTo("[10.25]");
        same("sum", new double[0]);
        assertThat(same("sum", (Object) null).result()).contains("NullPointerException");
    }

    @Test
    void dots() {
        same("dot", INTS, MORE);
        assertThat(same("dot", INTS, new int[] {1, 2}).result()).contains("ArrayIndexOutOfBounds");
        assertThat(same("dot", INTS, null).result()).contains("NullPointerException");
        same("dot", new int[0], null);
    }

    @Test
    void adds() {
        same("add", DOUBLES, DOUBLES);
        same("addAll", SQUARE, SQUARE);
        same("addAll", SQUARE, new double[][] {{1, 1, 1}, {2}, {3, 3, 3}});
        same("addAll", new double[][] {{1}, null}, SQUARE);
    }

    @Test
    void squares() {
        same("byRows", (Object) SQUARE);
        same("byColumns", (Object) SQUARE);
        same("byColumns", (Object) new double[][] {{1, 2}, {3}});
    }

    @Test
    void gathers() {
        same("gather", new long[] {5, 6, 7, 8}, new int[] {3, 0, 2, 2, 1});
        same("gather", new long[] {5, 6, 7, 8}, new int[] {3, 0, -1, 2});
        same("gather", new long[] {5, 6, 7, 8}, new int[] {3, 4});
    }

    @Test
    void searches() {
        same("search", new byte[] {1, 2, 3, 4}, 3);
        same("search", new byte[] {1, 2, 3, 4}, 9);
        same("early", new short[] {1, 7, 2, 3, 9, 4, -1, 5});
    }

    @Test
    void keepsHandlers() {
        same("guarded", INTS, 2);
        same("guarded", INTS, 3);
        same("guarded", INTS, -1);
        same("caught", INTS, 5);
        same("caught", INTS, 50);
        same("caught", null, 5);
    }

    @Test
    void waitsInHandlersToo() {
        same("afterwards", INTS, 5);
        same("afterwards", INTS, 50);
        same("afterwards", null, 5);
        same("afterwards", new int[] {1, 2}, 2);
    }

    @Test
    void passesBeginWhenAllIsThereThatTheyNeed() {
        int[][] rows = {{1, 2, 3}, {4, 5, 6}, {}, {7, 4, 9}};
        same("inTurn", rows, INTS);
        same("inTurn", rows, new int[] {1, 2, 3});
        same("inTurn", new int[][] {{1}, null}, INTS);
        same("inTurn", null, INTS);
        same("stepped", rows, 0);
        same("stepped", new int[][] {{1, 2}, {4, 5}, {7, 4}, {3, 8}, {1, 1}}, 2);
        same("stepped", rows, 2);
    }

    @Test
    void writes() {
        same("twice", new float[] {1, 2, 3});
        same("store", INTS, 3, 77);
        same("store", INTS, -3, 77);
        same("store", INTS, 300, 77);
        same("rows", new int[][] {{1}, {2}, {3, 4}, null}, 2);
    }

    @Test
    void readsOne() {
        same("get", INTS, 0);
        same("get", INTS, 7);
        same("get", INTS, 8);
        same("get", INTS, -1);
        same("get", INTS, Integer.MIN_VALUE);
        same("get", INTS, Integer.MAX_VALUE);
        same("get", null, 1);
    }

    @Test
    void asksForTheArrayAlone() {
        same("length", (Object) new char[] {'a', 'b'});
        same("length", (Object) null);
        same("isNull", (Object) null);
        same("isNull", (Object) new boolean[3]);
        same("isSame", INTS, MORE);
    }

    @Test
    void knowsVariablesApart() {
        same("swapped", INTS, MORE);
        same("each", INTS, MORE);
        same("chosen", INTS, MORE, true);
        same("chosen", INTS, MORE, false);
        same("overwritten", INTS, 8);
        same("overwritten", INTS, 2);
        same("mixed", INTS, 5);
        same("mixed", INTS, 1);
        same("selected", INTS, 0);
        same("selected", INTS, 1);
        same("selected", INTS, 2);
        same("selected", INTS, 3);
        same("cube", (Object) new int[][][] {{{1, 2}, {3}}, {}, {{4}}});
    }

    @Test
    void lettingItGoWaitsForTheWhole() {
        same("stored", INTS);
        same("locked", INTS);
        same("captured", INTS);
        same("returned", INTS);
        same("helper", INTS, MORE);
        same("depth", INTS, 5);
        same("text", "abc", 4);
        same("text", null, 4);
        same("text", "abc", null);
    }

    @Test
    void tellsWhereItWaits() {
        List<Verdict> verdicts = PROGRAMS.verdicts("p.Real");
        assertThat(verdicts).allMatch(verdict -> verdict.outcome() == Verdict.Outcome.LATER);
        assertThat(verdicts.stream().map(v -> v.call() + ": " + v.refusal().reason()))
                .contains("@Later a: waits for the array itself at line 8; for each element at line 8")
                .contains("@Later b: waits whole at line 160: passed to Real.more");
    }
}
