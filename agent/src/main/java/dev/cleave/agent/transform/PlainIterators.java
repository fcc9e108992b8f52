package dev.cleave.agent.transform;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
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
import org.objectweb.asm.tree.VarInsnNode;
import org.objectweb.asm.tree.analysis.Analyzer;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.Frame;
import org.objectweb.asm.tree.analysis.SourceInterpreter;
import org.objectweb.asm.tree.analysis.SourceValue;

/**
 * Lets a class use {@code Iterator} where it uses a list iterator or a string tokenizer, because planners know one kind of iterator (R34).
 *
 * <p>The calls of {@code hasNext()}, {@code next()} and {@code remove()} of a list iterator become calls of {@code Iterator}, which it is. A string
 * tokenizer in a local that the method asks for {@code hasMoreTokens()}, {@code nextToken()} and their like alone becomes an iterator over
 * {@code dev.cleave.rt.Tokens}.
 */
final class PlainIterators {

    private static final String ITERATOR = "java/util/Iterator";
    private static final String ITERABLE = "java/lang/Iterable";
    private static final String LIST_ITERATOR = "java/util/ListIterator";
    private static final String TOKENIZER = "java/util/StringTokenizer";
    private static final Set<String> OF_ITERATORS = Set.of("hasNext", "next", "remove");

    /** The methods of an iterator, by those of a tokenizer that they replace. */
    private static final Map<String, String> ASKED = Map.of(
            "hasMoreTokens()Z", "hasNext",
            "hasMoreElements()Z", "hasNext",
            "nextToken()Ljava/lang/String;", "next",
            "nextElement()Ljava/lang/Object;", "next");

    /**
     * A tokenizer that a method makes and stores in a local.
     *
     * @param made the instruction that allocates it; another one that duplicates the reference follows
     */
    private record Made(AbstractInsnNode made, MethodInsnNode constructor, VarInsnNode store) {}

    private PlainIterators() {}

    /** Changes the code of a class that does not run yet. */
    static void use(ClassNode type) {
        for (MethodNode method : type.methods) {
            boolean hasTokenizer = false;
            for (AbstractInsnNode insn : method.instructions) {
                if (insn instanceof MethodInsnNode call
                        && call.owner.equals(LIST_ITERATOR)
                        && OF_ITERATORS.contains(call.name)) {
                    call.owner = ITERATOR;
                }
                hasTokenizer |= isNew(insn);
            }
            if (hasTokenizer) {
                replaceTokenizers(type.name, method);
            }
        }
    }

    private static void replaceTokenizers(String owner, MethodNode method) {
        Map<AbstractInsnNode, Made> made = new HashMap<>();
        for (AbstractInsnNode insn : method.instructions) {
            Made tokenizer = isNew(insn) ? made(insn) : null;
            if (tokenizer != null) {
                made.put(tokenizer.store(), tokenizer);
            }
        }
        List<MethodInsnNode> asked = made.isEmpty() ? List.of() : asked(owner, method, made);
        made.values().forEach(each -> replace(each, method.instructions));
        for (MethodInsnNode call : asked) {
            boolean isText = call.name.equals("nextToken");
            String name = ASKED.get(call.name + call.desc);
            String type = "next".equals(name) ? "()Ljava/lang/Object;" : "()Z";
            MethodInsnNode instead = new MethodInsnNode(Opcodes.INVOKEINTERFACE, ITERATOR, name, type, true);
            method.instructions.set(call, instead);
            if (isText) {
                method.instructions.insert(instead, new TypeInsnNode(Opcodes.CHECKCAST, "java/lang/String"));
            }
        }
    }

    private static boolean isNew(AbstractInsnNode insn) {
        return insn.getOpcode() == Opcodes.NEW && ((TypeInsnNode) insn).desc.equals(TOKENIZER);
    }

    /** The tokenizer that is allocated by an instruction; null if it does not go to a local at once, or is not the only one of its expression. */
    private static @Nullable Made made(AbstractInsnNode allocation) {
        AbstractInsnNode twice = next(allocation);
        if (twice == null || twice.getOpcode() != Opcodes.DUP) {
            return null;
        }
        for (AbstractInsnNode insn = next(twice); insn != null && !isNew(insn); insn = next(insn)) {
            if (insn instanceof MethodInsnNode call && call.owner.equals(TOKENIZER) && call.name.equals("<init>")) {
                return next(call) instanceof VarInsnNode store && store.getOpcode() == Opcodes.ASTORE
                        ? new Made(allocation, call, store)
                        : null;
            }
        }
        return null;
    }

    /**
     * The calls of methods of the tokenizers. Removes tokenizers that are used otherwise.
     *
     * @param made by the instructions that store them
     */
    private static List<MethodInsnNode> asked(String owner, MethodNode method, Map<AbstractInsnNode, Made> made) {
        Frame<SourceValue>[] frames;
        try {
            frames = new Analyzer<>(new SourceInterpreter()).analyze(owner, method);
        } catch (AnalyzerException e) {
            made.clear();
            return List.of();
        }
        made.values()
                .removeIf(tokenizer -> !isAlone(tokenizer, frames[method.instructions.indexOf(tokenizer.store())]));
        Set<MethodInsnNode> asked = new LinkedHashSet<>();
        boolean isDone = false;
        while (!isDone) {
            isDone = true;
            asked.clear();
            for (int i = 0; i < frames.length; i++) {
                AbstractInsnNode insn = method.instructions.get(i);
                if (frames[i] == null || insn.getOpcode() != Opcodes.ALOAD) {
                    continue;
                }
                Set<AbstractInsnNode> stores = frames[i].getLocal(((VarInsnNode) insn).var).insns;
                if (stores.stream().noneMatch(made::containsKey)) {
                    continue;
                }
                if (made.keySet().containsAll(stores)
                        && next(insn) instanceof MethodInsnNode call
                        && call.owner.equals(TOKENIZER)
                        && ASKED.containsKey(call.name + call.desc)) {
                    asked.add(call);
                } else {
                    isDone &= !made.keySet().removeAll(stores);
                }
            }
        }
        return new ArrayList<>(asked);
    }

    /** Whether the instruction that stores a tokenizer stores no other object. */
    private static boolean isAlone(Made tokenizer, @Nullable Frame<SourceValue> frame) {
        AbstractInsnNode twice = next(tokenizer.made());
        return frame != null
                && twice != null
                && Set.of(tokenizer.made(), twice).containsAll(frame.getStack(frame.getStackSize() - 1).insns);
    }

    private static void replace(Made tokenizer, InsnList code) {
        code.remove(next(tokenizer.made()));
        code.remove(tokenizer.made());
        MethodInsnNode tokens = new MethodInsnNode(
                Opcodes.INVOKESTATIC,
                CoreNames.TOKENS,
                "of",
                Type.getMethodDescriptor(
                        Type.getObjectType(ITERABLE), Type.getArgumentTypes(tokenizer.constructor().desc)),
                false);
        code.set(tokenizer.constructor(), tokens);
        code.insert(
                tokens,
                new MethodInsnNode(Opcodes.INVOKEINTERFACE, ITERABLE, "iterator", "()Ljava/util/Iterator;", true));
    }

    /** The next instruction that is no label, line or frame. */
    private static @Nullable AbstractInsnNode next(AbstractInsnNode insn) {
        AbstractInsnNode next = insn.getNext();
        while (next != null && next.getOpcode() < 0) {
            next = next.getNext();
        }
        return next;
    }
}
