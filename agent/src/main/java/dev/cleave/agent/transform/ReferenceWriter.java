package dev.cleave.agent.transform;

import dev.cleave.agent.ir.InsnOp;
import dev.cleave.agent.ir.MethodBody;
import dev.cleave.agent.plan.method.Function;
import dev.cleave.agent.plan.method.Helper;
import dev.cleave.agent.plan.strand.ReferenceCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;

/** Writes the method references of a method that take what strands have sent (R69, R71). */
final class ReferenceWriter {

    private ReferenceWriter() {}

    /** Returns the name under which a nest of strands is given to the method reference that an instruction of a body makes. */
    static String key(MethodBody body, InvokeDynamicInsnNode site) {
        Function function = Function.of(site);
        return function == null
                ? ""
                : Helper.key(body.owner(), ReferenceCode.nameOf(site, body.original()), ReferenceCode.typeOf(function));
    }

    /**
     * Replaces the references to which nests are given by such that take from them. Those that a stream asks to send take by
     * themselves.
     *
     * @param given the names under which nests are given to functions
     */
    static void write(Editing editing, Set<String> given) {
        MethodBody body = editing.body();
        for (int i = 0; i < editing.original().size() && !given.isEmpty(); i++) {
            InvokeDynamicInsnNode site = editing.original(i) instanceof InsnOp op ? op.dynamic() : null;
            Function function = site == null ? null : Function.of(site);
            if (site == null || function == null || editing.isReplaced(i)) {
                continue;
            }
            String key = key(body, site);
            if (given.contains(key)) {
                boolean isOwn = function.target().owner.equals(body.owner());
                List<Object> arguments = new ArrayList<>(List.of(site.bsmArgs));
                arguments.add(key);
                arguments.add(isOwn ? Helper.key(body.owner(), function.target().name, function.target().desc) : "");
                InvokeDynamicInsnNode taking = new InvokeDynamicInsnNode(
                        site.name,
                        site.desc,
                        new Handle(
                                Opcodes.H_INVOKESTATIC,
                                CoreNames.RT,
                                "takingReference",
                                CoreNames.TAKING_REFERENCE,
                                false),
                        arguments.toArray());
                InsnOp made = (InsnOp) editing.original(i);
                editing.replace(made, List.of(new InsnOp(taking, made.def(), made.uses())), List.of());
            }
        }
    }
}
