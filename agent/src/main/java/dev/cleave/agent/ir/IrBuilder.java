package dev.cleave.agent.ir;

import dev.cleave.agent.ir.Unsupported.Reason;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LineNumberNode;
import org.objectweb.asm.tree.LocalVariableNode;
import org.objectweb.asm.tree.LookupSwitchInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TableSwitchInsnNode;
import org.objectweb.asm.tree.TryCatchBlockNode;
import org.objectweb.asm.tree.analysis.Analyzer;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.BasicInterpreter;
import org.objectweb.asm.tree.analysis.BasicValue;
import org.objectweb.asm.tree.analysis.Frame;

/**
 * Lifts a method from bytecode into register form.
 *
 * <p>ASM's analyzer gives the kinds of locals and stack words at each basic block. Then every reachable instruction is
 * executed once on a frame whose values are registers; a recording interpreter ({@link OpRecorder}) makes the op, so
 * that operands, results and the whole {@code DUP} family need no table of opcodes.
 */
public final class IrBuilder {

    /** The most words of frames that the analysis may hold: instructions times locals and stack. */
    private static final long MAX_FRAME_WORDS = 16_000_000;

    private final MethodNode method;
    private final MethodBody body;
    private final Frame<BasicValue>[] frames;
    private final List<Op> ops = new ArrayList<>();
    private final List<Op> detached = new ArrayList<>();
    private final OpRecorder recorder;
    private final Map<LabelNode, LabelOp> labels = new HashMap<>();
    private final Set<LabelNode> jumpTargets = new HashSet<>();
    private final Set<LabelNode> handlerTargets = new HashSet<>();
    private final Map<LabelNode, LabelOp> catchEntries = new HashMap<>();
    private @Nullable Frame<StackValue> frame;

    private IrBuilder(MethodNode method, MethodBody body, Frame<BasicValue>[] frames) {
        this.method = method;
        this.body = body;
        this.frames = frames;
        this.recorder = new OpRecorder(body, ops);
    }

    /**
     * Builds the body of a method; the method node is only read.
     *
     * @param owner internal name of the class
     * @param classVersion the major version of its class file
     * @throws Unsupported if the method must stay as it is
     */
    public static MethodBody build(String owner, int classVersion, MethodNode method) throws Unsupported {
        if ((classVersion & 0xffff) < Opcodes.V1_6) {
            throw new Unsupported(
                    Reason.OLD_CLASS_FILE, "class file version: " + classVersion + " (expected: 50 or later)");
        }
        if (method.instructions.size() == 0) {
            throw new Unsupported(Reason.NO_CODE, method.name + method.desc + " has no code");
        }
        long words = (long) method.instructions.size() * (method.maxLocals + method.maxStack);
        if (words > MAX_FRAME_WORDS) {
            throw new Unsupported(
                    Reason.TOO_LARGE,
                    "instructions times words of a frame: " + words + " (expected: 0.." + MAX_FRAME_WORDS + ")");
        }
        for (AbstractInsnNode insn : method.instructions) {
            if (insn.getOpcode() == Opcodes.JSR || insn.getOpcode() == Opcodes.RET) {
                throw new Unsupported(Reason.SUBROUTINE, method.name + method.desc + " has subroutines");
            }
        }
        try {
            Frame<BasicValue>[] frames = new Analyzer<>(new BasicInterpreter()).analyze(owner, method);
            return new IrBuilder(method, new MethodBody(owner, method), frames).run();
        } catch (AnalyzerException e) {
            throw new Unsupported(Reason.INVALID_CODE, method.name + method.desc + ": " + e.getMessage());
        }
    }

    private MethodBody run() throws AnalyzerException {
        collectLabels();
        for (int i = 0; i < frames.length; i++) {
            AbstractInsnNode insn = method.instructions.get(i);
            if (insn instanceof LabelNode label) {
                enter(label, i);
            } else if (frames[i] == null) {
                frame = null;
            } else if (insn instanceof LineNumberNode line) {
                ops.add(new LineOp(line.line));
            } else if (insn.getOpcode() >= 0) {
                execute(insn, i);
            }
        }
        ops.addAll(detached);
        body.setOps(ops);
        body.setHandlers(handlers());
        body.setVariables(variables());
        return body;
    }

    private void collectLabels() {
        for (AbstractInsnNode insn : method.instructions) {
            if (insn instanceof JumpInsnNode jump) {
                jumpTargets.add(jump.label);
            } else if (insn instanceof TableSwitchInsnNode table) {
                jumpTargets.add(table.dflt);
                jumpTargets.addAll(table.labels);
            } else if (insn instanceof LookupSwitchInsnNode lookup) {
                jumpTargets.add(lookup.dflt);
                jumpTargets.addAll(lookup.labels);
            }
        }
        Set<LabelNode> wanted = new HashSet<>(jumpTargets);
        for (TryCatchBlockNode handler : method.tryCatchBlocks) {
            handlerTargets.add(handler.handler);
            wanted.add(handler.start);
            wanted.add(handler.end);
        }
        for (LocalVariableNode variable : variableNodes()) {
            wanted.add(variable.start);
            wanted.add(variable.end);
        }
        for (AbstractInsnNode insn : method.instructions) {
            if (insn instanceof LabelNode node && wanted.contains(node)) {
                label(node); // in list order, so that numbers are the same in every run
            }
        }
    }

    /** Begins a block if some jump goes to the label, else only places it. */
    private void enter(LabelNode label, int index) {
        boolean entered = frame != null;
        boolean gone = jumpTargets.contains(label);
        boolean caught = handlerTargets.contains(label) && frames[index] != null;
        if (entered && (gone || caught)) {
            settleStack();
        }
        LabelOp op = labels.get(label);
        if (caught && !gone && !entered) {
            LabelOp entry = op != null ? op : label(label);
            ops.add(entry);
            catchEntries.put(label, entry);
            startBlock(index);
            recorder.caught(current());
            return;
        }
        if (caught) {
            addDetachedEntry(label);
            op = label(label);
        }
        if (op != null) {
            ops.add(op);
        }
        if (gone || caught) {
            frame = null;
            if (frames[index] != null) {
                startBlock(index);
            }
        }
    }

    /** Gives a handler a separate entry for exceptions, because jumps go to its code as well. */
    private void addDetachedEntry(LabelNode label) {
        LabelOp entry = body.label();
        Register caught = body.fresh(RegisterKind.REFERENCE);
        detached.add(entry);
        detached.add(new CatchOp(caught));
        detached.add(new MoveOp(body.stack(0, RegisterKind.REFERENCE), caught));
        detached.add(new GotoOp(label(label)));
        catchEntries.put(label, entry);
    }

    private void execute(AbstractInsnNode insn, int index) throws AnalyzerException {
        if (frame == null) {
            startBlock(index);
        }
        recorder.begin();
        current().execute(insn, recorder);
        if (insn instanceof JumpInsnNode jump) {
            settleStack();
            LabelOp target = label(jump.label);
            boolean always = insn.getOpcode() == Opcodes.GOTO;
            ops.add(always ? new GotoOp(target) : new BranchOp(insn.getOpcode(), recorder.operands(), target));
            frame = null;
            if (!always) {
                startBlock(index + 1);
            }
        } else if (insn instanceof TableSwitchInsnNode table) {
            List<Integer> keys = new ArrayList<>();
            for (int key = 0; key < table.labels.size(); key++) {
                keys.add(table.min + key);
            }
            addSwitch(table.dflt, keys, table.labels);
        } else if (insn instanceof LookupSwitchInsnNode lookup) {
            addSwitch(lookup.dflt, lookup.keys, lookup.labels);
        } else if (insn.getOpcode() == Opcodes.RETURN) {
            ops.add(new ReturnOp(null));
            frame = null;
        } else if (insn.getOpcode() >= Opcodes.IRETURN && insn.getOpcode() < Opcodes.RETURN) {
            ops.add(new ReturnOp(recorder.operands().get(0)));
            frame = null;
        } else if (insn.getOpcode() == Opcodes.ATHROW) {
            ops.add(new ThrowOp(recorder.operands().get(0)));
            frame = null;
        }
    }

    private void addSwitch(LabelNode otherwise, List<Integer> keys, List<LabelNode> cases) {
        settleStack();
        ops.add(new SwitchOp(
                recorder.operands().get(0),
                label(otherwise),
                keys,
                cases.stream().map(this::label).toList()));
        frame = null;
    }

    /**
     * Moves the words of the stack to the registers in which other blocks expect them, with the effect of one
     * simultaneous move.
     */
    private void settleStack() {
        Frame<StackValue> current = current();
        Set<Register> written = new HashSet<>();
        for (int depth = 0; depth < current.getStackSize(); depth++) {
            Register from = current.getStack(depth).value();
            Register home = body.stack(depth, from.kind());
            if (from != home) {
                written.add(home);
            }
        }
        Map<Register, Register> saved = new HashMap<>();
        for (int depth = 0; depth < current.getStackSize(); depth++) {
            save(current.getStack(depth).value(), written, saved);
        }
        recorder.operands().forEach(operand -> save(operand, written, saved));
        recorder.replaceOperands(saved);
        for (int depth = 0; depth < current.getStackSize(); depth++) {
            Register from = current.getStack(depth).value();
            Register home = body.stack(depth, from.kind());
            if (from != home) {
                ops.add(new MoveOp(home, saved.getOrDefault(from, from)));
            }
        }
    }

    private void save(Register register, Set<Register> written, Map<Register, Register> saved) {
        if (written.contains(register) && !saved.containsKey(register)) {
            Register copy = body.fresh(register.kind());
            ops.add(new MoveOp(copy, register));
            saved.put(register, copy);
        }
    }

    private void startBlock(int index) {
        Frame<BasicValue> kinds = frames[index];
        Frame<StackValue> started = new Frame<>(kinds.getLocals(), method.maxStack);
        for (int slot = 0; slot < kinds.getLocals(); slot++) {
            RegisterKind kind = kindOf(kinds.getLocal(slot));
            started.setLocal(slot, kind == null ? StackValue.NOTHING : new StackValue(body.local(slot, kind)));
        }
        for (int depth = 0; depth < kinds.getStackSize(); depth++) {
            RegisterKind kind = kindOf(kinds.getStack(depth));
            if (kind == null) {
                throw new IllegalStateException("stack word without a kind at instruction " + index);
            }
            started.push(new StackValue(body.stack(depth, kind)));
        }
        recorder.begin();
        frame = started;
    }

    private Frame<StackValue> current() {
        if (frame == null) {
            throw new IllegalStateException("no block has begun");
        }
        return frame;
    }

    private LabelOp label(LabelNode node) {
        return labels.computeIfAbsent(node, n -> body.label());
    }

    private List<Handler> handlers() {
        List<Handler> handlers = new ArrayList<>();
        for (TryCatchBlockNode handler : method.tryCatchBlocks) {
            LabelOp target = catchEntries.get(handler.handler);
            if (target != null) {
                handlers.add(new Handler(label(handler.start), label(handler.end), target, handler.type));
            }
        }
        return handlers;
    }

    private List<LocalVariable> variables() {
        List<LocalVariable> variables = new ArrayList<>();
        for (LocalVariableNode variable : variableNodes()) {
            variables.add(new LocalVariable(
                    variable.name,
                    variable.desc,
                    variable.signature,
                    variable.index,
                    label(variable.start),
                    label(variable.end)));
        }
        return variables;
    }

    private List<LocalVariableNode> variableNodes() {
        return method.localVariables == null ? List.of() : method.localVariables;
    }

    private static @Nullable RegisterKind kindOf(BasicValue value) {
        return value.getType() == null || value == BasicValue.RETURNADDRESS_VALUE
                ? null
                : RegisterKind.of(value.getType());
    }
}
