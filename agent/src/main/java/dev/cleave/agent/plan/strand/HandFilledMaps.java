package dev.cleave.agent.plan.strand;

import dev.cleave.agent.plan.method.Callees;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.IincInsnNode;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.IntInsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.LookupSwitchInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TableSwitchInsnNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * Finds the places where code fills a map by hand: {@code v = map.get(k); if (v == null) { v = service.method(k); map.put(k, v); }}
 * and {@code if (!map.containsKey(k)) map.put(k, service.method(k))}. The map is a variable or a field. The key is computed of
 * variables and constants, in the same way in both places.
 */
final class HandFilledMaps {

    private static final String BOXING = "valueOf";
    private static final int LONGEST_KEY = 24;

    /**
     * Such a place.
     *
     * @param get asks the map for the key
     * @param cast gives the value its type, null if nothing does
     * @param sent the remote call
     * @param put keeps its result
     */
    record Filling(MethodInsnNode get, @Nullable AbstractInsnNode cast, MethodInsnNode sent, MethodInsnNode put) {}

    private final Callees in;
    private final Set<LabelNode> targets = new HashSet<>();

    private HandFilledMaps(MethodNode method, Callees in) {
        this.in = in;
        for (AbstractInsnNode insn : method.instructions) {
            if (insn instanceof JumpInsnNode jump) {
                targets.add(jump.label);
            } else if (insn instanceof TableSwitchInsnNode table) {
                targets.addAll(table.labels);
                targets.add(table.dflt);
            } else if (insn instanceof LookupSwitchInsnNode lookup) {
                targets.addAll(lookup.labels);
                targets.add(lookup.dflt);
            }
        }
    }

    /** Returns all such places of a method. */
    static List<Filling> of(MethodNode method, Callees in) {
        List<Filling> found = new ArrayList<>();
        HandFilledMaps maps = null;
        for (AbstractInsnNode insn : method.instructions) {
            if (insn instanceof MethodInsnNode get && asks(get)) {
                maps = maps == null ? new HandFilledMaps(method, in) : maps;
                Filling filling = maps.at(get);
                if (filling != null) {
                    found.add(filling);
                }
            }
        }
        return found;
    }

    private static boolean asks(MethodInsnNode call) {
        return MapCalls.isOfMap(call) && (call.name.equals("get") || call.name.equals("containsKey"));
    }

    private @Nullable Filling at(MethodInsnNode get) {
        List<AbstractInsnNode> key = key(get);
        List<AbstractInsnNode> map = key == null ? null : map(key.get(0));
        if (key == null || map == null) {
            return null;
        }
        List<AbstractInsnNode> place = new ArrayList<>(map);
        place.addAll(key);
        AbstractInsnNode at = MapCalls.next(get);
        if (get.name.equals("containsKey")) {
            return at instanceof JumpInsnNode jump && jump.getOpcode() == Opcodes.IFNE
                    ? filling(get, null, jump, place, -1)
                    : null;
        }
        AbstractInsnNode cast = at != null && at.getOpcode() == Opcodes.CHECKCAST ? at : null;
        AbstractInsnNode store = cast == null ? at : MapCalls.next(cast);
        AbstractInsnNode load = store == null ? null : MapCalls.next(store);
        AbstractInsnNode branch = load == null ? null : MapCalls.next(load);
        return store instanceof VarInsnNode to
                        && to.getOpcode() == Opcodes.ASTORE
                        && load instanceof VarInsnNode from
                        && from.getOpcode() == Opcodes.ALOAD
                        && from.var == to.var
                        && branch instanceof JumpInsnNode jump
                        && jump.getOpcode() == Opcodes.IFNONNULL
                ? filling(get, cast, jump, place, to.var)
                : null;
    }

    /**
     * The filling whose code begins behind a branch; null if it is of another form.
     *
     * @param place what brings map and key onto the stack
     * @param value the variable for the value, -1 if the result goes into the map at once
     */
    private @Nullable Filling filling(
            MethodInsnNode get,
            @Nullable AbstractInsnNode cast,
            JumpInsnNode branch,
            List<AbstractInsnNode> place,
            int value) {
        List<AbstractInsnNode> code = code(branch);
        int size = code.size();
        if (size < place.size() + 4 || changes(code, place, value) || isEnteredInside(place.get(0), branch.label)) {
            return null;
        }
        List<AbstractInsnNode> calls = code.stream().filter(this::isRemote).toList();
        boolean isPut = code.get(size - 1).getOpcode() == Opcodes.POP
                && code.get(size - 2) instanceof MethodInsnNode put
                && MapCalls.isOfMap(put)
                && put.name.equals("put");
        if (calls.size() != 1 || !isPut) {
            return null;
        }
        int kept = size - 2; // where the result has to be on the stack
        boolean isPlaced;
        if (value < 0) {
            isPlaced = isSame(code.subList(0, place.size()), place);
        } else {
            int from = size - 3 - place.size();
            isPlaced = from > 0
                    && isVariable(code.get(size - 3), Opcodes.ALOAD, value)
                    && isSame(code.subList(from, size - 3), place)
                    && isVariable(code.get(from - 1), Opcodes.ASTORE, value);
            kept = from - 1;
        }
        if (isPlaced && kept > 0 && isBoxing(code.get(kept - 1))) {
            kept--;
        }
        boolean isWhole = isPlaced && kept > 0 && code.get(kept - 1) == calls.get(0);
        return isWhole
                ? new Filling(get, cast, (MethodInsnNode) calls.get(0), (MethodInsnNode) code.get(size - 2))
                : null;
    }

    /** The instructions between a branch and its target, none if anything else leads there or away. */
    private static List<AbstractInsnNode> code(JumpInsnNode branch) {
        List<AbstractInsnNode> code = new ArrayList<>();
        for (AbstractInsnNode at = branch.getNext(); at != branch.label; at = at.getNext()) {
            if (at == null || at instanceof JumpInsnNode || isExit(at)) {
                return List.of();
            }
            if (at.getOpcode() >= 0) {
                code.add(at);
            }
        }
        return code;
    }

    /** Whether a jump leads between two instructions. */
    private boolean isEnteredInside(AbstractInsnNode from, AbstractInsnNode to) {
        for (AbstractInsnNode at = from; at != null && at != to; at = at.getNext()) {
            if (at instanceof LabelNode label && targets.contains(label)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isExit(AbstractInsnNode insn) {
        int opcode = insn.getOpcode();
        return opcode >= Opcodes.IRETURN && opcode <= Opcodes.RETURN
                || opcode == Opcodes.ATHROW
                || opcode == Opcodes.TABLESWITCH
                || opcode == Opcodes.LOOKUPSWITCH
                || opcode == Opcodes.MONITORENTER
                || opcode == Opcodes.MONITOREXIT;
    }

    /** Whether code writes a field, or a variable of the place, or keeps anything but the value in its variable. */
    private static boolean changes(List<AbstractInsnNode> code, List<AbstractInsnNode> place, int value) {
        int stores = 0;
        for (AbstractInsnNode insn : code) {
            if (insn.getOpcode() == Opcodes.PUTFIELD || insn.getOpcode() == Opcodes.PUTSTATIC) {
                return true;
            }
            int written = insn instanceof IincInsnNode counter ? counter.var : stored(insn);
            stores += written >= 0 && written == value ? 1 : 0;
            for (AbstractInsnNode read : place) {
                if (written >= 0 && read instanceof VarInsnNode variable && variable.var == written) {
                    return true;
                }
            }
        }
        return value >= 0 && stores != 1;
    }

    private static int stored(AbstractInsnNode insn) {
        return insn instanceof VarInsnNode variable && variable.getOpcode() >= Opcodes.ISTORE ? variable.var : -1;
    }

    private boolean isRemote(AbstractInsnNode insn) {
        return insn instanceof MethodInsnNode call && in.isRemote(call);
    }

    /**
     * The instructions that bring the key of a call onto the stack, null if they are not known to give an equal key a second time:
     * they compute with variables and constants.
     */
    private static @Nullable List<AbstractInsnNode> key(MethodInsnNode call) {
        List<AbstractInsnNode> key = new ArrayList<>();
        int missing = 1; // values that the instructions found so far need
        AbstractInsnNode at = MapCalls.previous(call);
        for (; at != null && missing > 0 && key.size() < LONGEST_KEY; at = MapCalls.previous(at)) {
            int needed = operands(at);
            if (needed < 0) {
                return null;
            }
            key.add(0, at);
            missing += needed - 1;
        }
        return missing == 0 ? key : null;
    }

    /** How many values an instruction of a key computes its value from, -1 if it is none of a key. */
    private static int operands(AbstractInsnNode insn) {
        int opcode = insn.getOpcode();
        if (insn instanceof VarInsnNode) {
            return opcode <= Opcodes.ALOAD ? 0 : -1;
        }
        if (insn instanceof InvokeDynamicInsnNode site) {
            boolean isJoined = site.bsm.getOwner().equals("java/lang/invoke/StringConcatFactory");
            Type[] types = Type.getArgumentTypes(site.desc);
            for (Type type : types) {
                boolean isValue = type.getSort() < Type.ARRAY
                        || type.getInternalName().equals("java/lang/String")
                        || MapCalls.isBox(type.getInternalName());
                isJoined &= isValue;
            }
            return isJoined ? types.length : -1;
        }
        if (insn instanceof LdcInsnNode constant) {
            return constant.cst instanceof String || constant.cst instanceof Number ? 0 : -1;
        }
        if (opcode >= Opcodes.ICONST_M1 && opcode <= Opcodes.SIPUSH) {
            return 0;
        }
        if (opcode >= Opcodes.IADD && opcode <= Opcodes.LXOR) {
            return opcode >= Opcodes.INEG && opcode <= Opcodes.DNEG ? 1 : 2;
        }
        return opcode >= Opcodes.I2L && opcode <= Opcodes.I2S || isBoxing(insn) ? 1 : -1;
    }

    /** The instructions that bring the map onto the stack in front of the key, null if it is neither a variable nor a field. */
    private static @Nullable List<AbstractInsnNode> map(AbstractInsnNode key) {
        AbstractInsnNode last = MapCalls.previous(key);
        if (last instanceof VarInsnNode variable && variable.getOpcode() == Opcodes.ALOAD) {
            return List.of(last);
        }
        if (last != null && last.getOpcode() == Opcodes.GETSTATIC) {
            return List.of(last);
        }
        AbstractInsnNode owner = last == null ? null : MapCalls.previous(last);
        boolean isField = last != null
                && last.getOpcode() == Opcodes.GETFIELD
                && owner instanceof VarInsnNode variable
                && variable.getOpcode() == Opcodes.ALOAD;
        return isField && owner != null ? List.of(owner, last) : null;
    }

    private static boolean isSame(List<AbstractInsnNode> some, List<AbstractInsnNode> others) {
        for (int i = 0; i < others.size(); i++) {
            if (!isSame(some.get(i), others.get(i))) {
                return false;
            }
        }
        return some.size() == others.size();
    }

    private static boolean isSame(AbstractInsnNode one, AbstractInsnNode other) {
        if (one.getOpcode() != other.getOpcode()) {
            return false;
        }
        if (one instanceof VarInsnNode a && other instanceof VarInsnNode b) {
            return a.var == b.var;
        }
        if (one instanceof FieldInsnNode a && other instanceof FieldInsnNode b) {
            return a.owner.equals(b.owner) && a.name.equals(b.name) && a.desc.equals(b.desc);
        }
        if (one instanceof LdcInsnNode a && other instanceof LdcInsnNode b) {
            return a.cst.equals(b.cst);
        }
        if (one instanceof IntInsnNode a && other instanceof IntInsnNode b) {
            return a.operand == b.operand;
        }
        if (one instanceof InvokeDynamicInsnNode a && other instanceof InvokeDynamicInsnNode b) {
            return a.name.equals(b.name)
                    && a.desc.equals(b.desc)
                    && a.bsm.equals(b.bsm)
                    && Arrays.equals(a.bsmArgs, b.bsmArgs);
        }
        if (one instanceof InsnNode && other instanceof InsnNode) {
            return true; // the opcode is all
        }
        return one instanceof MethodInsnNode a
                && other instanceof MethodInsnNode b
                && a.owner.equals(b.owner)
                && a.name.equals(b.name)
                && a.desc.equals(b.desc);
    }

    private static boolean isVariable(AbstractInsnNode insn, int opcode, int variable) {
        return insn instanceof VarInsnNode found && found.getOpcode() == opcode && found.var == variable;
    }

    private static boolean isBoxing(AbstractInsnNode insn) {
        return insn instanceof MethodInsnNode call
                && call.getOpcode() == Opcodes.INVOKESTATIC
                && call.name.equals(BOXING)
                && MapCalls.isBox(call.owner)
                && call.desc.length() == call.owner.length() + 5; // of one primitive
    }
}
