package dev.cleave.agent.plan.order;

import dev.cleave.agent.effect.ValueTypes;
import dev.cleave.agent.ir.InsnOp;
import dev.cleave.agent.ir.MoveOp;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.ir.Register;
import dev.cleave.agent.plan.analysis.Region;
import dev.cleave.agent.plan.method.Method;
import dev.cleave.agent.plan.verdict.Refusal;
import dev.cleave.agent.rule.Rule;
import dev.cleave.agent.scan.CallSetting;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
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
 * <p>The argument must be what the caller would have sent: the result itself, moved, boxed, unboxed or widened, but not
 * computed with. The two calls may be of several stubs, and their servers several ones.
 * What can be changed is passed on only if no other code has it but calls: the program might change it before the call
 * is made as written.
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
            HandedResult result =
                    HandedResult.of(method, call, method.op(call).uses().get(i + 1));
            if (result != null && sent.contains(result.source())) {
                String why = obstacle(call, types[i], result);
                if (why == null && !ValueTypes.isValue(types[i]) && passed.containsValue(result.source())) {
                    why = "the result of " + method.nameOf(result.source()) + " is two of its arguments";
                }
                if (why == null) {
                    passed.put(i, result.source());
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
                List<InsnOp> conversions = new ArrayList<>();
                PipelinedResult result =
                        carried(loop, call, method.op(call).uses().get(i + 1), conversions);
                if (result == null || target == null || !calls.contains(result.source())) {
                    continue;
                }
                HandedResult handed = new HandedResult(result.source(), conversions);
                String why = loop.handles(result.source())
                        ? "it needs the result of " + method.nameOf(result.source())
                                + ", whose failure the loop handles"
                        : method.isChained() && !isSameStub(call, result.source())
                                ? "it needs the result of " + method.nameOf(result.source())
                                        + ", which goes to another stub"
                                : obstacle(call, types[i], handed);
                if (why == null && result.initially() != null && !isSame(handed, types[i])) {
                    why = "it needs the result of " + method.nameOf(result.source()) + ", or what is there before";
                }
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
    private @Nullable PipelinedResult carried(Region loop, int index, Register operand, List<InsnOp> conversions) {
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
            if (method.op(first) instanceof InsnOp op && HandedResult.isConversion(op)) {
                conversions.add(0, op);
                at = first;
                wanted = op.uses().get(0);
                continue;
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
            HandedResult handed = method.op(i) instanceof MoveOp move ? HandedResult.of(method, i, move.use()) : null;
            int made = handed != null && handed.conversions().isEmpty() ? handed.source() : -1;
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
                call, new Refusal(Rule.R50, method.line(call), why, "pass it on as it is, and use it nowhere else"));
    }

    /** Why the result of a call cannot be passed on to another one; null if it can. */
    private @Nullable String obstacle(int call, Type type, HandedResult result) {
        int source = result.source();
        MethodInsnNode from = remote(source);
        if (from == null) {
            return "the result that it needs comes through a helper";
        }
        String name = method.nameOf(source);
        if (method.restores(call) || method.restores(source)) {
            return "it needs the result of " + name + ", and one of the two changes an argument of the caller";
        }
        if (!isGroupless(call) || !isGroupless(source)) {
            return "it needs the result of " + name + ", and one of the two is in a group";
        }
        Type made = Type.getReturnType(from.desc);
        if (!result.suits(made, type) || method.isChained() && !isSameBytes(source, type)) {
            return "it needs the result of " + name + ", which is computed with on the way";
        }
        if (!ValueTypes.isValue(made)
                && !ReferringCalls.isReference(made)
                && !ValueTypes.isValue(type)
                && !isForCallsAlone(source)) {
            return "what " + name + " returns is used elsewhere too";
        }
        return null;
    }

    /** Whether a result is an argument without any conversion. */
    private boolean isSame(HandedResult result, Type type) {
        MethodInsnNode from = remote(result.source());
        return from != null
                && result.conversions().isEmpty()
                && Type.getReturnType(from.desc).equals(type);
    }

    private boolean isSameBytes(int source, Type type) {
        MethodInsnNode from = remote(source);
        return from != null && isDirect(type) && Type.getReturnType(from.desc).equals(type);
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

    /** Whether the receivers of calls are as good as certain to be one object. */
    public boolean areOfOneStub(int first, List<Integer> others) {
        return others.stream().allMatch(other -> isSameStub(first, other));
    }

    /** Whether two receivers are as good as certain to be one object; the core looks again. */
    boolean isSameStub(int one, int other) {
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

    /** Whether nothing but calls, as an argument, uses the result of another. */
    private boolean isForCallsAlone(int source) {
        BitSet holding = new BitSet();
        holding.set(source);
        boolean grown = true;
        while (grown) {
            grown = false;
            for (int i = 0; i < method.graph().size(); i++) {
                if (!uses(i, holding) || isArgument(i, holding)) {
                    continue;
                }
                Op op = method.op(i);
                if (!(op instanceof MoveOp) && !(op instanceof InsnOp insn && insn.opcode() == Opcodes.CHECKCAST)) {
                    return false;
                }
                grown |= !holding.get(i);
                holding.set(i);
            }
        }
        return true;
    }

    /** Whether a remote call has a result as an argument alone. */
    private boolean isArgument(int call, BitSet definitions) {
        return method.isCandidate(call)
                && !method.restores(call)
                && remote(call) != null
                && !method.whole()
                        .definitions(call, method.op(call).uses().get(0))
                        .intersects(definitions);
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
