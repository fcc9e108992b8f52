package dev.cleave.agent.plan.method;

import dev.cleave.agent.ir.InsnOp;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.ir.Register;
import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.tree.FieldInsnNode;

/**
 * An object that can be named at the entry of a region: a register, or fields read on the way from one.
 *
 * @param ops what to do to get it, none for a register; each writes a register that a later one reads
 */
public record Value(List<Op> ops, Register result) {

    public Value {
        ops = List.copyOf(ops);
    }

    /** Whether another value is certainly the same object: read in the same way, from the same register. */
    public boolean isSame(Value other) {
        return way().equals(other.way());
    }

    /** The register that it begins with, if there is one, and the fields that are read from there. */
    private List<Object> way() {
        List<Object> way = new ArrayList<>();
        if (ops.isEmpty()) {
            way.add(result);
        } else {
            way.addAll(ops.get(0).uses());
        }
        for (Op op : ops) {
            FieldInsnNode field = op instanceof InsnOp insn ? insn.field() : null;
            if (field != null) {
                way.add(List.of(field.owner, field.name, field.desc));
            }
        }
        return way;
    }
}
