package dev.cleave.agent.plan.strand;

import dev.cleave.agent.effect.OpaqueValue;
import dev.cleave.agent.plan.method.Function;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.TypeInsnNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * Writes what makes the result of a stream in the loop that stands in its place (R69): code that a copy can run, too, where the result is
 * a list, a set, a text, a sum, or tells whether an element was found; else a value that no copy can compute.
 */
final class StreamResult {

    private static final Type OBJECT = Type.getType(Object.class);
    private static final String LIST = "java/util/ArrayList";
    private static final String SET = "java/util/HashSet";
    private static final String TEXT = "java/lang/StringBuilder";
    private static final String OPTIONAL = "java/util/Optional";
    private static final Set<String> MATCHES = Set.of("anyMatch", "allMatch", "noneMatch");
    /** Another one, which throws at null, is none that a copy makes. */
    private static final Map<String, String> COLLECTORS = Map.of("toList", LIST, "toSet", SET);

    /** The kinds of results. */
    private enum Kind {
        NOTHING,
        COLLECTION,
        TEXT,
        SUM,
        MATCH,
        FIRST,
        REDUCTION,
        OPAQUE
    }

    private final StreamCode stream;
    private final InsnList code;
    private final Type type;
    private final Kind kind;
    private final int local;
    private final int count; // of elements of a text

    /**
     * Writes what stands in front of the loop.
     *
     * @param locals makes new locals
     */
    StreamResult(StreamCode stream, InsnList code, ToIntFunction<Type> locals) {
        this.stream = stream;
        this.code = code;
        this.type = Type.getReturnType(stream.end().desc);
        this.kind = kind(stream, type);
        this.local = kind == Kind.NOTHING || kind == Kind.OPAQUE ? -1 : locals.applyAsInt(type);
        this.count = kind == Kind.TEXT ? locals.applyAsInt(Type.INT_TYPE) : -1;
        begin();
    }

    private static Kind kind(StreamCode stream, Type type) {
        String name = stream.end().name;
        if (type.getSort() == Type.VOID) {
            return Kind.NOTHING;
        }
        if (stream.isSorted()) {
            return Kind.OPAQUE;
        }
        if (stream.collector() != null) {
            boolean isText = stream.collector().name.equals("joining");
            return isText
                    ? stream.gives(Type.getType(String.class)) && stream.separator() != null ? Kind.TEXT : Kind.OPAQUE
                    : COLLECTORS.containsKey(stream.collector().name) ? Kind.COLLECTION : Kind.OPAQUE;
        }
        if (name.equals("toList")) {
            return stream.isOnlyRead() ? Kind.COLLECTION : Kind.OPAQUE; // the stream's own list does not change
        }
        if (name.equals("sum") && type.getSort() != Type.DOUBLE) {
            return Kind.SUM;
        }
        if (StreamCode.isReduction(stream.end())) {
            return Kind.REDUCTION;
        }
        return MATCHES.contains(name)
                ? Kind.MATCH
                : name.equals("findFirst") && type.getInternalName().equals(OPTIONAL) ? Kind.FIRST : Kind.OPAQUE;
    }

    private void begin() {
        switch (kind) {
            case COLLECTION -> make(stream.collector() == null ? LIST : COLLECTORS.get(stream.collector().name));
            case TEXT -> {
                make(TEXT);
                code.add(new InsnNode(Opcodes.ICONST_0));
                code.add(new VarInsnNode(Opcodes.ISTORE, count));
            }
            case SUM -> {
                code.add(new InsnNode(type.getSort() == Type.LONG ? Opcodes.LCONST_0 : Opcodes.ICONST_0));
                store();
            }
            case MATCH -> {
                code.add(new InsnNode(stream.end().name.equals("anyMatch") ? Opcodes.ICONST_0 : Opcodes.ICONST_1));
                store();
            }
            case FIRST -> {
                code.add(call(Opcodes.INVOKESTATIC, OPTIONAL, "empty", "()L" + OPTIONAL + ";"));
                store();
            }
            case REDUCTION -> store(); // what it begins with is on the stack
            default -> {}
        }
    }

    private void make(@Nullable String made) {
        code.add(new TypeInsnNode(Opcodes.NEW, made));
        code.add(new InsnNode(Opcodes.DUP));
        code.add(call(Opcodes.INVOKESPECIAL, String.valueOf(made), "<init>", "()V"));
        code.add(new VarInsnNode(Opcodes.ASTORE, local));
    }

    private void store() {
        code.add(new VarInsnNode(type.getOpcode(Opcodes.ISTORE), local));
    }

    private void load() {
        code.add(new VarInsnNode(type.getOpcode(Opcodes.ILOAD), local));
    }

    /** Whether the last function tells whether the element is one that is looked for. */
    boolean isMatch() {
        return kind == Kind.MATCH;
    }

    /** Folds an element into the result by a function; false if the function takes other operands. */
    boolean fold(LoopCode loop, Function function, int captured, Type element, int held) {
        return loop.load(function, captured, List.of(type, element), List.of(local, held));
    }

    /** Makes what the function has returned the result; false if it is of another type. */
    boolean folded(LoopCode loop, Type gives) {
        boolean isConverted = loop.convert(gives, type);
        store();
        return isConverted;
    }

    /** Leaves the loop if the boolean on the stack says so. */
    void match(LabelNode head, LabelNode out) {
        boolean isAny = stream.end().name.equals("anyMatch");
        boolean isAll = stream.end().name.equals("allMatch");
        code.add(new JumpInsnNode(isAll ? Opcodes.IFNE : Opcodes.IFEQ, head));
        code.add(new InsnNode(isAny ? Opcodes.ICONST_1 : Opcodes.ICONST_0));
        store();
        code.add(new JumpInsnNode(Opcodes.GOTO, out));
    }

    /**
     * Takes the element on the stack.
     *
     * @return whether the element can be taken
     */
    boolean take(Type element, LoopCode loop, ToIntFunction<Type> locals, LabelNode out) {
        if (kind == Kind.NOTHING || kind == Kind.OPAQUE) {
            loop.drop(element);
            if (stream.end().name.equals("findFirst") && !stream.isSorted()) {
                code.add(new JumpInsnNode(Opcodes.GOTO, out));
            }
            return true;
        }
        int held = locals.applyAsInt(element);
        code.add(new VarInsnNode(element.getOpcode(Opcodes.ISTORE), held));
        switch (kind) {
            case COLLECTION -> {
                String made = stream.collector() == null ? LIST : COLLECTORS.get(stream.collector().name);
                code.add(new VarInsnNode(Opcodes.ALOAD, local));
                code.add(new VarInsnNode(Opcodes.ALOAD, held));
                code.add(call(Opcodes.INVOKEVIRTUAL, String.valueOf(made), "add", "(Ljava/lang/Object;)Z"));
                code.add(new InsnNode(Opcodes.POP));
                return element.equals(OBJECT);
            }
            case TEXT -> append(held);
            case SUM -> {
                load();
                code.add(new VarInsnNode(element.getOpcode(Opcodes.ILOAD), held));
                code.add(new InsnNode(type.getOpcode(Opcodes.IADD)));
                store();
                return element.equals(type);
            }
            case FIRST -> {
                code.add(new VarInsnNode(Opcodes.ALOAD, held));
                code.add(call(Opcodes.INVOKESTATIC, OPTIONAL, "of", "(Ljava/lang/Object;)L" + OPTIONAL + ";"));
                store();
                code.add(new JumpInsnNode(Opcodes.GOTO, out));
                return element.equals(OBJECT);
            }
            default -> throw new AssertionError(kind);
        }
        return true;
    }

    /** Appends a text, behind the separator if it is not the first. */
    private void append(int held) {
        LabelNode first = new LabelNode();
        code.add(new VarInsnNode(Opcodes.ILOAD, count));
        code.add(new JumpInsnNode(Opcodes.IFEQ, first));
        code.add(new VarInsnNode(Opcodes.ALOAD, local));
        code.add(new LdcInsnNode(stream.separator()));
        appendText();
        code.add(first);
        code.add(new InsnNode(Opcodes.ICONST_1));
        code.add(new VarInsnNode(Opcodes.ISTORE, count));
        code.add(new VarInsnNode(Opcodes.ALOAD, local));
        code.add(new VarInsnNode(Opcodes.ALOAD, held));
        code.add(new TypeInsnNode(Opcodes.CHECKCAST, "java/lang/String"));
        appendText();
    }

    private void appendText() {
        code.add(call(Opcodes.INVOKEVIRTUAL, TEXT, "append", "(Ljava/lang/String;)L" + TEXT + ";"));
        code.add(new InsnNode(Opcodes.POP));
    }

    /** Puts the result on the stack, behind the loop. */
    void end() {
        switch (kind) {
            case NOTHING -> code.add(new InsnNode(Opcodes.NOP));
            case OPAQUE -> code.add(stream.makesCollection() ? OpaqueValue.collection(type) : OpaqueValue.of(type));
            case TEXT -> {
                code.add(new VarInsnNode(Opcodes.ALOAD, local));
                code.add(call(Opcodes.INVOKEVIRTUAL, TEXT, "toString", "()Ljava/lang/String;"));
            }
            default -> load();
        }
    }

    private static MethodInsnNode call(int opcode, String owner, String name, String descriptor) {
        return new MethodInsnNode(opcode, owner, name, descriptor, opcode == Opcodes.INVOKEINTERFACE);
    }
}
