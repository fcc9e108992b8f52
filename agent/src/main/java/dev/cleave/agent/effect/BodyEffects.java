package dev.cleave.agent.effect;

import dev.cleave.agent.ir.BranchOp;
import dev.cleave.agent.ir.ConstOp;
import dev.cleave.agent.ir.InsnOp;
import dev.cleave.agent.ir.MethodBody;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.ir.Register;
import dev.cleave.agent.ir.ThrowOp;
import dev.cleave.agent.scan.CallSetting;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.TypeInsnNode;

/** The effects of the ops of one body, as the body was when this object was made. */
public final class BodyEffects {

    private final MethodBody body;
    private final Fields fields;
    private final Calls calls;
    private final RemoteCalls remote;
    private final StaticTypes types;
    private final CostEstimate work;
    private final Probes probes;
    private final Map<Op, Effect> known = new HashMap<>();

    BodyEffects(MethodBody body, Fields fields, Calls calls, RemoteCalls remote) {
        this.body = body;
        this.fields = fields;
        this.calls = calls;
        this.remote = remote;
        this.types = StaticTypes.of(body);
        this.work = new CostEstimate(fields);
        this.probes = new Probes(body);
    }

    /** The call style and settings of an op's call, null for ops that are not remote calls. */
    public @Nullable CallSetting settingOf(Op op) {
        if (op instanceof InsnOp insn && insn.method() != null && insn.opcode() == Opcodes.INVOKEINTERFACE) {
            MethodInsnNode call = insn.method();
            return remote.settingOf(call.owner, call.name, call.desc);
        }
        return null;
    }

    /** The approximate number of instructions that an op executes, including those of the method that it calls. */
    public int work(Op op) {
        return op instanceof InsnOp insn && insn.method() != null ? work.of(insn.method()) : 1;
    }

    /** The effect of an op. */
    public Effect of(Op op) {
        return known.computeIfAbsent(op, this::compute);
    }

    /** The effect of initialising a class when the body is the first to use it. */
    public Effect initialising(String internalName) {
        return calls.initialising(internalName, body.owner());
    }

    /** The effect of a call of which only the method is known: that of a function that other code calls. */
    public Effect ofCall(MethodInsnNode call) {
        return calls.nested(call, body.owner(), 0);
    }

    /** The effect of a call whose receiver is known, too. */
    public Effect ofCall(MethodInsnNode call, Register receiver) {
        int operands = 1 + Type.getArgumentTypes(call.desc).length;
        return calls.direct(
                call, body.owner(), Collections.nCopies(operands, receiver), new StaticTypes.At(types, null));
    }

    /** The call style and settings of a method, null if it is not remote. */
    public @Nullable CallSetting settingOf(MethodInsnNode call) {
        return call.getOpcode() == Opcodes.INVOKEINTERFACE ? remote.settingOf(call.owner, call.name, call.desc) : null;
    }

    /** Whether the object that an op finds in a register is immutable, so that serialising it reads nothing else. */
    public boolean isValue(Op at, Register register) {
        Type type = types.typeOf(at, register);
        return type != null && isValue(type);
    }

    /** Whether objects of the type are immutable. */
    public boolean isValue(Type type) {
        return fields.isImmutable(type, 0);
    }

    /** Whether {@code hashCode}, {@code equals}, {@code toString} and the like of objects of the type run no code of the program. */
    public boolean isQuiet(Type type) {
        return calls.isQuiet(type);
    }

    private Effect compute(Op op) {
        if (Probes.isSource(op)) {
            return Effect.NONE;
        }
        if (op instanceof ThrowOp) {
            return Effect.THROWS;
        }
        if (op instanceof ConstOp constant) {
            Object value = constant.value();
            boolean known = constant.isPlain() || value instanceof Type;
            return known ? Effect.NONE : Effect.barrier(Barrier.Kind.UNKNOWN_CALL, "a dynamic constant");
        }
        if (op instanceof InsnOp insn) {
            return insn(insn);
        }
        return op instanceof BranchOp || !op.mayThrow() ? Effect.NONE : Effect.THROWS;
    }

    private Effect insn(InsnOp op) {
        int opcode = op.opcode();
        List<Register> uses = op.uses();
        if (op.method() != null) {
            return calls.direct(op.method(), body.owner(), uses, new StaticTypes.At(types, op));
        }
        if (op.dynamic() != null) {
            return DynamicSites.effectOf(op.dynamic());
        }
        if (op.field() != null) {
            return field(op);
        }
        if ((ArrayAccess.isLoad(opcode) || ArrayAccess.isStore(opcode)) && probes.isProbe(op)) {
            return Effect.NONE;
        }
        if (ArrayAccess.isLoad(opcode)) {
            return Effect.THROWS.reading(
                    new Access(new HeapRegion.Elements(ArrayAccess.kindOf(opcode)), uses.get(0), uses.get(1)));
        }
        if (ArrayAccess.isStore(opcode)) {
            return Effect.THROWS.writing(
                    new Access(new HeapRegion.Elements(ArrayAccess.kindOf(opcode)), uses.get(0), uses.get(1)));
        }
        if (opcode == Opcodes.NEW) {
            return calls.initialising(((TypeInsnNode) op.insn()).desc, body.owner())
                    .allocating();
        }
        if (opcode == Opcodes.MONITORENTER || opcode == Opcodes.MONITOREXIT) {
            return Effect.barrier(Barrier.Kind.SYNCHRONISATION, "synchronized");
        }
        return SimpleOps.effectOf(opcode);
    }

    private Effect field(InsnOp op) {
        var access = op.field();
        if (access == null) {
            throw new AssertionError(op);
        }
        HeapRegion place = new HeapRegion.Field(access.name, access.desc);
        boolean isStatic = access.getOpcode() == Opcodes.GETSTATIC || access.getOpcode() == Opcodes.PUTSTATIC;
        if (isStatic) {
            return calls.initialising(access.owner, body.owner()).and(fields.access(access, Access.of(place)));
        }
        return fields.access(access, Access.of(place, op.uses().get(0)));
    }
}
