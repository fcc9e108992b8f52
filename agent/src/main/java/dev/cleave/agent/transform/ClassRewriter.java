package dev.cleave.agent.transform;

import dev.cleave.agent.dataflow.CopyPropagation;
import dev.cleave.agent.effect.Effects;
import dev.cleave.agent.effect.RemoteCalls;
import dev.cleave.agent.ir.ClassEmitter;
import dev.cleave.agent.ir.IrEmitter;
import dev.cleave.agent.ir.MethodBody;
import dev.cleave.agent.ir.Unsupported;
import dev.cleave.agent.plan.helper.OtherClasses;
import dev.cleave.agent.plan.verdict.Refusal;
import dev.cleave.agent.plan.verdict.Verdict;
import dev.cleave.agent.rule.Rule;
import dev.cleave.agent.scan.ClassFiles;
import dev.cleave.agent.scan.ClassHierarchy;
import dev.cleave.agent.scan.Implementations;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.LineNumberNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * Plans and rewrites classes of one loader. What it reads of other classes it keeps for the next one, and decides the
 * same whatever it was given before. Confined to one thread.
 */
public final class ClassRewriter {

    /**
     * The first version that may have frames; {@link ClassEmitter} makes the next one of it, which has invokedynamic.
     */
    private static final int OLDEST = 50;

    private final ClassFiles files;
    private final RemoteCalls remote;
    private final OtherClasses others;
    private final ClassHierarchy hierarchy;

    /**
     * Makes a rewriter.
     *
     * @param files the class files that the loader of the classes sees
     */
    public ClassRewriter(ClassFiles files, RemoteCalls remote) {
        this.files = files;
        this.remote = remote;
        this.hierarchy = new ClassHierarchy(files);
        this.others = new OtherClasses(
                new Effects(files, remote),
                this::isRemote,
                this::caller,
                new Implementations(files, hierarchy, remote::mayCall)::of);
    }

    /** How many other classes it keeps as those that may call remote methods. */
    int callersKept() {
        return others.size();
    }

    /** Rewrites a class as far as the rules allow. */
    public Rewritten rewrite(byte[] classFile) {
        String self = new ClassReader(classFile).getClassName();
        boolean isAsRead = Arrays.equals(classFile, files.read(self));
        return isAsRead
                ? rewriteKnown(classFile)
                : new ClassRewriter(files.with(self, classFile), remote).rewriteKnown(classFile);
    }

    /** Rewrites a class whose file is the one that {@link #files} finds. */
    private Rewritten rewriteKnown(byte[] classFile) {
        ClassNode node = new ClassNode();
        new ClassReader(classFile).accept(node, ClassReader.SKIP_FRAMES);
        PlainIterators.use(node);
        LaterCandidates laters = LaterCandidates.of(node, hierarchy, remote);
        Set<String> failed = new HashSet<>();
        Set<String> defects = new LinkedHashSet<>();
        while (true) { // plans again without helpers that cannot be rewritten and strands that cannot be written
            ClassPlan plan = new ClassPlan(node, others, failed, hierarchy);
            Rewritten rewritten = rewrite(node, classFile, plan, laters, defects);
            if (!laters.hasFailed() && !failed.addAll(plan.failed())) {
                return rewritten;
            }
        }
    }

    private Rewritten rewrite(
            ClassNode node, byte[] classFile, ClassPlan plan, LaterCandidates laters, Set<String> defects) {
        Map<String, List<Verdict>> verdicts = new LinkedHashMap<>();
        for (MethodNode method : node.methods) {
            if (plan.concerns(method)) {
                verdicts.put(method.name + method.desc, plan(node, method, plan, defects));
            }
        }
        offer(plan, defects);
        List<MethodNode> replacements = new ArrayList<>();
        for (MethodNode method : node.methods) {
            verdicts.computeIfPresent(
                    method.name + method.desc, (key, found) -> write(method, plan, found, replacements, defects));
        }
        for (MethodNode method : node.methods) {
            verdicts.merge(
                    method.name + method.desc, laters.rewrite(method, replacements, plan), ClassRewriter::joined);
        }
        verdicts.values().removeIf(List::isEmpty);
        ClassEmitter.Emitted emitted = new ClassEmitter(classFile, hierarchy).emit(replacements);
        emitted.refused().forEach((key, why) -> {
            if (!laters.fail(key, String.valueOf(why.getMessage()))) {
                plan.fail(key);
                verdicts.computeIfPresent(key, (k, old) -> refused(old, why));
            }
        });
        return new Rewritten(
                node.name.replace('/', '.'),
                emitted.classFile(),
                emitted.classFile() != classFile,
                verdicts,
                plan.usesElsewhere(),
                List.copyOf(defects));
    }

    private List<Verdict> plan(ClassNode owner, MethodNode method, ClassPlan plan, Set<String> defects) {
        try {
            if ((owner.version & 0xFFFF) < OLDEST) {
                throw new Unsupported(
                        Unsupported.Reason.OLD_CLASS_FILE,
                        "class file version: " + owner.version + " (expected: " + OLDEST + " or more)");
            }
            return plan.plan(method).verdicts();
        } catch (Unsupported e) {
            return refused(calls(method), e);
        } catch (RuntimeException e) { // a defect of ours must cost this method only
            defects.add(defect(method.name, e));
            return refused(calls(method), e);
        }
    }

    private static List<Verdict> joined(List<Verdict> calls, List<Verdict> laters) {
        List<Verdict> all = new ArrayList<>(laters);
        all.addAll(calls);
        return all;
    }

    private static void offer(ClassPlan plan, Set<String> defects) {
        try {
            plan.offer();
        } catch (RuntimeException e) { // a defect of ours must not cost the class more than callers from elsewhere
            defects.add(defect("what callers in other classes take", e));
            plan.withdraw();
        }
    }

    /** Another class that may call remote methods, null if the name is not that of one. */
    private @Nullable ClassNode caller(String internalName) {
        byte[] bytes = remote.mayCall(internalName) ? files.read(internalName) : null;
        if (bytes == null) {
            return null;
        }
        ClassNode node = new ClassNode();
        new ClassReader(bytes).accept(node, ClassReader.SKIP_FRAMES);
        PlainIterators.use(node);
        return (node.version & 0xFFFF) < OLDEST ? null : node;
    }

    private List<Verdict> write(
            MethodNode method,
            ClassPlan plan,
            List<Verdict> verdicts,
            List<MethodNode> replacements,
            Set<String> defects) {
        try {
            MethodBody body = plan.rewrite(method);
            if (body != null) {
                CopyPropagation.run(body);
                MethodNode emitted = IrEmitter.emit(body);
                Verification.check(body.owner(), emitted);
                replacements.add(emitted);
            }
            return plan.verdicts(method, verdicts);
        } catch (Unsupported e) {
            plan.fail(method.name + method.desc);
            return refused(verdicts, e);
        } catch (RuntimeException e) { // a defect of ours must cost this method only
            plan.fail(method.name + method.desc);
            if (e.getCause() instanceof Unsupported why) { // a strand that is too large
                return refused(verdicts, why);
            }
            defects.add(defect(method.name, e));
            return refused(verdicts, e);
        }
    }

    /** Says on what the agent failed, and where in its own code. */
    private static String defect(String what, RuntimeException defect) {
        return what + ": " + defect
                + Stream.of(defect.getStackTrace())
                        .filter(frame -> frame.getClassName().startsWith("dev.cleave.agent."))
                        .findFirst()
                        .map(frame -> " at " + frame)
                        .orElse("");
    }

    private static List<Verdict> refused(List<Verdict> verdicts, RuntimeException defect) {
        String reason = "the agent failed on this method: " + defect;
        return refused(verdicts, Rule.R52, reason, "report it, with the class file");
    }

    private static List<Verdict> refused(List<Verdict> verdicts, Unsupported why) {
        Rule rule = why.reason() == Unsupported.Reason.TOO_LARGE ? Rule.R51 : Rule.R1;
        return refused(verdicts, rule, String.valueOf(why.getMessage()), advice(why.reason()));
    }

    private static List<Verdict> refused(List<Verdict> verdicts, Rule rule, String reason, String advice) {
        return verdicts.stream()
                .map(v -> v.outcome() == Verdict.Outcome.LATER
                        ? v
                        : new Verdict(
                                v.line(),
                                v.call(),
                                Verdict.Outcome.SEQUENTIAL,
                                1,
                                new Refusal(rule, v.line(), reason, advice)))
                .toList();
    }

    private static String advice(Unsupported.Reason reason) {
        return switch (reason) {
            case OLD_CLASS_FILE, SUBROUTINE -> "compile the class for Java 7 or later";
            case UNKNOWN_CLASS -> "put the class on the class path";
            case TOO_LARGE -> "split the method";
            case NO_CODE, INVALID_CODE -> "compile the class again, without tools that change its code";
        };
    }

    private List<Verdict> calls(MethodNode method) {
        List<Verdict> verdicts = new ArrayList<>();
        int line = -1;
        for (AbstractInsnNode insn : method.instructions) {
            if (insn instanceof LineNumberNode number) {
                line = number.line;
            }
            if (isRemote(insn)) {
                MethodInsnNode call = (MethodInsnNode) insn;
                verdicts.add(new Verdict(line, nameOf(call.owner, call.name), Verdict.Outcome.SEQUENTIAL, 1, null));
            }
        }
        return verdicts;
    }

    /** A remote method as verdicts name it. */
    static String nameOf(String owner, String name) {
        return owner.substring(Math.max(owner.lastIndexOf('/'), owner.lastIndexOf('$')) + 1) + "." + name;
    }

    private boolean isRemote(AbstractInsnNode insn) {
        return insn.getOpcode() == Opcodes.INVOKEINTERFACE
                && insn instanceof MethodInsnNode call
                && remote.settingOf(call.owner, call.name, call.desc) != null;
    }
}
