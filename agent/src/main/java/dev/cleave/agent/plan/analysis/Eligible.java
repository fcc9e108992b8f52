package dev.cleave.agent.plan.analysis;

import dev.cleave.agent.ir.InsnOp;
import dev.cleave.agent.ir.MethodBody;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;

/**
 * Finds the places of a method that may be rewritten at all (R1): none in class initialisers, bridges and coroutines;
 * in a constructor the places behind the call of the other constructor, {@code this(...)} or {@code super(...)}.
 *
 * <p>A constructor writes final fields, which all other code may take for constant: {@link #mayNotice} says what must
 * not run ahead of that.
 */
public final class Eligible {

    private static final String CONTINUATION = "Lkotlin/coroutines/Continuation;)Ljava/lang/Object;";

    private final OpGraph graph;
    private final boolean isConstructor;
    private final BitSet early = new BitSet();

    /** Finds the ops that R1 forbids. */
    public Eligible(OpGraph graph, Region whole) {
        this.graph = graph;
        this.isConstructor = graph.body().original().name.equals("<init>");
        if (isConstructor) {
            BitSet stops = new BitSet();
            for (int i = 0; i < graph.size(); i++) {
                stops.set(i, isOtherConstructor(graph, whole, i));
            }
            early.or(graph.reachable(0, stops));
        }
    }

    /** Why nothing of a method may be rewritten, null if something may. */
    public static @Nullable String refusal(MethodBody body) {
        String name = body.original().name;
        if (name.equals("<clinit>")) {
            return "calls in class initialisers are left alone";
        }
        if ((body.original().access & Opcodes.ACC_BRIDGE) != 0) {
            return "the method is a bridge that the compiler made";
        }
        boolean isCoroutine =
                name.equals("invokeSuspend") || body.original().desc.endsWith(CONTINUATION);
        return isCoroutine ? "the method is a part of a coroutine" : null;
    }

    /** Whether an op runs after the other constructor has returned, so that the JVM takes the object for complete. */
    public boolean allows(int index) {
        return !early.get(index);
    }

    /**
     * Whether an op may see, by running first, that a write to a field of the object being made has not happened yet.
     */
    public boolean mayNotice(int writer, int reader) {
        if (!isConstructor
                || !(graph.op(writer) instanceof InsnOp write)
                || write.opcode() != Opcodes.PUTFIELD
                || !(graph.op(reader) instanceof InsnOp read)) {
            return false;
        }
        if (read.field() != null && write.field() != null) {
            return read.opcode() == Opcodes.GETFIELD && read.field().name.equals(write.field().name);
        }
        return read.method() != null && !read.method().owner.startsWith("java/") || read.dynamic() != null;
    }

    /** {@code this(...)} or {@code super(...)}: a constructor that is called on something that no op has made. */
    private static boolean isOtherConstructor(OpGraph graph, Region whole, int index) {
        return graph.op(index) instanceof InsnOp insn
                && insn.method() != null
                && insn.method().name.equals("<init>")
                && whole.origin(index, insn.uses().get(0)) < 0;
    }
}
