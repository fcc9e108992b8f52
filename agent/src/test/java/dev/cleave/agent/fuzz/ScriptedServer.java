package dev.cleave.agent.fuzz;

import dev.cleave.agent.completeness.RoundTrips;
import dev.cleave.call.Chain;
import dev.cleave.call.Encoded;
import dev.cleave.call.Epoch;
import dev.cleave.call.Handle;
import dev.cleave.rt.Strands;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * The server that generated programs call, without threads and in virtual time: a call executes when it is sent, or when
 * it is awaited, or at some send in between, as a seeded schedule says. Results and failures are functions of the
 * arguments, so the sequential program and the rewritten one meet the same ones.
 */
final class ScriptedServer {

    private final int failOneIn;
    private final Random schedule;
    private final List<String> log = new ArrayList<>();
    private final List<ScriptedCall> open = new ArrayList<>();
    private final Map<Chain, ScriptedLane> lanes = new IdentityHashMap<>();
    private int mostInFlight;
    private int declineOneIn;
    private boolean isTimed;
    private boolean hasFailed;
    private boolean isLookedAt;
    private long now;
    private final Map<ProgramPlace, Long> waits = new HashMap<>();
    private final Map<Object, Integer> state = new HashMap<>();
    private final Map<Object, Integer> set = new HashMap<>(); // apart: the program may not come to what set this
    private final FuzzProgram program;
    private final InFlightBound bound;
    private final List<String> violations = new ArrayList<>();
    private final long sentBefore = Strands.sent();
    private final long forcedBefore = Strands.forced();

    ScriptedServer(int failOneIn, long scheduleSeed, FuzzProgram program, InFlightBound bound) {
        this.failOneIn = failOneIn;
        this.schedule = new Random(scheduleSeed);
        this.program = program;
        this.bound = bound;
    }

    /** Makes every n-th send decline, as a switched-off site does. */
    void declineOneIn(int n) {
        declineOneIn = n;
    }

    /** From now on a call is done one round trip after it was sent, and not as the schedule says. */
    void keepTime() {
        isTimed = true;
    }

    /** The virtual time, in round trips. */
    long now() {
        return now;
    }

    /** Whether a call is done that would be answered at a time. */
    boolean isDone(boolean executed, long at) {
        return isTimed ? now >= at : executed;
    }

    void waitUntil(long at) {
        pass(at - now);
    }

    private void pass(long roundTrips) {
        if (roundTrips > 0) {
            now += roundTrips;
            if (isTimed) {
                RoundTrips.pass(roundTrips);
                waits.merge(ProgramPlace.current(program), roundTrips, Long::sum);
            }
        }
    }

    /** How many round trips the program waited at each of its places. */
    Map<ProgramPlace, Long> waits() {
        return waits;
    }

    /** Executes a call that the program makes in its place. */
    Object callNow(String method, Object... arguments) throws Exception {
        pass(arguments[0].equals("local") || method.equals("tip") ? 0 : 1);
        executeGroupBefore(null, method);
        return call(method, arguments);
    }

    /** Calls of a group are executed in the order in which they were sent. */
    void executeGroupBefore(@Nullable ScriptedCall call, String method) {
        if (!isOfGroup(method)) {
            return;
        }
        for (ScriptedCall earlier : List.copyOf(open)) {
            if (earlier == call) {
                return;
            }
            if (isOfGroup(earlier.method())) {
                earlier.executeNow();
            }
        }
    }

    private static boolean isOfGroup(String method) {
        return method.equals("note") || method.equals("tick");
    }

    /** Whether a call may see, at its server or by what comes back, what the program has done so far. */
    private static boolean isInPlace(String method, Object[] arguments) {
        return arguments[0].equals("local")
                || List.of("barrier", "store", "tell", "tip").contains(method);
    }

    Object call(String method, Object... arguments) throws Exception {
        String entry = method + render(arguments);
        log.add(isInPlace(method, arguments) ? entry + " with " + program.heap() : entry);
        if (method.equals("look") || method.equals("peek")) {
            return set.getOrDefault(arguments[1], state.getOrDefault(arguments[1], 0));
        }
        if (method.equals("store")) {
            Epoch.changing("");
            state.put(arguments[1], (Integer) arguments[2]);
            Epoch.changing("");
            return state.size();
        }
        if (method.equals("tell")) {
            ((FuzzHearer) arguments[1]).hear((Integer) arguments[2]);
        }
        int hash = entry.hashCode() * 0x9E3779B1;
        hash ^= hash >>> 15;
        if (failOneIn > 0 && Math.floorMod(hash, failOneIn) == 0) {
            hasFailed = true;
            if (method.equals("checked")) {
                throw new FuzzFailure("no " + entry);
            }
            throw new IllegalStateException("no " + entry);
        }
        if (method.equals("set")) {
            Epoch.changing("");
            set.put(arguments[1], (Integer) arguments[2]);
            Epoch.changing("");
        }
        return Math.floorMod(hash >>> 3, 100);
    }

    ScriptedCall send(String method, Object... arguments) {
        if (declineOneIn > 0 && schedule.nextInt(declineOneIn) == 0) {
            return null;
        }
        return sendAlways(method, snapshot(arguments));
    }

    Encoded encode(String method, Object... arguments) {
        boolean declines = declineOneIn > 0 && schedule.nextInt(declineOneIn) == 0;
        return declines ? null : new ScriptedEncoding(this, method, snapshot(arguments));
    }

    private static Object[] snapshot(Object[] arguments) {
        Object[] snapshot = arguments.clone();
        for (int i = 0; i < snapshot.length; i++) {
            snapshot[i] = snapshot[i] instanceof int[] a ? a.clone() : snapshot[i];
        }
        return snapshot;
    }

    /** Whether the link fails now under a call that may be made again. */
    boolean linkFails() {
        return declineOneIn > 0 && schedule.nextInt(3) == 0;
    }

    ScriptedCall sendAlways(String method, Object[] snapshot) {
        ScriptedCall call = new ScriptedCall(this, method, snapshot);
        if (!call.isReading() && open.stream().anyMatch(ScriptedCall::isChained)) {
            log.add("barrier crossed by " + call);
        }
        open(call);
        for (ScriptedCall candidate : List.copyOf(open)) {
            if (schedule.nextInt(3) == 0) {
                candidate.execute();
            }
        }
        return call;
    }

    /** Sends a call of a chain: if it is one of chained calls, calls of no other lane may be open that change something. */
    ScriptedCall chain(Chain chain, Object stub, String method, Object... arguments) {
        Map<Integer, Handle> passed = chain.takePassed();
        int uses = chain.takeUses();
        if (!chain.accepts(stub) || declineOneIn > 0 && schedule.nextInt(declineOneIn) == 0) {
            return null;
        }
        ScriptedLane lane = lanes.computeIfAbsent(chain, c -> new ScriptedLane(c, schedule));
        if (passed.values().stream().anyMatch(source -> !lane.isOf((ScriptedCall) source))) {
            return null;
        }
        ScriptedCall call = new ScriptedCall(this, method, snapshot(arguments));
        call.isGiven(passed);
        call.isUsedBy(uses);
        if (open.stream()
                .anyMatch(other -> (call.isChained() || other.isChained())
                        && !lane.isOf(other)
                        && !other.isReading()
                        && !call.isReading())) {
            log.add("barrier crossed by " + call);
        }
        lane.add(call);
        open(call);
        return call;
    }

    private void open(ScriptedCall call) {
        open.add(call);
        mostInFlight = Math.max(mostInFlight, open.size());
        boolean haveStrands =
                Strands.sent() > sentBefore; // what has been answered and waits for the program is not in flight there
        int same = (int) open.stream()
                .filter(other -> other.method().equals(call.method()) && !(haveStrands && other.isDone()))
                .count();
        int forced =
                Strands.forced() > forcedBefore ? 1 : 0; // what the program has come to is sent whatever the window
        if (!bound.allows(call.method(), same - forced)) {
            violations.add(same + " calls in flight of " + call.method() + " (expected: " + bound + ")");
        }
    }

    FuzzProgram program() {
        return program;
    }

    /** What must never be, whatever the program as written does. */
    List<String> violations() {
        return violations;
    }

    /** A strand has gone on with the result of a call. */
    void looked() {
        isLookedAt = true;
    }

    boolean isLookedAt() {
        return isLookedAt;
    }

    /** Whether a call has ended with an exception. */
    boolean hasFailed() {
        return hasFailed;
    }

    /** Something was that must never be. */
    void violated(String what) {
        violations.add(what);
    }

    void ended(ScriptedCall call) {
        open.remove(call);
    }

    List<String> log() {
        return log;
    }

    List<ScriptedCall> open() {
        return open;
    }

    int mostInFlight() {
        return mostInFlight;
    }

    private static String text(Object argument) {
        return argument instanceof FuzzHearer ? "hearer" : String.valueOf(argument);
    }

    private static String render(Object[] arguments) {
        StringBuilder text = new StringBuilder("(");
        for (Object argument : arguments) {
            text.append(argument instanceof int[] a ? Arrays.toString(a) : text(argument))
                    .append(';');
        }
        return text.append(')').toString();
    }
}
