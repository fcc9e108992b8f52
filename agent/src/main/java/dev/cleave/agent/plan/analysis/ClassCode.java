package dev.cleave.agent.plan.analysis;

import dev.cleave.agent.effect.BodyEffects;
import dev.cleave.agent.effect.Effects;
import dev.cleave.agent.ir.IrBuilder;
import dev.cleave.agent.ir.MethodBody;
import dev.cleave.agent.ir.Unsupported;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/** A class with its methods by name. It builds the code of a method when that is asked for, and keeps it. */
public final class ClassCode {

    private final ClassNode owner;
    private final Map<Signature, MethodNode> methods = new HashMap<>();
    private final Map<Signature, MethodBody> bodies = new HashMap<>();
    private final Map<MethodBody, OpGraph> graphs = new IdentityHashMap<>();
    private final Map<MethodBody, BodyEffects> effects = new IdentityHashMap<>();

    /** A name and a descriptor, which keep their hash codes: one string of both would be made and hashed for each question. */
    private record Signature(String name, String desc) {}

    /** Reads the bodies of a class when they are asked for. */
    public ClassCode(ClassNode owner) {
        this.owner = owner;
        owner.methods.forEach(method -> methods.putIfAbsent(new Signature(method.name, method.desc), method));
    }

    /** Returns the class. */
    public ClassNode owner() {
        return owner;
    }

    /** The code of a method of the class. */
    public MethodBody body(MethodNode method) throws Unsupported {
        Signature key = new Signature(method.name, method.desc);
        MethodBody body = bodies.get(key);
        if (body == null) {
            body = build(method);
            bodies.put(key, body);
        }
        return body;
    }

    /** Builds code that a method of the class could have instead of its own. */
    public MethodBody build(MethodNode method) throws Unsupported {
        return IrBuilder.build(owner.name, owner.version & 0xFFFF, method);
    }

    /** Returns the graph of the code of a method; the same object each time. */
    public OpGraph graph(MethodBody body) {
        return graphs.computeIfAbsent(body, OpGraph::new);
    }

    /** Returns the effects of the ops of the code of a method; the same object each time. */
    public BodyEffects effects(MethodBody body, Effects all) {
        return effects.computeIfAbsent(body, all::of);
    }

    /** The method of the class that has the name and descriptor of the one called, null if there is none. */
    @Nullable
    public MethodNode declared(MethodInsnNode call) {
        return methods.get(new Signature(call.name, call.desc));
    }

    /** The method of the class that a call names, null if it names none. */
    @Nullable
    public MethodNode targetOf(MethodInsnNode call) {
        MethodNode method = call.owner.equals(owner.name) && !call.name.startsWith("<") ? declared(call) : null;
        return method != null && hasCode(method) ? method : null;
    }

    /** Whether a method is neither abstract nor native. */
    public static boolean hasCode(MethodNode method) {
        return (method.access & (Opcodes.ACC_ABSTRACT | Opcodes.ACC_NATIVE)) == 0;
    }
}
