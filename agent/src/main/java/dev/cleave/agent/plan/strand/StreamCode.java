package dev.cleave.agent.plan.strand;

import dev.cleave.agent.effect.ValueTypes;
import dev.cleave.agent.plan.method.Callee;
import dev.cleave.agent.plan.method.Callees;
import dev.cleave.agent.plan.method.Function;
import dev.cleave.agent.plan.method.FunctionCall;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.analysis.Analyzer;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.Frame;
import org.objectweb.asm.tree.analysis.SourceInterpreter;
import org.objectweb.asm.tree.analysis.SourceValue;

/**
 * A stream that a method writes in one expression and which gives each element to its functions in order (R69): a loop that does the
 * same can be planned in its place.
 *
 * @param source what makes the stream, or {@code forEach} itself
 * @param stages the calls behind the source, the one that runs the stream last
 * @param collector what makes the collector of the last stage, null if there is none
 * @param functions the lambda expressions with remote calls, and how the loop calls them; it has none if the stream calls nothing
 * @param isOnlyRead whether the method does nothing with the result but read it
 */
record StreamCode(
        MethodInsnNode source,
        List<Stage> stages,
        @Nullable MethodInsnNode collector,
        FunctionCall functions,
        boolean isOnlyRead) {

    private static final String STREAMS = "java/util/stream/";
    private static final Set<String> KEEPING = Set.of("filter", "peek", "boxed"); // and the kin of map
    private static final Set<String> COLLECTORS = Set.of("toList", "toUnmodifiableList", "toSet"); // besides joining
    private static final String FLATTENING = "flatMap";
    private static final Set<String> ORDERING = Set.of("sorted", "distinct");
    private static final Set<String> RUNNING =
            Set.of("forEach", "forEachOrdered", "anyMatch", "allMatch", "noneMatch", "findFirst");

    /** Ends of streams of numbers that see all elements, and need nothing of the program. */
    private static final Set<String> OF_NUMBERS =
            Set.of("sum", "average", "max", "min", "toArray", "summaryStatistics");

    /**
     * An operation of the stream.
     *
     * @param function what is given to it, null if it takes no function
     * @param calls the instruction that calls the function in the loop, null if there is no function
     * @param code the code of a lambda expression, null if it is no lambda expression of the class
     */
    record Stage(
            MethodInsnNode call,
            @Nullable Function function,
            @Nullable MethodInsnNode calls,
            @Nullable MethodNode code) {

        /** Whether the function makes a stream of each element. */
        boolean isFlat() {
            return call.name.equals(FLATTENING);
        }
    }

    StreamCode {
        stages = List.copyOf(stages);
    }

    /** Returns the call that runs the stream. */
    MethodInsnNode end() {
        return stages.get(stages.size() - 1).call();
    }

    /** Whether a function of it makes remote calls. */
    boolean callsRemote() {
        return !functions.given().isEmpty();
    }

    /** The type that the elements certainly have behind some stages, null if that is not known. */
    private static @Nullable Type given(List<Stage> stages) {
        for (int i = stages.size() - 1; i >= 0; i--) {
            if (stages.get(i).isFlat()) {
                return null;
            }
            Function function = stages.get(i).function();
            if (function != null) {
                boolean maps = LoopCode.MAPPING.contains(stages.get(i).call().name);
                Type[] operands = function.type().getArgumentTypes();
                return maps ? function.type().getReturnType() : operands[operands.length - 1];
            }
        }
        return null;
    }

    /** Whether the elements that the end sees are certainly of a type, or null. */
    boolean gives(Type type) {
        return type.equals(given(stages));
    }

    /** Whether the elements are sorted, so that a copy does not know their order. */
    boolean isSorted() {
        return stages.stream().anyMatch(stage -> stage.call().name.equals("sorted"));
    }

    /** Whether elements are only sorted if that runs no code of theirs, and only given to the end then. */
    private boolean isSortedAtMostAtTheEnd() {
        boolean sorted = false;
        for (int i = 0; i < stages.size(); i++) {
            if (sorted
                    && (stages.get(i).function() != null
                            || stages.get(i).call().name.equals("distinct"))) {
                return false;
            }
            if (stages.get(i).call().name.equals("sorted")) {
                Type type = given(stages.subList(0, i));
                sorted = type != null && ValueTypes.isValue(type);
                if (!sorted) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Returns the text that the collector puts between the texts that it joins, null if that is not known. */
    @Nullable
    String separator() {
        if (collector == null || collector.desc.startsWith("()")) {
            return "";
        }
        AbstractInsnNode before = collector.getPrevious();
        while (before != null && before.getOpcode() < 0) {
            before = before.getPrevious();
        }
        return before instanceof LdcInsnNode constant && constant.cst instanceof String text ? text : null;
    }

    /** Whether the result is a collection of the JDK. */
    boolean makesCollection() {
        return end().name.equals("toList") || collector != null && !collector.name.equals("joining");
    }

    /** The streams of the methods of a class that were read. */
    private static final class Known {

        private final Map<MethodNode, Map<AbstractInsnNode, StreamCode>> streams = new IdentityHashMap<>();
    }

    /** Returns the streams of a method of a class, by what runs them: the same ones each time. */
    static Map<AbstractInsnNode, StreamCode> of(String owner, MethodNode method, Callees in) {
        Map<MethodNode, Map<AbstractInsnNode, StreamCode>> known = in.kept(Known.class, Known::new).streams;
        Map<AbstractInsnNode, StreamCode> found = known.get(method);
        if (found == null) {
            known.put(method, Map.of()); // while it is read
            found = Collections.unmodifiableMap(read(owner, method, in));
            known.put(method, found);
        }
        return found;
    }

    private static Map<AbstractInsnNode, StreamCode> read(String owner, MethodNode method, Callees in) {
        Map<AbstractInsnNode, StreamCode> found = new IdentityHashMap<>();
        boolean ends = false;
        for (AbstractInsnNode insn : method.instructions) {
            ends |= insn instanceof MethodInsnNode call && mayEnd(call);
        }
        Frame<SourceValue>[] frames = ends ? frames(method) : null;
        if (frames == null) {
            return found;
        }
        for (AbstractInsnNode insn : method.instructions) {
            StreamCode stream =
                    insn instanceof MethodInsnNode call && mayEnd(call) ? read(call, owner, method, in, frames) : null;
            if (stream != null) {
                found.put(insn, stream);
            }
        }
        return found;
    }

    private static Frame<SourceValue> @Nullable [] frames(MethodNode method) {
        try {
            return new Analyzer<>(new SourceInterpreter()).analyze("java/lang/Object", method);
        } catch (AnalyzerException e) {
            return null;
        }
    }

    private static boolean isStream(String type) {
        return type.startsWith(STREAMS) && type.endsWith("Stream");
    }

    /** Whether a call may run a stream, or gives the elements of a collection to a function. */
    private static boolean mayEnd(MethodInsnNode call) {
        if (call.getOpcode() == Opcodes.INVOKESTATIC || call.getOpcode() == Opcodes.INVOKESPECIAL) {
            return false;
        }
        if (call.name.equals("forEach")
                && (FlattenedCall.COLLECTIONS.contains(call.owner) || call.owner.equals("java/lang/Iterable"))) {
            return call.desc.equals("(Ljava/util/function/Consumer;)V");
        }
        boolean isOfNumbers = !call.owner.equals(STREAMS + "Stream");
        return isStream(call.owner)
                && (RUNNING.contains(call.name)
                        || isReduction(call)
                        || call.desc.equals("()Ljava/util/List;")
                        || call.desc.equals("(Ljava/util/stream/Collector;)Ljava/lang/Object;")
                        || isOfNumbers && OF_NUMBERS.contains(call.name));
    }

    /** Whether a call folds the elements into a value that it is given first. */
    static boolean isReduction(MethodInsnNode call) {
        return call.name.equals("reduce")
                && Type.getArgumentTypes(call.desc).length == 2
                && Type.getArgumentTypes(call.desc)[0].equals(Type.getReturnType(call.desc));
    }

    private static @Nullable StreamCode read(
            MethodInsnNode end, String owner, MethodNode method, Callees in, Frame<SourceValue>[] frames) {
        Callee self = new Callee(owner, method, owner);
        List<Stage> stages = new ArrayList<>();
        List<FunctionCall.Given> given = new ArrayList<>();
        Set<MethodNode> lambdas = new HashSet<>();
        MethodInsnNode collector = null;
        MethodInsnNode at = end;
        while (at != null && (at == end || isStage(at))) {
            Type[] arguments = Type.getArgumentTypes(at.desc);
            AbstractInsnNode argument = arguments.length == 0 ? null : operand(method, frames, at, 0);
            int most = ORDERING.contains(at.name) ? 0 : at == end && isReduction(at) ? 2 : 1;
            if (arguments.length > most || arguments.length > 0 && argument == null) {
                return null;
            }
            MethodNode code = null;
            Function function = argument instanceof InvokeDynamicInsnNode site ? Function.of(site) : null;
            MethodInsnNode calls =
                    function == null ? null : (MethodInsnNode) function.target().clone(Map.of());
            if (function != null && calls != null) {
                if (function.isNew()) {
                    return null;
                }
                code = lambda(function, in);
                if (at.name.equals(FLATTENING)) {
                    if (!FlattenedCall.isOfElement(function) && (code == null || FlattenedCall.streams(code) == null)) {
                        return null;
                    }
                    calls = new FlattenedCall(calls);
                }
                if (callsRemote(function, in)) {
                    if (code == null) {
                        code = ReferenceCode.of(function, method, in);
                        calls = code == null ? calls : ReferenceCode.call(owner, code);
                    }
                    if (code == null
                            || in.isExcluded(code)
                            || !lambdas.add(code)
                            || leadsBack(owner, code, in, new HashSet<>(Set.of(method)))) {
                        return null;
                    }
                    given.add(0, new FunctionCall.Given(function, code, List.of(new FunctionCall.Step(calls, null))));
                }
            } else if (arguments.length > 0) {
                collector = argument instanceof MethodInsnNode maker && isKnown(maker) ? maker : null;
                if (collector == null || at != end || arguments.length > 1) {
                    return null;
                }
            }
            stages.add(0, new Stage(at, function, calls, code));
            AbstractInsnNode before = operand(method, frames, at, arguments.length);
            if (!isStream(at.owner)) {
                return new StreamCode(at, stages, null, new FunctionCall(self, given), false);
            }
            at = before instanceof MethodInsnNode made ? made : null;
        }
        if (at == null || !isSource(at)) {
            return null;
        }
        boolean isOnlyRead = end.name.equals("toList") && ReadOnlyUse.of(end, method);
        StreamCode found = new StreamCode(at, stages, collector, new FunctionCall(self, given), isOnlyRead);
        return found.isSortedAtMostAtTheEnd() ? found : null;
    }

    /** Whether a method calls one of those on the path to it, by streams as well, or one that calls itself. */
    private static boolean leadsBack(String owner, MethodNode method, Callees in, Set<MethodNode> path) {
        if (!path.add(method)) {
            return true;
        }
        Map<AbstractInsnNode, StreamCode> streams = of(owner, method, in);
        for (AbstractInsnNode insn : method.instructions) {
            MethodNode target = insn instanceof MethodInsnNode call ? CopiedMethods.target(in, call) : null;
            StreamCode stream = streams.get(insn);
            boolean isBack = target != null && leadsBack(owner, target, in, path)
                    || stream != null
                            && stream.functions().given().stream()
                                    .anyMatch(given -> leadsBack(owner, given.code(), in, path));
            if (isBack) {
                return true;
            }
        }
        path.remove(method);
        return false;
    }

    private static boolean callsRemote(Function function, Callees in) {
        return in.isRemote(function.target()) || in.hidesRemote(function.target());
    }

    /** The code of a lambda expression of the class that can be written in place, null if a function is none. */
    private static @Nullable MethodNode lambda(Function function, Callees in) {
        MethodNode code = function.target().name.startsWith("lambda$") ? in.targetOf(function.target()) : null;
        return code != null && CopiedMethods.isPlain(code) && code.tryCatchBlocks.isEmpty() ? code : null;
    }

    /** Whether a call makes a collector that the loop can do without. */
    private static boolean isKnown(MethodInsnNode maker) {
        boolean isWritten = COLLECTORS.contains(maker.name)
                || maker.name.equals("joining") && Type.getArgumentTypes(maker.desc).length <= 1;
        return maker.owner.equals(STREAMS + "Collectors") && isWritten;
    }

    /** The one instruction that gives an operand of a call, counted from the last one; null if there are several. */
    private static @Nullable AbstractInsnNode operand(
            MethodNode method, Frame<SourceValue>[] frames, MethodInsnNode call, int fromLast) {
        Frame<SourceValue> frame = frames[method.instructions.indexOf(call)];
        if (frame == null) {
            return null;
        }
        Set<AbstractInsnNode> sources = frame.getStack(frame.getStackSize() - 1 - fromLast).insns;
        return sources.size() == 1 ? sources.iterator().next() : null;
    }

    private static boolean isStage(MethodInsnNode call) {
        boolean makes = isStream(Type.getReturnType(call.desc).getInternalName());
        if (ORDERING.contains(call.name) && !call.owner.equals(STREAMS + "Stream")) {
            return false;
        }
        return call.getOpcode() == Opcodes.INVOKEINTERFACE
                && isStream(call.owner)
                && makes
                && (LoopCode.MAPPING.contains(call.name)
                        || KEEPING.contains(call.name)
                        || call.name.equals(FLATTENING)
                        || ORDERING.contains(call.name));
    }

    private static boolean isSource(MethodInsnNode call) {
        if (call.getOpcode() != Opcodes.INVOKESTATIC) {
            return FlattenedCall.COLLECTIONS.contains(call.owner) && call.desc.equals("()Ljava/util/stream/Stream;");
        }
        Type[] arguments = Type.getArgumentTypes(call.desc);
        boolean isArray = call.owner.equals("java/util/Arrays")
                && call.name.equals("stream")
                && arguments.length == 1
                && arguments[0].getSort() == Type.ARRAY;
        return isArray || call.owner.equals(STREAMS + "IntStream") && call.name.equals("range");
    }
}
