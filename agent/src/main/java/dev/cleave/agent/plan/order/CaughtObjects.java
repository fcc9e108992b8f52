package dev.cleave.agent.plan.order;

import dev.cleave.agent.effect.CodeArguments;
import dev.cleave.agent.effect.Effect;
import dev.cleave.agent.ir.CatchOp;
import dev.cleave.agent.ir.Handler;
import dev.cleave.agent.ir.InsnOp;
import dev.cleave.agent.ir.MethodBody;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.ir.Register;
import dev.cleave.agent.ir.ThrowOp;
import dev.cleave.agent.plan.analysis.Region;
import dev.cleave.agent.plan.method.EntryTest;
import dev.cleave.agent.plan.method.Method;
import dev.cleave.agent.plan.method.Value;
import dev.cleave.agent.plan.slice.Aliases;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TypeInsnNode;

/**
 * Exceptions that a handler has caught (R43): their messages, causes and texts run no code of the program if they come from instructions
 * and methods of the JDK, from remote calls of which that is known when the region is entered, or from the code itself.
 */
final class CaughtObjects {

    private static final int DEPTH = 3;

    /** The methods that say what an exception says. */
    private static final Set<String> SAYING = Set.of(
            "getMessage",
            "getLocalizedMessage",
            "getCause",
            "toString",
            "getStackTrace",
            "printStackTrace",
            "hashCode",
            "equals");

    /** The methods that change what an exception says. */
    private static final Set<String> CHANGING = Set.of("initCause", "addSuppressed");

    private final Method method;
    private final MethodBody body;
    private final Region region;
    private final Aliases aliases;

    CaughtObjects(Method method, Region region, Aliases aliases) {
        this.method = method;
        this.region = region;
        this.body = method.graph().body();
        this.aliases = aliases;
    }

    /** The tests under which an object is such an exception, null if it may be another one. */
    @Nullable
    Set<EntryTest> tests(int index, Register object) {
        int caught = method.whole().origin(index, object);
        if (caught < 0 || !(method.op(caught) instanceof CatchOp)) {
            return null;
        }
        Set<EntryTest> tests = new LinkedHashSet<>();
        List<Handler> handlers = body.handlersAt(caught);
        for (int i = 0; i < method.graph().size(); i++) {
            List<Handler> own = method.graph().handlers(i).length == 0 ? List.of() : body.handlersOf(method.op(i));
            for (Handler handler : own) {
                if (handlers.contains(handler) && (!region.ops().get(i) || !isPlain(i, handler, tests))) {
                    return null;
                }
            }
        }
        return handlers.isEmpty() ? null : tests;
    }

    /** Whether what an op throws and a handler catches is plain; adds the test that this needs. */
    private boolean isPlain(int index, Handler handler, Set<EntryTest> tests) {
        Op op = method.op(index);
        if (op instanceof ThrowOp) {
            return isMadeHere(index, op.uses().get(0));
        }
        if (!(op instanceof InsnOp insn)) {
            return true; // an exception of the JVM
        }
        MethodInsnNode call = insn.method();
        if (call == null) {
            return insn.dynamic() == null ? !initialises(insn, handler) : !isCode(insn);
        }
        if (method.effects().settingOf(op) != null && method.helper(index) == null) {
            Value service = aliases.atEntry(index, op.uses().get(0));
            if (service != null) {
                tests.add(new EntryTest(EntryTest.Kind.PLAIN_EXCEPTIONS, List.of(service), ""));
            }
            return service != null;
        }
        Effect effect = method.effects().of(op);
        if (effect.barrier() != null || method.hidesRemote(index)) {
            return false;
        }
        return call.owner.startsWith("java/")
                ? !CodeArguments.hasAny(call)
                : !catchesErrors(handler) && throwsNothingOfProgram(call, DEPTH);
    }

    /** The error of a class whose initialiser fails has any exception as its cause. */
    private boolean initialises(InsnOp insn, Handler handler) {
        boolean mayInitialise =
                switch (insn.opcode()) {
                    case Opcodes.NEW -> !((TypeInsnNode) insn.insn()).desc.startsWith("java/");
                    case Opcodes.GETSTATIC, Opcodes.PUTSTATIC ->
                        insn.field() == null || !insn.field().owner.equals(body.owner());
                    default -> false;
                };
        return mayInitialise && catchesErrors(handler);
    }

    private static boolean catchesErrors(Handler handler) {
        return handler.type() == null
                || handler.type().equals("java/lang/Throwable")
                || handler.type().endsWith("Error");
    }

    private static boolean isCode(InsnOp insn) {
        String owner = insn.dynamic() == null ? "" : insn.dynamic().bsm.getOwner();
        return !owner.equals("java/lang/invoke/StringConcatFactory")
                && !owner.equals("java/lang/invoke/LambdaMetafactory");
    }

    /** Whether an exception is of a plain class, and the code makes it from texts and numbers alone. */
    private boolean isMadeHere(int index, Register thrown) {
        int made = method.whole().origin(index, thrown);
        if (made < 0 || !(method.op(made) instanceof InsnOp insn) || insn.opcode() != Opcodes.NEW) {
            return false;
        }
        if (!isPlainClass(((TypeInsnNode) insn.insn()).desc)) {
            return false;
        }
        for (int i = 0; i < method.graph().size(); i++) {
            MethodInsnNode call = method.op(i) instanceof InsnOp each ? each.method() : null;
            if (call != null
                    && call.name.equals("<init>")
                    && method.whole().origin(i, method.op(i).uses().get(0)) == made
                    && !isMadeOfTexts(call, 2 * DEPTH)) {
                return false;
            }
        }
        return true;
    }

    /** Whether a constructor is given texts and numbers only, gives only such to others, and sets no cause. */
    private boolean isMadeOfTexts(MethodInsnNode constructor, int depth) {
        if (depth == 0
                || !Arrays.stream(Type.getArgumentTypes(constructor.desc)).allMatch(CaughtObjects::isText)) {
            return false;
        }
        ClassNode owner = constructor.owner.startsWith("java/")
                ? null
                : method.helpers().effects().classOf(constructor.owner);
        for (MethodNode each : owner == null ? List.<MethodNode>of() : owner.methods) {
            for (AbstractInsnNode insn : each.name.equals("<init>") && each.desc.equals(constructor.desc)
                    ? each.instructions
                    : new InsnList()) {
                MethodInsnNode call = insn instanceof MethodInsnNode named ? named : null;
                boolean isMade = call == null
                        || CHANGING.stream().noneMatch(call.name::equals)
                                && (!call.name.equals("<init>") || isMadeOfTexts(call, depth - 1));
                if (!isMade) {
                    return false;
                }
            }
        }
        return owner != null || constructor.owner.startsWith("java/");
    }

    private static boolean isText(Type type) {
        return type.getSort() < Type.ARRAY || type.getDescriptor().equals("Ljava/lang/String;");
    }

    /** Whether no class of the program among a class and those above it says otherwise what an exception says. */
    private boolean isPlainClass(String name) {
        String at = name;
        for (int steps = 0; steps < 2 * DEPTH && !at.startsWith("java/"); steps++) {
            ClassNode node = method.helpers().effects().classOf(at);
            if (node == null || node.superName == null) {
                return false;
            }
            for (MethodNode each : node.methods) {
                if (SAYING.contains(each.name)) {
                    return false;
                }
            }
            at = node.superName;
        }
        return at.startsWith("java/");
    }

    /** Whether a method of the program throws none but exceptions of the JDK: it makes none itself, and calls such methods only. */
    private boolean throwsNothingOfProgram(MethodInsnNode call, int depth) {
        ClassNode owner = depth == 0 ? null : method.helpers().effects().classOf(call.owner);
        if (owner == null) {
            return false;
        }
        for (MethodNode each : owner.methods) {
            if (each.name.equals(call.name) && each.desc.equals(call.desc)) {
                return throwsNothingOfProgram(each, depth);
            }
        }
        return false;
    }

    private boolean throwsNothingOfProgram(MethodNode code, int depth) {
        if (code.instructions.size() == 0) {
            return false;
        }
        for (AbstractInsnNode insn : code.instructions) {
            boolean mayThrow = insn.getOpcode() == Opcodes.ATHROW
                    || insn instanceof MethodInsnNode call
                            && (call.owner.startsWith("java/")
                                    ? CodeArguments.hasAny(call)
                                    : !throwsNothingOfProgram(call, depth - 1));
            if (mayThrow) {
                return false;
            }
        }
        return true;
    }
}
