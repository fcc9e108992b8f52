package dev.cleave.agent.plan.helper;

import dev.cleave.agent.flow.ControlFlowGraph;
import dev.cleave.agent.flow.Dominators;
import dev.cleave.agent.flow.LoopNest;
import dev.cleave.agent.plan.analysis.Eligible;
import dev.cleave.agent.plan.method.Callees;
import dev.cleave.agent.plan.method.Helper;
import dev.cleave.agent.plan.method.Method;
import dev.cleave.agent.plan.verdict.Refused;
import dev.cleave.agent.rule.Rule;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodNode;

/** Checks what every helper must be, however its calls are sent ahead: not locked, not too long. */
final class HelperShape {

    /** Why a method is no helper whose calls have no call style. */
    static final String NONE_MAY_MOVE = "none of its calls may move";

    /** Why a method is no helper that calls in a loop: that loop has its own verdict. */
    static final String OWN_LOOP = "its call is in a loop of its own";

    /** The most helpers between a caller and a remote call. */
    static final int DEPTH = 4;

    private static final int LARGEST = 600;

    private final ClassNode owner;
    private final MethodNode target;
    private final Callees helpers;
    private final Method method;
    private final Rule rule;
    private @Nullable ControlFlowGraph blocks;
    private @Nullable LoopNest nest;

    /**
     * Looks at a method.
     *
     * @param rule the rule that refuses it
     */
    HelperShape(ClassNode owner, MethodNode target, Callees helpers, Method method, Rule rule) {
        this.owner = owner;
        this.target = target;
        this.helpers = helpers;
        this.method = method;
        this.rule = rule;
    }

    ControlFlowGraph blocks() {
        ControlFlowGraph found = blocks;
        if (found == null) {
            found = ControlFlowGraph.of(method.graph().body());
            blocks = found;
        }
        return found;
    }

    LoopNest nest() {
        LoopNest found = nest;
        if (found == null) {
            found = LoopNest.of(blocks(), Dominators.of(blocks()));
            nest = found;
        }
        return found;
    }

    void check() throws Refused {
        if (!isFixed() && (owner.access & (Opcodes.ACC_ABSTRACT | Opcodes.ACC_INTERFACE)) != 0) {
            throw refused(0, "a subclass may override it", "make it private, static or final");
        }
        if ((target.access & Opcodes.ACC_SYNCHRONIZED) != 0) {
            throw refused(0, "it is synchronized", "call outside of the lock");
        }
        String never = Eligible.refusal(method.graph().body());
        if (never != null) {
            throw refused(0, never, "move the call into a method of its own");
        }
        if (helpers.isExcluded(target)) {
            throw refused(0, "it cannot be rewritten", "split it");
        }
        if (method.graph().size() > LARGEST || method.whole().repeats()) {
            throw refused(0, "it is too long", "split it");
        }
        if (!nest().reducible()) {
            throw refused(0, "its flow of control is not reducible", "restructure it");
        }
    }

    private boolean isFixed() {
        return (target.access & (Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC | Opcodes.ACC_FINAL)) != 0
                || (owner.access & Opcodes.ACC_FINAL) != 0;
    }

    /** The class that the object must be of, null if no class can override the method. */
    @Nullable
    String exact() {
        return isFixed() ? null : owner.name;
    }

    void checkDepth(int depth, int call) throws Refused {
        if (depth > DEPTH) {
            throw refused(call, "more than " + DEPTH + " helpers call each other", "call directly");
        }
    }

    /** Names the helper, given its first call. */
    String name(String call) {
        int simple = Math.max(owner.name.lastIndexOf('/'), owner.name.lastIndexOf('$')) + 1;
        return owner.name.substring(simple) + '.' + target.name + " > " + call;
    }

    String key() {
        return Helper.key(owner.name, target.name, target.desc);
    }

    Refused refused(int index, String reason, String advice) {
        return method.refused(rule, index, target.name + ": " + reason, advice);
    }
}
