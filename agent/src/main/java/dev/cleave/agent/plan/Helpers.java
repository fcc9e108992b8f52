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
 * The helpers of one class, found as they are asked for. Only methods of the class itself are helpers: they are
 * rewritten with their callers or not at all.
 */
public final class Helpers {

    /** Why a method is no helper whose calls have no call style. */
    static final String NONE_MAY_MOVE = "none of its calls may move";

    /** Why a method is no helper that calls in a loop: that loop has its own verdict. */
    static final String OWN_LOOP = "its call is in a loop of its own";

    private final ClassNode owner;
    private final Effects effects;
    private final Predicate<MethodInsnNode> remote;
    private final Set<String> excluded;
    private final Map<String, MethodBody> bodies = new HashMap<>();
    private final Found<Helper> split;
    private final Found<PrefetchHelper> prefetching;
    private final Map<String, Boolean> callers = new HashMap<>();
    private final Map<String, Refusal> noted = new HashMap<>();

    /**
     * Makes them.
     *
     * @param remote which calls are remote
     * @param excluded methods, by name and descriptor, that cannot be rewritten
     */
    public Helpers(ClassNode owner, Effects effects, Predicate<MethodInsnNode> remote, Set<String> excluded) {
        this.owner = owner;
        this.effects = effects;
        this.remote = remote;
        this.excluded = Set.copyOf(excluded);
        this.split = new Found<>("R68", target -> new HelperPlanner(owner, target, this).plan());
        this.prefetching = new Found<>("R63", target -> new PrefetchHelperPlanner(owner, target, this).plan());
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

    /** Whether a method calls remote methods, or methods of its class that do. */
    public boolean callsRemote(MethodNode method) {
        String key = method.name + method.desc;
        Boolean calls = callers.get(key);
        if (calls != null) {
            return calls;
        }
        callers.put(key, false); // a method that only calls itself
        for (AbstractInsnNode insn : method.instructions) {
            MethodInsnNode call = callOf(insn);
            if (call != null && (remote.test(call) || isOwnRemote(call))) {
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

    /** The helper that a call certainly calls, null if it calls none. */
    @Nullable
    Helper of(MethodInsnNode call) {
        MethodNode target = targetOf(call);
        return target == null || !callsRemote(target) ? null : split.of(target);
    }

    /** The helper whose calls are prefetched that a call certainly calls, null if it calls none. */
    @Nullable
    PrefetchHelper prefetching(MethodInsnNode call) {
        MethodNode target = targetOf(call);
        return target == null || !callsRemote(target) ? null : prefetching.of(target);
    }

    /** Why the method of the class that an op calls, which calls remote methods, is no helper; null if there is no reason. */
    @Nullable
    Refusal refusal(MethodInsnNode call) {
        MethodNode target = targetOf(call);
        if (target == null || of(call) != null || prefetching(call) != null) {
            return null;
        }
        Refusal ahead = prefetching.refusal(target);
        Refusal plain = split.refusal(target);
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
        Set<String> seen = new HashSet<>();
        List<MethodInsnNode> level = List.of(call);
        for (int left = depth; left > 0 && !level.isEmpty(); left--) {
            List<MethodInsnNode> next = new ArrayList<>();
            for (MethodInsnNode at : level) {
                MethodNode target = targetOf(at);
                if (target == null || !callsRemote(target) || !seen.add(target.name + target.desc)) {
                    continue;
                }
                if (isRepeated && left == depth) {
                    noted.put(target.name + target.desc, why);
                } else {
                    noted.putIfAbsent(target.name + target.desc, why);
                }
                for (AbstractInsnNode insn : target.instructions) {
                    if (insn instanceof MethodInsnNode inner && isOwnRemote(inner)) {
                        next.add(inner);
                    }
                }
            }
            level = next;
        }
    }

    /** Whether a call calls a method of the class that calls remote methods. */
    boolean callsOwnRemote(MethodInsnNode call) {
        return isOwnRemote(call);
    }

    /** Why the calls of a method are not sent ahead where it is used, null if nothing was noted. */
    public @Nullable Refusal noted(MethodNode method) {
        return noted.get(method.name + method.desc);
    }

    private boolean isOwnRemote(MethodInsnNode call) {
        MethodNode target = targetOf(call);
        return target != null && callsRemote(target);
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

    /** The method of this class that a call names, null if it names none. */
    @Nullable
    MethodNode targetOf(MethodInsnNode call) {
        if (!call.owner.equals(owner.name) || call.name.startsWith("<")) {
            return null;
        }
        for (MethodNode method : owner.methods) {
            boolean hasCode = (method.access & (Opcodes.ACC_ABSTRACT | Opcodes.ACC_NATIVE)) == 0;
            if (hasCode && method.name.equals(call.name) && method.desc.equals(call.desc)) {
                return method;
            }
        }
        return null;
    }
}
