package dev.cleave.agent.plan.order;

import dev.cleave.agent.ir.InsnOp;
import dev.cleave.agent.ir.MoveOp;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.ir.Register;
import dev.cleave.agent.plan.analysis.Region;
import dev.cleave.agent.plan.method.Method;
import dev.cleave.agent.plan.verdict.Refusal;
import dev.cleave.agent.rule.Rule;
import dev.cleave.agent.scan.CallSetting;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;

/**
 * Promise pipelining (R50): finds the arguments of a call that are results of calls sent before it, so that the server
 * can put them in.
 *
 * <p>The argument must be what the caller would have sent: the result itself, moved but not computed with, of a type
 * that is the same bytes as a result and as an argument, and cannot fail to arrive. Both calls go to one stub. An array
 * is passed on only if no other code has it: the program might change it before the call is made as written.
 */
public final class PromisePipelining {

    /** More parameters than these are never passed on: the bits of a mask name them. */
    private static final int MOST_PARAMETERS = 31;

    private final Method method;
    private final Map<Integer, Refusal> refusals = new HashMap<>();

    /** Looks at the calls of a method. */
    public PromisePipelining(Method method) {
        this.method = method;
    }

    /** Why a call is not given the result that it needs; null if that is not what keeps it. */
    @Nullable
    public Refusal refusal(int call) {
        return refusals.get(call);
    }

    /** The parameters of a call that are results of calls that were sent, each with the call. */
    public Map<Integer, Integer> of(int call, Collection<Integer> sent) {
        Map<Integer, Integer> passed = new HashMap<>();
        MethodInsnNode target = remote(call);
        if (target == null) {
            return passed;
        }
        Type[] types = Type.getArgumentTypes(target.desc);
        for (int i = 0; i < Math.min(types.length, MOST_PARAMETERS); i++) {
            int source = source(call, method.op(call).uses().get(i + 1));
            if (source >= 0 && sent.contains(source)) {
                String why = obstacle(call, target, types[i], source);
                if (why == null) {
                    passed.put(i, source);
                } else {
                    refuse(call, why);
                }
            }
        }
        return passed;
    }

    /**
     * The parameters of calls of a loop that are results of other calls of it, each in the same pass or the last one
     * that made it. Such a result is moved on right where it arrives, so nothing keeps an older one.
     */
    public Map<Integer, Map<Integer, PipelinedResult>> inLoop(Region loop, Collection<Integer> calls) {
        Map<Integer, Map<Integer, PipelinedResult>> passed = new TreeMap<>();
        for (int call : calls) {
            MethodInsnNode target = remote(call);
            Type[] types = target == null ? new Type[0] : Type.getArgumentTypes(target.desc);
            for (int i = 0; i < Math.min(types.length, MOST_PARAMETERS); i++) {
                PipelinedResult result =
                        carried(loop, call, method.op(call).uses().get(i + 1));
                if (result == null || target == null || !calls.contains(result.source())) {
                    continue;
                }
                String why = loop.handles(result.source())
                        ? "it needs the result of " + method.nameOf(result.source())
                                + ", whose failure the loop handles"
                        : obstacle(call, target, types[i], result.source());
                if (why == null) {
                    passed.computeIfAbsent(call, key -> new TreeMap<>()).put(i, result);
                } else {
                    refuse(call, why);
                }
            }
        }
        return passed;
    }

    /** The result that an operand is in a loop, null if it is not, or not always. */
    private @Nullable PipelinedResult carried(Region loop, int index, Register operand) {
        int at = index;
        Register wanted = operand;
        for (int steps = 0; steps < method.graph().size(); steps++) {
            BitSet definitions = loop.definitions(at, wanted);
            int first = definitions.nextSetBit(0);
            boolean isOne =
                    definitions.cardinality() == 1 && first < method.graph().size();
            if (isOne && method.isCandidate(first)) {
                return new PipelinedResult(first, null);
            }
            int source = isOne ? -1 : sourceOfAll(loop, definitions);
            if (!isOne) {
                return source < 0 ? null : new PipelinedResult(source, wanted);
            }
            if (!(method.op(first) instanceof MoveOp move)) {
                return null;
            }
            int arrived = sourceOfAll(loop, definitions);
            if (arrived >= 0 && !loop.after(arrived).get(at)) {
                return null; // of an earlier pass, and the plan cannot tell which
            }
            at = first;
            wanted = move.use();
        }
        return null;
    }

    /** The call whose result all definitions in a loop move on right behind it; -1 if there is not just one. */
    private int sourceOfAll(Region loop, BitSet definitions) {
        int source = -1;
        for (int i = definitions.nextSetBit(0);
                i >= 0 && i < method.graph().size();
                i = definitions.nextSetBit(i + 1)) {
            int made = method.op(i) instanceof MoveOp move ? source(i, move.use()) : -1;
            if (made < 0
                    || !loop.ops().get(made)
                    || source >= 0 && source != made
                    || !new ResultConversion(method, made).ops().contains(i)) {
                return -1;
            }
            source = made;
        }
        return source;
    }

    private void refuse(int call, String why) {
        refusals.putIfAbsent(
                call,
                new Refusal(
                        Rule.R50,
                        method.line(call),
                        why,
                        "pass a primitive, a String or an array of primitives on, as it is, to the same stub"));
    }

    /** Why the result of a call cannot be passed on to another one; null if it can. */
    private @Nullable String obstacle(int call, MethodInsnNode target, Type type, int source) {
        MethodInsnNode from = remote(source);
        if (from == null) {
            return "the result that it needs comes through a helper";
        }
        String name = method.nameOf(source);
        if (!isGroupless(call) || !isGroupless(source)) {
            return "it needs the result of " + name + ", and one of the two is in a group";
        }
        if (!target.owner.equals(from.owner) || !isSameStub(call, source)) {
            return "it needs the result of " + name + ", which goes to another stub";
        }
        if (!isDirect(type) || !Type.getReturnType(from.desc).equals(type)) {
            return "it needs the result of " + name + ", which is not passed on as the same bytes";
        }
        if (type.getSort() == Type.ARRAY && !isUsedAlone(source, call)) {
            return "the array that " + name + " returns is used elsewhere too";
        }
        return null;
    }

    private @Nullable MethodInsnNode remote(int call) {
        return method.helper(call) == null && method.op(call) instanceof InsnOp op ? op.method() : null;
    }

    private boolean isGroupless(int call) {
        CallSetting setting = method.setting(call);
        return setting != null && setting.group().isEmpty();
    }

    private static boolean isDirect(Type type) {
        Type value =
                type.getSort() == Type.ARRAY ? Type.getType(type.getDescriptor().substring(1)) : type;
        return value.getSort() < Type.ARRAY && value.getSort() != Type.VOID
                || type.getDescriptor().equals("Ljava/lang/String;");
    }

    /** The call whose result an operand is, through nothing but moves; -1 if there is not just one. */
    private int source(int index, Register operand) {
        int at = index;
        Register wanted = operand;
        for (int steps = 0; steps < method.graph().size(); steps++) {
            BitSet definitions = method.whole().definitions(at, wanted);
            int definition = definitions.nextSetBit(0);
            if (definitions.cardinality() != 1 || definition >= method.graph().size()) {
                return -1;
            }
            if (!(method.op(definition) instanceof MoveOp move)) {
                return method.isCandidate(definition) ? definition : -1;
            }
            at = definition;
            wanted = move.use();
        }
        return -1;
    }

    /** Whether two receivers are as good as certain to be one object; the core looks again. */
    private boolean isSameStub(int one, int other) {
        Register first = method.op(one).uses().get(0);
        Register second = method.op(other).uses().get(0);
        if (method.whole().root(one, first) == method.whole().root(other, second)) {
            return true;
        }
        FieldInsnNode read = field(one, first);
        FieldInsnNode again = field(other, second);
        return read != null
                && again != null
                && read.owner.equals(again.owner)
                && read.name.equals(again.name)
                && read.desc.equals(again.desc);
    }

    private @Nullable FieldInsnNode field(int index, Register register) {
        int made = method.whole().origin(index, register);
        boolean isRead = made >= 0
                && method.op(made) instanceof InsnOp op
                && (op.opcode() == Opcodes.GETFIELD || op.opcode() == Opcodes.GETSTATIC);
        return isRead ? (FieldInsnNode) ((InsnOp) method.op(made)).insn() : null;
    }

    /** Whether nothing but one call uses the result of another. */
    private boolean isUsedAlone(int source, int user) {
        BitSet holding = new BitSet();
        holding.set(source);
        boolean grown = true;
        while (grown) {
            grown = false;
            for (int i = 0; i < method.graph().size(); i++) {
                if (uses(i, holding) && i != user) {
                    if (!(method.op(i) instanceof MoveOp)) {
                        return false;
                    }
                    grown |= !holding.get(i);
                    holding.set(i);
                }
            }
        }
        return true;
    }

    private boolean uses(int index, BitSet definitions) {
        Op op = method.op(index);
        return op.uses().stream()
                .anyMatch(use -> method.whole().definitions(index, use).intersects(definitions));
    }

    /** The calls that are in a chain with each other: for each of them the first. */
    public static Map<Integer, Integer> chains(Map<Integer, Map<Integer, Integer>> passed) {
        Map<Integer, Integer> first = new HashMap<>();
        passed.forEach((call, sources) -> {
            if (!sources.isEmpty()) {
                int[] all = sources.values().stream()
                        .mapToInt(source -> first.getOrDefault(source, source))
                        .toArray();
                int least = Arrays.stream(all).min().orElse(call);
                sources.values().forEach(source -> first.put(source, least));
                first.put(call, least);
                first.replaceAll((member, of) -> Arrays.stream(all).anyMatch(a -> a == of) ? least : of);
            }
        });
        return first;
    }
}
