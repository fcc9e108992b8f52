package dev.cleave.agent.plan.strand;

import dev.cleave.agent.ir.Op;
import dev.cleave.agent.ir.Unsupported;
import dev.cleave.agent.plan.method.Callee;
import dev.cleave.agent.plan.method.Callees;
import dev.cleave.agent.plan.method.CrossClassGuard;
import dev.cleave.agent.plan.method.Function;
import dev.cleave.agent.plan.method.FunctionCall;
import dev.cleave.agent.plan.method.Helper;
import dev.cleave.agent.plan.placement.MapFilling;
import dev.cleave.agent.plan.placement.StrandHelper;
import dev.cleave.agent.scan.CallSetting;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/** The rows of the calls of the methods of one class, as of helpers whose calls are sent by strands. */
public final class StrandTables {

    /** With the nest's own class and that of the method that it calls, as many as classes see of each other. */
    private static final int MOST_LAYERS = 1;

    /** A method, and how many layers may lie below it. */
    private record Layered(MethodNode method, int most) {}

    private final Callees in;
    private final String owner;
    private final Map<String, StrandTables> others = new HashMap<>();
    private final Map<MethodNode, StrandHelper> tables = new HashMap<>();

    /**
     * Knows no rows yet.
     *
     * @param in what the class calls
     * @param owner internal name of the class
     */
    public StrandTables(Callees in, String owner) {
        this.in = in;
        this.owner = owner;
    }

    /** Returns the rows of the calls of a method of the class. */
    StrandHelper of(MethodNode helper) {
        StrandHelper known = tables.get(helper);
        if (known != null) {
            return known;
        }
        Map<AbstractInsnNode, Integer> calls = new IdentityHashMap<>();
        Map<AbstractInsnNode, StrandHelper> called = new IdentityHashMap<>();
        Map<AbstractInsnNode, MapFilling> mappings = new IdentityHashMap<>();
        Set<AbstractInsnNode> walks = new HashSet<>();
        int rows = 0;
        for (AbstractInsnNode insn : helper.instructions) {
            if (!(insn instanceof MethodInsnNode call)) {
                continue;
            }
            MethodNode target = CopiedMethods.target(in, call);
            MapCalls.Mapping mapping = MapCalls.of(call, in);
            FunctionCall functions = functions(call, helper);
            StrandHelper other = target == null && functions == null ? elsewhere(call) : null;
            if (Walks.of(in).of(call) != null) {
                calls.put(insn, rows++);
                walks.add(insn);
            } else if (target != null) {
                calls.put(insn, rows);
                called.put(insn, of(target));
                rows += of(target).rows();
            } else if (functions != null) {
                StrandHelper given = of(functions);
                calls.put(insn, rows);
                called.put(insn, given);
                rows += given.rows();
            } else if (in.isRemote(call)) {
                calls.put(insn, rows++);
            } else if (other != null) {
                calls.put(insn, rows);
                called.put(insn, other);
                rows += other.rows();
            } else if (mapping != null) {
                calls.put(insn, rows++);
                mappings.put(insn, mapping.filling());
            }
        }
        Map<AbstractInsnNode, AbstractInsnNode> keys = new IdentityHashMap<>();
        HandFilledMaps.of(helper, in).forEach(filling -> keys.put(filling.sent(), filling.get()));
        StrandHelper found = new StrandHelper(owner, helper, calls, called, walks, mappings, keys, List.of(), rows);
        tables.put(helper, found);
        return found;
    }

    /**
     * The rows of a method of another class, null if a call calls none that has rows here. One below which more than {@value #MOST_LAYERS} further
     * classes lie has none: the classes that a method is counted with are then the same wherever it is seen from.
     */
    private @Nullable StrandHelper elsewhere(MethodInsnNode call) {
        Callee callee = CopiedMethods.elsewhere(in, call);
        if (callee == null) {
            return null;
        }
        Callees inside = in.calleesOf(callee);
        if (layers(callee.code(), inside, MOST_LAYERS, new HashSet<>()) > MOST_LAYERS) {
            return null;
        }
        StrandHelper other = others.computeIfAbsent(callee.owner(), key -> new StrandTables(inside, key))
                .offered(callee.code());
        return other == null || other.fillsMap() ? null : other;
    }

    /**
     * How many other classes lie below a method: those of methods which make remote calls and which it, or a method of its class that it
     * calls, calls in turn.
     *
     * @param most how many layers are looked into
     * @param seen what was looked at, and counts where it was first met
     */
    private static int layers(MethodNode method, Callees in, int most, Set<Layered> seen) {
        if (most < 0) {
            return 1;
        }
        int found = 0;
        if (!seen.add(new Layered(method, most))) {
            return found;
        }
        for (AbstractInsnNode insn : method.instructions) {
            Function function = insn instanceof InvokeDynamicInsnNode site ? Function.of(site) : null;
            MethodInsnNode call =
                    insn instanceof MethodInsnNode named ? named : function == null ? null : function.target();
            MethodNode own = call == null ? null : in.targetOf(call);
            Callee callee = call == null ? null : CopiedMethods.elsewhere(in, call);
            if (callee != null) {
                found = Math.max(found, 1 + layers(callee.code(), in.calleesOf(callee), most - 1, seen));
            } else if (own != null) {
                found = Math.max(found, layers(own, in, most, seen));
            }
        }
        return found;
    }

    /** The lambda expressions with remote calls that a call gives to a method that calls them, or to the stream that it runs. */
    private @Nullable FunctionCall functions(MethodInsnNode call, MethodNode from) {
        StreamCode stream = StreamCode.of(owner, from, in).get(call);
        return stream == null || !stream.callsRemote() ? in.functions(call) : stream.functions();
    }

    /** Returns the rows of the calls of the lambda expressions that a method is given. */
    StrandHelper of(FunctionCall functions) {
        List<StrandHelper.Given> given = new ArrayList<>();
        int rows = 0;
        for (FunctionCall.Given each : functions.given()) {
            StrandHelper helper = of(each.code());
            given.add(new StrandHelper.Given(helper, rows));
            rows += helper.rows();
        }
        return given(functions.callee(), functions.given(), given, 0, rows);
    }

    /** The rows of a method to which some functions are handed on. */
    private StrandHelper given(
            Callee callee, List<FunctionCall.Given> functions, List<StrandHelper.Given> helpers, int step, int rows) {
        Map<AbstractInsnNode, Integer> calls = new IdentityHashMap<>();
        Map<AbstractInsnNode, StrandHelper> called = new IdentityHashMap<>();
        for (int i = 0; i < functions.size(); i++) {
            FunctionCall.Step next = functions.get(i).path().get(step);
            if (next.callee() == null) {
                calls.put(next.call(), helpers.get(i).row());
                called.put(next.call(), helpers.get(i).helper());
            } else if (!calls.containsKey(next.call())) {
                List<FunctionCall.Given> same = new ArrayList<>();
                List<StrandHelper.Given> theirs = new ArrayList<>();
                for (int k = i; k < functions.size(); k++) {
                    if (functions.get(k).path().get(step).call() == next.call()) {
                        same.add(functions.get(k));
                        theirs.add(helpers.get(k));
                    }
                }
                calls.put(next.call(), 0);
                called.put(next.call(), given(next.callee(), same, theirs, step + 1, rows));
            }
        }
        return new StrandHelper(
                callee.owner(),
                callee.code(),
                calls,
                called,
                Set.of(),
                Map.of(),
                Map.of(),
                step == 0
                        ? helpers.stream()
                                .filter(each -> each.helper().rows() > 0)
                                .toList()
                        : List.of(),
                rows);
    }

    /** The rows that a method of the class offers to nests of other classes, null if it offers none. */
    public @Nullable StrandHelper offered(MethodNode method) {
        boolean isOffered = CopiedMethods.isPlain(method)
                && !in.isExcluded(method)
                && !CopiedMethods.callsItself(in, method)
                && !isRecursive(method, new ArrayList<>())
                && sends(of(method))
                && !usesWhatArrives(of(method));
        return isOffered ? of(method) : null;
    }

    /** Whether strands may send a call among those of a helper: others keep their place, and a method with such calls alone stays as it is. */
    private boolean sends(StrandHelper helper) {
        return helper.fillsMap()
                || helper.calls().keySet().stream().anyMatch(this::isSent)
                || helper.called().values().stream().anyMatch(this::sends);
    }

    /** Whether a helper makes a call whose result it may use while that arrives, which is written another way (L5). */
    private boolean usesWhatArrives(StrandHelper helper) {
        return helper.calls().keySet().stream()
                .anyMatch(insn ->
                        insn instanceof MethodInsnNode call && in.effects().arrivesLater(call));
    }

    private boolean isSent(AbstractInsnNode insn) {
        CallSetting setting = insn instanceof MethodInsnNode call ? in.effects().settingOf(call) : null;
        return setting != null && setting.style() == CallSetting.Style.ASYNC;
    }

    private boolean isRecursive(MethodNode method, List<MethodNode> path) {
        if (path.contains(method)) {
            return true;
        }
        path.add(method);
        for (AbstractInsnNode insn : method.instructions) {
            MethodNode target = insn instanceof MethodInsnNode call ? CopiedMethods.target(in, call) : null;
            FunctionCall functions = insn instanceof MethodInsnNode call ? functions(call, method) : null;
            boolean isInside = target != null && isRecursive(target, path)
                    || functions != null
                            && functions.given().stream().anyMatch(given -> isRecursive(given.code(), path));
            if (isInside) {
                return true;
            }
        }
        path.remove(method);
        return false;
    }

    /** Returns the text by which callers of other classes check that a method is still as they have planned it. */
    public String contract(StrandHelper helper) {
        List<String> code = new ArrayList<>();
        describe(helper, code);
        return CrossClassGuard.contract(Helper.key(owner, helper.method().name, helper.method().desc), 'n', code);
    }

    private void describe(StrandHelper helper, List<String> code) {
        try {
            for (Op op : in.build(helper.method()).ops()) {
                code.add(op.toString());
            }
        } catch (Unsupported e) {
            code.add("none");
        }
        helper.calls().values().stream().sorted().forEach(row -> code.add(row.toString()));
        helper.keys().keySet().stream().map(helper.calls()::get).sorted().forEach(row -> code.add("key " + row));
        helper.mappings().values().stream().map(Object::toString).sorted().forEach(code::add);
        for (AbstractInsnNode insn : helper.method().instructions) {
            StrandHelper called = helper.called().get(insn);
            if (called != null && called.owner().equals(owner)) { // other classes say for themselves what they take
                describe(called, code);
            }
        }
    }
}
