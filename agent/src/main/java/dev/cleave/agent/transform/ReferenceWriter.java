package dev.cleave.agent.transform;

import dev.cleave.agent.ir.InsnOp;
import dev.cleave.agent.ir.MethodBody;
import dev.cleave.agent.plan.method.Function;
import dev.cleave.agent.plan.method.Helper;
import dev.cleave.agent.plan.placement.StrandHelper;
import dev.cleave.agent.plan.strand.ReferenceCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
     * @param given the functions to which nests are given, by the names under which that is done
     */
    static void write(Editing editing, Map<String, StrandHelper> given) {
        MethodBody body = editing.body();
        for (int i = 0; i < editing.original().size() && !given.isEmpty(); i++) {
            InvokeDynamicInsnNode site = editing.original(i) instanceof InsnOp op ? op.dynamic() : null;
            if (site == null || Function.of(site) == null || editing.isReplaced(i)) {
                continue;
            }
            String key = key(body, site);
            StrandHelper reference = given.get(key);
            if (reference != null && !reference.calls().isEmpty()) {
                List<Object> arguments = new ArrayList<>(List.of(site.bsmArgs));
                arguments.add(key);
                arguments.add(reference.called().values().stream()
                        .findAny()
                        .map(called -> Helper.key(called.owner(), called.method().name, called.method().desc))
                        .orElse("")); // a remote method
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
