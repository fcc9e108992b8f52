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

/** The registers that the copy of a slice has for itself. */
final class RegisterCopies {

    private final Map<Register, Register> own = new LinkedHashMap<>();

    RegisterCopies(MethodBody body, SendSlice slice) {
        for (Register register : slice.banked()) {
            own.put(register, body.fresh(register.kind()));
        }
    }

    /** The register to use in the copy. */
    Register of(Register register) {
        return own.getOrDefault(register, register);
    }

    /** Gives the registers that need it the program's values. */
    List<Op> copyIn(SendSlice slice) {
        List<Op> ops = new ArrayList<>();
        for (Register register : slice.copiedIn()) {
            ops.add(new MoveOp(of(register), register));
        }
        return ops;
    }
}
