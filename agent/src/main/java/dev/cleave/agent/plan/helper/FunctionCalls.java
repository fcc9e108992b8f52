package dev.cleave.agent.plan.helper;

import dev.cleave.agent.plan.analysis.ClassCode;
import dev.cleave.agent.plan.method.Callee;
import dev.cleave.agent.plan.method.Function;
import dev.cleave.agent.plan.method.FunctionCall;
import dev.cleave.agent.plan.method.Method;
import dev.cleave.agent.plan.strand.CopiedMethods;
import dev.cleave.agent.plan.strand.ReferenceCode;
import dev.cleave.agent.plan.verdict.Refusal;
import dev.cleave.agent.rule.Rule;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TryCatchBlockNode;
import org.objectweb.asm.tree.VarInsnNode;
import org.objectweb.asm.tree.analysis.Analyzer;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.Frame;
import org.objectweb.asm.tree.analysis.SourceInterpreter;
import org.objectweb.asm.tree.analysis.SourceValue;

/** Finds the calls of a class that give functions with remote calls to methods of the program, and to those of {@code Optional} (R71). */
final class FunctionCalls {

    private static final int DEPTH = 3;
    private static final String PLATFORM = "java/";

    private final ClassCode code;
    private final Helpers helpers;
    private final OtherClasses others;
    private final OptionalCode optional = new OptionalCode();
    private final Map<MethodInsnNode, FunctionCall> found = new IdentityHashMap<>();
    private final Map<MethodNode, Integer> made =
            new IdentityHashMap<>(); // in how many places, by the method that it runs
    private final Set<MethodNode> lambdas = new HashSet<>();
    private final Map<AbstractInsnNode, MethodInsnNode> users = new IdentityHashMap<>(); // by what makes functions
    private final Map<String, Refusal> refused = new HashMap<>(); // by the method of the lambda expression

    FunctionCalls(ClassCode code, Helpers helpers, OtherClasses others) {
        this.code = code;
        this.helpers = helpers;
        this.others = others;
        code.owner().methods.forEach(this::count);
        code.owner().methods.forEach(this::read);
    }

    @Nullable
    FunctionCall of(MethodInsnNode call) {
        return found.get(call);
    }

    /** Why a lambda expression that is given to a method of the program stays, null if there is no reason. */
    @Nullable
    Refusal refusal(MethodInsnNode lambda) {
        return refused.get(key(lambda));
    }

    /** Whether a method is that of a lambda expression that a method is given which only calls it. */
    boolean isGiven(MethodInsnNode lambda) {
        MethodNode method = code.targetOf(lambda);
        return method != null && lambdas.contains(method);
    }

    /** The call that is given a function, in whose place the code of the function is known; null if there is none. */
    @Nullable
    MethodInsnNode userOf(Function function) {
        return users.get(function.site());
    }

    private static String key(MethodInsnNode method) {
        return method.name + method.desc;
    }

    /** A compiler may use one method for several lambda expressions: then too little is known of where it is called. */
    private void count(MethodNode method) {
        for (AbstractInsnNode insn : method.instructions) {
            Function function = insn instanceof InvokeDynamicInsnNode site ? Function.of(site) : null;
            MethodNode target = function == null ? null : code.targetOf(function.target());
            if (target != null) {
                made.merge(target, 1, Integer::sum);
            }
        }
    }

    private void read(MethodNode method) {
        Map<AbstractInsnNode, Function> sites = new IdentityHashMap<>();
        for (AbstractInsnNode insn : method.instructions) {
            Function function = insn instanceof InvokeDynamicInsnNode site ? Function.of(site) : null;
            if (function != null && code(function, method) != null) {
                sites.put(insn, function);
            }
        }
        Frame<SourceValue>[] frames =
                sites.isEmpty() ? null : analyze(code.owner().name, method, new SourceInterpreter());
        if (frames == null) {
            return;
        }
        if (isGivenToOptional(method, frames, sites)) {
            sites.putAll(others(method));
        }
        for (AbstractInsnNode insn : method.instructions) {
            Frame<SourceValue> frame = frames[method.instructions.indexOf(insn)];
            if (insn instanceof MethodInsnNode call && frame != null) {
                Map<Integer, Function> arguments = arguments(call, frame, sites);
                if (!arguments.isEmpty()) {
                    judge(call, arguments, method);
                }
            }
        }
    }

    private static boolean isGivenToOptional(
            MethodNode method, Frame<SourceValue>[] frames, Map<AbstractInsnNode, Function> sites) {
        for (AbstractInsnNode insn : method.instructions) {
            Frame<SourceValue> frame = frames[method.instructions.indexOf(insn)];
            if (insn instanceof MethodInsnNode call
                    && frame != null
                    && OptionalCode.isOf(call)
                    && !arguments(call, frame, sites).isEmpty()) {
                return true;
            }
        }
        return false;
    }

    /**
     * The functions of a method that call nothing remote: what an {@code Optional} is mapped to by them decides about the calls of those behind.
     */
    private Map<AbstractInsnNode, Function> others(MethodNode method) {
        Map<AbstractInsnNode, Function> found = new IdentityHashMap<>();
        for (AbstractInsnNode insn : method.instructions) {
            Function function = insn instanceof InvokeDynamicInsnNode site ? Function.of(site) : null;
            if (function != null && !helpers.isExcluded(method) && plain(function, method) != null) {
                found.put(insn, function);
            }
        }
        return found;
    }

    private @Nullable MethodNode plain(Function function, MethodNode method) {
        if (!function.target().name.startsWith("lambda$")) {
            return ReferenceCode.of(function, method, helpers);
        }
        MethodNode lambda = code.targetOf(function.target());
        return lambda != null && made.getOrDefault(lambda, 0) == 1 ? lambda : null;
    }

    /**
     * The code of a function that calls remote methods: a lambda expression of the class, or a reference; null if it is none.
     *
     * @param method the method in which the function is made
     */
    private @Nullable MethodNode code(Function function, MethodNode method) {
        MethodInsnNode target = function.target();
        boolean isReference = !target.name.startsWith("lambda$")
                && !helpers.isExcluded(method)
                && (helpers.isRemote(target) || helpers.hidesRemote(target));
        return isReference ? ReferenceCode.of(function, method, helpers) : lambda(function);
    }

    /** The method of a lambda expression of the class that calls remote methods, null if it is none. */
    private @Nullable MethodNode lambda(Function function) {
        MethodNode method = function.target().name.startsWith("lambda$") ? code.targetOf(function.target()) : null;
        if (method == null || made.getOrDefault(method, 0) != 1 || helpers.isExcluded(method)) {
            return null;
        }
        return helpers.callsRemote(method) ? method : null;
    }

    /** The functions among the arguments of a call, by the variables that hold them in the called method. */
    private static Map<Integer, Function> arguments(
            MethodInsnNode call, Frame<SourceValue> frame, Map<AbstractInsnNode, Function> sites) {
        Map<Integer, Function> given = new HashMap<>();
        Type[] types = Type.getArgumentTypes(call.desc);
        int local = call.getOpcode() == Opcodes.INVOKESTATIC ? 0 : 1;
        for (int i = 0; i < types.length; i++) {
            Set<AbstractInsnNode> sources = frame.getStack(frame.getStackSize() - types.length + i).insns;
            Function function =
                    sources.size() == 1 ? sites.get(sources.iterator().next()) : null;
            if (function != null) {
                given.put(local, function);
            }
            local += types[i].getSize();
        }
        return given;
    }

    private void judge(MethodInsnNode call, Map<Integer, Function> arguments, MethodNode method) {
        String name = Method.nameOf(call);
        Callee callee = callee(call, code.owner().name);
        if (!OptionalCode.isOf(call)) {
            arguments.values().removeIf(function -> code(function, method) == null);
            if (arguments.isEmpty()) {
                return;
            }
        }
        if (callee == null) {
            if (!call.owner.startsWith(PLATFORM)) {
                refuse(
                        arguments,
                        name + " is given the function, and may be any method",
                        "make it private, static or final");
            }
            return;
        }
        if (helpers.hidesRemote(call)) {
            refuse(
                    arguments,
                    name + " is given the function, and makes remote calls itself",
                    "make them in the function");
            return;
        }
        if (others.effects().initialising(callee.owner(), code.owner().name).barrier() != null) {
            refuse(arguments, name + " may be the first that is used of its class", "use the class before");
            return;
        }
        List<FunctionCall.Given> given = new ArrayList<>();
        for (Map.Entry<Integer, Function> argument : arguments.entrySet()) {
            Function function = argument.getValue();
            MethodNode lambda = code(function, method);
            lambda = lambda == null ? plain(function, method) : lambda;
            List<FunctionCall.Step> path = path(callee, argument.getKey(), function, new HashSet<>());
            if (lambda == null || !CopiedMethods.isPlain(lambda) || path == null) {
                refuse(
                        arguments,
                        name + " does more with the function than to call it in one place",
                        "let it call the function in one place, and do nothing else with it");
                return;
            }
            given.add(new FunctionCall.Given(function, lambda, path));
        }
        found.put(call, new FunctionCall(callee, given));
        given.forEach(each -> lambdas.add(each.code()));
        given.forEach(each -> users.put(each.function().site(), call));
    }

    private void refuse(Map<Integer, Function> arguments, String reason, String advice) {
        Refusal refusal = new Refusal(Rule.R71, -1, reason, advice);
        arguments.values().forEach(function -> refused.put(key(function.target()), refusal));
    }

    /**
     * The method that a call calls: of the class itself, where a class below it may have another one, a static one of another class, or one of
     * {@code Optional}; null if it may be any other.
     */
    private @Nullable Callee callee(MethodInsnNode call, String in) {
        MethodNode ofOptional = optional.of(call);
        if (ofOptional != null) {
            return new Callee(call.owner, ofOptional, call.owner);
        }
        if (call.owner.startsWith(PLATFORM) || call.itf || call.name.startsWith("<")) {
            return null;
        }
        boolean isStatic = call.getOpcode() == Opcodes.INVOKESTATIC;
        ClassNode owner = call.owner.equals(code.owner().name)
                ? code.owner()
                : others.effects().classOf(call.owner);
        if (owner == null || !isStatic && !call.owner.equals(in)) {
            return null;
        }
        for (MethodNode method : owner.methods) {
            if (method.name.equals(call.name) && method.desc.equals(call.desc)) {
                boolean isFixed = ((method.access | owner.access & Opcodes.ACC_FINAL)
                                & (Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC | Opcodes.ACC_FINAL))
                        != 0;
                boolean isOwn = owner == code.owner() && helpers.exact() != null;
                boolean isCopied = (isFixed || isOwn) && ClassCode.hasCode(method) && CopiedMethods.isPlain(method);
                return isCopied && (owner == code.owner() || handlesPlatform(method))
                        ? new Callee(owner.name, method, owner.name)
                        : null;
            }
        }
        return null;
    }

    /** Whether the handlers of a method catch exceptions of the JDK alone: others the copy may not be able to name. */
    private static boolean handlesPlatform(MethodNode method) {
        for (TryCatchBlockNode handler : method.tryCatchBlocks) {
            if (handler.type != null && !handler.type.startsWith(PLATFORM)) {
                return false;
            }
        }
        return true;
    }

    /**
     * The calls that lead to the one place where a method calls a function that it is given; null if there is another use of it.
     *
     * @param local the variable that holds the function
     */
    private @Nullable List<FunctionCall.Step> path(Callee callee, int local, Function function, Set<MethodNode> seen) {
        if (!seen.add(callee.code()) || seen.size() > DEPTH) {
            return null;
        }
        Uses uses = new Uses(local);
        if (analyze(callee.owner(), callee.code(), uses) == null || uses.isChanged || uses.users.size() != 1) {
            return null;
        }
        MethodInsnNode user = uses.users.iterator().next();
        Integer at = uses.operand.get(user);
        if (at == null || at < 0) {
            return null;
        }
        Type samType = (Type) function.site().bsmArgs[0];
        boolean isCalled = at == 0
                && user.getOpcode() == Opcodes.INVOKEINTERFACE
                && user.owner.equals(Type.getReturnType(function.site().desc).getInternalName())
                && user.name.equals(function.site().name)
                && user.desc.equals(samType.getDescriptor());
        if (isCalled) {
            return List.of(new FunctionCall.Step(user, null));
        }
        Callee next = callee(user, callee.owner());
        if (next == null || helpers.hidesRemote(user)) {
            return null;
        }
        List<FunctionCall.Step> rest = path(next, localOf(user, at), function, seen);
        if (rest == null) {
            return null;
        }
        List<FunctionCall.Step> path = new ArrayList<>(List.of(new FunctionCall.Step(user, next)));
        path.addAll(rest);
        return path;
    }

    /** The variable that holds an operand of a call in the called method. */
    private static int localOf(MethodInsnNode call, int operand) {
        Type[] types = Type.getArgumentTypes(call.desc);
        boolean isStatic = call.getOpcode() == Opcodes.INVOKESTATIC;
        int local = isStatic ? 0 : 1;
        for (int i = 0; i < operand - (isStatic ? 0 : 1); i++) {
            local += types[i].getSize();
        }
        return local;
    }

    private static Frame<SourceValue> @Nullable [] analyze(
            String owner, MethodNode method, SourceInterpreter interpreter) {
        try {
            return new Analyzer<>(interpreter).analyze(owner, method);
        } catch (AnalyzerException e) {
            return null;
        }
    }

    /** Finds all that a method does with the value of a parameter. */
    private static final class Uses extends SourceInterpreter {

        private final int local;
        private final Set<MethodInsnNode> users = new HashSet<>();
        private final Map<MethodInsnNode, Integer> operand = new IdentityHashMap<>(); // -1 for several
        private boolean isChanged;

        Uses(int local) {
            super(Opcodes.ASM9);
            this.local = local;
        }

        private boolean isIt(SourceValue value) {
            return value.insns.stream()
                    .anyMatch(insn -> insn.getOpcode() == Opcodes.ALOAD && ((VarInsnNode) insn).var == local);
        }

        @Override
        public SourceValue copyOperation(AbstractInsnNode insn, SourceValue value) {
            boolean isStore = insn instanceof VarInsnNode variable
                    && variable.getOpcode() >= Opcodes.ISTORE
                    && (variable.var == local || variable.var == local - 1 && value.getSize() == 2);
            isChanged |= isStore || isIt(value) && !(insn.getOpcode() == Opcodes.ALOAD);
            return super.copyOperation(insn, value);
        }

        @Override
        public SourceValue unaryOperation(AbstractInsnNode insn, SourceValue value) {
            isChanged |= isIt(value) && !(insn instanceof JumpInsnNode);
            return super.unaryOperation(insn, value);
        }

        @Override
        public SourceValue binaryOperation(AbstractInsnNode insn, SourceValue one, SourceValue other) {
            isChanged |= isIt(one) || isIt(other);
            return super.binaryOperation(insn, one, other);
        }

        @Override
        public SourceValue ternaryOperation(
                AbstractInsnNode insn, SourceValue one, SourceValue two, SourceValue three) {
            isChanged |= isIt(three);
            return super.ternaryOperation(insn, one, two, three);
        }

        @Override
        public SourceValue naryOperation(AbstractInsnNode insn, List<? extends SourceValue> values) {
            for (int i = 0; i < values.size(); i++) {
                if (isIt(values.get(i))) {
                    isChanged |= values.get(i).insns.size() != 1 || !(insn instanceof MethodInsnNode);
                    if (insn instanceof MethodInsnNode call && !isNullCheck(call)) {
                        users.add(call);
                        Integer before = operand.put(call, i);
                        if (before != null && before != i) {
                            isChanged = true;
                        }
                    }
                }
            }
            return super.naryOperation(insn, values);
        }

        @Override
        public void returnOperation(AbstractInsnNode insn, SourceValue value, SourceValue expected) {
            isChanged |= isIt(value);
        }

        private static boolean isNullCheck(MethodInsnNode call) {
            AbstractInsnNode next = call.getNext();
            return call.owner.equals("java/util/Objects")
                    && call.name.equals("requireNonNull")
                    && next != null
                    && next.getOpcode() == Opcodes.POP;
        }
    }
}
