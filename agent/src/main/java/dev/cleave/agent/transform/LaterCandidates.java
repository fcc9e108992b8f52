package dev.cleave.agent.transform;

import dev.cleave.agent.dataflow.CopyPropagation;
import dev.cleave.agent.effect.RemoteCalls;
import dev.cleave.agent.ir.BranchOp;
import dev.cleave.agent.ir.IrBuilder;
import dev.cleave.agent.ir.IrEmitter;
import dev.cleave.agent.ir.MethodBody;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.ir.Unsupported;
import dev.cleave.agent.plan.later.LaterPlan;
import dev.cleave.agent.plan.later.LaterPlanner;
import dev.cleave.agent.plan.later.LaterVerdicts;
import dev.cleave.agent.plan.verdict.Verdict;
import dev.cleave.agent.scan.CallSetting;
import dev.cleave.agent.scan.ClassHierarchy;
import dev.cleave.agent.scan.ScannedInterface;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.AnnotationNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * The methods of a class that implement methods of remote interfaces with parameters that may arrive later, or call
 * some whose results may.
 */
final class LaterCandidates {

    private static final String LATER = "Ldev/cleave/Later;";

    private final ClassNode owner;
    private final Map<String, Set<Integer>> parameters = new HashMap<>();
    private final Map<String, String> names = new LinkedHashMap<>();
    private final Map<String, String> bridges = new HashMap<>(); // to the methods that they lead to
    private final Map<String, Set<Integer>> plain = new HashMap<>(); // parameters that only a caller may choose
    private final Map<String, Verdict> failed = new HashMap<>();
    private final Set<String> callers = new HashSet<>(); // of methods whose results they use while they arrive
    private final Set<String> failedCallers = new HashSet<>();
    private final RemoteCalls remote;
    private boolean hasFailed;

    private LaterCandidates(ClassNode owner, RemoteCalls remote) {
        this.owner = owner;
        this.remote = remote;
    }

    /** Finds the candidates of a class. */
    static LaterCandidates of(ClassNode owner, ClassHierarchy hierarchy, RemoteCalls remote) {
        LaterCandidates methods = new LaterCandidates(owner, remote);
        Map<String, Set<Integer>> wanted = wanted(owner, hierarchy, remote::latersOf);
        Map<String, Set<Integer>> possible = wanted(owner, hierarchy, remote::streamablesOf);
        if (!wanted.isEmpty() || !possible.isEmpty()) {
            owner.methods.stream()
                    .filter(LaterCandidates::hasCode)
                    .forEach(method -> methods.add(method, wanted, possible));
        }
        return methods;
    }

    /** The parameters of the methods of all interfaces of a class. */
    private static Map<String, Set<Integer>> wanted(
            ClassNode owner, ClassHierarchy hierarchy, Function<String, Map<String, Set<Integer>>> ofInterface) {
        Map<String, Set<Integer>> wanted = new HashMap<>();
        Deque<String> open = new ArrayDeque<>(owner.interfaces);
        if (owner.superName != null) {
            open.add(owner.superName);
        }
        Set<String> seen = new HashSet<>();
        while (!open.isEmpty()) {
            String name = open.poll();
            if (!name.startsWith("java/") && seen.add(name)) {
                ofInterface.apply(name).forEach(wanted::putIfAbsent);
                ClassHierarchy.ClassInfo info = hierarchy.find(name);
                if (info != null) {
                    open.addAll(info.interfaces());
                    if (info.superName() != null) {
                        open.add(info.superName());
                    }
                }
            }
        }
        return wanted;
    }

    private static boolean hasCode(MethodNode method) {
        return (method.access & (Opcodes.ACC_STATIC | Opcodes.ACC_ABSTRACT | Opcodes.ACC_NATIVE)) == 0;
    }

    private void add(MethodNode method, Map<String, Set<Integer>> wanted, Map<String, Set<Integer>> possible) {
        String key = method.name + method.desc;
        Set<Integer> later = new HashSet<>(wanted.getOrDefault(key, Set.of()));
        later.addAll(possible.getOrDefault(key, Set.of()));
        if (later.stream().allMatch(number -> number < 0)) {
            return;
        }
        Set<Integer> unmarked = new HashSet<>(possible.getOrDefault(key, Set.of()));
        unmarked.removeAll(wanted.getOrDefault(key, Set.of()));
        String leadsTo = (method.access & Opcodes.ACC_BRIDGE) == 0 ? null : targetOf(method);
        plain.put(key, unmarked);
        if (leadsTo != null) {
            plain.put(leadsTo, unmarked);
        }
        add(key, key, later, method);
        String target = (method.access & Opcodes.ACC_BRIDGE) == 0 ? null : targetOf(method);
        if (target != null) {
            bridges.put(key, target);
            add(target, target + ' ' + key, later, method);
        }
    }

    private void add(String key, String known, Set<Integer> later, MethodNode annotated) {
        names.merge(key, known, (a, b) -> b.startsWith(a) ? b : a + b.substring(key.length()));
        Set<Integer> all = parameters.computeIfAbsent(key, k -> new HashSet<>());
        all.addAll(later);
        List<AnnotationNode>[] own = annotated.visibleParameterAnnotations;
        for (int i = 0; own != null && i < own.length; i++) {
            if (own[i] != null && own[i].stream().anyMatch(annotation -> annotation.desc.equals(LATER))) {
                all.add(i);
            }
        }
    }

    /** The method of the same class that a bridge calls, null if it is not there. */
    private @Nullable String targetOf(MethodNode bridge) {
        for (AbstractInsnNode insn : bridge.instructions) {
            if (insn instanceof MethodInsnNode call
                    && call.owner.equals(owner.name)
                    && call.name.equals(bridge.name)
                    && Type.getArgumentCount(call.desc) == Type.getArgumentCount(bridge.desc)) {
                String key = call.name + call.desc;
                return owner.methods.stream().anyMatch(m -> hasCode(m) && key.equals(m.name + m.desc)) ? key : null;
            }
        }
        return null;
    }

    /**
     * Rewrites a method, in place of what became of it so far; returns the verdicts on its parameters and on results.
     */
    List<Verdict> rewrite(MethodNode method, List<MethodNode> replacements, ClassPlan plan) {
        String key = method.name + method.desc;
        Set<Integer> later = failed.containsKey(key) ? Set.of() : parameters.getOrDefault(key, Set.of());
        MethodNode source = method;
        for (MethodNode replacement : replacements) {
            source = key.equals(replacement.name + replacement.desc) ? replacement : source;
        }
        boolean calls = source == method && !failedCallers.contains(key) && usesResults(method);
        if (later.isEmpty() && !calls) {
            return known(key);
        }
        try {
            MethodBody body = IrBuilder.build(owner.name, owner.version, source);
            LaterPlan wanted = LaterPlanner.plan(body, later, calls ? plan.helpers() : null, this::latersOf);
            Set<Integer> unmarked = plain.getOrDefault(key, Set.of());
            if (wanted.parameters().isEmpty() || !calls && unmarked.containsAll(later) && !isEarly(body, wanted)) {
                return known(key);
            }
            if (wanted.hasResults()) {
                callers.add(key);
            }
            List<Verdict> verdicts = LaterVerdicts.of(body, wanted, unmarked);
            String target = bridges.get(key);
            LaterWriter.write(
                    body, wanted, names.getOrDefault(key, key), target != null && !failed.containsKey(target));
            CopyPropagation.run(body);
            MethodNode emitted = IrEmitter.emit(body);
            Verification.check(owner.name, emitted);
            if (!later.isEmpty()) {
                mark(emitted);
            }
            replacements.remove(source);
            replacements.add(emitted);
            return target == null ? verdicts : List.of();
        } catch (Unsupported | RuntimeException e) { // a defect of ours must cost this method only
            fail(key, String.valueOf(e.getMessage()));
            return List.of();
        }
    }

    /** Whether a method does something before it waits for the whole of a parameter. */
    private static boolean isEarly(MethodBody body, LaterPlan plan) {
        int early = (1 << plan.parameters().size()) - 1;
        for (Op op : body.ops()) {
            if (op instanceof BranchOp) {
                break;
            }
            for (LaterPlan.Wait wait : plan.waits().getOrDefault(op, List.of())) {
                early &= wait.kind() == LaterPlan.Kind.WHOLE ? ~wait.values() : -1;
            }
        }
        return early != 0;
    }

    private List<Verdict> known(String key) {
        Verdict known = failed.get(key);
        boolean isUnmarked = plain.getOrDefault(key, Set.of()).containsAll(parameters.getOrDefault(key, Set.of()));
        return known == null || isUnmarked ? List.of() : List.of(known);
    }

    private Set<Integer> latersOf(MethodInsnNode call) {
        CallSetting setting = remote.settingOf(call.owner, call.name, call.desc);
        if (setting == null
                || setting.style() == CallSetting.Style.ONE_WAY) { // which returns before its arguments are sent
            return Set.of();
        }
        return remote.latersOf(call.owner).getOrDefault(call.name + call.desc, Set.of());
    }

    private boolean usesResults(MethodNode method) {
        for (AbstractInsnNode insn : method.instructions) {
            if (insn.getOpcode() == Opcodes.INVOKEINTERFACE
                    && insn instanceof MethodInsnNode call
                    && latersOf(call).contains(ScannedInterface.RESULT)) {
                return true;
            }
        }
        return false;
    }

    private static void mark(MethodNode method) {
        List<AnnotationNode> annotations =
                new ArrayList<>(method.visibleAnnotations == null ? List.of() : method.visibleAnnotations);
        annotations.add(new AnnotationNode(CoreNames.TAKES_LATER));
        method.visibleAnnotations = annotations;
    }

    /** Notes that a method cannot be rewritten; false if that was known, or if the method is no candidate. */
    boolean fail(String key, String reason) {
        if (callers.contains(key) && failedCallers.add(key)) { // the next attempt awaits results in whole
            hasFailed = true;
            return true;
        }
        if (!parameters.containsKey(key) || failed.containsKey(key)) {
            return false;
        }
        failed.put(key, LaterVerdicts.atEntry(reason));
        hasFailed = true;
        return true;
    }

    /** Whether a method has failed since this was asked last: others may rely on it. */
    boolean hasFailed() {
        boolean has = hasFailed;
        hasFailed = false;
        return has;
    }
}
