package dev.cleave.agent.effect;

import dev.cleave.agent.ir.Register;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * Finds the effects of methods of the program by reading them: of methods that no class can override, to a bounded
 * depth and size.
 *
 * <p>A method that may be overridden is read too, under the {@link Guard} that the receiver is of exactly the class
 * named in the call.
 */
final class MethodSummaries {

    private static final int DEPTH = 4;
    private static final int LONGEST = 2_000;
    private static final int ANCESTORS = 64;

    private final Fields fields;
    private final Calls calls;
    private final Map<String, Summary> known = new HashMap<>();
    private final Set<String> open = new HashSet<>();
    private int recursions;

    private record Target(ClassNode owner, MethodNode method) {}

    /** An effect found at a depth: without a barrier it also holds at each lesser depth, as no code was left unread. */
    private record Summary(Effect effect, int depth) {

        boolean holdsAt(int other) {
            return other == depth || other < depth && effect.barrier() == null;
        }
    }

    MethodSummaries(Fields fields, Calls calls) {
        this.fields = fields;
        this.calls = calls;
    }

    /** The effect of a call of a method of the program. */
    Effect of(MethodInsnNode call, @Nullable Register receiver, String caller, int depth) {
        if (call.owner.startsWith("[")) {
            return call.name.equals("clone")
                    ? Effect.THROWS.reading(new Access(
                            new HeapRegion.Elements(Calls.kindOf(Type.getObjectType(call.owner))), receiver, null))
                    : Calls.unknown(call);
        }
        Target target = targetOf(call);
        if (target == null) {
            return Calls.unknown(call);
        }
        if (target.owner.name.startsWith("java/")) {
            Effect inherited = isFixed(target, call)
                    ? calls.inherited(target.owner.name, call)
                    : receiver == null ? null : calls.ofException(call, receiver);
            return inherited == null ? Calls.unknown(call) : inherited;
        }
        boolean isFixed = isFixed(target, call);
        if (!isFixed && (receiver == null || !isConcrete(call.owner))) {
            return Calls.unknown(call);
        }
        Effect effect = summary(target, call, depth);
        if (call.getOpcode() == Opcodes.INVOKESTATIC) {
            effect = initialising(call.owner, caller, depth).and(effect);
        }
        if (!isFixed && receiver != null && effect.barrier() == null) {
            effect = effect.guarded(new Guard(Guard.Kind.EXACT_CLASS, receiver, call.owner));
        }
        return effect;
    }

    /** The effect of initialising a class that is not initialised yet. */
    Effect initialising(String owner, String caller, int depth) {
        String name = owner;
        for (int i = 0; i < ANCESTORS && name != null; i++) {
            if (name.startsWith("java/") || name.startsWith("[") || isSelfOrAncestor(name, caller)) {
                return Effect.NONE;
            }
            ClassNode node = fields.classOf(name);
            if (node == null) {
                return initialisation(owner);
            }
            for (MethodNode method : node.methods) {
                if (method.name.equals("<clinit>")) {
                    MethodInsnNode call = new MethodInsnNode(Opcodes.INVOKESTATIC, name, "<clinit>", "()V", false);
                    Effect effect = summary(new Target(node, method), call, depth);
                    if (!new Initialiser(node, fields, calls, depth).isHarmless(method, effect)) {
                        return initialisation(owner);
                    }
                }
            }
            name = node.superName;
        }
        return Effect.NONE;
    }

    private static Effect initialisation(String owner) {
        return Effect.barrier(
                Barrier.Kind.CLASS_INITIALISATION,
                owner.substring(owner.lastIndexOf('/') + 1).replace('$', '.'));
    }

    private boolean isSelfOrAncestor(String name, String caller) {
        String next = caller;
        for (int i = 0; i < ANCESTORS && next != null; i++) {
            if (next.equals(name)) {
                return true;
            }
            ClassNode node = fields.classOf(next);
            next = node == null ? null : node.superName;
        }
        return false;
    }

    private Effect summary(Target target, MethodInsnNode call, int depth) {
        if (target.method.instructions.size() > LONGEST || depth >= DEPTH) {
            return Calls.unknown(call);
        }
        String key = target.owner.name + '.' + target.method.name + target.method.desc;
        Summary found = known.get(key);
        Effect effect = found != null && found.holdsAt(depth) ? found.effect() : read(target, key, call, depth);
        Barrier inner = effect.barrier();
        return inner == null ? effect : Effect.barrier(inner.kind(), nested(Calls.nameOf(call), inner.what()));
    }

    /**
     * Reads a method. Does not keep a result that depends on the methods that are being read: it would depend on the
     * order of questions.
     */
    private Effect read(Target target, String key, MethodInsnNode call, int depth) {
        if (!open.add(key)) {
            recursions++;
            return Effect.barrier(Barrier.Kind.MAY_NOT_RETURN, Calls.nameOf(call));
        }
        int before = recursions;
        Effect effect;
        try {
            effect = new MethodReader(target.owner, target.method, fields, calls, depth).read();
        } finally {
            open.remove(key);
        }
        Summary old = known.get(key);
        boolean isMore = old == null || effect.barrier() == null || old.effect().barrier() != null;
        if (isMore && (recursions == before || open.isEmpty())) {
            known.put(key, new Summary(effect, depth));
        }
        return effect;
    }

    private static String nested(String outer, String inner) {
        return outer.equals(inner) ? outer : outer + " > " + inner;
    }

    private @Nullable Target targetOf(MethodInsnNode call) {
        String name = call.owner;
        for (int i = 0; i < ANCESTORS && name != null; i++) {
            ClassNode node = fields.classOf(name);
            if (node == null) {
                return null;
            }
            for (MethodNode method : node.methods) {
                if (method.name.equals(call.name) && method.desc.equals(call.desc)) {
                    boolean hasCode = (method.access & (Opcodes.ACC_ABSTRACT | Opcodes.ACC_NATIVE)) == 0;
                    return hasCode || name.startsWith("java/") ? new Target(node, method) : null;
                }
            }
            name = node.superName;
        }
        return null;
    }

    private boolean isFixed(Target target, MethodInsnNode call) {
        if (call.getOpcode() == Opcodes.INVOKESTATIC || call.getOpcode() == Opcodes.INVOKESPECIAL) {
            return true;
        }
        if ((target.method.access & (Opcodes.ACC_PRIVATE | Opcodes.ACC_FINAL)) != 0) {
            return true;
        }
        ClassNode named = fields.classOf(call.owner);
        return named != null && (named.access & Opcodes.ACC_FINAL) != 0;
    }

    private boolean isConcrete(String owner) {
        ClassNode node = fields.classOf(owner);
        return node != null && (node.access & (Opcodes.ACC_ABSTRACT | Opcodes.ACC_INTERFACE)) == 0;
    }
}
