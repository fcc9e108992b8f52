package dev.cleave.agent.later;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.agent.conformance.Compiler;
import dev.cleave.later.LaterArguments;
import dev.cleave.later.TakesLater;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Which methods are rewritten, how arguments find them, and what happens when they do not arrive. */
class LaterShapesTest {

    private static final Map<String, String> SOURCES = Map.of(
            "p.Shapes",
            """
            package p;
            import dev.cleave.*;
            import java.io.*;
            import java.util.*;
            @Remote public interface Shapes {
              record Row(int[] cells) {}
              class Matrix {
                public final int[] cells;
                public Matrix(int... cells) { this.cells = cells; }
                public Matrix times(Matrix other) {
                  int[] c = cells.clone();
                  for (int i = 0; i < c.length; i++) c[i] *= other.cells[i];
                  return new Matrix(c);
                }
                @Override public String toString() { return Arrays.toString(cells); }
              }
              Object rang(Matrix a, @Later Matrix b, int p);
              int rows(@Later List<Row> rows);
              int read(@Later InputStream in) throws IOException;
              int plain(int[] a);
              int whole(int[] a);
              int[] restored(@InOut int[] a);
              int both(int[] a, @Later int[] b);
              int first(@Later int[] a, int n);
              int recover(@Later int[] a);
              long progress(@Later int[] a, @Later int[] b);
            }
            """,
            "p.RealShapes",
            """
            package p;
            import java.io.*;
            import java.util.*;
            public class RealShapes implements Shapes {
              public static int steps;
              public Object rang(Matrix a, Matrix b, int p) {
                Matrix r = a;
                for (int i = 0; i < p; i++) { r = r.times(r); steps++; }
                return r.times(b).toString();
              }
              public int rows(List<Row> rows) {
                steps++;
                int s = 0;
                for (Row row : rows) for (int x : row.cells()) s += x;
                return s;
              }
              public int read(InputStream in) throws IOException {
                steps++;
                return in.read() + in.read();
              }
              public int plain(int[] a) { steps = 5; int s = 0; for (int x : a) s += x; return s; }
              public int whole(int[] a) { return Arrays.hashCode(a); }
              public int[] restored(int[] a) { steps = 6; a[0]++; return a; }
              public int both(int[] a, int[] b) {
                int s = 0;
                for (int i = 0; i < a.length; i++) s += a[i] * b[i];
                return s;
              }
              public int first(int[] a, int n) {
                int s = 0;
                for (int i = 0; i < n; i++) { s += a[i]; steps++; }
                return s;
              }
              public int recover(int[] a) {
                int s = 0;
                try {
                  for (int x : a) s += x;
                } catch (RuntimeException e) {
                  return -s;
                } finally {
                  steps++;
                }
                return s;
              }
              public long progress(int[] a, int[] b) {
                long s = 0;
                for (int x : a) s += x;
                steps++;
                for (int x : b) s += x;
                return s;
              }
            }
            """,
            "p.Generic",
            "package p; import dev.cleave.*; @Remote public interface Generic<T, R> { R run(@Later T t, int n); }",
            "p.RealGeneric",
            """
            package p;
            public class RealGeneric implements Generic<int[], Integer> {
              public Integer run(int[] a, int n) { int s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }
            }
            """,
            "p.SubGeneric",
            """
            package p;
            public class SubGeneric extends RealGeneric {
              @Override public Integer run(int[] a, int n) { return -super.run(a, n); }
            }
            """,
            "p.Defaults",
            """
            package p;
            public interface Defaults extends Summing {
              default int sum(int[] a) { int s = 0; for (int x : a) s += x; return s; }
            }
            """,
            "p.Summing",
            "package p; import dev.cleave.*; @Remote public interface Summing { int sum(@Later int[] a); }",
            "p.RealDefaults",
            "package p; public class RealDefaults implements Defaults {}",
            "p.Base",
            """
            package p;
            public abstract class Base implements Summing {}
            """,
            "p.Derived",
            """
            package p;
            public class Derived extends Base {
              public int sum(int[] a) { int s = 0; for (int x : a) s += x; return s; }
            }
            """);

    private static final int[] INTS = {3, 1, 4, 1, 5, 9, 2, 6};

    private final LaterPrograms programs = new LaterPrograms(SOURCES);

    private ScriptedLater handed(Method method, Object[] arguments, int lostAt, Integer... later) {
        return new ScriptedLater(
                LaterPrograms.key(method), LaterPrograms.copies(arguments), Set.of(later), new Random(2), 1, lostAt);
    }

    private Method method(String type, String name) {
        return LaterPrograms.method(programs.loaded(type), name);
    }

    @Test
    void objectsAreWaitedForWhereTheyAreUsed() throws Exception {
        Class<?> matrix = programs.loaded("p.Shapes$Matrix");
        Object two = matrix.getConstructor(int[].class).newInstance((Object) new int[] {2, 3});
        Object five = matrix.getConstructor(int[].class).newInstance((Object) new int[] {5, 7});
        Class<?> type = programs.loaded("p.RealShapes");
        Method rang = method("p.RealShapes", "rang");
        ScriptedLater later = handed(rang, new Object[] {two, five, 2}, -1, 1);

        assertThat(programs.arriving("p.RealShapes", rang, later).result()).isEqualTo("[[80, 567]]");

        later = handed(rang, new Object[] {two, five, 2}, 0, 1);
        type.getField("steps").set(null, 0);
        assertThat(programs.arriving("p.RealShapes", rang, later).result()).contains("Lost");
        assertThat(type.getField("steps").get(null)).isEqualTo(2); // all that did not need it was done
    }

    @Test
    void listsAndStreams() throws Exception {
        Object row = programs.loaded("p.Shapes$Row").getConstructor(int[].class).newInstance((Object) INTS);
        Method rows = method("p.RealShapes", "rows");
        ScriptedLater later = handed(rows, new Object[] {List.of(row, row)}, -1, 0);
        assertThat(programs.arriving("p.RealShapes", rows, later).result()).isEqualTo("[62]");

        Method read = method("p.RealShapes", "read");
        InputStream in = new ByteArrayInputStream(new byte[] {3, 4});
        assertThat(programs.arriving("p.RealShapes", read, handed(read, new Object[] {in}, -1, 0))
                        .result())
                .isEqualTo("[7]");
    }

    @Test
    void callersMayChooseParametersThatAreNotMarked() {
        Method plain = method("p.RealShapes", "plain");
        ScriptedLater later = handed(plain, new Object[] {INTS}, -1, 0);

        assertThat(programs.arriving("p.RealShapes", plain, later).result()).isEqualTo("[31]");

        assertThat(later.waits()).isEqualTo(INTS.length);
        assertThat(programs.rewritten("p.RealShapes").verdicts()).doesNotContainKey("plain([I)I");
        assertThat(programs.same("p.RealShapes", "plain", INTS).result()).isEqualTo("[31]");
    }

    @Test
    void methodsThatNeedTheirArgumentsAtOnceOrRestoreThemStay() {
        for (String name : List.of("whole", "restored")) {
            assertThat(method("p.RealShapes", name).isAnnotationPresent(TakesLater.class))
                    .as(name)
                    .isFalse();
        }
    }

    @Test
    void whoeverCallsMaySendAnythingLater() {
        Method both = method("p.RealShapes", "both");
        for (Integer[] later : new Integer[][] {{0}, {1}, {0, 1}}) {
            ScriptedLater arguments = handed(both, new Object[] {INTS, INTS}, -1, later);
            assertThat(programs.arriving("p.RealShapes", both, arguments).result())
                    .isEqualTo("[173]");
        }
    }

    @Test
    void waitsForNoMoreThanItTouches() {
        Method first = method("p.RealShapes", "first");
        ScriptedLater later = handed(first, new Object[] {INTS, 3}, -1, 0);
        Object result = callHanded("p.RealShapes", first, later);
        assertThat(result).isEqualTo(8);
        assertThat(later.arrived(0)).isEqualTo(3);
        assertThat(later.waits()).isEqualTo(3);

        Method progress = method("p.RealShapes", "progress");
        later = handed(progress, new Object[] {INTS, INTS}, 5, 0, 1);
        assertThat(callHanded("p.RealShapes", progress, later)).isInstanceOf(ScriptedLater.Lost.class);
        assertThat(later.wasAsked(0)).isTrue();
        assertThat(later.wasAsked(1)).isFalse();
    }

    @Test
    void whatIsLostSurfacesWhereItIsNeeded() throws Exception {
        Method first = method("p.RealShapes", "first");
        Class<?> type = programs.loaded("p.RealShapes");
        for (int lostAt = 0; lostAt < INTS.length; lostAt++) {
            for (int n = 0; n <= INTS.length; n++) {
                type.getField("steps").set(null, 0);
                Object result = callHanded("p.RealShapes", first, handed(first, new Object[] {INTS, n}, lostAt, 0));
                if (n <= lostAt) {
                    assertThat(result).isEqualTo(Arrays.stream(INTS, 0, n).sum());
                } else {
                    assertThat(result).isInstanceOf(ScriptedLater.Lost.class);
                    assertThat(((Throwable) result).getStackTrace())
                            .anyMatch(frame -> frame.getClassName().equals("p.RealShapes")
                                    && frame.getMethodName().equals("first"));
                }
                assertThat(type.getField("steps").get(null)).isEqualTo(Math.min(n, lostAt));
            }
        }
    }

    @Test
    void handlersOfTheProgramSeeWhatIsLost() throws Exception {
        Method recover = method("p.RealShapes", "recover");
        Class<?> type = programs.loaded("p.RealShapes");
        type.getField("steps").set(null, 0);
        assertThat(callHanded("p.RealShapes", recover, handed(recover, new Object[] {INTS}, 4, 0)))
                .isEqualTo(-9);
        assertThat(type.getField("steps").get(null)).isEqualTo(1);
    }

    @Test
    void bridgesLeadToTheirMethod() throws Exception {
        Class<?> generic = programs.loaded("p.RealGeneric");
        Method bridge = generic.getMethod("run", Object.class, int.class);
        assertThat(bridge.isBridge()).isTrue();
        ScriptedLater later = handed(bridge, new Object[] {INTS, 3}, -1, 0);
        assertThat(programs.arriving("p.RealGeneric", bridge, later).result()).isEqualTo("[8]");
        later = handed(bridge, new Object[] {INTS, 3}, -1, 0);
        callHanded("p.RealGeneric", bridge, later);
        assertThat(later.arrived(0)).isEqualTo(3);

        Method method = method("p.RealGeneric", "run");
        later = handed(method, new Object[] {INTS, 3}, -1, 0);
        assertThat(programs.arriving("p.RealGeneric", method, later).result()).isEqualTo("[8]");
    }

    @Test
    void bridgesWaitForClassesThatOverride() throws Exception {
        Class<?> sub = programs.loaded("p.SubGeneric");
        Method bridge = sub.getMethod("run", Object.class, int.class);
        assertThat(programs.arriving("p.SubGeneric", bridge, handed(bridge, new Object[] {INTS, 3}, -1, 0))
                        .result())
                .isEqualTo("[-8]");
        LaterPrograms partly = new LaterPrograms(Compiler.compile(SOURCES), Set.of("p.SubGeneric"));
        Method inherited = partly.loaded("p.SubGeneric").getMethod("run", Object.class, int.class);
        if (inherited.isAnnotationPresent(TakesLater.class)) {
            assertThat(partly.arriving("p.SubGeneric", inherited, handed(inherited, new Object[] {INTS, 3}, -1, 0))
                            .result())
                    .isEqualTo("[-8]");
        }
    }

    @Test
    void defaultAndInheritedMethods() {
        assertThat(programs.concerns("p.Defaults")).isTrue();
        assertThat(programs.concerns("p.Derived")).isTrue();
        for (String type : List.of("p.RealDefaults", "p.Derived")) {
            Method sum = method(type, "sum");
            ScriptedLater later = handed(sum, new Object[] {INTS}, -1, 0);
            assertThat(programs.arriving(type, sum, later).result()).isEqualTo("[31]");
            assertThat(later.waits()).isEqualTo(INTS.length);
        }
    }

    @Test
    void whatAnotherMethodLeftBehindIsNotTaken() {
        Method first = method("p.RealShapes", "first");
        Method recover = method("p.RealShapes", "recover");
        handed(first, new Object[] {INTS, 3}, -1, 0).handOver();
        Object target = LaterPrograms.make(programs.loaded("p.RealShapes"));
        assertThat(LaterPrograms.call(recover, target, INTS)).isEqualTo(31);
        LaterArguments.clear();
    }

    private Object callHanded(String type, Method method, ScriptedLater later) {
        Object target = LaterPrograms.make(programs.loaded(type));
        later.handOver();
        try {
            return LaterPrograms.call(method, target, later.given());
        } finally {
            LaterArguments.clear();
        }
    }
}
