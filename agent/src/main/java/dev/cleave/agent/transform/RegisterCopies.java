package dev.cleave.agent.transform;

import dev.cleave.agent.ir.MethodBody;
import dev.cleave.agent.ir.MoveOp;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.ir.Register;
import dev.cleave.agent.plan.method.SendSlice;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The registers that the copy of a slice has for itself. */
final class RegisterCopies {

    private final Map<Register, Register> own = new LinkedHashMap<>();
    private final @Nullable MethodBody other;

    private RegisterCopies(MethodBody other) {
        this.other = other;
    }

    /** Copies of all registers, those that are only read as well, for a copy in another method. */
    static RegisterCopies ofAll(MethodBody other) {
        return new RegisterCopies(other);
    }

    RegisterCopies(MethodBody body, SendSlice slice) {
        other = null;
        for (Register register : slice.banked()) {
            own.put(register, body.fresh(register.kind()));
        }
    }

    /** The register to use in the copy. */
    Register of(Register register) {
        return other == null
                ? own.getOrDefault(register, register)
                : own.computeIfAbsent(register, key -> other.fresh(key.kind()));
    }

    /** Copies the program's values to the copied registers that the slice reads before it writes them. */
    List<Op> copyIn(SendSlice slice) {
        List<Op> ops = new ArrayList<>();
        for (Register register : slice.copiedIn()) {
            ops.add(new MoveOp(of(register), register));
        }
        return ops;
    }
}
