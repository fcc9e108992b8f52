package dev.cleave.agent.plan.method;

import dev.cleave.agent.effect.Access;
import dev.cleave.agent.effect.Barrier;
import dev.cleave.agent.effect.BodyEffects;
import dev.cleave.agent.effect.HeapRegion;
import dev.cleave.agent.ir.InsnOp;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.ir.Register;
import dev.cleave.agent.plan.analysis.Eligible;
import dev.cleave.agent.plan.analysis.OpGraph;
import dev.cleave.agent.plan.analysis.Region;
import dev.cleave.agent.plan.verdict.Refusal;
import dev.cleave.agent.plan.verdict.Refused;
import dev.cleave.agent.rule.Rule;
import dev.cleave.agent.scan.CallSetting;
import dev.cleave.agent.scan.Reading;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/** One method with all that planning asks about it. */
public final class Method {

    private final OpGraph graph;
    private final BodyEffects effects;
    private final Callees helpers;
    private final CallSetting.Style style;
    private final Known<Boolean> candidates;
    private final Known<Optional<Helper>> called;
    private final Known<Optional<PrefetchHelper>> calledAhead;
    private final Known<List<ReadCall>> reads;
    private final Region whole;
    private final Eligible eligible;

    /** Plans for calls of all styles but {@code CHAINED}. */
    public Method(OpGraph graph, BodyEffects effects, Callees helpers) {
        this(graph, effects, helpers, CallSetting.Style.ASYNC);
    }

    /** A method in which calls of one style are to be placed; those of all other styles are barriers. */
    public Method(OpGraph graph, BodyEffects effects, Callees helpers, CallSetting.Style style) {
        this.graph = graph;
        this.effects = effects;
        this.helpers = helpers;
        this.style = style;
        BitSet all = new BitSet();
        all.set(0, graph.size());
        this.whole = new Region(graph, 0, all);
        this.candidates = new Known<>(graph.size(), this::computeCandidate);
        this.called = new Known<>(graph.size(), this::computeHelper);
        this.calledAhead = new Known<>(graph.size(), this::computePrefetchHelper);
        this.reads = new Known<>(graph.size(), this::computeReadCalls);
        this.eligible = new Eligible(graph, whole);
    }

    /** Keeps the answers to a question about each op, which do not change. */
    private static final class Known<T> {

        private final @Nullable Object[] known;
        private final IntFunction<T> compute;

        Known(int size, IntFunction<T> compute) {
            this.known = new Object[size];
            this.compute = compute;
        }

        @SuppressWarnings("unchecked") // what compute made
        T of(int index) {
            Object found = known[index];
            if (found == null) {
                found = compute.apply(index);
                known[index] = found;
            }
            return (T) found;
        }
    }

    /** Returns the graph of its ops. */
    public OpGraph graph() {
        return graph;
    }

    /** Returns what its ops do. */
    public BodyEffects effects() {
        return effects;
    }

    /** The whole method as a region. */
    public Region whole() {
        return whole;
    }

    /** Returns the op of an index. */
    public Op op(int index) {
        return graph.op(index);
    }

    /** Returns the source line of an op. */
    public int line(int index) {
        return graph.body().lineOf(graph.op(index));
    }

    /** Whether an op is a call that may be sent ahead. */
    public boolean isCandidate(int index) {
        return candidates.of(index);
    }

    private boolean computeCandidate(int index) {
        CallSetting setting = effects.settingOf(op(index));
        boolean isOwnStyle = setting != null
                && (setting.style() == style
                        || style == CallSetting.Style.REFERS && setting.style() == CallSetting.Style.ASYNC
                        || style == CallSetting.Style.RESTORES && setting.style() == CallSetting.Style.ASYNC);
        if (setting != null && setting.style() == CallSetting.Style.RESTORES) {
            isOwnStyle = isOwnStyle && setting.movesRestoring();
        }
        return eligible.allows(index) && (isOwnStyle || helper(index) != null);
    }

    /** Returns the places that may be rewritten. */
    public Eligible eligible() {
        return eligible;
    }

    /** How the remote call of an op is to be placed, that in a helper included; null if there is none. */
    @Nullable
    public CallSetting setting(int index) {
        Helper helper = helper(index);
        return helper == null ? effects.settingOf(op(index)) : helper.setting();
    }

    /** The helper that a function is, null if it is none. */
    @Nullable
    public Helper helper(MethodInsnNode target) {
        Helper helper = helpers.of(target);
        return helper == null || isOther(helper.exact(), target) || helper.isManifold() ? null : helper;
    }

    /** The helper whose calls may be made ahead that a function is, null if it is none. */
    @Nullable
    public PrefetchHelper prefetchHelper(MethodInsnNode target) {
        PrefetchHelper helper = helpers.prefetching(target);
        return helper == null || isOther(helper.exact(), target) ? null : helper;
    }

    /** Whether a function may be another method than the helper, as its object may be of another class. */
    private static boolean isOther(@Nullable String exact, MethodInsnNode target) {
        return exact != null || target.getOpcode() == Opcodes.INVOKEINTERFACE;
    }

    /** The code of a function, if it is one of the same class; else null. */
    @Nullable
    public MethodNode functionCode(MethodInsnNode target) {
        return helpers.targetOf(target);
    }

    /** Returns what is known of the methods that it calls. */
    public Callees helpers() {
        return helpers;
    }

    /** Notes why the calls of the helper that an op calls are not sent ahead. */
    public void note(int index, Refusal why, boolean isRepeated) {
        helpers.note(methodOf(op(index)), why, isRepeated);
    }

    /** Whether an op calls a method of the program that calls remote methods. */
    public boolean hidesRemote(int index) {
        boolean isCall =
                op(index) instanceof InsnOp insn && insn.method() != null && effects.settingOf(op(index)) == null;
        return isCall && helpers.hidesRemote(methodOf(op(index)));
    }

    /** Notes why the calls of a function are not sent ahead. */
    public void note(MethodInsnNode function, Refusal why) {
        helpers.note(function, why, true);
    }

    /** Notes why a function is no helper, if it might have been one. */
    public void noteRefusal(MethodInsnNode function) {
        Refusal why = helpers.refusal(function);
        Helper known = helpers.of(function);
        if (known != null && known.isManifold()) {
            why = new Refusal(
                    Rule.R69,
                    -1,
                    known.name() + ": it makes more than one call",
                    "make one call in each stage of the stream");
        }
        if (why != null) {
            helpers.note(function, why, true);
        }
    }

    /** The helper that an op calls, null if it calls none. */
    @Nullable
    public Helper helper(int index) {
        return called.of(index).orElse(null);
    }

    private Optional<Helper> computeHelper(int index) {
        return isLocalCall(index) ? Optional.ofNullable(helpers.of(callOf(index))) : Optional.empty();
    }

    /** The helper whose calls may be made ahead and claimed in it that an op calls, null if it calls none. */
    @Nullable
    public PrefetchHelper prefetchHelper(int index) {
        return calledAhead.of(index).orElse(null);
    }

    private Optional<PrefetchHelper> computePrefetchHelper(int index) {
        return isLocalCall(index) && eligible.allows(index)
                ? Optional.ofNullable(helpers.prefetching(callOf(index)))
                : Optional.empty();
    }

    /** Whether an op calls a method that is not remote, where calls of helpers may be placed. */
    private boolean isLocalCall(int index) {
        return (style == CallSetting.Style.ASYNC || style == CallSetting.Style.RESTORES)
                && op(index) instanceof InsnOp insn
                && insn.method() != null
                && effects.settingOf(insn) == null;
    }

    /**
     * The remote calls that may be made ahead and claimed for an op; none if it is neither such a call nor a helper's.
     */
    public List<ReadCall> readCalls(int index) {
        return reads.of(index);
    }

    private List<ReadCall> computeReadCalls(int index) {
        CallSetting setting = effects.settingOf(op(index));
        if (setting == null) {
            PrefetchHelper helper = prefetchHelper(index);
            return helper == null ? List.of() : helper.calls();
        }
        if (!isPrefetchable(index)) {
            return List.of();
        }
        String place =
                graph.body().owner().replace('/', '.') + "." + graph.body().original().name;
        int window = setting.style() == CallSetting.Style.ASYNC ? setting.guessedWindow() : 0;
        return List.of(new ReadCall(place, line(index), nameOf(index), setting.reading(), window));
    }

    /** Returns the writes of an op, with those of a helper that it calls, or of the await of a call that changes arguments. */
    public List<Access> writes(int index) {
        Helper helper = helper(index);
        if (helper != null) {
            return helper.writes();
        }
        return restores(index) ? restored(index) : effects.of(op(index)).writes();
    }

    /** Whether an op is a call that may be sent ahead and changes arrays that it is given (R75). */
    public boolean restores(int index) {
        CallSetting setting = effects.settingOf(op(index));
        return setting != null && setting.movesRestoring() && isCandidate(index);
    }

    /** Returns what the await of a call changes at the caller; an array of arrays may have rows that no register holds. */
    public List<Access> restored(int index) {
        CallSetting setting = effects.settingOf(op(index));
        List<Access> changed = new ArrayList<>();
        if (setting != null && restores(index)) {
            Type[] types = Type.getArgumentTypes(callOf(index).desc);
            for (int parameter : setting.restored()) {
                changed.addAll(changed(types[parameter], op(index).uses().get(parameter + 1)));
            }
        }
        return changed;
    }

    /** The registers of the arrays that a call changes. */
    public List<Register> restoredArguments(int index) {
        CallSetting setting = effects.settingOf(op(index));
        return setting != null && restores(index)
                ? setting.restored().stream()
                        .map(parameter -> op(index).uses().get(parameter + 1))
                        .toList()
                : List.of();
    }

    private static List<Access> changed(Type array, Register given) {
        char leaf = array.getElementType().getDescriptor().charAt(0);
        HeapRegion elements = new HeapRegion.Elements(leaf == 'L' ? 'A' : leaf == 'Z' ? 'B' : leaf);
        return array.getDimensions() == 1
                ? List.of(new Access(elements, given, null))
                : List.of(new Access(elements, null, null), new Access(new HeapRegion.Elements('A'), null, null));
    }

    /** Why an op that calls a method which calls remote methods calls no helper; null if it does not. */
    @Nullable
    public Refusal helperRefusal(int index) {
        boolean isCall = op(index) instanceof InsnOp insn && insn.method() != null;
        return isCall ? helpers.refusal(methodOf(op(index))) : null;
    }

    /** Whether an op gives functions that make remote calls to a method of the program that calls them. */
    public boolean givesFunctions(int index) {
        return op(index) instanceof InsnOp insn && insn.method() != null && helpers.functions(insn.method()) != null;
    }

    /** Notes why the calls of the functions that an op gives to a method are not sent ahead. */
    public void noteFunctions(int index, Refusal why) {
        FunctionCall functions = helpers.functions(callOf(index));
        for (FunctionCall.Given given : functions == null ? List.<FunctionCall.Given>of() : functions.given()) {
            helpers.note(given.function().target(), why, true);
        }
    }

    /** The call that an op is. */
    public MethodInsnNode callOf(int index) {
        return methodOf(op(index));
    }

    private static MethodInsnNode methodOf(Op op) {
        if (op instanceof InsnOp insn && insn.method() != null) {
            return insn.method();
        }
        throw new IllegalArgumentException("op: " + op + " (expected: a call)");
    }

    /** Whether a call changes nothing, so that it may be made ahead and claimed (Group H). */
    public boolean isPrefetchable(int index) {
        CallSetting setting = effects.settingOf(op(index));
        return setting != null
                && setting.reading().kind() != Reading.Kind.NONE
                && (setting.style() == CallSetting.Style.ASYNC || setting.style() == CallSetting.Style.SYNC);
    }

    /** Whether the calls to be placed are chained. */
    public boolean isChained() {
        return style == CallSetting.Style.CHAINED;
    }

    /** Whether the calls to be placed are those that are given references, beside others that may move. */
    public boolean isReferring() {
        return style == CallSetting.Style.REFERS;
    }

    /** Whether an op is a call that has references as arguments, and nothing else by which the server may call back. */
    public boolean refers(int index) {
        CallSetting setting = effects.settingOf(op(index));
        return setting != null && setting.style() == CallSetting.Style.REFERS;
    }

    /** Whether the server may call back while it executes the call of an op. */
    public boolean callsBack(int index) {
        CallSetting setting = effects.settingOf(op(index));
        return setting != null && setting.style() == CallSetting.Style.CALLS_BACK || refers(index);
    }

    /** The call of an op in the words of the source. */
    public String nameOf(int index) {
        if (op(index) instanceof InsnOp insn && insn.method() != null) {
            return nameOf(insn.method());
        }
        return op(index).toString();
    }

    /** Returns a call in the words of the source. */
    public static String nameOf(MethodInsnNode call) {
        int simple = Math.max(call.owner.lastIndexOf('/'), call.owner.lastIndexOf('$')) + 1;
        return call.owner.substring(simple) + "." + call.name;
    }

    /** A refusal with the advice of its rule. */
    public Refused refused(Rule rule, int index, String reason) {
        return refused(rule, index, reason, rule.advice());
    }

    /** Returns the refusal of a rule because of an op. */
    public Refused refused(Rule rule, int index, String reason, String advice) {
        return new Refused(new Refusal(rule, index < 0 ? -1 : line(index), reason, advice), index);
    }

    /** Returns the refusal because of an op that is a barrier. */
    public Refused refused(int index, Barrier barrier) {
        return refused(
                barrier.kind().rule(),
                index,
                barrier.what() + " " + barrier.kind().phrase(),
                barrier.kind().advice());
    }
}
