package dev.cleave.agent.plan.method;

import dev.cleave.agent.effect.Guard;
import dev.cleave.agent.ir.InsnOp;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.MethodInsnNode;

/**
 * The way from a class to a helper of another class. The helper is asked to send only once it is known to run as
 * rewritten code.
 *
 * @param named the class that the call names, as a binary name
 * @param declaring the class that declares the helper, as a binary name
 * @param contract what the helper offers; its own class says the same if it was planned alike
 */
public record CrossClassGuard(String named, String declaring, String contract) {

    /**
     * Returns the guards between a caller and the calls of a helper.
     *
     * @param caller internal name of the class that calls
     * @param declaring internal name of the class that declares the helper
     * @param inner the guards that the helper's own class needs
     */
    public static List<CrossClassGuard> between(
            String caller, MethodInsnNode call, String declaring, String contract, List<CrossClassGuard> inner) {
        if (caller.equals(declaring)) {
            return inner;
        }
        String named = call.getOpcode() == Opcodes.INVOKEINTERFACE ? declaring : call.owner; // one implements the other
        return List.of(new CrossClassGuard(named.replace('/', '.'), declaring.replace('/', '.'), contract));
    }

    /**
     * The test of the object of a call under which it calls a helper, null if it certainly does.
     *
     * @param declaring internal name of the class that declares the helper
     * @param exact that of the class that the object must be of, null if no class can override the helper
     */
    static @Nullable Guard exact(InsnOp call, String declaring, @Nullable String exact) {
        if (call.opcode() == Opcodes.INVOKEINTERFACE) {
            return new Guard(Guard.Kind.CLASS_NAMED, call.uses().get(0), declaring);
        }
        return exact == null
                ? null
                : new Guard(Guard.Kind.EXACT_CLASS, call.uses().get(0), exact);
    }

    /** Names what a helper offers: two plans of the same code have the same name, and different plans hardly ever. */
    public static String contract(String key, char kind, Object... terms) {
        String all = List.of(terms).toString();
        return key + ' ' + kind + all.length() + '-' + Integer.toHexString(all.hashCode());
    }
}
