package dev.cleave.agent.transform;

import dev.cleave.agent.ir.ConstOp;
import dev.cleave.agent.ir.Handler;
import dev.cleave.agent.ir.InsnOp;
import dev.cleave.agent.ir.LabelOp;
import dev.cleave.agent.ir.MethodBody;
import dev.cleave.agent.ir.Op;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;

/**
 * Has everything that is added where the program holds a lock covered by the handler that lets go of it, as what
 * compilers write there is. The JVM compiles no method to machine code in which an exception might leave with a lock
 * held.
 */
final class HeldLocks {

    private final MethodBody body;
    private final Map<Op, LabelOp> releases = new HashMap<>(); // by what takes the lock

    /**
     * A lock that is held, and those taken before it.
     *
     * @param taken what has taken it
     */
    private record Lock(Op taken, @Nullable Lock outer) {}

    /** Looks at a body before it is changed. */
    HeldLocks(MethodBody body) {
        this.body = body;
        if (body.ops().stream().noneMatch(op -> isInsn(op, Opcodes.MONITORENTER))) {
            return;
        }
        held().forEach((op, lock) -> {
            for (Handler handler : body.handlersOf(op)) {
                if (handler.type() == null && isRelease(handler.target())) {
                    releases.putIfAbsent(lock.taken(), handler.target());
                    return;
                }
            }
        });
    }

    /** Covers the ops that were added since this object was made. */
    void cover() {
        if (releases.isEmpty()) {
            return;
        }
        Map<Op, Lock> open = new HashMap<>();
        held().forEach((op, lock) -> {
            boolean isOpen = releases.containsKey(lock.taken()) && mayThrow(op) && !isInsn(op, Opcodes.MONITOREXIT);
            if (isOpen && !isCovered(op, lock)) {
                open.put(op, lock);
            }
        });
        List<Handler> table = new ArrayList<>(body.handlers());
        for (Op op : List.copyOf(body.ops())) {
            Lock lock = open.get(op);
            LabelOp release = lock == null ? null : releases.get(lock.taken());
            if (lock != null && release != null) {
                Handler outside = outside(op, lock);
                LabelOp start = body.label();
                LabelOp end = body.label();
                body.insertBefore(op, List.of(start));
                body.insertAfter(op, List.of(end));
                int index = outside == null ? table.size() : table.indexOf(outside);
                table.add(index, new Handler(start, end, release, null));
            }
        }
        body.setHandlers(table);
    }

    /** Whether a handler inside of the lock catches all exceptions of an op. */
    private boolean isCovered(Op op, Lock lock) {
        Handler outside = outside(op, lock);
        for (Handler handler : body.handlersOf(op)) {
            if (handler.equals(outside)) {
                return false;
            }
            if (handler.type() == null) {
                return true;
            }
        }
        return false;
    }

    /** The first handler of an op that is outside of a lock: it is that of the op, too, that takes the lock. */
    private @Nullable Handler outside(Op op, Lock lock) {
        List<LabelOp> targets =
                body.handlersOf(lock.taken()).stream().map(Handler::target).toList();
        for (Handler handler : body.handlersOf(op)) {
            if (targets.contains(handler.target())) {
                return handler;
            }
        }
        return null;
    }

    /** The ops that run with a lock held; none if locks are not taken and let go of in turn. */
    private Map<Op, Lock> held() {
        Map<Op, Lock> before = new LinkedHashMap<>();
        Set<Op> seen = new HashSet<>(List.of(body.ops().get(0)));
        Deque<Op> work = new ArrayDeque<>(List.of(body.ops().get(0)));
        while (!work.isEmpty()) {
            Op op = work.pop();
            Lock lock = before.get(op);
            Lock after = lock;
            if (isInsn(op, Opcodes.MONITORENTER)) {
                after = new Lock(op, lock);
            } else if (isInsn(op, Opcodes.MONITOREXIT)) {
                if (lock == null) {
                    return Map.of();
                }
                after = lock.outer();
            }
            List<Op> next = new ArrayList<>(op.targets());
            int index = body.indexOf(op);
            if (op.fallsThrough() && index + 1 < body.ops().size()) {
                next.add(body.ops().get(index + 1));
            }
            for (Op each : next) {
                if (!isReached(each, after, before, seen, work)) {
                    return Map.of();
                }
            }
            if (op.mayThrow() && !isInsn(op, Opcodes.MONITOREXIT)) {
                for (Handler handler : body.handlersOf(op)) {
                    if (!isReached(handler.target(), lock, before, seen, work)) {
                        return Map.of();
                    }
                    if (handler.type() == null) {
                        break; // nothing comes to those behind it: a try around the lock
                    }
                }
            }
        }
        return before;
    }

    /** Notes that an op is reached with a lock held; false if it is also reached with another one. */
    private static boolean isReached(Op op, @Nullable Lock lock, Map<Op, Lock> before, Set<Op> seen, Deque<Op> work) {
        if (!seen.add(op)) {
            return Objects.equals(before.get(op), lock);
        }
        if (lock != null) {
            before.put(op, lock);
        }
        work.push(op);
        return true;
    }

    /** Whether a handler lets go of a lock before it does anything else. */
    private boolean isRelease(LabelOp target) {
        for (int i = body.indexOf(target) + 1; i < body.ops().size(); i++) {
            Op op = body.ops().get(i);
            if (isInsn(op, Opcodes.MONITOREXIT)) {
                return true;
            }
            if (op.mayThrow() || !op.fallsThrough() || !op.targets().isEmpty()) {
                return false;
            }
        }
        return false;
    }

    /** Whether an op may throw by the rules of the JVM: each load of a constant from the constant pool may throw. */
    private static boolean mayThrow(Op op) {
        return op.mayThrow() || op instanceof ConstOp constant && constant.value() != null;
    }

    private static boolean isInsn(Op op, int opcode) {
        return op instanceof InsnOp insn && insn.opcode() == opcode;
    }
}
