package dev.cleave.agent.conformance;

import dev.cleave.call.Chain;
import dev.cleave.call.Epoch;
import dev.cleave.call.Handle;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/** The server behind the stubs: deterministic results, scripted failures, a log, and the number of calls in flight. */
class ScriptedService {

    /** What is thrown by calls that fail. */
    static final class Broken extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Broken(String call) {
            super("broken " + call);
        }
    }

    private static final Set<String> READING = Set.of(
            "read",
            "pure",
            "quote",
            "pureSum",
            "pureWeight",
            "pureDouble",
            "syncPure",
            "load",
            "peek",
            "desk",
            "shelf",
            "snap");

    final List<String> log = new ArrayList<>();

    /** Calls of the group, in the order in which they were sent. */
    final List<String> ofGroup = new ArrayList<>();

    final Random random;
    private final Schedule schedule;
    private final Map<Object, Integer> state = new HashMap<>();
    private int changing;
    private final Map<Chain, ScriptedChain> chains = new IdentityHashMap<>();
    private Object lane;
    int inFlight;
    int maxInFlight;
    int stayed; // results that the program did not get, as it only passes them on
    int discarded;
    String violation = "";

    /** What the thread had in {@link ProbeUser#USER} when it sent the call that is executed next; it is part of the call. */
    String user;

    ScriptedService(Schedule schedule) {
        this.schedule = schedule;
        this.random = schedule.random();
        Probe.otherClient = key -> state.merge(key, 1000, Integer::sum);
    }

    ScriptedChain chain(Chain chain) {
        return chains.computeIfAbsent(chain, c -> new ScriptedChain(this, c));
    }

    void begin(String method) {
        begin(method, "async");
    }

    /** The program calls, or sends a call. */
    void sent(String method, Object... arguments) {
        if (method.startsWith("kept")) {
            ofGroup.add(method + Arrays.deepToString(arguments));
        }
    }

    /** A call begins; those of different lanes must not overlap, unless they change nothing. */
    void begin(String method, Object of) {
        if (!isReading(method) && changing > 0 && lane != of) {
            violation += "a call of " + of + " overlaps one of " + lane + "; ";
        }
        lane = isReading(method) ? lane : of;
        inFlight++;
        Probe.inFlight = inFlight;
        maxInFlight = Math.max(maxInFlight, inFlight);
        if (!isReading(method)) {
            changing++;
            Epoch.changing(groupOf(method));
        }
    }

    void end(String method) {
        inFlight--;
        Probe.inFlight = inFlight;
        if (!isReading(method)) {
            changing--;
            Epoch.changing(groupOf(method));
        }
    }

    void discarded(String method) {
        if (!isReading(method)) {
            discarded++;
        }
    }

    /** Whether a call, or a method, changes nothing. */
    static boolean isReading(String call) {
        int arguments = call.indexOf('[');
        return READING.contains(arguments < 0 ? call : call.substring(0, arguments));
    }

    static String groupOf(String method) {
        return switch (method) {
            case "kept", "keptRead" -> "kept";
            case "putDesk", "desk" -> "desk";
            case "shelf" -> "shelf";
            default -> "";
        };
    }

    /** Sends a call. */
    Handle handle(String method, Object... arguments) {
        return new ScriptedHandle(this, method, arguments);
    }

    /** Executes a call: the result, or the exception to throw. */
    Object execute(String method, Object... arguments) {
        String call = method + Arrays.deepToString(arguments) + (user == null ? "" : "@" + user);
        if ((method.equals("sync") || method.equals("plain") || method.equals("shout")) && changing > 1) {
            violation += call + " ran while " + (changing - 1) + " others were in flight; ";
        }
        log.add(call);
        if (schedule.fails().test(call)) {
            return method.equals("checked") || method.equals("linkChecked")
                    ? new Svc.Failure("checked " + call)
                    : new Broken(call);
        }
        return result(method, arguments);
    }

    /** Stands for null among outcomes, where null is none. */
    static final Object MISSING = new Object();

    /** The types of the parameters of a method. */
    Class<?>[] parameters(String method) {
        for (Method each : Svc.class.getMethods()) {
            if (each.getName().equals(method)) {
                return each.getParameterTypes();
            }
        }
        throw new AssertionError(method);
    }

    @SuppressWarnings("unchecked")
    private Object result(String method, Object[] arguments) {
        return switch (method) {
            case "f" -> (int) arguments[0] * 3 + 1;
            case "g" -> (int) arguments[0] * 5 + 2;
            case "linkNum" -> (int) arguments[0] * 3 % 17;
            case "linkText" -> "<" + arguments[0] + ">";
            case "linkSum" -> Arrays.stream((int[]) arguments[0]).sum();
            case "boxed" -> (int) arguments[0] + 1;
            case "linkBox", "linkBoxed" -> (int) arguments[0] * 2;
            case "linkObject" -> "o" + arguments[0];
            case "linkPut", "linkChecked", "shout" -> "";
            case "tryInt" -> (int) arguments[0] * 11 + 3;
            case "tryFlag" -> (int) arguments[0] % 2 == 0;
            case "w", "read", "pure", "sync", "plain", "kept", "keptRead" ->
                (int) arguments[0] + 7 + (user == null ? 0 : user.hashCode() % 1000);
            case "lf" -> (long) arguments[0] * 3L + 1L;
            case "ff" -> (float) arguments[0] / 3f;
            case "df" -> (double) arguments[0] / 3.0;
            case "ok" -> (int) arguments[0] % 3 == 0;
            case "s" -> String.valueOf(arguments[0]).contains("nil") ? null : "<" + arguments[0] + ">";
            case "row" -> new int[] {(int) arguments[0], (int) arguments[0] + 1};
            case "get" -> (int) arguments[0] % 2 == 0 ? "even" + arguments[0] : arguments[0];
            case "sumOf" -> Arrays.stream((int[]) arguments[0]).sum();
            case "weigh" -> (int) arguments[0] + 100;
            case "fill", "snap" -> Restoring.fill((int) arguments[0], (int[]) arguments[1]);
            case "turn" -> Restoring.turn((int[]) arguments[0]);
            case "blend" -> {
                Restoring.blend((int[]) arguments[0], (int[]) arguments[1]);
                yield "";
            }
            case "grid" -> Restoring.grid((int) arguments[0], (int[][]) arguments[1]);
            case "tell" -> (int) arguments[0] + 9;
            case "both" -> ("" + arguments[0] + arguments[1] + arguments[2] + arguments[3]).hashCode();
            case "quote" -> "q" + arguments[0];
            case "pureSum" -> Arrays.stream((int[]) arguments[0]).sum();
            case "pureWeight" -> (int) arguments[0] + 100;
            case "pureDouble" -> (int) (Double.doubleToRawLongBits((double) arguments[0]) >>> 40);
            case "syncPure" -> (int) arguments[0] * 2;
            case "putDesk" -> {
                state.put("desk" + arguments[0], (int) arguments[1]);
                yield state.size();
            }
            case "desk" -> state.getOrDefault("desk" + arguments[0], -1);
            case "shelf" -> (int) arguments[0] * 13 % 31;
            case "load", "peek" -> state.getOrDefault(arguments[0], -1);
            case "set" -> {
                state.put(arguments[0], (int) arguments[1]);
                yield (int) arguments[1] * 2;
            }
            case "store" -> {
                state.put(arguments[0], (int) arguments[1]);
                yield state.size();
            }
            case "more" -> {
                List<String> more = new ArrayList<>((List<String>) arguments[0]);
                more.add("" + more.size());
                yield more;
            }
            case "count" -> ((List<?>) arguments[0]).size();
            case "maybe" -> (int) arguments[0] % 3 == 2 ? MISSING : arguments[0];
            case "bean" -> Svc.Bean.of(new Svc.Bean(), (int) arguments[0]);
            case "filled" -> new Svc.Filled();
            case "oddBean" -> Svc.Bean.of(new Svc.OddBean(), (int) arguments[0]);
            case "parcel" -> Svc.Parcel.of((int) arguments[0]);
            case "wrapped" -> new Svc.Wrapped(List.of((int) arguments[0] & 7, 3), List.of((int) arguments[0] & 3, 2));
            case "parcels" -> List.of(Svc.Parcel.of((int) arguments[0]), Svc.Parcel.of((int) arguments[0] + 7));
            case "names" -> new ArrayList<>(List.of("n" + arguments[0], "m" + arguments[0]));
            case "put", "checked" -> "";
            default -> throw new AssertionError(method);
        };
    }
}
