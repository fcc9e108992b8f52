package dev.cleave.agent.ir;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.MethodNode;

/**
 * The code of one method as a list of {@link Op}s over {@link Register}s, open to change.
 *
 * <h2>The form</h2>
 *
 * <p>Ops run in list order unless one goes to a {@link LabelOp}. There is no operand stack, hence no stack code in any
 * pass: new ops may be inserted between any two others. A value that the original pushed and popped within a basic
 * block sits in a {@link Register.Role#TEMPORARY TEMPORARY} with one definition; {@code DUP} and its like only make one
 * temporary be read several times. A value that stays on the operand stack across blocks is moved to a {@link
 * Register.Role#STACK STACK} register at the end of the block. JVM locals are {@link Register.Role#LOCAL LOCAL}
 * registers, one for each kind that a slot is used with; loads and stores are {@link MoveOp}s. An object between
 * {@code new} and its constructor is an ordinary register; only moves and the constructor call read it. Unreachable
 * code of the original is gone.
 *
 * <h2>Handlers</h2>
 *
 * <p>A {@link Handler} covers the ops between its two labels in the list, so inserted ops belong to the ranges that
 * they are inserted into. The JVM searches the table in its order. Every target label is followed by a {@link CatchOp}
 * and entered by exceptions only.
 *
 * <h2>Changing a body</h2>
 *
 * <pre>{@code
 * Register handle = body.fresh(RegisterKind.REFERENCE);
 * body.insertAtStart(List.of(new ConstOp(handle, null)));
 * body.replace(call, List.of(InsnOp.invokeStatic(owner, "send", descriptor, handle, call.uses())));
 * body.insertBefore(use, List.of(InsnOp.invokeStatic(owner, "await", descriptor, result, List.of(handle))));
 * }</pre>
 *
 * <p>New registers come from {@link #fresh}, new labels from {@link #label()} (then place them in the list). Analyses
 * hold for the body as it was when they were made. A register that is read where the verifier cannot see a value on
 * every path (handlers included) makes the class unloadable: give such registers a value at the start.
 * {@link RegionCopy} clones ops with registers and labels mapped and the handler ranges repeated.
 */
public final class MethodBody {

    private final String owner;
    private final MethodNode original;
    private final List<Op> ops = new ArrayList<>();
    private final List<Register> registers = new ArrayList<>();
    private final Map<Long, Register> placed = new HashMap<>();
    private final List<Register> parameters = new ArrayList<>();
    private List<Handler> handlers = List.of();
    private List<LocalVariable> variables = List.of();
    private int labels;
    private int temporaries;
    private boolean numbered;

    /**
     * An empty body with the registers of its parameters.
     *
     * @param owner internal name of the class
     * @param original the method whose name, access, descriptor and annotations the body goes with
     */
    MethodBody(String owner, MethodNode original) {
        this.owner = owner;
        this.original = original;
        int slot = 0;
        if ((original.access & Opcodes.ACC_STATIC) == 0) {
            parameters.add(local(slot++, RegisterKind.REFERENCE));
        }
        for (Type type : Type.getArgumentTypes(original.desc)) {
            Register parameter = local(slot, RegisterKind.of(type));
            parameters.add(parameter);
            slot += parameter.kind().size();
        }
    }

    /**
     * A body without ops, to be filled.
     *
     * @param owner internal name of the class
     * @param header the method's name, access, descriptor and exceptions
     */
    public static MethodBody empty(String owner, MethodNode header) {
        return new MethodBody(owner, header);
    }

    /** Internal name of the class that declares the method. */
    public String owner() {
        return owner;
    }

    /** The method as read: for name, descriptor, access and annotations. Its instructions may differ from this body. */
    public MethodNode original() {
        return original;
    }

    /** The receiver, if any, then the parameters. */
    public List<Register> parameters() {
        return Collections.unmodifiableList(parameters);
    }

    /** All registers, at the index of their number. */
    public List<Register> registers() {
        return Collections.unmodifiableList(registers);
    }

    /** The register of a JVM local slot with a kind. */
    public Register local(int slot, RegisterKind kind) {
        return placed(Register.Role.LOCAL, slot, kind);
    }

    /** The register of an operand stack word that outlives its block. */
    public Register stack(int depth, RegisterKind kind) {
        return placed(Register.Role.STACK, depth, kind);
    }

    /** A new register. */
    public Register fresh(RegisterKind kind) {
        Register register = new Register(registers.size(), Register.Role.TEMPORARY, kind, temporaries++);
        registers.add(register);
        return register;
    }

    /** A new label, to be put into the list once. */
    public LabelOp label() {
        return new LabelOp(labels++);
    }

    /** The ops in order; a view that follows changes. */
    public List<Op> ops() {
        return Collections.unmodifiableList(ops);
    }

    /** The index of an op in {@link #ops()}; cheap while the list is not changed. */
    public int indexOf(Op op) {
        number();
        if (op.index < 0 || op.index >= ops.size() || ops.get(op.index) != op) {
            throw new IllegalArgumentException("op: " + op + " (expected: one of this body)");
        }
        return op.index;
    }

    /** Inserts ops so that they run before an op when it is reached from the op above it. */
    public void insertBefore(Op op, List<? extends Op> added) {
        insert(indexOf(op), added);
    }

    /** Inserts ops right after an op. */
    public void insertAfter(Op op, List<? extends Op> added) {
        insert(indexOf(op) + 1, added);
    }

    /** Inserts ops before all others; they run once, as no jump can go to a place before the first label. */
    public void insertAtStart(List<? extends Op> added) {
        insert(0, added);
    }

    /** Adds ops after all others. */
    public void append(List<? extends Op> added) {
        insert(ops.size(), added);
    }

    /** Puts ops, perhaps none, in the place of one. */
    public void replace(Op op, List<? extends Op> added) {
        int index = indexOf(op);
        ops.remove(index);
        insert(index, added);
    }

    /** Replaces the whole list at once; ops may stay. */
    public void setOps(Collection<? extends Op> changed) {
        List<Op> copy = List.copyOf(changed);
        ops.clear();
        insert(0, copy);
    }

    /** The exception table in its order. */
    public List<Handler> handlers() {
        return handlers;
    }

    /** Replaces the exception table. */
    public void setHandlers(List<Handler> changed) {
        handlers = List.copyOf(changed);
    }

    /** Adds a row in front of all others: the JVM checks it first. */
    public void addHandlerFirst(Handler handler) {
        addHandler(0, handler);
    }

    /** Adds a row to the exception table at an index. */
    public void addHandler(int index, Handler handler) {
        List<Handler> changed = new ArrayList<>(handlers);
        changed.add(index, handler);
        handlers = List.copyOf(changed);
    }

    /** The handlers that cover an op, in table order. */
    public List<Handler> handlersOf(Op op) {
        int index = indexOf(op);
        List<Handler> covering = new ArrayList<>();
        for (Handler handler : handlers) {
            if (indexOf(handler.start()) < index && index < indexOf(handler.end())) {
                covering.add(handler);
            }
        }
        return covering;
    }

    /** The handlers that begin with the op at an index. */
    public List<Handler> handlersAt(int caught) {
        List<Handler> found = new ArrayList<>();
        for (Handler handler : handlers) {
            int target = indexOf(handler.target());
            if (target < caught && ops.subList(target, caught).stream().noneMatch(Op::isExecutable)) {
                found.add(handler);
            }
        }
        return found;
    }

    /** The names of locals that the class file gives. */
    public List<LocalVariable> variables() {
        return variables;
    }

    /** Replaces the names of locals. */
    public void setVariables(List<LocalVariable> changed) {
        variables = List.copyOf(changed);
    }

    /** The source line of an op, -1 if none is known. */
    public int lineOf(Op op) {
        for (int i = indexOf(op); i >= 0; i--) {
            if (ops.get(i) instanceof LineOp line) {
                return line.line();
            }
        }
        return -1;
    }

    /** Returns the ops, one a line, labels at the margin, then the handlers. */
    public String text() {
        StringBuilder text = new StringBuilder();
        for (Op op : ops) {
            text.append(op instanceof LabelOp ? "" : "  ").append(op).append('\n');
        }
        for (Handler handler : handlers) {
            text.append(handler.start())
                    .append("..")
                    .append(handler.end())
                    .append(" -> ")
                    .append(handler.target());
            text.append(' ')
                    .append(handler.type() == null ? "any" : handler.type())
                    .append('\n');
        }
        return text.toString();
    }

    private void insert(int index, List<? extends Op> added) {
        ops.addAll(index, added);
        numbered = false;
    }

    private void number() {
        if (!numbered) {
            for (int i = 0; i < ops.size(); i++) {
                ops.get(i).index = i;
            }
            numbered = true;
        }
    }

    private Register placed(Register.Role role, int position, RegisterKind kind) {
        long key = ((long) role.ordinal() << 40) | ((long) position << 8) | kind.ordinal();
        Register register = placed.get(key);
        if (register == null) {
            register = new Register(registers.size(), role, kind, position);
            registers.add(register);
            placed.put(key, register);
        }
        return register;
    }
}
