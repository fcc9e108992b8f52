package dev.cleave.agent.plan;

import dev.cleave.agent.ir.Op;
import dev.cleave.agent.ir.Register;
import java.util.List;

/**
 * An object that can be named at the entry of a region: a register, or fields read on the way from one.
 *
 * @param ops what to do to get it, none for a register; each writes a register that a later one reads
 */
public record Value(List<Op> ops, Register result) {

    public Value {
        ops = List.copyOf(ops);
    }
}
