package dev.cleave.agent.plan;

import dev.cleave.agent.effect.Effects;
import dev.cleave.agent.ir.IrBuilder;
import dev.cleave.agent.ir.MethodBody;
import dev.cleave.agent.ir.Unsupported;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * The helpers of one class, found as they are asked for, and those of other classes that it calls. Those of the class itself
 * are rewritten with their callers or not at all; to others there is a {@link Door}.
 */
public final class Helpers {

    /** Why a method is no helper whose calls have no call style. */
    static final String NONE_MAY_MOVE = "none of its calls may move";

    /** Why a method is no helper that calls in a loop: that loop has its own verdict. */
    static final String OWN_LOOP = "its call is in a loop of its own";

    private static final int ANCESTORS = 8;

    private final ClassNode owner;
    private final Effects effects;
    private final Predicate<MethodInsnNode> remote;
    private final Set<String> excluded;
    private final Map<String, MethodBody> bodies = new HashMap<>();
    private final Found<Helper> split;
    private final Found<PrefetchHelper> prefetching;
    private final Map<String, Boolean> callers = new HashMap<>();
    private final Map<String, Refusal> noted = new HashMap<>();
    private final OtherClasses others;
    private final int distance;

    /**
     * Makes them.
     *
     * @param remote which calls are remote
     * @param excluded methods, by name and descriptor, that cannot be rewritten
     * @param files reads another class, by internal name, if it may call remote methods; null for all others
     */
    public Helpers(
            ClassNode owner,
            Effects effects,
            Predicate<MethodInsnNode> remote,
            Set<String> excluded,
            java.util.function.Function<String, @Nullable ClassNode> files) {
        this(owner, effects, remote, excluded, files, null, 0);
    }

    private Helpers(
            ClassNode owner,
            Effects effects,
            Predicate<MethodInsnNode> remote,
            Set<String> excluded,
            java.util.function.Function<String, @Nullable ClassNode> files,
            @Nullable OtherClasses others,
            int distance) {
        this.owner = owner;
        this.effects = effects;
        this.remote = remote;
        this.excluded = Set.copyOf(excluded);
        this.distance = distance;
        this.others = others != null ? others : new OtherClasses(owner.name, this, files, this::other);
        this.split = new Found<>("R68", target -> new HelperPlanner(owner, target, this).plan());
        this.prefetching = new Found<>("R63", target -> new PrefetchHelperPlanner(owner, target, this).plan());
    }

    private Helpers other(ClassNode node, int steps) {
        return new Helpers(node, effects, remote, Set.of(), name -> null, others, steps);
    }

    /** The code of a method of the class; the same object each time. */
    public MethodBody body(MethodNode method) throws Unsupported {
        MethodBody body = bodies.get(method.name + method.desc);
        if (body == null) {
            body = IrBuilder.build(owner.name, owner.version & 0xFFFF, method);
            bodies.put(method.name + method.desc, body);
        }
        return body;
    }

    /** Whether a method calls remote methods, or methods that do. */
    public boolean callsRemote(MethodNode method) {
        String key = method.name + method.desc;
        Boolean calls = callers.get(key);
        if (calls != null) {
            return calls;
        }
        callers.put(key, false); // a method that only calls itself
        for (AbstractInsnNode insn : method.instructions) {
            MethodInsnNode call = callOf(insn);
            if (call != null && (remote.test(call) || hidesRemote(call))) {
                callers.put(key, true);
                return true;
            }
        }
        return false;
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
    @Nullable
    Helper of(MethodInsnNode call) {
        Target target = resolve(call);
        return target == null || !target.callsRemote() ? null : target.in.split.of(target.code);
    }

    /** The helper whose calls are prefetched that a call certainly calls, null if it calls none. */
    @Nullable
    PrefetchHelper prefetching(MethodInsnNode call) {
        Target target = resolve(call);
        return target == null || !target.callsRemote() ? null : target.in.prefetching.of(target.code);
    }

    /** The helper that a method of the class is to callers of other classes, null if it is none. */
    public @Nullable Helper offered(MethodNode method) {
        return isVisible(method) && callsRemote(method) ? split.of(method) : null;
    }

    /** The helper whose calls are prefetched that a method of the class is to callers of other classes, null if none. */
    public @Nullable PrefetchHelper offeredAhead(MethodNode method) {
        return isVisible(method) && callsRemote(method) ? prefetching.of(method) : null;
    }

    /** Whether other classes may call a method of the class: a private one is called by classes of its nest. */
    private boolean isVisible(MethodNode method) {
        boolean isPrivate = (method.access & Opcodes.ACC_PRIVATE) != 0;
        boolean isMate = owner.nestHostClass != null || owner.nestMembers != null;
        boolean isLambda = isPrivate && (method.access & Opcodes.ACC_SYNTHETIC) != 0;
        return hasCode(method) && !method.name.startsWith("<") && !isLambda && (!isPrivate || isMate);
    }

    /** Why the method that an op calls, which calls remote methods, is no helper; null if there is no reason. */
    @Nullable
    Refusal refusal(MethodInsnNode call) {
        Target target = resolve(call);
        if (target == null || of(call) != null || prefetching(call) != null) {
            return null;
        }
        Refusal ahead = target.in.prefetching.refusal(target.code);
        Refusal plain = target.in.split.refusal(target.code);
        boolean saysMore = ahead != null && !ahead.reason().endsWith(NONE_MAY_MOVE);
        return saysMore ? ahead : plain;
    }

    /**
     * Notes why the calls of a method, and of those of its class that it calls, are not sent ahead where it is used.
     *
     * @param isRepeated whether it is used in a loop, which matters more than elsewhere
     */
    void note(MethodInsnNode call, Refusal why, boolean isRepeated) {
        boolean isSaidElsewhere =
                why.reason().endsWith(NONE_MAY_MOVE) || why.reason().endsWith(OWN_LOOP);
        if (!isSaidElsewhere) {
            note(call, why, isRepeated, 2 * HelperShape.DEPTH);
        }
    }

    /** Notes it level by level, each method once: methods that call one another have more ways than anybody can walk. */
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
                Map<String, Refusal> of = target.in.noted;
                if (isRepeated && left == depth) {
                    of.put(target.code.name + target.code.desc, why);
                } else {
                    of.putIfAbsent(target.code.name + target.code.desc, why);
                }
                for (AbstractInsnNode insn : target.code.instructions) {
                    if (insn instanceof MethodInsnNode inner) {
                        target.in.addRemote(inner, next);
                    }
                }
            }
            level = next;
        }
    }

    private void addRemote(MethodInsnNode call, List<Target> targets) {
        Target target = resolve(call);
        if (target != null && target.callsRemote()) {
            targets.add(target);
        }
    }

    /** Whether a call calls a method of the program that calls remote methods. */
    boolean hidesRemote(MethodInsnNode call) {
        Target target = resolve(call);
        return target != null && target.callsRemote();
    }

    /** Why calls of methods of other classes are not sent ahead where this class uses them. */
    public List<HelperUse> refusedElsewhere() {
        List<HelperUse> refused = new ArrayList<>();
        for (Helpers other : others.all()) {
            String type = other.owner.name.replace('/', '.');
            other.noted.forEach((method, why) -> refused.add(new HelperUse(
                    type, method, null, List.of(), new Refusal(why.rule(), -1, why.reason(), why.advice()))));
        }
        return refused;
    }

    /** Why the calls of a method are not sent ahead where it is used, null if nothing was noted. */
    public @Nullable Refusal noted(MethodNode method) {
        return noted.get(method.name + method.desc);
    }

    private interface Planner<T> {
        T plan(MethodNode target) throws Refused, Unsupported;
    }

    /** Helpers of one kind, found as they are asked for. */
    private static final class Found<T> {

        private final String rule;
        private final Planner<T> planner;
        private final Map<String, T> known = new HashMap<>();
        private final Map<String, Refusal> refused = new HashMap<>();
        private final Set<String> open = new HashSet<>();

        Found(String rule, Planner<T> planner) {
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
            if (!open.add(key)) {
                refused.put(key, new Refusal(rule, -1, target.name + " calls itself", "use a loop"));
                return;
            }
            try {
                T helper = planner.plan(target);
                if (!refused.containsKey(key)) {
                    known.put(key, helper);
                }
            } catch (Refused e) {
                boolean saysMore = !e.refusal().reason().endsWith(NONE_MAY_MOVE);
                if (saysMore || !refused.containsKey(key)) {
                    refused.put(key, e.refusal());
                }
            } catch (Unsupported e) {
                refused.put(key, new Refusal("R1", -1, String.valueOf(e.getMessage()), "compile the class again"));
            } finally {
                open.remove(key);
            }
        }
    }

    boolean isExcluded(MethodNode method) {
        return excluded.contains(method.name + method.desc);
    }

    Effects effects() {
        return effects;
    }

    /** Whether a call calls a method of this class. */
    boolean isOwn(MethodInsnNode call) {
        return targetOf(call) != null;
    }

    /** The method of this class that a call names, null if it names none. */
    @Nullable
    MethodNode targetOf(MethodInsnNode call) {
        MethodNode method = call.owner.equals(owner.name) && !call.name.startsWith("<") ? declared(call) : null;
        return method != null && hasCode(method) ? method : null;
    }

    /** The method that a call certainly calls, apart from what overrides it: of this class or of another that is known. */
    private @Nullable Target resolve(MethodInsnNode call) {
        MethodNode own = targetOf(call);
        if (own != null) {
            return new Target(this, own);
        }
        boolean isElsewhere = call.getOpcode() == Opcodes.INVOKESTATIC
                || call.getOpcode() == Opcodes.INVOKEVIRTUAL
                || call.getOpcode() == Opcodes.INVOKESPECIAL;
        if (!isElsewhere || call.name.startsWith("<")) {
            return null;
        }
        Helpers in = call.owner.equals(owner.name) ? this : others.of(call.owner, distance + 1);
        for (int steps = 0; in != null && steps < ANCESTORS; steps++) {
            MethodNode method = in.declared(call);
            if (method != null) {
                boolean isInherited = !in.owner.name.equals(call.owner);
                return in != this && hasCode(method) && (!isInherited || isFixed(method))
                        ? new Target(in, method)
                        : null;
            }
            String above = in.owner.superName;
            in = above == null ? null : others.of(above, distance + 1);
        }
        return null;
    }

    private @Nullable MethodNode declared(MethodInsnNode call) {
        for (MethodNode method : owner.methods) {
            if (method.name.equals(call.name) && method.desc.equals(call.desc)) {
                return method;
            }
        }
        return null;
    }

    private static boolean hasCode(MethodNode method) {
        return (method.access & (Opcodes.ACC_ABSTRACT | Opcodes.ACC_NATIVE)) == 0;
    }

    private static boolean isFixed(MethodNode method) {
        return (method.access & (Opcodes.ACC_STATIC | Opcodes.ACC_FINAL)) != 0;
    }
}
