package dev.cleave.agent.transform;

import dev.cleave.agent.ir.BranchOp;
import dev.cleave.agent.ir.ConstOp;
import dev.cleave.agent.ir.LabelOp;
import dev.cleave.agent.ir.MethodBody;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.ir.Register;
import dev.cleave.agent.ir.RegisterKind;
import dev.cleave.agent.plan.method.EntryTest;
import dev.cleave.agent.plan.method.Value;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;

/** Writes the tests that a plan rests on. */
final class EntryTests {

    private final MethodBody body;
    private final RtOps rt;
    private final UnaryOperator<Register> names;
    private final Map<AbstractInsnNode, String> elsewhere;

    EntryTests(MethodBody body) {
        this(body, UnaryOperator.identity());
    }

    /**
     * Prepares tests that were planned in other code.
     *
     * @param names the registers of this body, by those of that code
     */
    EntryTests(MethodBody body, UnaryOperator<Register> names) {
        this(body, names, Map.of());
    }

    /**
     * Prepares tests that were planned in other code.
     *
     * @param elsewhere the classes of instructions that come from other classes
     */
    EntryTests(MethodBody body, UnaryOperator<Register> names, Map<AbstractInsnNode, String> elsewhere) {
        this.elsewhere = elsewhere;
        this.names = names;
        this.body = body;
        this.rt = new RtOps(body);
    }

    /** Tests that go to a label if one does not hold. */
    List<Op> write(List<EntryTest> tests, LabelOp away) {
        List<Op> ops = new ArrayList<>();
        for (EntryTest test : tests) {
            List<Register> objects = new ArrayList<>();
            for (Value value : test.values()) {
                objects.add(evaluate(value, ops));
            }
            Register holds = body.fresh(RegisterKind.INT);
            ops.addAll(test(test, objects, holds));
            ops.add(new BranchOp(Opcodes.IFEQ, List.of(holds), away));
        }
        return ops;
    }

    private List<Op> test(EntryTest test, List<Register> objects, Register holds) {
        if (test.kind() == EntryTest.Kind.CLASS_OPEN) {
            return List.of(ElsewhereOps.isOpen(test.type(), test.contract(), holds));
        }
        Register object = objects.get(0);
        return switch (test.kind()) {
            case CLASS_OPEN -> throw new IllegalStateException("a test of no object");
            case STUB -> List.of(rt.call("isStub", "(Ljava/lang/Object;)Z", holds, object));
            case JDK_COLLECTIONS ->
                List.of(rt.call("returnsOnlyJdkCollections", "(Ljava/lang/Object;)Z", holds, object));
            case PLAIN_EXCEPTIONS ->
                List.of(rt.call("throwsOnlyPlainExceptions", "(Ljava/lang/Object;)Z", holds, object));
            case NO_SUBCLASS -> {
                Register name = body.fresh(RegisterKind.REFERENCE);
                yield List.of(
                        new ConstOp(name, test.type().replace('/', '.')),
                        rt.call("returnsNoSubclassOf", "(Ljava/lang/Object;Ljava/lang/String;)Z", holds, object, name));
            }
            case VALUE -> List.of(rt.call("isValue", "(Ljava/lang/Object;)Z", holds, object));
            case CONTAINED -> List.of(rt.call("isContained", "(Ljava/lang/Object;)Z", holds, object));
            case APART ->
                List.of(rt.call("areApart", "(Ljava/lang/Object;Ljava/lang/Object;)Z", holds, object, objects.get(1)));
            case CLASS_NAMED -> List.of(ElsewhereOps.isOf(object, test.type(), holds));
            case EXACT_CLASS -> {
                Register type = body.fresh(RegisterKind.REFERENCE);
                yield List.of(
                        new ConstOp(type, Type.getObjectType(test.type())),
                        rt.call("isExactly", "(Ljava/lang/Object;Ljava/lang/Class;)Z", holds, object, type));
            }
        };
    }

    /** Adds the ops that evaluate a value, and returns where it is. */
    Register evaluate(Value value, List<Op> ops) {
        Map<Register, Register> own = new HashMap<>();
        for (Op op : value.ops()) {
            Op copy = ElsewhereOps.of(op, elsewhere)
                    .copy(
                            register -> named(register, own),
                            register -> own.computeIfAbsent(register, original -> body.fresh(original.kind())),
                            label -> label);
            ops.add(copy);
        }
        return named(value.result(), own);
    }

    private Register named(Register register, Map<Register, Register> own) {
        Register known = own.get(register);
        return known == null ? names.apply(register) : known;
    }
}
