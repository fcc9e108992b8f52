package dev.cleave.agent.transform;

import dev.cleave.agent.ir.ConstOp;
import dev.cleave.agent.ir.InsnOp;
import dev.cleave.agent.ir.MethodBody;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.ir.Register;
import dev.cleave.agent.ir.RegisterKind;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.TypeInsnNode;

/** Writes the making of an array of objects from values of any type. */
final class Boxes {

    private final MethodBody body;

    Boxes(MethodBody body) {
        this.body = body;
    }

    /** The class of objects that hold a primitive, null for what is an object. */
    static @Nullable Type of(RegisterKind kind) {
        return switch (kind) {
            case INT -> Type.getType(Integer.class);
            case LONG -> Type.getType(Long.class);
            case FLOAT -> Type.getType(Float.class);
            case DOUBLE -> Type.getType(Double.class);
            case REFERENCE -> null;
        };
    }

    private static String primitive(RegisterKind kind) {
        return switch (kind) {
            case INT -> "I";
            case LONG -> "J";
            case FLOAT -> "F";
            case DOUBLE -> "D";
            case REFERENCE -> CoreNames.OBJECT;
        };
    }

    /** {@code array = new Object[] {values...}}. */
    List<Op> array(Register array, List<Register> values) {
        Register length = body.fresh(RegisterKind.INT);
        List<Op> ops = new ArrayList<>();
        ops.add(new ConstOp(length, values.size()));
        ops.add(new InsnOp(new TypeInsnNode(Opcodes.ANEWARRAY, "java/lang/Object"), array, List.of(length)));
        for (int i = 0; i < values.size(); i++) {
            Register at = body.fresh(RegisterKind.INT);
            Register value = boxed(values.get(i), ops);
            ops.add(new ConstOp(at, i));
            ops.add(InsnOp.simple(Opcodes.AASTORE, null, array, at, value));
        }
        return ops;
    }

    /** Returns the register with a value as an object, which ops set that are added to some. */
    Register boxed(Register value, List<Op> ops) {
        Type boxed = of(value.kind());
        if (boxed == null) {
            return value;
        }
        Register object = body.fresh(RegisterKind.REFERENCE);
        String descriptor = "(" + primitive(value.kind()) + ")" + boxed.getDescriptor();
        ops.add(InsnOp.invokeStatic(boxed.getInternalName(), "valueOf", descriptor, object, List.of(value)));
        return object;
    }

    /** Sets a register to the value of an object, which is boxed unless the value is an object of some type itself. */
    List<Op> unboxed(Register object, Register value, Type type) {
        Type boxed = of(value.kind());
        if (boxed == null) {
            return List.of(InsnOp.checkCast(type.getInternalName(), value, object));
        }
        Register number = body.fresh(RegisterKind.REFERENCE);
        String primitive = primitive(value.kind());
        String name = Type.getType(primitive).getClassName() + "Value";
        return List.of(
                InsnOp.checkCast(boxed.getInternalName(), number, object),
                InsnOp.invokeVirtual(boxed.getInternalName(), name, "()" + primitive, value, List.of(number)));
    }
}
