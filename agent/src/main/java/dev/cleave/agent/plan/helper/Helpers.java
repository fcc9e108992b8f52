package dev.cleave.agent.plan.helper;

import static java.util.Objects.requireNonNull;

import dev.cleave.agent.effect.Effects;
import dev.cleave.agent.ir.MethodBody;
import dev.cleave.agent.ir.Unsupported;
import dev.cleave.agent.plan.analysis.ClassCode;
import dev.cleave.agent.plan.method.Callee;
import dev.cleave.agent.plan.method.Callees;
import dev.cleave.agent.plan.method.CrossClassGuard;
import dev.cleave.agent.plan.method.Function;
import dev.cleave.agent.plan.method.FunctionCall;
import dev.cleave.agent.plan.method.Helper;
import dev.cleave.agent.plan.method.Method;
import dev.cleave.agent.plan.method.PrefetchHelper;
import dev.cleave.agent.plan.verdict.Refusal;
import dev.cleave.agent.plan.verdict.Refused;
import dev.cleave.agent.rule.Rule;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * The helpers of one class, found as they are asked for, and those of other classes that it calls. Those of the class
 * itself are rewritten with their callers or not at all; to others there is a {@link CrossClassGuard}.
 */
public final class Helpers implements Callees {

    private static final int ANCESTORS = 8;
    private static final int MOST_METHODS = 16;
    private static final int MOST_RESOLVED = 20_000;

    private final ClassNode owner;
    private final ClassCode code;
    private final Set<String> excluded;
    private final Map<MethodBody, Method> methods = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<MethodBody, Method> eldest) {
            return size() > MOST_METHODS;
        }
    };
    private final Found<Helper> split;
    private final Found<PrefetchHelper> prefetching;
    private final Map<MethodNode, Boolean> callers = new HashMap<>();
    private final Map<MethodInsnNode, Optional<Target>> resolved = new IdentityHashMap<>();
    private final Map<MethodNode, List<Target>> remoteCallees = new HashMap<>();
    private final Map<MethodNode, Set<MethodNode>> ownCallees = new HashMap<>();
    private final Map<String, Map<String, Refusal>> noted = new HashMap<>(); // by class, by method
    private final Map<Class<?>, Object> kept = new HashMap<>();
    private final OtherClasses others;
    private final int distance;
    private @Nullable FunctionCalls functionCalls;

    /**
     * Prepares the helpers of a class that is to be rewritten.
     *
     * @param others the helpers of the classes that it calls
     * @param excluded methods, by name and descriptor, that could not be rewritten as planned
     */
    public Helpers(ClassNode owner, OtherClasses others, Set<String> excluded) {
        this(new ClassCode(owner), others, excluded, 0);
    }

    Helpers(ClassCode code, OtherClasses others, Set<String> excluded, int distance) {
        this.owner = code.owner();
        this.code = code;
        this.excluded = Set.copyOf(excluded);
        this.distance = distance;
        this.others = others;
        this.split = new Found<>(Rule.R68, target -> new HelperPlanner(owner, target, this).plan());
        this.prefetching = new Found<>(Rule.R63, target -> new PrefetchHelperPlanner(owner, target, this).plan());
    }

    /** The code of a method of the class; the same object each time. */
    @Override
    public MethodBody body(MethodNode method) throws Unsupported {
        return code.body(method);
    }

    @Override
    public MethodBody build(MethodNode method) throws Unsupported {
        return code.build(method);
    }

    @Override
    public <T> T kept(Class<T> kind, Supplier<T> make) {
        Object known = kept.get(kind);
        if (known == null) {
            known = make.get();
            kept.put(kind, known);
        }
        return kind.cast(known);
    }

    @Override
    public boolean isRemote(MethodInsnNode call) {
        return others.isRemote(call);
    }

    /** Returns a method to plan in; it keeps the last ones, as several planners ask for the same method. */
    @Override
    public Method method(MethodBody body) {
        Method method = methods.get(body);
        if (method == null) {
            method = new Method(code.graph(body), code.effects(body, effects()), this);
            methods.put(body, method);
        }
        return method;
    }

    /** Whether a method calls remote methods, or methods that do. */
    public boolean callsRemote(MethodNode method) {
        Boolean known = callers.get(method);
        if (known != null) {
            return known;
        }
        Set<MethodNode> seen = new HashSet<>();
        boolean calls = reachesRemote(method, seen);
        if (calls) {
            callers.put(method, true);
        } else {
            seen.forEach(each -> callers.put(each, false));
        }
        return calls;
    }

    /** Walks the methods of the class that a method calls, until one is found that calls a remote method. */
    private boolean reachesRemote(MethodNode from, Set<MethodNode> seen) {
        Deque<MethodNode> open = new ArrayDeque<>(List.of(from));
        while (!open.isEmpty()) {
            MethodNode method = open.pop();
            if (!seen.add(method)) {
                continue;
            }
            for (AbstractInsnNode insn : method.instructions) {
                MethodInsnNode call = callOf(insn);
                if (call == null) {
                    continue;
                }
                MethodNode own = ownTarget(call);
                boolean calls = own == null
                        ? others.isRemote(call) || hidesRemote(call) || elsewhere(call) != null
                        : isKnownCaller(own);
                if (calls) {
                    return true;
                }
                if (own != null) {
                    open.push(own);
                }
            }
        }
        return false;
    }

    /** The method of this class that a call certainly calls, if need be by an interface that this class alone implements. */
    private @Nullable MethodNode ownTarget(MethodInsnNode call) {
        Target target = resolve(call);
        return target != null && target.in == this ? target.code : null;
    }

    private boolean isKnownCaller(MethodNode method) {
        return callers.getOrDefault(method, false);
    }

    /** Whether a method may come to call itself through methods of the class. */
    private boolean isRecursive(MethodNode from) {
        Set<MethodNode> seen = new HashSet<>();
        Deque<MethodNode> open = new ArrayDeque<>(List.of(from));
        while (!open.isEmpty()) {
            for (MethodNode own : ownCallees.computeIfAbsent(open.pop(), this::findOwnCallees)) {
                if (own == from) {
                    return true;
                }
                if (seen.add(own)) {
                    open.push(own);
                }
            }
        }
        return false;
    }

    /** The methods of the class that a method calls. */
    private Set<MethodNode> findOwnCallees(MethodNode method) {
        Set<MethodNode> callees = new LinkedHashSet<>();
        for (AbstractInsnNode insn : method.instructions) {
            MethodNode own = insn instanceof MethodInsnNode call ? code.targetOf(call) : null;
            if (own != null) {
                callees.add(own);
            }
        }
        return callees;
    }

    private static @Nullable MethodInsnNode callOf(AbstractInsnNode insn) {
        if (insn instanceof InvokeDynamicInsnNode site) {
            Function function = Function.of(site);
            return function == null ? null : function.target();
        }
        return insn instanceof MethodInsnNode call ? call : null;
    }

    /** A method that a call certainly calls, with the helpers of its class. */
    private record Target(Helpers in, MethodNode code) {

        boolean callsRemote() {
            return in.callsRemote(code);
        }
    }

    /** The helper that a call certainly calls, null if it calls none. */
    @Override
    public @Nullable Helper of(MethodInsnNode call) {
        Target target = resolve(call);
        return target == null || !target.callsRemote() ? null : target.in.split.of(target.code);
    }

    /** The helper whose calls are prefetched that a call certainly calls, null if it calls none. */
    @Override
    public @Nullable PrefetchHelper prefetching(MethodInsnNode call) {
        Target target = resolve(call);
        return target == null || !target.callsRemote() ? null : target.in.prefetching.of(target.code);
    }

    /** Returns the helper that callers of other classes see in a method of the class, null if it is none. */
    public @Nullable Helper offered(MethodNode method) {
        return isVisible(method) && callsRemote(method) ? split.of(method) : null;
    }

    /**
     * The helper whose calls are prefetched that a method of the class is to callers of other classes, null if none.
     */
    public @Nullable PrefetchHelper offeredAhead(MethodNode method) {
        return isVisible(method) && callsRemote(method) ? prefetching.of(method) : null;
    }

    /** Whether other classes may call a method of the class: a private one is called by classes of its nest. */
    public boolean isVisible(MethodNode method) {
        boolean isPrivate = (method.access & Opcodes.ACC_PRIVATE) != 0;
        boolean isMate = owner.nestHostClass != null || owner.nestMembers != null;
        boolean isLambda = isPrivate && (method.access & Opcodes.ACC_SYNTHETIC) != 0;
        return ClassCode.hasCode(method) && !method.name.startsWith("<") && !isLambda && (!isPrivate || isMate);
    }

    /** Why the method that an op calls, which calls remote methods, is no helper; null if there is no reason. */
    @Override
    public @Nullable Refusal refusal(MethodInsnNode call) {
        Target target = resolve(call);
        if (target == null || of(call) != null || prefetching(call) != null) {
            return null;
        }
        Refusal ahead = target.in.prefetching.refusal(target.code);
        Refusal plain = target.in.split.refusal(target.code);
        boolean saysMore = ahead != null && !ahead.reason().endsWith(HelperShape.NONE_MAY_MOVE);
        return saysMore ? ahead : plain;
    }

    /**
     * Notes why the calls of a method, and of those of its class that it calls, are not sent ahead where it is used.
     *
     * @param isRepeated whether it is used in a loop, which matters more than elsewhere
     */
    @Override
    public void note(MethodInsnNode call, Refusal why, boolean isRepeated) {
        boolean isSaidElsewhere =
                why.reason().endsWith(HelperShape.NONE_MAY_MOVE) || why.reason().endsWith(HelperShape.OWN_LOOP);
        if (!isSaidElsewhere) {
            note(call, why, isRepeated, 2 * HelperShape.DEPTH);
        }
    }

    /**
     * Notes it level by level, each method once, as methods that call one another may have exponentially many paths.
     */
    private void note(MethodInsnNode call, Refusal why, boolean isRepeated, int depth) {
        Set<MethodNode> seen = new HashSet<>();
        List<Target> level = new ArrayList<>();
        addRemote(call, level);
        for (int left = depth; left > 0 && !level.isEmpty(); left--) {
            List<Target> next = new ArrayList<>();
            for (Target target : level) {
                if (!seen.add(target.code)) {
                    continue;
                }
                Map<String, Refusal> of = noted.computeIfAbsent(target.in.owner.name, name -> new HashMap<>());
                if (isRepeated && left == depth) {
                    of.put(target.code.name + target.code.desc, why);
                } else {
                    of.putIfAbsent(target.code.name + target.code.desc, why);
                }
                next.addAll(target.in.remoteCallees(target.code));
            }
            level = next;
        }
    }

    /** The methods that a method calls and that call remote methods. */
    private List<Target> remoteCallees(MethodNode method) {
        List<Target> found = remoteCallees.get(method);
        if (found == null) {
            found = new ArrayList<>();
            for (AbstractInsnNode insn : method.instructions) {
                if (insn instanceof MethodInsnNode inner) {
                    addRemote(inner, found);
                    FunctionCall functions = functions(inner);
                    for (FunctionCall.Given given :
                            functions == null ? List.<FunctionCall.Given>of() : functions.given()) {
                        addRemote(given.function().target(), found);
                    }
                }
            }
            remoteCallees.put(method, found);
        }
        return found;
    }

    private void addRemote(MethodInsnNode call, List<Target> targets) {
        Target target = resolve(call);
        if (target != null && target.callsRemote()) {
            targets.add(target);
        }
    }

    /** Whether a call calls a method of the program that calls remote methods. */
    @Override
    public boolean hidesRemote(MethodInsnNode call) {
        Target target = resolve(call);
        return target != null && target.callsRemote();
    }

    /** Why calls of methods of other classes are not sent ahead where this class uses them. */
    public List<HelperUse> refusedElsewhere() {
        List<HelperUse> refused = new ArrayList<>();
        noted.forEach((type, reasons) -> reasons.forEach((method, why) -> refused.add(new HelperUse(
                type.replace('/', '.'),
                method,
                null,
                List.of(),
                new Refusal(why.rule(), -1, why.reason(), why.advice())))));
        return refused;
    }

    /** Why the calls of a method are not sent ahead where it is used, null if nothing was noted. */
    public @Nullable Refusal noted(MethodNode method) {
        return noted.getOrDefault(owner.name, Map.of()).get(method.name + method.desc);
    }

    /** The helper that a method of the class is, null if it is none. */
    public @Nullable Helper own(MethodNode method) {
        return callsRemote(method) ? split.of(method) : null;
    }

    /** The helper whose calls are prefetched that a method of the class is, null if it is none. */
    public @Nullable PrefetchHelper ownAhead(MethodNode method) {
        return callsRemote(method) ? prefetching.of(method) : null;
    }

    private interface Planner<T> {
        T plan(MethodNode target) throws Refused, Unsupported;
    }

    /** Helpers of one kind, found as they are asked for. */
    private final class Found<T> {

        private final Rule rule;
        private final Planner<T> planner;
        private final Map<String, T> known = new HashMap<>();
        private final Map<String, Refusal> refused = new HashMap<>();
        private final Set<String> open = new HashSet<>();

        Found(Rule rule, Planner<T> planner) {
            this.rule = rule;
            this.planner = planner;
        }

        @Nullable
        T of(MethodNode target) {
            String key = target.name + target.desc;
            if (!known.containsKey(key) && !refused.containsKey(key)) {
                find(target, key);
            }
            return known.get(key);
        }

        @Nullable
        Refusal refusal(MethodNode target) {
            return refused.get(target.name + target.desc);
        }

        private void find(MethodNode target, String key) {
            if (isRecursive(target) || !open.add(key)) {
                refused.put(key, new Refusal(rule, -1, target.name + " calls itself", "use a loop"));
                return;
            }
            try {
                T helper = planner.plan(target);
                if (!refused.containsKey(key)) {
                    known.put(key, helper);
                }
            } catch (Refused e) {
                boolean saysMore = !e.refusal().reason().endsWith(HelperShape.NONE_MAY_MOVE);
                if (saysMore || !refused.containsKey(key)) {
                    refused.put(key, e.refusal());
                }
            } catch (Unsupported e) {
                refused.put(key, new Refusal(Rule.R1, -1, String.valueOf(e.getMessage()), "compile the class again"));
            } finally {
                open.remove(key);
            }
        }
    }

    @Override
    public boolean isExcluded(MethodNode method) {
        return excluded.contains(method.name + method.desc);
    }

    @Override
    public Effects effects() {
        return others.effects();
    }

    @Override
    public boolean isFinal(MethodNode method) {
        return isFixed(method) || (method.access & Opcodes.ACC_PRIVATE) != 0 || (owner.access & Opcodes.ACC_FINAL) != 0;
    }

    @Override
    public @Nullable String exact() {
        return (owner.access & (Opcodes.ACC_ABSTRACT | Opcodes.ACC_INTERFACE)) == 0 ? owner.name : null;
    }

    @Override
    public @Nullable Callee elsewhere(MethodInsnNode call) {
        boolean isStatic = call.getOpcode() == Opcodes.INVOKESTATIC && !call.itf;
        if (call.getOpcode() != Opcodes.INVOKEVIRTUAL && call.getOpcode() != Opcodes.INVOKEINTERFACE && !isStatic) {
            return null;
        }
        MethodInsnNode named = call;
        if (call.getOpcode() == Opcodes.INVOKEINTERFACE && !isRemote(call)) {
            String type = others.implementation(call.owner, owner.name);
            named = type == null ? call : new MethodInsnNode(Opcodes.INVOKEVIRTUAL, type, call.name, call.desc, false);
        }
        Target target = named.getOpcode() == Opcodes.INVOKEINTERFACE ? null : resolve(named);
        return target == null || target.in == this || !target.callsRemote()
                ? null
                : new Callee(target.in.owner.name, target.code, named.owner);
    }

    @Override
    public @Nullable FunctionCall functions(MethodInsnNode call) {
        return functionCalls().of(call);
    }

    @Override
    public @Nullable MethodInsnNode userOf(Function function) {
        return functionCalls().userOf(function);
    }

    @Override
    public boolean isGiven(MethodInsnNode lambda) {
        return functionCalls().isGiven(lambda);
    }

    @Override
    public @Nullable Refusal functionRefusal(MethodInsnNode lambda) {
        return functionCalls().refusal(lambda);
    }

    private FunctionCalls functionCalls() {
        if (functionCalls == null) {
            functionCalls = new FunctionCalls(code, this, others);
        }
        return functionCalls;
    }

    @Override
    public Callees calleesOf(Callee callee) {
        return requireNonNull(others.of(callee.owner(), distance + 1), callee.owner());
    }

    /** The method of this class that a call names, null if it names none. */
    @Override
    public @Nullable MethodNode targetOf(MethodInsnNode call) {
        return code.targetOf(call);
    }

    /**
     * The method that a call certainly calls, apart from what overrides it: of this class or of another that is known.
     */
    private @Nullable Target resolve(MethodInsnNode call) {
        if (resolved.size() > MOST_RESOLVED) {
            resolved.clear(); // references to methods are made anew each time
        }
        Optional<Target> known = resolved.get(call);
        if (known == null) {
            known = Optional.ofNullable(find(call));
            resolved.put(call, known);
        }
        return known.orElse(null);
    }

    private @Nullable Target find(MethodInsnNode call) {
        MethodNode own = targetOf(call);
        if (own != null) {
            return new Target(this, own);
        }
        if (call.getOpcode() == Opcodes.INVOKEINTERFACE) {
            return isRemote(call) ? null : implemented(call);
        }
        boolean isElsewhere = call.getOpcode() == Opcodes.INVOKESTATIC
                || call.getOpcode() == Opcodes.INVOKEVIRTUAL
                || call.getOpcode() == Opcodes.INVOKESPECIAL;
        if (!isElsewhere || call.name.startsWith("<")) {
            return null;
        }
        Helpers in = call.owner.equals(owner.name) ? this : others.of(call.owner, distance + 1);
        for (int steps = 0; in != null && steps < ANCESTORS; steps++) {
            MethodNode method = in.code.declared(call);
            if (method != null) {
                boolean isInherited = !in.owner.name.equals(call.owner);
                return in != this && ClassCode.hasCode(method) && (!isInherited || isFixed(method))
                        ? new Target(in, method)
                        : null;
            }
            String above = in.owner.superName;
            in = above == null ? null : others.of(above, distance + 1);
        }
        return null;
    }

    /** The method that a call of an interface calls if the object is of the one class that implements it and calls remote methods. */
    private @Nullable Target implemented(MethodInsnNode call) {
        String type = others.implementation(call.owner, owner.name);
        Target target = type == null
                ? null
                : resolve(new MethodInsnNode(Opcodes.INVOKEVIRTUAL, type, call.name, call.desc, false));
        return target != null && target.in.owner.name.equals(type) ? target : null;
    }

    private static boolean isFixed(MethodNode method) {
        return (method.access & (Opcodes.ACC_STATIC | Opcodes.ACC_FINAL)) != 0;
    }
}
