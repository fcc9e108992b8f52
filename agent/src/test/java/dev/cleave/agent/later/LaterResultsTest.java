package dev.cleave.agent.later;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.agent.conformance.Locking;
import dev.cleave.agent.plan.verdict.Verdict;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Callers whose results arrive while they are used do what they do as written, wherever a result is lost. */
class LaterResultsTest {

    /** Those that use results piece by piece. */
    private static final Set<String> PIECEWISE = Set.of(
            "loop",
            "forEach",
            "caught",
            "finallyAround",
            "logBehind",
            "fieldBehind",
            "fieldRead",
            "newArray",
            "behindTheEnd",
            "divides",
            "half",
            "two",
            "twoLoops",
            "sameVariable",
            "inLoop",
            "inLoopHalf",
            "previous",
            "previousInside",
            "breaks",
            "inPlace",
            "rows",
            "rowsNull",
            "ints",
            "longs",
            "bytes",
            "floats",
            "locked",
            "lockBehind",
            "math",
            "builder",
            "nested",
            "branches",
            "passes",
            "crosses",
            "passesToSync",
            "passesAndReads",
            "passesAndWrites",
            "passesAndShares",
            "passesBetweenLogs",
            "passesCaught",
            "switches",
            "staticMethod");

    /** Those that have to wait for the whole result where they call. */
    private static final Set<String> WHOLE = Set.of(
            "seenByHandler",
            "tryAroundTheCall",
            "tryAroundTheLoop",
            "logBefore",
            "logInside",
            "fieldInside",
            "oldArray",
            "divideCaught",
            "none",
            "passesToSum",
            "stored",
            "returned",
            "helper",
            "captured",
            "chosen",
            "searches",
            "lengthOnly",
            "sharedStatic");

    private static final Map<String, String> SOURCES = Map.of(
            "p.Pipe",
            """
            package p;
            import dev.cleave.*;
            @Remote public interface Pipe {
              @Later double[] square(int n);
              @Later double[] cube(int n);
              @Later double[] none(int n);
              @Later double[] fails(int n);
              @Later int[] ints(int n);
              @Later long[] longs(int n);
              @Later byte[] bytes(int n);
              @Later float[] floats(int n);
              @Later double[][] rows(int n);
              @Async @Later double[] scale(@Later double[] a);
              @Later double[] rescale(@Later double[] a);
              double sum(@Later double[] a);
            }
            """,
            "p.Mill",
            "package p; import dev.cleave.*; @Remote public interface Mill { double mill(@Later double[] a, int n); }",
            "p.RealMill",
            """
            package p;
            public class RealMill implements Mill {
              public Pipe next;
              public double mill(double[] a, int n) {
                double[] b = next.scale(a);
                double s = 0;
                for (int i = 0; i < n; i++) s += a[i] * b[i];
                a[0] = 5;
                return s + a[0] + b[0];
              }
            }
            """,
            "p.PipeStub",
            """
            package p;
            import dev.cleave.agent.later.PipeScript;
            import dev.cleave.later.LaterArguments;
            public final class PipeStub extends dev.cleave.call.Stub implements Pipe {
              final PipeScript script;
              public PipeStub(PipeScript script) { this.script = script; }
              public String service() { return "pipe"; }
                          public double[] square(int n) { return (double[]) script.call("square", n); }
              public final LaterArguments square$later(int n) { return script.begin("square", n); }
              public double[] cube(int n) { return (double[]) script.call("cube", n); }
              public final LaterArguments cube$later(int n) { return script.begin("cube", n); }
              public double[] none(int n) { return (double[]) script.call("none", n); }
              public final LaterArguments none$later(int n) { return script.begin("none", n); }
              public double[] fails(int n) { return (double[]) script.call("fails", n); }
              public final LaterArguments fails$later(int n) { return script.begin("fails", n); }
              public int[] ints(int n) { return (int[]) script.call("ints", n); }
              public final LaterArguments ints$later(int n) { return script.begin("ints", n); }
              public long[] longs(int n) { return (long[]) script.call("longs", n); }
              public final LaterArguments longs$later(int n) { return script.begin("longs", n); }
              public byte[] bytes(int n) { return (byte[]) script.call("bytes", n); }
              public final LaterArguments bytes$later(int n) { return script.begin("bytes", n); }
              public float[] floats(int n) { return (float[]) script.call("floats", n); }
              public final LaterArguments floats$later(int n) { return script.begin("floats", n); }
              public double[][] rows(int n) { return (double[][]) script.call("rows", n); }
              public final LaterArguments rows$later(int n) { return script.begin("rows", n); }
              public double[] scale(double[] n) { return (double[]) script.call("scale", n); }
              public final LaterArguments scale$later(double[] n) { return script.begin("scale", n); }
              public double[] rescale(double[] n) { return (double[]) script.call("rescale", n); }
              public final LaterArguments rescale$later(double[] n) { return script.begin("rescale", n); }
              public double sum(double[] a) { return (Double) script.call("sum", a); }
            }
            """,
            "p.PipeLocal",
            """
            package p;
            import dev.cleave.agent.later.PipeScript;
            public final class PipeLocal implements Pipe {
              final PipeScript script;
              public PipeLocal(PipeScript script) { this.script = script; }
                          public double[] square(int n) { return (double[]) script.call("square", n); }
              public double[] cube(int n) { return (double[]) script.call("cube", n); }
              public double[] none(int n) { return (double[]) script.call("none", n); }
              public double[] fails(int n) { return (double[]) script.call("fails", n); }
              public int[] ints(int n) { return (int[]) script.call("ints", n); }
              public long[] longs(int n) { return (long[]) script.call("longs", n); }
              public byte[] bytes(int n) { return (byte[]) script.call("bytes", n); }
              public float[] floats(int n) { return (float[]) script.call("floats", n); }
              public double[][] rows(int n) { return (double[][]) script.call("rows", n); }
              public double[] scale(double[] n) { return (double[]) script.call("scale", n); }
              public double[] rescale(double[] n) { return (double[]) script.call("rescale", n); }
              public double sum(double[] a) { return (Double) script.call("sum", a); }
            }
            """,
            "p.P",
            """
            package p;
            import java.util.*;
            public class P {
              public static int shared;
              public final List<Object> log = new ArrayList<>();
              public Object held;
              public double total;
              public double factor = 1.5;
              public Pipe second;
              public Object asked = new dev.cleave.agent.later.PipeScript(1, -1, 0);
              public Pipe local = new PipeLocal((dev.cleave.agent.later.PipeScript) asked);
              public double first(double[] r) { held = r[0]; return r[0]; }
              static double sumOf(Pipe svc, int n) { double s = 0; for (double x : svc.square(n)) s += x; return s; }
              public Object loop(Pipe svc, int n) { double[] r = svc.square(n); double s = 0; for (int i = 0; i < r.length; i++) s += r[i]; return s; }
              public Object forEach(Pipe svc, int n) { double s = 1; for (double x : svc.square(n)) s = s / 2 + x; return s; }
              public Object caught(Pipe svc, int n) { try { double[] r = svc.square(n); double s = 0; for (double x : r) s += x; return s; } catch (RuntimeException e) { log.add("caught"); return e; } }
              public Object seenByHandler(Pipe svc, int n) { double s = 0; try { double[] r = svc.square(n); for (double x : r) s += x; return s; } catch (RuntimeException e) { return s + e.getMessage(); } }
              public Object tryAroundTheCall(Pipe svc, int n) { double[] r; try { r = svc.square(n); } catch (RuntimeException e) { return "failed"; } double s = 0; for (double x : r) s += x; return s; }
              public Object tryAroundTheLoop(Pipe svc, int n) { double[] r = svc.square(n); double s = 0; try { for (double x : r) s += x; } catch (RuntimeException e) { return "caught"; } return s; }
              public Object finallyAround(Pipe svc, int n) { try { double s = 0; double[] r = svc.square(n); for (double x : r) s += x; return s; } finally { log.add("finally"); } }
              public Object logBefore(Pipe svc, int n) { double[] r = svc.square(n); log.add("x"); double s = 0; for (double x : r) s += x; return s; }
              public Object logInside(Pipe svc, int n) { double[] r = svc.square(n); double s = 0; for (double x : r) { log.add(x); s += x; } return s; }
              public Object logBehind(Pipe svc, int n) { double[] r = svc.square(n); double s = 0; for (double x : r) s += x; log.add(s); return s; }
              public Object fieldInside(Pipe svc, int n) { double[] r = svc.square(n); for (double x : r) total += x; return total; }
              public Object fieldBehind(Pipe svc, int n) { double[] r = svc.square(n); double s = 0; for (double x : r) s += x; total = s; return total; }
              public Object fieldRead(Pipe svc, int n) { double[] r = svc.square(n); double s = 0; for (double x : r) s += x * factor; return s; }
              public Object newArray(Pipe svc, int n) { double[] r = svc.square(n); double[] out = new double[r.length]; for (int i = 0; i < r.length; i++) out[i] = 2 * r[i]; return out; }
              public Object oldArray(Pipe svc, int n) { double[] out = new double[n]; held = out; double[] r = svc.square(n); for (int i = 0; i < r.length; i++) out[i] = 2 * r[i]; return out; }
              public Object behindTheEnd(Pipe svc, int n) { double[] r = svc.square(n); double s = 0; for (int i = 0; i <= r.length; i++) s += r[i]; return s; }
              public Object divides(Pipe svc, int n) { double[] r = svc.square(n); int s = 0; for (int i = 0; i < r.length; i++) s += (int) r[i] / (n - 3 - i); return s; }
              public Object divideCaught(Pipe svc, int n) { double[] r = svc.square(n); int s = 0; for (int i = 0; i < r.length; i++) { try { s += (int) r[i] / (n - 3 - i); } catch (ArithmeticException e) { s--; } } return s; }
              public Object half(Pipe svc, int n) { double[] r = svc.square(n); double s = 0; for (int i = 0; i < n / 2; i++) s += r[i]; return s; }
              public Object none(Pipe svc, int n) { double[] r = svc.square(n); return n; }
              public Object stored(Pipe svc, int n) { double[] r = svc.square(n); held = r; double s = 0; for (double x : r) s += x; return s; }
              public Object returned(Pipe svc, int n) { return svc.square(n); }
              public Object helper(Pipe svc, int n) { double[] r = svc.square(n); double s = first(r); for (double x : r) s += x; return s; }
              public Object captured(Pipe svc, int n) { double[] r = svc.square(n); java.util.function.IntFunction<Object> f = i -> r[i]; double s = 0; for (double x : r) s += x; return s + "" + f.apply(0); }
              public Object nothing(Pipe svc, int n) { double[] r = svc.none(n); double s = 0; for (double x : r) s += x; return s; }
              public Object nothingTested(Pipe svc, int n) { double[] r = svc.none(n); double s = 0; if (r == null) return "null"; for (double x : r) s += x; return s; }
              public Object fails(Pipe svc, int n) { double[] r = svc.fails(n); double s = 0; for (double x : r) s += x; return s; }
              public Object failsCaught(Pipe svc, int n) { try { double[] r = svc.fails(n); double s = 0; for (double x : r) s += x; return s; } catch (IllegalStateException e) { return e; } }
              public Object two(Pipe svc, int n) { double[] a = svc.square(n); double[] b = svc.cube(n); double s = 0; for (int i = 0; i < n; i++) s += a[i] * b[i]; return s; }
              public Object twoLoops(Pipe svc, int n) { double[] a = svc.square(n); double s = 0; for (double x : a) s += x; double[] b = svc.cube(n); for (double x : b) s -= x; return s; }
              public Object sameVariable(Pipe svc, int n) { double[] r = svc.square(n); double s = 0; for (double x : r) s += x; r = svc.cube(n); for (double x : r) s *= x; return s; }
              public Object inLoop(Pipe svc, int n) { double s = 0; for (int k = 1; k < 4; k++) { double[] r = svc.square(n + k); for (double x : r) s += x * k; } return s; }
              public Object inLoopHalf(Pipe svc, int n) { double s = 0; for (int k = 1; k < 4; k++) { double[] r = svc.square(n + k); for (int i = 0; i < 2; i++) s += r[i] * k; } return s; }
              public Object previous(Pipe svc, int n) { double s = 0; double[] before = null; for (int k = 1; k < 4; k++) { double[] r = svc.square(n + k); for (int i = 0; i < n; i++) s += r[i] * k; if (before != null) s -= before[0]; before = r; } return s; }
              public Object previousInside(Pipe svc, int n) { double s = 0; double[] before = new double[n]; for (int k = 1; k < 4; k++) { double[] r = svc.square(n + k); for (int i = 0; i < n; i++) s += r[i] * k - before[i]; before = r; } return s; }
              public Object chosen(Pipe svc, int n) { double[] r = n > 4 ? svc.square(n) : svc.cube(n); double s = 0; for (double x : r) s += x; return s; }
              public Object chosenOrOther(Pipe svc, int n) { double[] r = new double[n]; if (n > 2) { r = svc.square(n); double t = 0; for (double x : r) t += x; held = t; } double s = 0; for (double x : r) s += x; return s; }
              public Object breaks(Pipe svc, int n) { double[] r = svc.square(n); int i; for (i = 0; i < r.length; i++) if (r[i] > 9) break; return i; }
              public Object searches(Pipe svc, int n) { double[] r = svc.square(n); int i = 0; while (true) { if (r[i] > 9) return i; i += 1 + n / 1000 * i; } }
              public Object inPlace(Pipe svc, int n) { double[] r = svc.square(n); for (int i = 0; i < r.length; i++) r[i] *= 2; double s = 0; for (double x : r) s += x; held = r; return s; }
              public Object backwards(Pipe svc, int n) { double[] r = svc.square(n); double s = 0; for (int i = r.length - 1; i >= 0; i--) s = s / 3 + r[i]; return s; }
              public Object rows(Pipe svc, int n) { double[][] r = svc.rows(n); double s = 0; for (int i = 0; i < r.length; i++) { if (r[i] != null) for (int j = 0; j < r[i].length; j++) s += r[i][j]; } return s; }
              public Object rowsNull(Pipe svc, int n) { double[][] r = svc.rows(n); double s = 0; for (double[] row : r) for (double x : row) s += x; return s; }
              public Object ints(Pipe svc, int n) { int[] r = svc.ints(n); int s = 0; for (int x : r) s = 31 * s + x; return s; }
              public Object longs(Pipe svc, int n) { long[] r = svc.longs(n); long s = 0; for (long x : r) s = 31 * s + x; return s; }
              public Object bytes(Pipe svc, int n) { byte[] r = svc.bytes(n); int s = 0; for (byte x : r) s = 31 * s + x; return s; }
              public Object floats(Pipe svc, int n) { float[] r = svc.floats(n); float s = 0; for (float x : r) s = s / 2 + x; return s; }
              public Object locked(Pipe svc, int n) { synchronized (log) { double[] r = svc.square(n); double s = 0; for (double x : r) s += x; return s; } }
              public Object lockBehind(Pipe svc, int n) { double[] r = svc.square(n); double s = 0; for (double x : r) s += x; synchronized (log) { s++; } return s; }
              public Object math(Pipe svc, int n) { double[] r = svc.square(n); double s = 0; for (double x : r) s += Math.sqrt(x); return s; }
              public Object builder(Pipe svc, int n) { double[] r = svc.square(n); StringBuilder s = new StringBuilder(); for (double x : r) s.append(x).append(' '); return s.toString(); }
              public Object nested(Pipe svc, int n) { double[] r = svc.square(n); double s = 0; for (int i = 0; i < r.length; i++) for (int j = 0; j <= i; j++) s += r[i] * r[j]; return s; }
              public Object branches(Pipe svc, int n) { double[] r = svc.square(n); double s = 0; for (int i = 0; i < r.length; i++) { if (i % 2 == 0) s += r[i]; else if (i % 3 == 0) continue; else s -= r[i / 2]; } return s; }
              public Object lengthOnly(Pipe svc, int n) { double[] r = svc.square(n); int s = 0; for (int i = 0; i < r.length; i++) s += i; return s; }
              public Object sharedStatic(Pipe svc, int n) { double[] r = svc.square(n); shared = r.length; double s = 0; for (double x : r) s += x; return s; }
              public Object passes(Pipe svc, int n) { double[] b = svc.scale(svc.square(n)); double s = 0; for (double x : b) s += x; return s; }
              public Object passesThree(Pipe svc, int n) { double s = 0; for (double x : svc.scale(svc.scale(svc.square(n)))) s += x; return s; }
              public Object passesThreeStubs(Pipe svc, int n) { double s = 0; for (double x : second.scale(svc.scale(svc.square(n)))) s += x; return s; }
              public Object passesToSync(Pipe svc, int n) { double[] b = svc.rescale(svc.square(n)); double s = 0; for (double x : b) s += x; return s; }
              public Object passesAndReads(Pipe svc, int n) { double[] a = svc.square(n); double[] b = svc.scale(a); double s = 0; for (int i = 0; i < n; i++) s += a[i] * b[i]; return s; }
              public Object passesAndWrites(Pipe svc, int n) { double[] a = svc.square(n); double[] b = svc.scale(a); a[0] = -1; double s = a[0]; for (double x : b) s += x; return s; }
              public Object passesAndShares(Pipe svc, int n) { double[] a = svc.square(n); double[] b = svc.scale(a); Object[] o = {a}; ((double[]) o[0])[0] = 7; double s = 0; for (double x : b) s += x; return s + a[0]; }
              public Object passesBetweenLogs(Pipe svc, int n) { log.add("1"); double[] a = svc.square(n); double[] b = svc.scale(a); log.add("2"); double s = 0; for (double x : b) s += x; log.add(s); return s; }
              public Object passesCaught(Pipe svc, int n) { try { double[] a = svc.square(n); double[] b = svc.scale(a); double s = 0; for (double x : b) s += x; return s; } catch (RuntimeException e) { return e; } }
              public Object passesTwice(Pipe svc, int n) { double[] a = svc.square(n); double[] b = svc.scale(a); double[] c = svc.scale(a); double s = 0; for (int i = 0; i < n; i++) s += b[i] - c[i] / 3; return s; }
              public Object passesToNull(Pipe svc, int n) { double[] a = svc.square(n); Pipe other = null; double[] b = other.scale(a); double s = 0; for (double x : b) s += x; return s; }
              public Object passesToLocal(Pipe svc, int n) { double[] a = svc.square(n); double[] b = local.scale(a); double s = 0; for (double x : b) s += x; return s; }
              public Object crosses(Pipe svc, int n) { double[] a = svc.square(n); double[] b = svc.scale(new double[n]); double s = 0; for (int i = 0; i < n; i++) s += a[i] - b[i]; return s; }
              public Object crossesLocal(Pipe svc, int n) { double[] a = svc.square(n); double[] b = local.scale(new double[n]); double s = 0; for (int i = 0; i < n; i++) s += a[i] - b[i]; return s; }
              public Object passesAndCrossesLocal(Pipe svc, int n) { double[] a = svc.square(n); double[] b = svc.scale(a); double[] c = local.scale(new double[n]); double s = 0; for (int i = 0; i < n; i++) s += a[i] - b[i] + c[i]; return s; }
              public Object passesToSum(Pipe svc, int n) { return svc.sum(svc.square(n)); }
              public Object switches(Pipe svc, int n) { double[] r = svc.square(n); double s = 0; for (int i = 0; i < r.length; i++) { switch (i % 4) { case 0: s += r[i]; break; case 1: s -= 1; default: s *= 2; } } return s; }
              public Object staticMethod(Pipe svc, int n) { return sumOf(svc, n); }
            }
            """);

    private static final int N = 7;

    private final LaterPrograms programs = new LaterPrograms(lineByLine());

    /** Each statement of the programs on a line of its own: failures have the line of their call. */
    private static Map<String, String> lineByLine() {
        Map<String, String> sources = new HashMap<>(SOURCES);
        sources.computeIfPresent("p.P", (name, text) -> text.replaceAll("([;{}]) ", "$1\n"));
        return sources;
    }

    /** What the program did, and what was asked of the services. */
    private record Run(String outcome, List<String> calls, List<ScriptedResult> results) {}

    private Run run(Class<?> type, String name, PipeScript script, String service) throws ReflectiveOperationException {
        Object pipe = type.getClassLoader()
                .loadClass(service)
                .getConstructor(PipeScript.class)
                .newInstance(script);
        Object program = LaterPrograms.make(type);
        type.getField("second").set(program, pipe);
        Object result = LaterPrograms.call(LaterPrograms.method(type, name), program, pipe, N);
        List<Object> after = new ArrayList<>();
        for (String field : new String[] {"log", "held", "total", "shared", "asked"}) {
            after.add(type.getField(field).get(program));
        }
        type.getField("shared").set(null, 0);
        return new Run(text(result) + text(after.toArray()), script.calls(), script.results());
    }

    /** As text, of an exception with the line of the program. */
    static String text(Object value) {
        if (!(value instanceof Throwable thrown)) {
            return LaterPrograms.text(value);
        }
        int line = Arrays.stream(thrown.getStackTrace())
                .filter(frame -> frame.getClassName().matches("p\\.[PK][0-9]*"))
                .mapToInt(StackTraceElement::getLineNumber)
                .findFirst()
                .orElse(-1);
        return thrown.toString().replaceAll("because \".*\" is null", "because it is null") + " at line " + line;
    }

    private static List<String> names(Class<?> type) {
        return Arrays.stream(type.getDeclaredMethods())
                .filter(method -> method.getReturnType() == Object.class
                        && method.getParameterCount() == 2
                        && !method.isSynthetic())
                .map(Method::getName)
                .sorted()
                .toList();
    }

    private void same(String name, int step, int lostCall, int lostAt) throws ReflectiveOperationException {
        Class<?> written = programs.written("p.P");
        Class<?> loaded = programs.loaded("p.P");
        Run expected = run(written, name, new PipeScript(step, lostCall, lostAt), "p.PipeStub");
        Run actual = run(loaded, name, new PipeScript(step, lostCall, lostAt), "p.PipeStub");
        assertThat(actual.outcome())
                .as("%s, step %s, call %s is lost at %s", name, step, lostCall, lostAt)
                .isEqualTo(expected.outcome());
        if (lostCall < 0
                || !name.startsWith("passes") && !name.equals("crosses")) { // an @Async call may have been made
            assertThat(actual.calls()).as(name).isEqualTo(expected.calls());
        }
        Run local = run(loaded, name, new PipeScript(step, lostCall, lostAt), "p.PipeLocal");
        assertThat(local.outcome()).as(name).isEqualTo(expected.outcome());
        assertThat(local.calls()).as(name).isEqualTo(expected.calls());
    }

    @Test
    void programsDoTheSameWhileResultsArrive() throws ReflectiveOperationException {
        for (String name : names(programs.written("p.P"))) {
            for (int step : new int[] {1, 3, 1000}) {
                same(name, step, -1, 0);
            }
        }
    }

    @Test
    void programsDoTheSameWhereverAResultIsLost() throws ReflectiveOperationException {
        for (String name : names(programs.written("p.P"))) {
            for (int call = 0; call < 3; call++) {
                for (int lostAt = 0; lostAt < N + 3; lostAt++) {
                    same(name, 1, call, lostAt);
                    same(name, 1000, call, lostAt);
                }
            }
        }
    }

    @Test
    void resultsAreUsedAsTheyCome() throws ReflectiveOperationException {
        Class<?> type = programs.loaded("p.P");
        Set<String> piecewise = new LinkedHashSet<>();
        Set<String> whole = new LinkedHashSet<>();
        for (String name : names(type)) {
            Run run = run(type, name, new PipeScript(1, -1, 0), "p.PipeStub");
            (run.results().stream().anyMatch(result -> result.waits() > 1) ? piecewise : whole).add(name);
        }
        assertThat(piecewise).containsAll(PIECEWISE).doesNotContainAnyElementsOf(WHOLE);
        assertThat(whole).containsAll(WHOLE);
    }

    @Test
    void eachElementIsWaitedForWhereItIsTouched() throws ReflectiveOperationException {
        Class<?> type = programs.loaded("p.P");
        for (String name : List.of("loop", "forEach", "caught", "newArray", "inPlace", "divides", "ints", "locked")) {
            Run run = run(type, name, new PipeScript(1, -1, 0), "p.PipeStub");
            int touched = name.equals("divides") ? N - 1 : N; // then it throws, and the rest is waited for
            assertThat(run.results().get(0).waits()).as(name).isEqualTo(touched);
        }
        for (String name : WHOLE) {
            Run run = run(type, name, new PipeScript(1, -1, 0), "p.PipeStub");
            assertThat(run.results()).as(name).allMatch(result -> result.waits() <= 1);
        }
    }

    private Object mill(Class<?> type, PipeScript script, String service, Object argument)
            throws ReflectiveOperationException {
        Object mill = LaterPrograms.make(type);
        Object next = type.getClassLoader()
                .loadClass(service)
                .getConstructor(PipeScript.class)
                .newInstance(script);
        type.getField("next").set(mill, next);
        return LaterPrograms.call(LaterPrograms.method(type, "mill"), mill, argument, N);
    }

    @Test
    void aServiceUsesAndPassesOnWhatArrivesOnBothSides() throws ReflectiveOperationException {
        Class<?> loaded = programs.loaded("p.RealMill");
        Method method = LaterPrograms.method(loaded, "mill");
        double[] argument = {1, 2, 3, 4, 5, 6, 7};
        for (String service : new String[] {"p.PipeStub", "p.PipeLocal"}) {
            for (int lostAt = -1; lostAt < N; lostAt++) {
                PipeScript plain = new PipeScript(1, lostAt < 0 ? -1 : 0, lostAt);
                Object expected = mill(programs.written("p.RealMill"), plain, service, argument.clone());
                PipeScript whole = new PipeScript(1, lostAt < 0 ? -1 : 0, lostAt);
                assertThat(mill(loaded, whole, service, argument.clone()).toString())
                        .isEqualTo(expected.toString());
                PipeScript script = new PipeScript(1, lostAt < 0 ? -1 : 0, lostAt);
                Object[] given = {argument.clone(), N};
                ScriptedLater later =
                        new ScriptedLater(LaterPrograms.key(method), given, Set.of(0), new Random(3), 1, -1);
                later.isPassedTo(script);
                later.handOver();
                Object result = mill(loaded, script, service, null);
                assertThat(result.toString()).isEqualTo(expected.toString());
                assertThat(later.waits()).isEqualTo(service.equals("p.PipeStub") ? N / 2 + 1 : 1);
                if (lostAt < 0) {
                    assertThat(((double[]) later.after()[0])[0]).isEqualTo(5);
                }
            }
        }
    }

    @Test
    void theJitCompilesThem() {
        assertThat(Locking.problems(programs.rewritten("p.P").classFile())).isEmpty();
    }

    @Test
    void theReportSaysWhereResultsAreWaitedFor() {
        assertThat(programs.verdicts("p.P"))
                .filteredOn(verdict -> verdict.outcome() == Verdict.Outcome.LATER)
                .anySatisfy(verdict -> {
                    assertThat(verdict.call()).isEqualTo("@Later result of Pipe.square");
                    assertThat(verdict.refusal().reason()).contains("for each element at line", "whole at line");
                });
    }
}
