package dev.cleave.agent.plan.slice;

import dev.cleave.agent.ir.InsnOp;
import dev.cleave.agent.ir.Op;
import java.util.Set;

/** The methods of a queue whose elements leave it in the order in which they came. */
public final class QueueOps {

    private static final Set<String> ADDED = Set.of("add", "addLast", "offer", "offerLast");
    private static final Set<String> READ = Set.of(
            "isEmpty", "remove", "removeFirst", "poll", "pollFirst", "pop", "element", "peek", "peekFirst", "getFirst");

    private QueueOps() {}

    /** Whether an op adds an element at the end. */
    public static boolean isAdded(Op op) {
        return op instanceof InsnOp insn
                && insn.method() != null
                && ADDED.contains(insn.method().name)
                && insn.method().desc.startsWith("(Ljava/lang/Object;)");
    }

    /** Whether an op asks for the first element, takes it, or asks whether there is one. */
    public static boolean isRead(Op op) {
        return op instanceof InsnOp insn
                && insn.method() != null
                && READ.contains(insn.method().name)
                && insn.method().desc.startsWith("()");
    }
}
