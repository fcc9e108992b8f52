package dev.cleave.agent.ir;

import dev.cleave.agent.ir.Unsupported.Reason;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LocalVariableNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TryCatchBlockNode;

/**
 * Turns a body back into a method with an operand stack.
 *
 * <p>Values of one block wait on the stack where their order allows it; all others are JVM locals above those of the
 * original, which keep their slots. Exception table order, line numbers and the names of locals are kept, empty ranges
 * are left out, type annotations inside the code are dropped. Maximum sizes and frames are left to the class writer
 * ({@link ClassEmitter}).
 */
public final class IrEmitter {

    private static final int MAX_LOCALS = 65_000;
    /** The most words of frames that the class writer may have to hold: blocks times locals. */
    private static final long MAX_FRAME_WORDS = 8_000_000;

    private final MethodBody body;
    private final MethodNode method;
    private final Map<LabelOp, LabelNode> labels = new HashMap<>();
    private final Map<LabelNode, Integer> positions = new HashMap<>();

    private IrEmitter(MethodBody body) {
        this.body = body;
        this.method = header(body.original());
    }

    /**
     * Makes a method node with the header of the original and the code of the body.
     *
     * @throws Unsupported if the method would have more locals than the JVM allows
     */
    public static MethodNode emit(MethodBody body) throws Unsupported {
        return new IrEmitter(body).run();
    }

    private MethodNode run() throws Unsupported {
        List<List<Op>> blocks = blocks();
        SlotTable slots = new SlotTable(body, blocks);
        for (List<Op> block : blocks) {
            method.instructions.add(new BlockStackifier(block, slots, labels).run());
        }
        checkSize(blocks.size(), slots.size());
        measure();
        addHandlers();
        addVariables();
        return method;
    }

    private void checkSize(long blocks, long locals) throws Unsupported {
        if (locals > MAX_LOCALS) {
            throw new Unsupported(Reason.TOO_LARGE, "locals: " + locals + " (expected: 0.." + MAX_LOCALS + ")");
        }
        if (blocks * locals > MAX_FRAME_WORDS) {
            throw new Unsupported(
                    Reason.TOO_LARGE,
                    "blocks times locals: " + blocks * locals + " (expected: 0.." + MAX_FRAME_WORDS + ")");
        }
    }

    /** Splits the list at each op that control may enter by a jump, and after each op that may leave. */
    private List<List<Op>> blocks() {
        Set<LabelOp> entries = new HashSet<>();
        for (Op op : body.ops()) {
            entries.addAll(op.targets());
        }
        for (Handler handler : body.handlers()) {
            entries.add(handler.target());
        }
        List<List<Op>> blocks = new ArrayList<>();
        List<Op> block = new ArrayList<>();
        for (int i = 0; i < body.ops().size(); i++) {
            Op op = body.ops().get(i);
            if (op instanceof LabelOp label && entries.contains(label) && !block.isEmpty()) {
                blocks.add(block);
                block = new ArrayList<>();
            }
            if (op instanceof GotoOp jump && isNext(i, jump.target())) {
                continue;
            }
            block.add(op);
            if (!op.targets().isEmpty() || !op.fallsThrough()) {
                blocks.add(block);
                block = new ArrayList<>();
            }
        }
        blocks.add(block);
        return blocks;
    }

    private boolean isNext(int index, LabelOp target) {
        for (int i = index + 1; i < body.ops().size(); i++) {
            Op op = body.ops().get(i);
            if (op == target || !(op instanceof LabelOp || op instanceof LineOp)) {
                return op == target;
            }
        }
        return false;
    }

    private void measure() {
        int position = 0;
        for (AbstractInsnNode insn : method.instructions) {
            if (insn instanceof LabelNode label) {
                positions.put(label, position);
            } else if (insn.getOpcode() >= 0) {
                position++;
            }
        }
    }

    private void addHandlers() {
        for (Handler handler : body.handlers()) {
            LabelNode start = placed(handler.start());
            LabelNode end = placed(handler.end());
            if (position(start) < position(end)) {
                method.tryCatchBlocks.add(new TryCatchBlockNode(start, end, placed(handler.target()), handler.type()));
            }
        }
    }

    private void addVariables() {
        Set<String> seen = new HashSet<>();
        for (LocalVariable variable : body.variables()) {
            LabelNode start = placed(variable.start());
            LabelNode end = placed(variable.end());
            String key = variable.name() + ' ' + variable.slot() + ' ' + position(start);
            if (position(start) < position(end) && seen.add(key)) {
                method.localVariables.add(new LocalVariableNode(
                        variable.name(), variable.descriptor(), variable.signature(), start, end, variable.slot()));
            }
        }
    }

    private LabelNode placed(LabelOp label) {
        LabelNode node = labels.get(label);
        if (node == null || !positions.containsKey(node)) {
            throw new IllegalStateException("label: " + label + " (expected: one that is in the list of ops)");
        }
        return node;
    }

    private int position(LabelNode label) {
        return positions.getOrDefault(label, 0);
    }

    private static MethodNode header(MethodNode original) {
        MethodNode copy = new MethodNode(
                Opcodes.ASM9,
                original.access,
                original.name,
                original.desc,
                original.signature,
                original.exceptions.toArray(new String[0]));
        copy.parameters = original.parameters;
        copy.visibleAnnotations = original.visibleAnnotations;
        copy.invisibleAnnotations = original.invisibleAnnotations;
        copy.visibleTypeAnnotations = original.visibleTypeAnnotations;
        copy.invisibleTypeAnnotations = original.invisibleTypeAnnotations;
        copy.annotationDefault = original.annotationDefault;
        copy.visibleAnnotableParameterCount = original.visibleAnnotableParameterCount;
        copy.visibleParameterAnnotations = original.visibleParameterAnnotations;
        copy.invisibleAnnotableParameterCount = original.invisibleAnnotableParameterCount;
        copy.invisibleParameterAnnotations = original.invisibleParameterAnnotations;
        if (original.attrs != null) {
            copy.attrs = original.attrs.stream()
                    .filter(attribute -> !attribute.isCodeAttribute())
                    .toList();
        }
        copy.localVariables = new ArrayList<>();
        copy.tryCatchBlocks = new ArrayList<>();
        return copy;
    }
}
