package dev.cleave.agent.completeness;

import dev.cleave.agent.effect.RemoteCalls;
import dev.cleave.agent.ir.BranchOp;
import dev.cleave.agent.ir.InsnOp;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.ir.Register;
import dev.cleave.agent.ir.ReturnOp;
import dev.cleave.agent.ir.SwitchOp;
import dev.cleave.agent.scan.CallSetting;
import dev.cleave.agent.scan.Reading;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.objectweb.asm.tree.MethodInsnNode;

/**
 * Measures the ideal makespan of a run of a program as written: the length of the critical path of its data-flow graph, with
 * any number of calls at once. The code of the program, {@linkplain ClockedClasses instrumented}, says which op comes next;
 * for each register the clock keeps when its value would be there. After Kumar, "Measuring Parallelism in
 * Computation-Intensive Scientific/Engineering Applications" (1988), with the control dependences of Lam and Wilson, "Limits
 * of Control Flow on Parallelism" (1992).
 *
 * <p>A remote call takes one round trip, everything else no time. An op begins when
 *
 * <ul>
 *   <li>the values that it uses are there: definitions and uses of locals, of parameters and results of the program's own
 *       methods. What goes through fields, arrays, collections and lambdas is not seen, so the ideal may be better than
 *       anything that is correct: it is a lower bound;
 *   <li>the branches that decide about it are decided. Calls that may be made in vain ({@code @Pure}, {@code @ReadOnly},
 *       speculative) need not wait for branches;
 *   <li>the declared effects allow it: a call without a style, and one that calls back, waits for all calls before it and
 *       all behind it wait for it, those of {@code @Pure} methods apart; one that reads does not overlap one of its group
 *       that may change something.
 * </ul>
 *
 * <p>Unknown code, locks, handlers and output do not count. One run at a time.
 */
public final class DataFlowClock {

    private static final List<ClockedMethod> METHODS = new ArrayList<>();
    private static DataFlowClock current;

    private final RemoteCalls remote;
    private final boolean keepsWindows;
    private final Map<InsnOp, Map<Long, Integer>> inFlight = new IdentityHashMap<>(); // by call and round trip
    private final Map<String, Long> changed = new HashMap<>();
    private final Map<String, Long> read = new HashMap<>();
    private Time[] passed = {};
    private String callee = "";
    private Time returned = Time.ZERO;
    private long base;
    private long floor;
    private long last;

    private DataFlowClock(RemoteCalls remote, boolean keepsWindows) {
        this.remote = remote;
        this.keepsWindows = keepsWindows;
    }

    /** When a value is there: if branches are waited for, and if they are not. */
    private record Time(long decided, long guessed) {
        static final Time ZERO = new Time(0, 0);

        Time and(Time other) {
            return new Time(Math.max(decided, other.decided), Math.max(guessed, other.guessed));
        }
    }

    /** One activation of a method. */
    private static final class Activation {
        private final ClockedMethod method;
        private final Map<Register, Time> values = new HashMap<>();
        private final long[] branches;
        private final long base;
        private Op open;

        Activation(ClockedMethod method, long base) {
            this.method = method;
            this.branches = new long[method.ops().size()];
            this.base = base;
        }
    }

    /** Runs a program, of instrumented classes, and returns its ideal makespan with any number of calls in flight. */
    public static long measure(RemoteCalls remote, Runnable program) {
        return measure(remote, program, false);
    }

    /**
     * Runs a program, of instrumented classes, and returns its ideal makespan if each call of its text has no more calls in flight than
     * the window of its method allows.
     */
    public static long measureWithinWindows(RemoteCalls remote, Runnable program) {
        return measure(remote, program, true);
    }

    private static long measure(RemoteCalls remote, Runnable program, boolean keepsWindows) {
        DataFlowClock clock = new DataFlowClock(remote, keepsWindows);
        current = clock;
        program.run();
        return clock.last;
    }

    static int add(ClockedMethod method) {
        METHODS.add(method);
        return METHODS.size() - 1;
    }

    /** Instrumented code calls this when a method begins; what it returns is handed to {@link #at}. */
    public static Object enter(int method) {
        ClockedMethod entered = METHODS.get(method);
        boolean isCalled = entered.key().equals(current.callee);
        Activation activation = new Activation(entered, isCalled ? current.base : 0);
        List<Register> parameters = entered.parameters();
        for (int i = 0; isCalled && i < parameters.size(); i++) {
            activation.values.put(parameters.get(i), current.passed[i]);
        }
        current.callee = "";
        return activation;
    }

    /** Instrumented code calls this in front of an op. */
    public static void at(Object activation, int op) {
        current.step((Activation) activation, op);
    }

    private void step(Activation in, int index) {
        if (in.open != null) {
            in.values.put(in.open.def(), returned);
            in.open = null;
        }
        Op op = in.method.ops().get(index);
        long control = in.base;
        for (int decider : in.method.deciders(index)) {
            control = Math.max(control, in.branches[decider]);
        }
        Time time = new Time(control, 0);
        for (Register use : op.uses()) {
            time = time.and(in.values.getOrDefault(use, Time.ZERO));
        }
        if (op instanceof BranchOp || op instanceof SwitchOp) {
            in.branches[index] = time.decided();
        } else if (op instanceof ReturnOp) {
            returned = time;
        } else if (op instanceof InsnOp insn && insn.method() != null) {
            time = call(in, insn, insn.method(), time, control);
        }
        if (op.def() != null) {
            in.values.put(op.def(), time);
        }
    }

    private Time call(Activation in, InsnOp op, MethodInsnNode target, Time ready, long control) {
        CallSetting setting = remote.settingOf(target.owner, target.name, target.desc);
        if (setting != null) {
            long end = remote(setting, ready, op);
            return new Time(end, end);
        }
        callee = target.owner + '.' + target.name + target.desc;
        passed = op.uses().stream()
                .map(use -> in.values.getOrDefault(use, Time.ZERO))
                .toArray(Time[]::new);
        base = control;
        returned = ready; // if it is not one of the program's own
        in.open = op.def() == null ? null : op;
        return ready;
    }

    /** Begins a call as early as may be, and returns its end. */
    private long remote(CallSetting setting, Time ready, InsnOp op) {
        Reading.Kind reading = setting.reading().kind();
        boolean isBarrier =
                switch (setting.style()) {
                    case SYNC, CALLS_BACK, REFERS, RESTORES, ONE_WAY -> true;
                    case ASYNC, CHAINED -> false;
                };
        boolean mayGuess = setting.isSpeculative() || reading != Reading.Kind.NONE;
        long begin = mayGuess ? ready.guessed() : ready.decided();
        if (reading != Reading.Kind.PURE) {
            begin = Math.max(begin, isBarrier && reading == Reading.Kind.NONE ? last : floor);
            begin = Math.max(begin, conflicts(reading == Reading.Kind.NONE ? read : changed, setting.group()));
        }
        if (keepsWindows && setting.style() == CallSetting.Style.ASYNC) {
            begin = withinWindow(op, begin, setting.window());
        }
        long end = setting.style() == CallSetting.Style.ONE_WAY ? begin : begin + 1;
        if (reading == Reading.Kind.READ_ONLY) {
            read.merge(setting.group(), end, Math::max);
        } else if (reading == Reading.Kind.NONE) {
            changed.merge(setting.group(), end, Math::max);
        }
        last = Math.max(last, end);
        floor = isBarrier && reading == Reading.Kind.NONE ? end : floor;
        return end;
    }

    /** Returns the first round trip, not before an earliest one, in which there is room for one more of a call. */
    private long withinWindow(InsnOp op, long earliest, int window) {
        Map<Long, Integer> calls = inFlight.computeIfAbsent(op, key -> new HashMap<>());
        long begin = earliest;
        while (calls.getOrDefault(begin, 0) >= window) {
            begin++;
        }
        calls.merge(begin, 1, Integer::sum);
        return begin;
    }

    /** When the last call ends that one of a group must not overlap: those without a group concern all. */
    private static long conflicts(Map<String, Long> ends, String group) {
        long end = 0;
        for (Map.Entry<String, Long> other : ends.entrySet()) {
            boolean meets = group.isEmpty() || other.getKey().isEmpty() || group.equals(other.getKey());
            end = meets ? Math.max(end, other.getValue()) : end;
        }
        return end;
    }
}
