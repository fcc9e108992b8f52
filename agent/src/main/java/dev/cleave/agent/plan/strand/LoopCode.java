package dev.cleave.agent.plan.strand;

import dev.cleave.agent.plan.method.Function;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.IincInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.TypeInsnNode;
import org.objectweb.asm.tree.VarInsnNode;

/** Writes the loop that gives each element of a stream's source, and converts elements as the stream does (R69). */
public final class LoopCode {

    /** The operations of streams that make another element of each. */
    public static final Set<String> MAPPING = Set.of("map", "mapToInt", "mapToLong", "mapToDouble", "mapToObj");

    private static final Type OBJECT = Type.getType(Object.class);

    private static final Map<Integer, String> BOXES = Map.of(
            Type.INT, "java/lang/Integer",
            Type.LONG, "java/lang/Long",
            Type.DOUBLE, "java/lang/Double",
            Type.BOOLEAN, "java/lang/Boolean");

    private final InsnList code;
    private final LabelNode head;
    private final LabelNode end;

    /**
     * Writes into some code.
     *
     * @param head where the next element is taken
     * @param end where the code goes when there is none
     */
    public LoopCode(InsnList code, LabelNode head, LabelNode end) {
        this.code = code;
        this.head = head;
        this.end = end;
    }

    /** Where the next element is taken. */
    LabelNode head() {
        return head;
    }

    /** Where the code goes when there is no element left. */
    LabelNode end() {
        return end;
    }

    /** Puts each number of a range on the stack; returns its type. */
    public Type range(Type element, int counter, int limit) {
        code.add(head);
        code.add(new VarInsnNode(element.getOpcode(Opcodes.ILOAD), counter));
        code.add(new VarInsnNode(element.getOpcode(Opcodes.ILOAD), limit));
        if (element.getSort() == Type.LONG) {
            code.add(new InsnNode(Opcodes.LCMP));
            code.add(new JumpInsnNode(Opcodes.IFGE, end));
        } else {
            code.add(new JumpInsnNode(Opcodes.IF_ICMPGE, end));
        }
        code.add(new VarInsnNode(element.getOpcode(Opcodes.ILOAD), counter));
        if (element.getSort() == Type.LONG) {
            code.add(new VarInsnNode(Opcodes.LLOAD, counter));
            code.add(new InsnNode(Opcodes.LCONST_1));
            code.add(new InsnNode(Opcodes.LADD));
            code.add(new VarInsnNode(Opcodes.LSTORE, counter));
        } else {
            code.add(new IincInsnNode(counter, 1));
        }
        return element;
    }

    /** Puts each element of an array on the stack; returns its type. */
    public Type array(Type type, int array, int counter) {
        Type element = Type.getType(type.getDescriptor().substring(1));
        code.add(head);
        code.add(new VarInsnNode(Opcodes.ILOAD, counter));
        code.add(new VarInsnNode(Opcodes.ALOAD, array));
        code.add(new InsnNode(Opcodes.ARRAYLENGTH));
        code.add(new JumpInsnNode(Opcodes.IF_ICMPGE, end));
        code.add(new VarInsnNode(Opcodes.ALOAD, array));
        code.add(new VarInsnNode(Opcodes.ILOAD, counter));
        code.add(new InsnNode(element.getOpcode(Opcodes.IALOAD)));
        code.add(new IincInsnNode(counter, 1));
        return element;
    }

    /** Puts each element of a collection on the stack; returns its type. */
    public Type collection(int collection, int iterator) {
        code.add(new VarInsnNode(Opcodes.ALOAD, collection));
        code.add(call(Opcodes.INVOKEINTERFACE, "java/util/Collection", "iterator", "()Ljava/util/Iterator;"));
        code.add(new VarInsnNode(Opcodes.ASTORE, iterator));
        code.add(head);
        code.add(new VarInsnNode(Opcodes.ALOAD, iterator));
        code.add(call(Opcodes.INVOKEINTERFACE, "java/util/Iterator", "hasNext", "()Z"));
        code.add(new JumpInsnNode(Opcodes.IFEQ, end));
        code.add(new VarInsnNode(Opcodes.ALOAD, iterator));
        code.add(call(Opcodes.INVOKEINTERFACE, "java/util/Iterator", "next", "()Ljava/lang/Object;"));
        return OBJECT;
    }

    /** Takes the next element, until there is none left. */
    public void close() {
        code.add(new JumpInsnNode(Opcodes.GOTO, head));
        code.add(end);
    }

    /** Returns the types of the operands of a call, that of its receiver included. */
    static List<Type> operands(MethodInsnNode call) {
        List<Type> types = new ArrayList<>();
        if (call.getOpcode() != Opcodes.INVOKESTATIC) {
            types.add(Type.getObjectType(call.owner));
        }
        types.addAll(List.of(Type.getArgumentTypes(call.desc)));
        return types;
    }

    /**
     * Puts on the stack what a function is called with, for an element; false if it takes other operands.
     *
     * @param captured the first of the locals that hold the values with which the function was made
     * @param type that of the element
     * @param element the local that holds it
     */
    public boolean load(Function function, int captured, Type type, int element) {
        return load(function, captured, List.of(type), List.of(element));
    }

    /** The same for several operands. */
    boolean load(Function function, int captured, List<Type> types, List<Integer> operands) {
        List<Type> wanted = operands(function.target());
        Type[] values = Type.getArgumentTypes(function.site().desc);
        if (wanted.size() != values.length + types.size()) {
            return false;
        }
        int at = captured;
        for (Type value : values) {
            code.add(new VarInsnNode(value.getOpcode(Opcodes.ILOAD), at));
            at += value.getSize();
        }
        boolean isConverted = true;
        for (int i = 0; i < types.size(); i++) {
            code.add(new VarInsnNode(types.get(i).getOpcode(Opcodes.ILOAD), operands.get(i)));
            isConverted &= convert(types.get(i), wanted.get(values.length + i));
        }
        return isConverted;
    }

    /** Takes the next element if false is on the stack; if not, puts the element there instead. */
    public void filter(Type type, int element) {
        code.add(new JumpInsnNode(Opcodes.IFEQ, head));
        code.add(new VarInsnNode(type.getOpcode(Opcodes.ILOAD), element));
    }

    /** Makes what a function has returned the element; returns its type, null if it cannot be converted. */
    public @Nullable Type map(Function function, Type result) {
        Type gives = function.type().getReturnType();
        if (!convert(result, gives)) {
            return null;
        }
        return gives.getSort() >= Type.ARRAY ? OBJECT : gives;
    }

    /** Converts the value on the stack; false if it cannot. */
    public boolean convert(Type from, Type to) {
        boolean isPrimitive = from.getSort() < Type.ARRAY;
        boolean wantsPrimitive = to.getSort() < Type.ARRAY;
        if (!isPrimitive && !wantsPrimitive) {
            if (!to.equals(OBJECT) && !to.equals(from)) {
                code.add(new TypeInsnNode(Opcodes.CHECKCAST, to.getInternalName()));
            }
            return true;
        }
        if (isPrimitive && !wantsPrimitive) {
            return box(from);
        }
        if (!isPrimitive) {
            String box = BOXES.get(to.getSort());
            if (box != null) {
                code.add(new TypeInsnNode(Opcodes.CHECKCAST, box));
                code.add(call(Opcodes.INVOKEVIRTUAL, box, to.getClassName() + "Value", "()" + to.getDescriptor()));
            }
            return box != null;
        }
        return from.equals(to) || widen(from, to);
    }

    private boolean widen(Type from, Type to) {
        boolean isInt = from.equals(Type.INT_TYPE);
        int opcode = isInt && to.equals(Type.LONG_TYPE)
                ? Opcodes.I2L
                : isInt && to.equals(Type.DOUBLE_TYPE)
                        ? Opcodes.I2D
                        : from.equals(Type.LONG_TYPE) && to.equals(Type.DOUBLE_TYPE) ? Opcodes.L2D : Opcodes.NOP;
        code.add(new InsnNode(opcode));
        return opcode != Opcodes.NOP;
    }

    /** Boxes the number on the stack; false if it is of a kind that streams do not have. */
    public boolean box(Type from) {
        @Nullable String box = BOXES.get(from.getSort());
        if (box != null) {
            code.add(call(Opcodes.INVOKESTATIC, box, "valueOf", "(" + from.getDescriptor() + ")L" + box + ";"));
        }
        return box != null;
    }

    /** Drops the value on the stack. */
    public void drop(Type type) {
        if (type.getSize() > 0) {
            code.add(new InsnNode(type.getSize() == 2 ? Opcodes.POP2 : Opcodes.POP));
        }
    }

    private static MethodInsnNode call(int opcode, String owner, String name, String descriptor) {
        return new MethodInsnNode(opcode, owner, name, descriptor, opcode == Opcodes.INVOKEINTERFACE);
    }
}
